//! Behaviour through the public interface and the real binary.

mod dataset;
mod guests;
mod identity;
mod invariants;
mod loading;
mod loop_order;
mod policy;
mod report;
mod run;
mod sandbox;
