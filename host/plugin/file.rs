//! From a name or path to bytes that may be a component.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;

use serde::Serialize;
use wasmparser::{Parser, Payload};
use wasmtime::Engine;

use super::builtin::{builtin, builtin_names};
use crate::contract::digest_bytes;

/// Where a component comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Carried by the binary under this name.
    BuiltIn(String),
    /// A file.
    Path(PathBuf),
}

impl Source {
    /// Reads what a user wrote: anything with a slash or ending in `.wasm` is
    /// a path, everything else the name of a built-in metric.
    pub fn parse(text: &str) -> Source {
        let is_path = text.contains(['/', std::path::MAIN_SEPARATOR]) || text.ends_with(".wasm");
        if is_path {
            Source::Path(PathBuf::from(text))
        } else {
            Source::BuiltIn(text.to_owned())
        }
    }
}

impl Source {
    /// `sha256:` and the hex of the component's bytes, of which there may be
    /// `limit`. Nothing is compiled or run.
    ///
    /// # Errors
    ///
    /// There are no bytes, or they can't be a component.
    pub fn version(&self, limit: u64) -> Result<String, SourceError> {
        Ok(digest_bytes(&read(self, limit)?))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn(name) => f.write_str(name),
            Source::Path(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Why there are no bytes, or bytes that can't be a component. Each message
/// follows the words "metric `…` ".
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SourceError {
    #[error("is not built in: use one of {known}, or write a path with a slash or `.wasm`")]
    UnknownBuiltIn { known: String },
    #[error("does not exist: check the path")]
    Missing,
    #[error("is a directory: name the `.wasm` file inside it")]
    Directory,
    #[error("can't be read ({0}): check its permissions")]
    Unreadable(std::io::Error),
    #[error("is larger than {limit} bytes: build it smaller, or raise `--max-component`")]
    TooLarge { limit: u64 },
    #[error("is an empty file: build the component again")]
    Empty,
    #[error("is not WebAssembly (it begins with {begins}): build a component from it first")]
    NotWasm { begins: String },
    #[error("is WebAssembly text: make it binary with `wasm-tools parse FILE -o FILE.wasm`")]
    Text,
    #[error("is a precompiled file, which could run anything: name the component it was made from")]
    Precompiled,
    #[error(
        "is a core module, not a component: make it one with `weigh componentize FILE -o COMPONENT.wasm`"
    )]
    CoreModule,
    #[error(
        "has WebAssembly version {version:#x}, which is unknown here: build it with a toolchain for components (version 0x1000d)"
    )]
    UnknownVersion { version: u32 },
    #[error("is cut off after {length} bytes: copy or build it again")]
    Truncated { length: usize },
}

/// The bytes of `source`, at most `limit` of them, checked to be a component
/// as far as its first bytes and sections tell.
pub(super) fn read(source: &Source, limit: u64) -> Result<Vec<u8>, SourceError> {
    let bytes = match source {
        Source::BuiltIn(name) => builtin(name)
            .ok_or_else(|| SourceError::UnknownBuiltIn {
                known: builtin_names()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
            })?
            .to_vec(),
        Source::Path(path) => read_file(path, limit)?,
    };
    check_kind(&bytes)?;
    Ok(bytes)
}

fn read_file(path: &std::path::Path, limit: u64) -> Result<Vec<u8>, SourceError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => SourceError::Missing,
        std::io::ErrorKind::IsADirectory => SourceError::Directory,
        _ => SourceError::Unreadable(error),
    };
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Err(SourceError::Directory);
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file at the limit from a larger one.
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(SourceError::TooLarge { limit });
    }
    Ok(bytes)
}

fn check_kind(bytes: &[u8]) -> Result<(), SourceError> {
    if bytes.is_empty() {
        return Err(SourceError::Empty);
    }
    if Engine::detect_precompiled(bytes).is_some() {
        return Err(SourceError::Precompiled);
    }
    if looks_like_text(bytes) {
        return Err(SourceError::Text);
    }
    let Some(version) = bytes.strip_prefix(b"\0asm") else {
        if b"\0asm".starts_with(bytes) {
            return Err(SourceError::Truncated {
                length: bytes.len(),
            });
        }
        let begin = &bytes[..bytes.len().min(8)];
        return Err(SourceError::NotWasm {
            begins: format!("`{}`", begin.escape_ascii()),
        });
    };
    match version.first_chunk() {
        None => Err(SourceError::Truncated {
            length: bytes.len(),
        }),
        Some([1, 0, 0, 0]) => Err(SourceError::CoreModule),
        Some([0x0d, 0, 1, 0]) => check_complete(bytes),
        Some(other) => Err(SourceError::UnknownVersion {
            version: u32::from_le_bytes(*other),
        }),
    }
}

fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    let code = text
        .lines()
        .map(str::trim_start)
        .find(|line| !line.is_empty() && !line.starts_with(";;"));
    code.is_some_and(|line| line.starts_with("(module") || line.starts_with("(component"))
}

/// Walks the sections; other faults than a missing end are left to the
/// compiler, which explains them better.
fn check_complete(bytes: &[u8]) -> Result<(), SourceError> {
    for payload in Parser::new(0).parse_all(bytes) {
        match payload {
            Err(error) if error.message().starts_with("unexpected end") => {
                return Err(SourceError::Truncated {
                    length: bytes.len(),
                });
            }
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// The tools that made a component, `language Rust`, from the producers
/// sections of all its modules; sorted, each once.
pub(super) fn producers(bytes: &[u8]) -> Vec<String> {
    let mut tools = std::collections::BTreeSet::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let Ok(Payload::CustomSection(section)) = payload else {
            continue;
        };
        let wasmparser::KnownCustom::Producers(fields) = section.as_known() else {
            continue;
        };
        for field in fields.into_iter().flatten() {
            for value in field.values.into_iter().flatten() {
                let text = format!("{} {} {}", field.name, value.name, value.version);
                tools.insert(text.trim_end().to_owned());
            }
        }
    }
    tools.into_iter().collect()
}
