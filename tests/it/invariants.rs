//! The architecture's invariants, as absences in the source.

use std::path::{Path, PathBuf};

use crate::guests;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// No source below `host/` for which `applies` holds one of `words`.
fn absent(words: &[&str], applies: impl Fn(&str) -> bool) {
    let host = guests::root().join("host");
    let mut looked_at = 0;
    for path in sources(&host) {
        let name = path
            .strip_prefix(&host)
            .expect("it lies below")
            .to_string_lossy()
            .replace('\\', "/");
        if !applies(&name) {
            continue;
        }
        looked_at += 1;
        let text = std::fs::read_to_string(&path).expect("it is text");
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in words {
                assert!(
                    !code.contains(word),
                    "host/{name}:{}: `{word}` has no place here",
                    number + 1
                );
            }
        }
    }
    assert!(looked_at > 0, "the rule looks at nothing");
}

#[test]
fn wasmtime_is_named_only_under_plugin() {
    absent(&["wasmtime::", "use wasmtime"], |name| {
        !name.starts_with("plugin/")
    });
}

#[test]
fn policy_summary_and_report_are_pure() {
    absent(
        &[
            "std::fs",
            "std::io",
            "std::env",
            "std::time",
            "std::net",
            "Instant",
            "SystemTime",
            "rand",
        ],
        |name| name == "policy.rs" || name.starts_with("summary/") || name.starts_with("report/"),
    );
}

#[test]
fn the_library_never_prints() {
    absent(
        &["println!", "print!", "eprintln!", "eprint!", "dbg!"],
        |name| !name.starts_with("bin/"),
    );
}

#[test]
fn only_policy_makes_verdicts() {
    absent(
        &["Verdict::Passed }", "else { Verdict", "=> Verdict::"],
        |name| name != "policy.rs",
    );
}

#[test]
fn only_the_command_knows_exit_codes() {
    absent(&["ExitCode", "process::exit"], |name| {
        !name.starts_with("bin/")
    });
}

#[test]
fn there_is_one_copy_of_each_wit_file() {
    let root = guests::root();
    let listed = std::process::Command::new("git")
        .args(["ls-files", "*.wit"])
        .current_dir(root)
        .output()
        .expect("git is here");
    let files = String::from_utf8(listed.stdout).expect("paths are text");
    for file in files.lines() {
        assert!(file.starts_with("wit/"), "{file} is a second copy");
    }
    assert_eq!(
        std::fs::read_dir(root.join("wit"))
            .expect("it is there")
            .count(),
        4
    );
}

#[test]
fn the_recorded_wasmtime_is_the_one_in_the_lock() {
    let lock = std::fs::read_to_string(guests::root().join("Cargo.lock")).expect("it is there");
    let version = lock
        .split("name = \"wasmtime\"\nversion = \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("the lock names wasmtime");
    assert_eq!(version, weighbridge::plugin::WASMTIME_VERSION);
}
