//! Behaviour through the public interface and the real binary.

mod compare;
mod config;
mod dataset;
mod docs;
mod guests;
mod hostile;
mod identity;
mod invariants;
mod loading;
mod loop_order;
mod place;
mod policy;
mod rejudge;
mod report;
mod resume;
mod reuse;
mod run;
mod run_file;
mod sandbox;
mod summary;
mod verify;
