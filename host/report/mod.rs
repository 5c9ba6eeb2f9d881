//! Reports: a run in, text out. No input, output, clock or environment.

mod comparison;
mod inspection;
mod rows;
mod table;
mod text;
mod unicode;
mod verification;

pub use comparison::{comparison, policy};
pub use inspection::inspection;
pub use table::{failures, statistics, table, unread, verdicts};
pub use verification::verification;

pub use unicode::escape;
