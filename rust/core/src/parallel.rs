//! Rows over threads: the only place that starts any.
//!
//! Scoped threads are started for one call and joined at its end. There is no pool, so nothing is lost when a
//! process forks, and the calling thread works too, so that it can look for signals while the others run.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::error::Error;
use crate::interrupt::{Flag, Interrupt};

/// Bytes of text below which starting threads costs more than it saves (two threads: about 40 us against 1 ns a byte).
pub const THRESHOLD_BYTES: usize = 256 * 1024;

/// Rows that a thread takes at once.
const ROWS_A_TURN: usize = 16;

static THREADS: AtomicUsize = AtomicUsize::new(1);

/// Sets how many threads a call may use, this one included; 0 counts as 1.
pub fn set_threads(count: usize) {
    THREADS.store(count.max(1), Ordering::Relaxed);
}

/// How many threads a call may use.
pub fn threads() -> usize {
    THREADS.load(Ordering::Relaxed)
}

/// `work` of every row, in the order of the rows: the same with any number of threads.
///
/// `bytes` is the size of the whole input; below [`THRESHOLD_BYTES`] the calling thread does it all.
///
/// # Errors
/// The first error that a row reports; [`Error::Interrupted`] when `interrupt` does.
pub fn map_rows<'t, T, R, W>(rows: &'t [T], bytes: usize, interrupt: &dyn Interrupt, work: W) -> Result<Vec<R>, Error>
where
    T: Sync,
    R: Send,
    W: Fn(&'t T, &dyn Interrupt) -> Result<R, Error> + Sync,
{
    let count = threads().min(rows.len().div_ceil(ROWS_A_TURN));
    if count < 2 || bytes < THRESHOLD_BYTES {
        return rows.iter().map(|row| work(row, interrupt)).collect();
    }
    let shared = Shared { rows, work: &work, turn: AtomicUsize::new(0), stop: AtomicBool::new(false) };
    let parts = thread::scope(|scope| {
        let worker = || shared.take_turns(&Flag(&shared.stop));
        let workers: Vec<_> = (1..count).map(|_| scope.spawn(worker)).collect();
        let mut parts = vec![shared.take_turns(interrupt)];
        parts.extend(workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))));
        parts
    });
    join_parts(parts)
}

/// What the threads of one call share.
struct Shared<'t, 'w, T, W> {
    rows: &'t [T],
    work: &'w W,
    turn: AtomicUsize,
    stop: AtomicBool,
}

/// Results of a thread: the number of each turn that it took, and its rows.
type Turns<R> = Vec<(usize, Vec<R>)>;

impl<'t, T, W> Shared<'t, '_, T, W> {
    /// Works off turns until none is left; an error stops every thread.
    fn take_turns<R>(&self, interrupt: &dyn Interrupt) -> Result<Turns<R>, Error>
    where
        W: Fn(&'t T, &dyn Interrupt) -> Result<R, Error>,
    {
        let mut done = Vec::new();
        loop {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed);
            let Some(rows) = self.rows.chunks(ROWS_A_TURN).nth(turn) else { return Ok(done) };
            let results = interrupt.check().and_then(|()| rows.iter().map(|row| (self.work)(row, interrupt)).collect());
            match results {
                Ok(results) => done.push((turn, results)),
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    }
}

/// All rows in order, or the error that made the threads stop: the others report [`Error::Interrupted`] only.
fn join_parts<R>(parts: Vec<Result<Turns<R>, Error>>) -> Result<Vec<R>, Error> {
    let failure =
        parts.iter().filter_map(|part| part.as_ref().err().copied()).max_by_key(|&error| error != Error::Interrupted);
    if let Some(error) = failure {
        return Err(error);
    }
    let mut turns: Turns<R> = parts.into_iter().flatten().flatten().collect();
    turns.sort_unstable_by_key(|&(turn, _)| turn);
    Ok(turns.into_iter().flat_map(|(_, rows)| rows).collect())
}
