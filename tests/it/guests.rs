//! Guests that misbehave, built from the text in `tests/guests/`.

use std::path::{Path, PathBuf};

use weighbridge::plugin::{Limits, LoadError, Metric, Sandbox, Source, componentize};
use wit_component::StringEncoding;
use wit_parser::Resolve;

/// The root of the package.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The world of a metric that also makes resources.
const HANDLES: &str = "
    package guests:handles;
    interface things { resource thing; }
    world holder {
        include weighbridge:metric/pure-metric@0.1.0;
        export things;
    }";

/// The core module of this guest, with its type embedded.
pub(crate) fn core_module(name: &str) -> Vec<u8> {
    let read = |file: &str| {
        let path = root().join("tests/guests").join(format!("{file}.wat"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let guest = read(name);
    // Imports stand before every definition.
    let (imports, rest): (Vec<&str>, Vec<&str>) =
        guest.lines().partition(|line| line.starts_with("(import"));
    let text = format!(
        "(module\n{}\n{}\n{}\n)",
        imports.join("\n"),
        read("prelude"),
        rest.join("\n")
    );
    let world = if guest.contains("guests:handles") {
        "guests:handles/holder"
    } else if guest.contains("metric/judge@") {
        "judged-metric"
    } else if guest.contains("metric/log@") {
        "logging-metric"
    } else {
        "pure-metric"
    };
    let mut module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    embed(&mut module, world);
    module
}

/// States in `module` that it implements this world of `wit/`.
pub(crate) fn embed(module: &mut Vec<u8>, world: &str) {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(root().join("wit")).expect("wit/ parses");
    let packages = [
        package,
        resolve.push_str("handles.wit", HANDLES).expect("it parses"),
    ];
    let package = packages[usize::from(world.starts_with("guests:"))];
    let world = resolve
        .select_world(&[package], Some(world))
        .expect("wit/ has the world");
    wit_component::embed_component_metadata(module, &resolve, world, StringEncoding::UTF8)
        .expect("a module takes a section");
}

/// The component of this guest.
pub(crate) fn component(name: &str) -> Vec<u8> {
    componentize(&core_module(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The component of this guest as a file that lives as long as the folder.
pub(crate) fn file(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(format!("{name}.wasm"));
    std::fs::write(&path, component(name)).expect("the folder takes files");
    path
}

/// The guest, loaded under these limits.
pub(crate) fn load(name: &str, limits: Limits) -> Result<Metric, LoadError> {
    load_for(name, limits, 2)
}

/// The guest, loaded for so many cases at once.
pub(crate) fn load_for(name: &str, limits: Limits, jobs: usize) -> Result<Metric, LoadError> {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let source = Source::Path(file(folder.path(), name));
    let config = serde_json::json!({});
    Metric::load(&Sandbox::new(limits, jobs), None, &source, None, &config)
}
