//! Looks at an interrupt, and how often they come.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use brimful_core::error::Error;
use brimful_core::interrupt::{Flag, Interrupt, Never, Pace};

#[derive(Default)]
struct Counting(Cell<u32>);

impl Interrupt for Counting {
    fn check(&self) -> Result<(), Error> {
        self.0.set(self.0.get() + 1);
        Ok(())
    }
}

#[test]
fn a_look_comes_every_4096_steps_however_they_are_reported() {
    for (calls, steps, looks) in [(4095, 1, 0), (4096, 1, 1), (8192, 1, 2), (2, 4096, 2), (3, usize::MAX, 3)] {
        let counting = Counting::default();
        let pace = Pace::new(&counting);
        for _ in 0..calls {
            assert_eq!(Ok(()), pace.advance(steps));
        }
        assert_eq!(looks, counting.0.get(), "{calls} calls of {steps} steps");
    }
}

#[test]
fn a_flag_stops_when_it_is_raised() {
    let raised = AtomicBool::new(false);

    assert_eq!(Ok(()), Flag(&raised).check());
    raised.store(true, Ordering::Relaxed);
    assert_eq!(Err(Error::Interrupted), Flag(&raised).check());
    assert_eq!(Ok(()), Never.check());
}
