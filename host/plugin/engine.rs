//! The sandbox: one engine with its rules, shared by all metrics of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wasmtime::component::Linker;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, ModuleVersionStrategy,
    PoolingAllocationConfig, Store,
};

use super::guest::Guest;
use super::imports;
use super::limits::Limits;

/// The exact version of wasmtime that compiles and runs the components.
pub const WASMTIME_VERSION: &str = "48.0.8";

/// How far apart the wall clock's ticks are.
const TICK: Duration = Duration::from_millis(10);

/// Bytes of each memory that are cleared by hand rather than returned to the
/// operating system. Returning pages and faulting them in again takes a lock
/// that all threads share, and clearing takes time by the byte: this is what
/// a metric made with `weighbridge-metric` touches on a small case.
const KEEP_RESIDENT: usize = 128 << 10;

/// Where metrics run: an engine that compiles them, the rules they run under
/// and the imports they are granted. Cloning is cheap and shares all of it.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) linker: Arc<Linker<Guest>>,
    pub(super) limits: Arc<Limits>,
    concurrency: usize,
    interrupted: Arc<AtomicBool>,
}

impl Sandbox {
    /// A sandbox in which up to `concurrency` instances live at once.
    ///
    /// # Panics
    ///
    /// Never where cranelift compiles at all: sizes that pooling can't serve,
    /// or for which there is no address space, are served on demand.
    pub fn new(limits: Limits, concurrency: usize) -> Sandbox {
        let concurrency = concurrency.max(1);
        let engine = pooled(&limits, concurrency)
            .or_else(|_| Engine::new(&frugal(&limits)))
            .expect("the rules hold on every platform that cranelift compiles for");
        start_ticking(&engine);
        let linker = Arc::new(imports::linker(&engine));
        Sandbox {
            engine,
            linker,
            limits: Arc::new(limits),
            concurrency,
            interrupted: Arc::new(AtomicBool::new(false)),
        }
    }

    /// How many instances may live at once.
    pub fn concurrency(&self) -> usize {
        self.concurrency
    }

    /// What a guest may use here.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The engine itself, so that a benchmark can be run on equal terms.
    #[doc(hidden)]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Ends every call that is running now or begins later, as if its time
    /// were up.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        for _ in 0..=self.timeout_ticks() {
            self.engine.increment_epoch();
        }
    }

    /// An engine of the same rules that serves components of any size, to find
    /// out why this one refused to compile one.
    pub(super) fn unpooled(&self) -> wasmtime::Result<Engine> {
        Engine::new(&frugal(&self.limits))
    }

    /// Bytes of native stack that a thread needs to call a guest.
    pub fn thread_stack_bytes(&self) -> usize {
        self.limits.stack_bytes + (2 << 20)
    }

    /// Runs `call` on a thread whose stack is large enough for a guest.
    pub(super) fn on_guest_stack<T: Send>(&self, call: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(self.thread_stack_bytes())
                .spawn_scoped(scope, call)
                .expect("a thread can be started")
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// A new store in which nothing has been spent.
    pub(super) fn store(&self) -> Store<Guest> {
        let limits = &self.limits;
        let mut store = Store::new(&self.engine, Guest::new(limits));
        store.limiter(|guest| guest);
        store
            .set_fuel(limits.fuel)
            .expect("the engine was configured with fuel");
        store.set_epoch_deadline(self.timeout_ticks());
        // Looked at after the deadline was set, so a call that begins during
        // an interruption meets either the new deadline or the moved clock.
        if self.interrupted.load(Ordering::SeqCst) {
            store.set_epoch_deadline(1);
        }
        store.set_hostcall_fuel(limits.output_bytes);
        store.set_max_component_handles(limits.handles);
        store
    }

    fn timeout_ticks(&self) -> u64 {
        // One more, since the tick under way may end at once.
        u64::try_from(self.limits.timeout.as_millis() / TICK.as_millis()).unwrap_or(u64::MAX >> 1)
            + 1
    }
}

/// The rules that make a guest's behaviour a function of its input.
fn rules(limits: &Limits) -> Config {
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .wasm_memory64(false)
        .wasm_custom_page_sizes(false)
        .max_wasm_stack(limits.stack_bytes)
        .async_stack_size(limits.stack_bytes + (1 << 20));
    config
        .module_version(ModuleVersionStrategy::Custom(WASMTIME_VERSION.to_owned()))
        .expect("the version is shorter than 256 bytes");
    config
}

fn pooled(limits: &Limits, concurrency: usize) -> wasmtime::Result<Engine> {
    let concurrency = u32::try_from(concurrency)?;
    // Loading a metric while others run takes an instance of its own.
    let slots = concurrency.saturating_add(1);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(slots)
        .total_core_instances(slots.saturating_mul(limits.instances))
        .total_memories(slots.saturating_mul(limits.memories))
        .total_tables(slots.saturating_mul(limits.tables))
        .max_core_instances_per_component(limits.instances)
        .max_memories_per_component(limits.memories)
        .max_tables_per_component(limits.tables)
        .max_memories_per_module(limits.memories)
        .max_tables_per_module(limits.tables)
        .table_elements(limits.table_elements.min(1 << 20))
        .max_memory_size(limits.memory_bytes)
        .max_component_instance_size(16 << 20)
        .max_core_instance_size(16 << 20)
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(KEEP_RESIDENT)
        // wasmtime issue 14357: a scanned slot could keep old bytes.
        .pagemap_scan(Enabled::No);
    let mut config = rules(limits);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(&config)
}

/// The rules where address space is scarce: memories are made as they are
/// needed, of the size they have, and checked on every access.
fn frugal(limits: &Limits) -> Config {
    let mut config = rules(limits);
    config
        .memory_reservation(0)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(1 << 20);
    config
}

/// Ticks the engine's clock from a thread of its own until the engine is gone.
fn start_ticking(engine: &Engine) {
    let engine = engine.weak();
    std::thread::Builder::new()
        .name("weighbridge-clock".to_owned())
        .spawn(move || {
            loop {
                std::thread::sleep(TICK);
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        })
        .expect("a thread can be started");
}
