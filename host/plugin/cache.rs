//! The compile cache: compiled code by what it was made from and by what.
//!
//! An entry holds the digest of its own code, which is checked before the
//! code is trusted. Whatever is wrong with an entry makes it a miss, and
//! whatever prevents writing one costs only the next compilation.

use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use super::engine::WASMTIME_VERSION;

/// First bytes of every entry.
const MAGIC: &[u8; 16] = b"weighbridge-c/1\n";

/// A directory of compiled components.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

/// Why a directory can't serve as a compile cache.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CacheError {
    #[error(
        "cache directory `{directory}` can't be made ({cause}): name another with `--cache-dir`, or use `--no-cache`"
    )]
    Unusable {
        directory: PathBuf,
        cause: std::io::Error,
    },
    #[error(
        "cache directory `{directory}` belongs to or can be written by other users, who could put code there: `chmod go-w` it, or name another with `--cache-dir`"
    )]
    Shared { directory: PathBuf },
}

impl Cache {
    /// The cache in `directory`, which is made if it isn't there.
    ///
    /// # Errors
    ///
    /// The directory can't be made, or other users can put code into it.
    pub fn new(directory: &Path) -> Result<Cache, CacheError> {
        let unusable = |cause| CacheError::Unusable {
            directory: directory.to_owned(),
            cause,
        };
        make_private(directory).map_err(unusable)?;
        let metadata = std::fs::metadata(directory).map_err(unusable)?;
        if !metadata.is_dir() {
            return Err(unusable(std::io::ErrorKind::NotADirectory.into()));
        }
        if !is_private(&metadata) {
            return Err(CacheError::Shared {
                directory: directory.to_owned(),
            });
        }
        Ok(Cache {
            directory: directory.to_owned(),
        })
    }

    /// The compiled form of the component with this version, if it is here
    /// and whole.
    pub(super) fn get(&self, engine: &Engine, version: &str) -> Option<Component> {
        let entry = std::fs::read(self.path(engine, version)).ok()?;
        let (digest, code) = entry.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
        if Sha256::digest(code)[..] != digest[..] {
            return None;
        }
        // SAFETY: the code is whole and was written by this program, compiled
        // by this version of wasmtime under these rules: its digest stands in
        // front of it, its name says the rest, and only this user or the
        // administrator can write into the directory.
        unsafe { Component::deserialize(engine, code) }.ok()
    }

    /// Keeps the compiled form of the component with this version.
    ///
    /// An entry appears whole or not at all, so processes that write the same
    /// one at once do no harm. A failure to write is not an error.
    pub(super) fn put(&self, engine: &Engine, version: &str, component: &Component) {
        let Ok(code) = component.serialize() else {
            return;
        };
        // A full disk or a read-only directory costs the next run a
        // compilation and this one nothing.
        let _ = self.write(&self.path(engine, version), &code);
    }

    fn write(&self, path: &Path, code: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(MAGIC)?;
        file.write_all(&Sha256::digest(code))?;
        file.write_all(code)?;
        file.persist(path)?;
        Ok(())
    }

    fn path(&self, engine: &Engine, version: &str) -> PathBuf {
        let mut key = Key(Sha256::new());
        version.hash(&mut key);
        WASMTIME_VERSION.hash(&mut key);
        engine.precompile_compatibility_hash().hash(&mut key);
        let name = crate::contract::finish(key.0);
        let name = name.trim_start_matches("sha256:");
        self.directory.join(format!("{name}.compiled"))
    }
}

/// Collects what `Hash` feeds it.
struct Key(Sha256);

impl Hasher for Key {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the digest is taken from the field")
    }
}

#[cfg(unix)]
fn make_private(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

#[cfg(not(unix))]
fn make_private(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)
}

/// Whether only this user and the administrator can put files there.
#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let owned = metadata.uid() == user || metadata.uid() == 0;
    owned && metadata.mode() & 0o022 == 0
}

/// Elsewhere the cache lies in the user's profile, which is private.
#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}
