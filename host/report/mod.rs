//! Reports: a run in, text out. No input, output, clock or environment.

mod inspection;
mod table;
mod unicode;

pub use inspection::inspection;
pub use table::{failures, table, unread, verdicts};

use unicode::escape;
