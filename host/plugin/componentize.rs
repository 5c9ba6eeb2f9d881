//! Turns a core module into a component.

use thiserror::Error;
use wasmparser::{Encoding, Parser, Payload};
use wit_component::ComponentEncoder;

/// Bindings describe the component's type in sections whose names begin so.
const TYPE_SECTION: &str = "component-type";

/// Why a core module can't become a component.
#[derive(Debug, Error)]
pub enum ComponentizeError {
    /// The bytes aren't WebAssembly, or are damaged.
    #[error("the file isn't a WebAssembly module ({0}): give the `.wasm` file of the build")]
    NotAModule(String),
    /// The bytes are a component already.
    #[error("the file is a component already: use it as it is")]
    AlreadyAComponent,
    /// The module was built without bindings, or they were stripped.
    #[error(
        "the core module has no `component-type` section, so nothing says which interface it \
         implements: build it with wit-bindgen (in Rust with the crate `weighbridge-metric`) \
         and keep that section when stripping"
    )]
    NoType,
    /// The module doesn't keep to the type it states.
    #[error(
        "the core module doesn't fit the interface it states ({0}): build it from the same \
         `wit` folder as its bindings, without imports from elsewhere"
    )]
    Mismatch(String),
}

/// Makes a component of a core module that wit-bindgen's bindings describe.
///
/// Imports of the module's world that the module doesn't use are dropped, so
/// a metric that neither logs nor asks a judge imports nothing. The producers
/// sections of module and bindings are kept. The same bytes in, the same
/// bytes out.
///
/// # Errors
///
/// The bytes aren't a core module, carry no component type, or don't fit it.
pub fn componentize(core_module: &[u8]) -> Result<Vec<u8>, ComponentizeError> {
    if !has_type(core_module)? {
        return Err(ComponentizeError::NoType);
    }
    ComponentEncoder::default()
        .validate(true)
        .module(core_module)
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| ComponentizeError::Mismatch(one_line(&format!("{error:#}"))))
}

/// Whether the module says which component it is meant to become.
fn has_type(core_module: &[u8]) -> Result<bool, ComponentizeError> {
    let mut found = false;
    for payload in Parser::new(0).parse_all(core_module) {
        match payload
            .map_err(|error| ComponentizeError::NotAModule(one_line(&error.to_string())))?
        {
            Payload::Version {
                encoding: Encoding::Component,
                ..
            } => return Err(ComponentizeError::AlreadyAComponent),
            Payload::CustomSection(section) => found |= section.name().starts_with(TYPE_SECTION),
            _ => {}
        }
    }
    Ok(found)
}

/// Nested causes come with line breaks; an error is one sentence here.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
