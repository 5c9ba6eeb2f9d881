//! What a run is to do.

use std::path::PathBuf;

use crate::data_set;
use crate::metrics::Request;

/// Everything a run needs, from the command line and the project file.
pub(crate) struct Plan {
    pub(crate) data: PathBuf,
    pub(crate) data_set: data_set::Args,
    pub(crate) cases: bool,
    pub(crate) requests: Vec<Request>,
    pub(crate) score_only: bool,
    pub(crate) lock: Option<PathBuf>,
    /// The project file and the lock beside it.
    pub(crate) project_files: Vec<PathBuf>,
}
