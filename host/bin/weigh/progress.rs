//! The progress bar, on a terminal only.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar that counts test cases; up to `total` if that is known. `quiet`, or
/// standard error that isn't a terminal, shows nothing.
pub(crate) fn bar(total: Option<u64>, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::with_draw_target(Some(total), target),
            "{bar:30} {pos}/{len} cases, {rate}, {eta} left",
        ),
        None => (
            ProgressBar::with_draw_target(None, target),
            "{spinner} {pos} cases, {rate}, {elapsed}",
        ),
    };
    let style = ProgressStyle::with_template(template)
        .expect("the template is well-formed")
        .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            // A bar that can't be written has nowhere to say so.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        });
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
