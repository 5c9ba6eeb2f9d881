//! Runs custom LLM-evaluation metrics as sandboxed WebAssembly components.
//!
//! A metric is a component that exports the interface of `wit/metric.wit`.
//! The host gives it one test case at a time on a fresh instance and turns
//! what comes back into one honest record: measured, failed or skipped.
//! Whether a score passes is decided afterwards, by [`policy`].

pub mod assert_test;
pub mod case;
pub mod compare;
pub mod config;
pub mod contract;
pub mod dataset;
pub mod evaluate;
pub mod metric_data;
pub mod outcome;
pub mod plugin;
pub mod policy;
pub mod report;
pub mod run;
pub mod summary;
pub mod verify;
