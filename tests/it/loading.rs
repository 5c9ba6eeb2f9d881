//! Wrong files get one clear sentence, and the compile cache does no harm.

use std::path::Path;

use serde_json::json;
use weighbridge::case::TestCase;
use weighbridge::outcome::Outcome;
use weighbridge::plugin::{Cache, Limits, LoadError, Metric, Sandbox, Source, componentize};

use crate::guests;

fn load(path: &Path, cache: Option<&Cache>, limits: Limits) -> Result<Metric, LoadError> {
    let source = Source::Path(path.to_owned());
    Metric::load(&Sandbox::new(limits, 1), cache, &source, None, &json!({}))
}

/// A file with these bytes is refused with these words.
fn check(bytes: &[u8], words: &str) {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("metric.wasm");
    std::fs::write(&path, bytes).expect("the folder takes files");
    let error = load(&path, None, Limits::default()).err().expect(words);
    let message = error.to_string();
    assert!(message.contains(words), "{message}");
    assert!(message.contains("metric.wasm"), "names the file: {message}");
    assert!(message.contains(": "), "has a remedy: {message}");
}

fn component_of(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the text is WebAssembly")
}

#[test]
fn files_that_are_no_component_are_named_for_what_they_are() {
    check(b"", "is an empty file");
    check(b"def measure(case):", "is not WebAssembly");
    check(b"\0as", "is cut off");
    check(b"\0asm\x0d\0", "is cut off");
    check(b"\0asm\x01\0\0\0", "is a core module");
    check(b"\0asm\x0e\0\x01\0", "unknown here");
    check(b";; a comment\n(component)", "is WebAssembly text");
    check(b"  (module)", "is WebAssembly text");
    check(&guests::core_module("counter"), "weigh componentize");
    let whole = guests::component("counter");
    check(&whole[..whole.len() / 2], "is cut off");
}

#[test]
fn damage_is_not_mistaken_for_truncation() {
    let mut damaged = guests::component("counter");
    let middle = damaged.len() / 2;
    damaged[middle..middle + 16].fill(0xff);
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("metric.wasm");
    std::fs::write(&path, damaged).expect("the folder takes files");
    assert!(load(&path, None, Limits::default()).is_err());
}

#[test]
fn components_without_the_metric_interface_are_refused() {
    check(&component_of("(component)"), "it exports nothing");
    check(
        &component_of(
            r#"(component
                (core module $m (func (export "f")))
                (core instance $i (instantiate $m))
                (func (export "weigh-it") (canon lift (core func $i "f")))
                (instance (export "my:own/thing@1.0.0")))"#,
        ),
        "`weigh-it`, `my:own/thing@1.0.0`",
    );
    check(
        &component_of(r#"(component (instance (export "weighbridge:metric/metric@0.2.0")))"#),
        "exports `weighbridge:metric/metric@0.2.0`",
    );
    check(
        &component_of(r#"(component (instance (export "weighbridge:metric/metric@0.1.0")))"#),
        "in another shape",
    );
}

#[test]
fn ungranted_imports_are_named() {
    let mut text = String::from(r#"(component (import "wasi:cli/environment@0.2.0" (instance))"#);
    text.push_str(r#"(instance (export "weighbridge:metric/metric@0.1.0")))"#);
    check(&component_of(&text), "`wasi:cli/environment@0.2.0`");
}

#[test]
fn unreadable_paths_say_why() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let refuse = |path: &Path| {
        load(path, None, Limits::default())
            .err()
            .expect("it can't be read")
            .to_string()
    };
    assert!(refuse(&folder.path().join("none.wasm")).contains("does not exist"));
    assert!(refuse(folder.path()).contains("is a directory"));
    let path = guests::file(folder.path(), "counter");
    let limits = Limits {
        component_bytes: 100,
        ..Limits::default()
    };
    let error = load(&path, None, limits).err().expect("it is larger");
    assert!(
        error.to_string().contains("larger than 100 bytes"),
        "{error}"
    );
    let below = refuse(&path.join("inside.wasm"));
    assert!(below.contains("can't be read"), "{below}");
}

#[test]
fn names_are_built_in_and_paths_are_not() {
    assert_eq!(
        Source::parse("exact-json"),
        Source::BuiltIn("exact-json".to_owned())
    );
    for path in ["./exact-json", "a/b", "x.wasm"] {
        assert_eq!(Source::parse(path), Source::Path(path.into()));
    }
    let sandbox = Sandbox::new(Limits::default(), 1);
    let source = Source::parse("exact-jsn");
    let error = Metric::load(&sandbox, None, &source, None, &json!({}))
        .err()
        .expect("there is no such metric");
    assert!(error.to_string().contains("`exact-json`"), "{error}");
}

#[test]
fn a_core_module_becomes_a_component_only_with_its_type() {
    let plain = component_of("(module)");
    let error = componentize(&plain).expect_err("it states no interface");
    assert!(error.to_string().contains("component-type"), "{error}");
    let error = componentize(&guests::component("counter")).expect_err("it is one");
    assert!(error.to_string().contains("component already"), "{error}");
    assert_eq!(guests::component("counter"), guests::component("counter"));
}

/// Loads through the cache and measures one case.
fn measures(path: &Path, cache: &Cache) {
    let metric = load(path, Some(cache), Limits::default()).expect("it loads");
    let case = TestCase {
        actual_output: Some("fine".to_owned()),
        ..TestCase::default()
    };
    assert!(matches!(
        metric.measure(&case).outcome,
        Outcome::Measured(_)
    ));
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder)
        .expect("it is a folder")
        .map(|entry| entry.expect("it can be listed").path())
        .collect()
}

#[test]
fn the_cache_holds_one_entry_a_component_and_set_of_rules() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let cached = folder.path().join("cache");
    let cache = Cache::new(&cached).expect("it can be made");
    let path = guests::file(folder.path(), "counter");
    measures(&path, &cache);
    let first = entries(&cached);
    assert_eq!(first.len(), 1);
    let written = std::fs::metadata(&first[0]).and_then(|entry| entry.modified());
    measures(&path, &cache);
    assert_eq!(entries(&cached), first, "the second load finds the entry");
    let kept = std::fs::metadata(&first[0]).and_then(|entry| entry.modified());
    assert_eq!(written.ok(), kept.ok(), "and doesn't write it again");
    measures(&guests::file(folder.path(), "log-flood"), &cache);
    assert_eq!(entries(&cached).len(), 2);
}

#[test]
fn a_damaged_entry_is_a_miss_and_is_mended() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let cached = folder.path().join("cache");
    let cache = Cache::new(&cached).expect("it can be made");
    let path = guests::file(folder.path(), "counter");
    measures(&path, &cache);
    let entry = entries(&cached).remove(0);
    let good = std::fs::read(&entry).expect("it can be read");
    let other_version = {
        // Whole by its digest, but not code of this wasmtime.
        use sha2::Digest;
        let code = b"code of another version";
        let mut bytes = good[..16].to_vec();
        bytes.extend_from_slice(&sha2::Sha256::digest(code));
        bytes.extend_from_slice(code);
        bytes
    };
    let mut flipped = good.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    for bad in [
        &[][..],
        &good[..20],
        &good[..good.len() / 2],
        &flipped,
        &other_version,
    ] {
        std::fs::write(&entry, bad).expect("it can be written");
        measures(&path, &cache);
        assert_eq!(
            std::fs::read(&entry).expect("it can be read").len(),
            good.len(),
            "the entry is whole again"
        );
    }
}

#[test]
fn processes_that_write_one_entry_at_once_do_no_harm() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let cached = folder.path().join("cache");
    let cache = Cache::new(&cached).expect("it can be made");
    let path = guests::file(folder.path(), "counter");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| measures(&path, &cache));
        }
    });
    assert_eq!(entries(&cached).len(), 1, "no temporary file is left");
    measures(&path, &cache);
}

#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_takes_no_files_does_no_harm() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    // Nobody can make files there, the administrator included.
    let cache = Cache::new(Path::new("/proc/self/task")).expect("it is a folder of ours");
    measures(&guests::file(folder.path(), "counter"), &cache);
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_could_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let shared = folder.path().join("shared");
    std::fs::create_dir(&shared).expect("it can be made");
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o777)).expect("it is ours");
    let error = Cache::new(&shared).expect_err("anyone could put code there");
    assert!(error.to_string().contains("chmod go-w"), "{error}");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("the folder takes files");
    assert!(Cache::new(&file).is_err(), "a file is no directory");
}
