//! Rows over threads: the order of the rows, one row either side of every limit, and errors.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::parallel::{THRESHOLD_BYTES, map_rows, set_threads};

/// The number of threads belongs to the process: tests that set it take turns.
static TURN: Mutex<()> = Mutex::new(());

fn with_threads<R>(count: usize, work: impl FnOnce() -> R) -> R {
    let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    set_threads(count);
    let result = work();
    set_threads(1);
    drop(turn);
    result
}

fn squares(count: usize, bytes: usize) -> Result<Vec<usize>, Error> {
    let rows: Vec<usize> = (0..count).collect();
    map_rows(&rows, bytes, &Never, |&row, _| Ok(row * row))
}

#[test]
fn results_stand_in_the_order_of_the_rows() {
    for threads in [1, 2, 3, 64] {
        for count in [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000] {
            for bytes in [0, THRESHOLD_BYTES - 1, THRESHOLD_BYTES, THRESHOLD_BYTES + 1] {
                let expected: Vec<usize> = (0..count).map(|row| row * row).collect();
                assert_eq!(Ok(expected), with_threads(threads, || squares(count, bytes)));
            }
        }
    }
}

#[test]
fn the_error_of_a_row_is_the_one_reported() {
    let rows: Vec<usize> = (0..1000).collect();
    for threads in [1, 4] {
        let outcome = with_threads(threads, || {
            map_rows(&rows, THRESHOLD_BYTES, &Never, |&row, interrupt| {
                interrupt.check()?;
                if row == 777 { Err(Error::TooLarge) } else { Ok(row) }
            })
        });
        assert_eq!(Err(Error::TooLarge), outcome);
    }
}

struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_of_the_calling_thread_stops_all() {
    let rows: Vec<usize> = (0..1000).collect();

    let outcome = with_threads(4, || map_rows(&rows, THRESHOLD_BYTES, &Always, |&row, _| Ok(row)));

    assert_eq!(Err(Error::Interrupted), outcome);
}

#[test]
fn a_panic_of_a_thread_reaches_the_caller() {
    let rows: Vec<usize> = (0..1000).collect();

    let outcome = std::panic::catch_unwind(|| {
        with_threads(4, || map_rows(&rows, THRESHOLD_BYTES, &Never, |&row, _| Ok(1000 / (row.wrapping_sub(500)))))
    });

    assert!(outcome.is_err());
}

#[test]
fn rows_that_never_look_are_stopped_between_them() {
    let rows: Vec<usize> = (0..1000).collect();
    for (threads, bytes) in [(1, THRESHOLD_BYTES), (4, 0)] {
        let done = AtomicUsize::new(0);
        let work = |&row: &usize, _: &dyn Interrupt| {
            done.fetch_add(1, Ordering::Relaxed);
            Ok(row)
        };
        let outcome = with_threads(threads, || map_rows(&rows, bytes, &StopsAt(Cell::new(3)), work));
        assert_eq!(Err(Error::Interrupted), outcome);
        assert!(done.into_inner() < 100, "{threads} threads, {bytes} bytes");
    }
}

/// Says stop at the look of that number.
struct StopsAt(Cell<u32>);

impl Interrupt for StopsAt {
    fn check(&self) -> Result<(), Error> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}
