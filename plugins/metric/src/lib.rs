//! Write a Weighbridge metric in Rust: two functions and one macro line.
//!
//! ```
//! use serde::Deserialize;
//! use weighbridge_metric::{Description, Failure, Field, Measurement, TestCase};
//!
//! weighbridge_metric::metric!(describe, measure);
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields, default)]
//! struct Config {
//!     longest: usize,
//! }
//!
//! impl Default for Config {
//!     fn default() -> Self {
//!         Config { longest: 280 }
//!     }
//! }
//!
//! fn describe(_config: Config) -> Result<Description, Failure> {
//!     Ok(Description::new("short-enough", "Is the output short enough?")
//!         .requires_or_blank(Field::ActualOutput))
//! }
//!
//! fn measure(case: TestCase, config: Config) -> Result<Measurement, Failure> {
//!     let length = case.actual_output()?.chars().count();
//!     Ok(Measurement::binary(
//!         length <= config.longest,
//!         format!("actual_output has {length} characters"),
//!     ))
//! }
//! ```
//!
//! The host makes a fresh instance for every test case, so nothing that a
//! metric keeps in a `static` survives to the next one. A panic ends the
//! measurement as a trap without a message: prefer a [`Failure`].

#[cfg(all(feature = "arena", target_arch = "wasm32"))]
mod arena;
mod asking;
#[doc(hidden)]
pub mod bindings;
mod case;
mod config;
mod description;
mod failure;
mod measurement;
mod scripted;

pub use bindings::exports::weighbridge::metric::metric::{
    Description, Direction, Failure, FailureKind, Field, JudgeStep, Measurement, Part, Passage,
    Requirement, TestCase, ToolCall, Usage,
};
/// A language model that the host puts questions to. A metric that asks one
/// names its questions in [`Description::judge_step`]. For tests, let the
/// metric take a function of the form of `ask_all`, and give it that of a
/// [`ScriptedJudge`].
pub use bindings::weighbridge::metric::judge;
/// Notes for people who want to see how a score came about: `log::write`.
pub use bindings::weighbridge::metric::log;
pub use config::from_json;
pub use scripted::ScriptedJudge;

/// Makes a metric of two functions.
///
/// The first is `fn(Config) -> Result<Description, Failure>`, the second
/// `fn(TestCase, Config) -> Result<Measurement, Failure>`, where `Config` is
/// any type that deserialises from the JSON of the configuration. A
/// configuration that doesn't is refused with a message that names the key.
///
/// Use it once, at the root of a crate whose `crate-type` includes `cdylib`;
/// the crate's own documentation has an example.
#[macro_export]
macro_rules! metric {
    ($describe:path, $measure:path) => {
        #[doc(hidden)]
        pub struct WeighbridgeMetric;

        impl $crate::bindings::exports::weighbridge::metric::metric::Guest for WeighbridgeMetric {
            fn describe(config: String) -> Result<$crate::Description, $crate::Failure> {
                $describe($crate::from_json(&config)?)
            }

            fn measure(
                case: $crate::TestCase,
                config: String,
            ) -> Result<$crate::Measurement, $crate::Failure> {
                $measure(case, $crate::from_json(&config)?)
            }
        }

        // Elsewhere the crate is only tested, and the names of the exports are
        // more than a native linker takes.
        #[cfg(target_arch = "wasm32")]
        $crate::bindings::export!(WeighbridgeMetric with_types_in $crate::bindings);
    };
}
