//! A bare wasmtime loop: store, instance, call, and nothing else.

use std::path::Path;

use wasmtime::Store;
use wasmtime::component::{Component, Linker};
use weighbridge::plugin::Sandbox;

wasmtime::component::bindgen!({
    path: "wit",
    world: "weighbridge:metric/pure-metric",
    ownership: Borrowing { duplicate_if_necessary: true },
});

use exports::weighbridge::metric::metric::TestCase;

/// A component, ready to be instantiated on a sandbox's own engine.
pub(crate) struct Loop {
    engine: wasmtime::Engine,
    pre: PureMetricPre<()>,
}

impl Loop {
    /// The component at `path`.
    pub(crate) fn new(sandbox: &Sandbox, path: &Path) -> Loop {
        let engine = sandbox.engine().clone();
        let bytes = std::fs::read(path).expect("the component is built");
        let component = Component::from_binary(&engine, &bytes).expect("it is a component");
        let pre = Linker::new(&engine)
            .instantiate_pre(&component)
            .expect("it imports nothing");
        Loop {
            pre: PureMetricPre::new(pre).expect("it is a metric"),
            engine,
        }
    }

    /// The score of one answer on a fresh instance.
    pub(crate) fn measure(&self, answer: &str) -> f64 {
        let mut store = Store::new(&self.engine, ());
        store
            .set_fuel(10_000_000_000)
            .expect("the engine uses fuel");
        store.set_epoch_deadline(6000);
        let instance = self.pre.instantiate(&mut store).expect("it starts");
        let case = TestCase {
            input: None,
            actual_output: Some(answer),
            expected_output: None,
            alternative_outputs: &[],
            context: None,
            retrieval_context: None,
            tools_called: None,
            expected_tools: None,
            name: None,
            tags: &[],
            comments: None,
            metadata: None,
            usage: None,
            trace: None,
        };
        instance
            .weighbridge_metric_metric()
            .call_measure(&mut store, case, "{}")
            .expect("it doesn't trap")
            .expect("it measures")
            .score
    }
}
