//! The run file: what was measured, by what, and what came of it.

mod record;
mod write;

pub use record::{Closing, DataSetRecord, FORMAT, Header, MetricRecord, Record, ResultRecord};
pub use write::RunWriter;
