//! Why a call ended without a result, in terms of whose fault it is.

use wasmtime::{Error, Trap};

use super::limits::Limits;
use crate::outcome::{ErrorCode, Failure};

/// What the guest was doing when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The instance was being made; start functions run here.
    Instantiation,
    /// An exported function was running, or its result was being read.
    Call,
}

/// The failure that `error` stands for.
pub(super) fn classify(error: &Error, stage: Stage, limits: &Limits) -> Failure {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.clone();
    }
    if let Some(trap) = error.downcast_ref::<Trap>() {
        return trapped(*trap, stage, limits);
    }
    let cause = error.root_cause().to_string();
    // The error's type is private to wasmtime; a test holds the wording.
    if cause.contains("fuel allocated for hostcalls") {
        return Failure::new(
            ErrorCode::OutputTooLarge,
            format!(
                "the metric returned more than {} bytes: shorten the reason or the breakdown, \
                 or raise `--max-output`",
                limits.output_bytes
            ),
        );
    }
    // So is this one's.
    if cause.contains("handle limit exceeded") {
        return Failure::new(
            ErrorCode::OutOfHandles,
            format!(
                "the metric held more than {} resource handles: drop those it no longer needs, \
                 or raise `--max-handles`",
                limits.handles
            ),
        );
    }
    match stage {
        // A component that was instantiated at load can only fail to be
        // instantiated again if the machine has run out of something.
        Stage::Instantiation => Failure::new(
            ErrorCode::HostResources,
            format!("the machine could not make an instance ({cause}): run fewer `--jobs`"),
        ),
        Stage::Call => Failure::new(
            ErrorCode::InvalidResult,
            format!(
                "what the metric returned or logged violates the canonical ABI ({cause}): rebuild it with a current bindings generator"
            ),
        ),
    }
}

fn trapped(trap: Trap, stage: Stage, limits: &Limits) -> Failure {
    let (code, message) = match trap {
        Trap::OutOfFuel => (
            ErrorCode::OutOfFuel,
            format!(
                "the metric used up its {} units of fuel: look for an endless loop, or raise `--max-fuel`",
                limits.fuel
            ),
        ),
        Trap::Interrupt => (
            ErrorCode::WallClock,
            format!(
                "the metric ran for longer than {} s: run fewer `--jobs`, or raise `--timeout`",
                limits.timeout.as_secs_f64()
            ),
        ),
        Trap::StackOverflow => (
            ErrorCode::StackOverflow,
            format!(
                "the metric recursed deeper than its {} bytes of stack: recurse less, or raise `--max-stack`",
                limits.stack_bytes
            ),
        ),
        Trap::StringOutOfBounds
        | Trap::ListOutOfBounds
        | Trap::InvalidDiscriminant
        | Trap::InvalidChar
        | Trap::UnalignedPointer => (
            ErrorCode::InvalidResult,
            format!(
                "what the metric returned or logged violates the canonical ABI ({}): rebuild it with a current bindings generator",
                cause(trap)
            ),
        ),
        trap => (
            ErrorCode::Trap,
            format!(
                "the metric trapped {} ({}): it panicked or hit a bug; run it on this case alone",
                match stage {
                    Stage::Instantiation => "while starting",
                    Stage::Call => "while running",
                },
                cause(trap)
            ),
        ),
    };
    Failure::new(code, message)
}

fn cause(trap: Trap) -> String {
    let text = trap.to_string();
    text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
}
