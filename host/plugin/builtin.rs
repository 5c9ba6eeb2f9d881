//! The metrics that the binary carries.

/// The names of the metrics that the binary carries, sorted.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|(name, _)| *name)
}

/// The component of the built-in metric of this name.
pub(super) fn builtin(name: &str) -> Option<&'static [u8]> {
    BUILTINS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, bytes)| *bytes)
}

macro_rules! builtins {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../plugins/built/", $name, ".wasm")) as &[u8])),*]
    };
}

const BUILTINS: &[(&str, &[u8])] = builtins!["exact-json", "exact-match", "numeric-answer"];
