//! The one way into the core: without the lock, with signals looked for, and with no panic let out.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use brimful_core::error::Error;
use brimful_core::interrupt::Interrupt;
use pyo3::prelude::*;

use crate::errors::{kernel_error, to_python};

/// Looking for signals takes the interpreter's lock, so the core's looks are thinned out to this.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Runs `work` with the interpreter released.
///
/// # Errors
/// What a signal handler raised (`KeyboardInterrupt` as a rule), what the core reported, or `KernelError` for a panic.
pub(crate) fn call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Interrupt) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (outcome, raised) = py.detach(|| {
        let signals = Signals { looked: Cell::new(Instant::now()), raised: RefCell::new(None) };
        // Safe to assert: what a panic leaves half done is dropped with the call.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&signals)));
        (outcome.map_err(|panic| panic_message(&*panic)), signals.raised.into_inner())
    });
    match (outcome, raised) {
        (_, Some(raised)) => Err(raised),
        (Ok(result), None) => result.map_err(to_python),
        (Err(message), None) => Err(kernel_error(&message)),
    }
}

/// Python's signals as an interrupt. Handlers run on the main thread only; elsewhere a look finds nothing.
struct Signals {
    looked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Interrupt for Signals {
    fn check(&self) -> Result<(), Error> {
        if self.looked.get().elapsed() < BETWEEN_LOOKS {
            return Ok(());
        }
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the method alone is not general enough")]
        let seen = Python::attach(|py| py.check_signals());
        self.looked.set(Instant::now());
        seen.map_err(|raised| {
            *self.raised.borrow_mut() = Some(raised);
            Error::Interrupted
        })
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
