//! How a long kernel learns that its caller has lost interest.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// Steps between two looks at the interrupt: a step is about 100 ns of work, so a look comes well within 10 ms.
const STEPS_PER_LOOK: u32 = 4096;

/// Bytes that are only read or compared, in a step.
pub(crate) const BYTES_PER_STEP: usize = 64;

/// Asked by every long loop, at least every 10 ms.
///
/// An implementation decides for itself how dear a look may be: the Python binding looks for signals, a worker
/// thread reads a flag, and [`Never`] is for callers that cannot be interrupted.
pub trait Interrupt {
    /// `Err(Error::Interrupted)` when the work should stop.
    ///
    /// # Errors
    /// [`Error::Interrupted`], and nothing else.
    fn check(&self) -> Result<(), Error>;
}

/// An interrupt that never comes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Never;

impl Interrupt for Never {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// An interrupt that another thread raises.
#[derive(Debug)]
pub struct Flag<'a>(pub &'a AtomicBool);

impl Interrupt for Flag<'_> {
    fn check(&self) -> Result<(), Error> {
        if self.0.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Counts steps of work and passes every 4,096th on as a look, so that a tight loop may call it each time round.
pub struct Pace<'a> {
    interrupt: &'a dyn Interrupt,
    steps: Cell<u32>,
}

impl<'a> Pace<'a> {
    /// A pace over `interrupt`, beginning at no work done.
    #[must_use]
    pub fn new(interrupt: &'a dyn Interrupt) -> Self {
        Self { interrupt, steps: Cell::new(0) }
    }

    /// Records `steps` of work (about 100 ns each) and looks when enough have been done.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the look says so.
    pub fn advance(&self, steps: usize) -> Result<(), Error> {
        let done = self.steps.get().saturating_add(u32::try_from(steps).unwrap_or(u32::MAX));
        if done < STEPS_PER_LOOK {
            self.steps.set(done);
            return Ok(());
        }
        self.steps.set(0);
        self.interrupt.check()
    }
    /// Records bytes that were read one by one and looks when there have been enough.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the look says so.
    pub fn advance_over(&self, bytes: usize) -> Result<(), Error> {
        self.advance(bytes / BYTES_PER_STEP)
    }
}
