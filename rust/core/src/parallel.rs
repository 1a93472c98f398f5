//! Rows over threads: the only place that starts any.
//!
//! Scoped threads are started for one call and joined at its end. There is no pool, so nothing is lost when a
//! process forks, and the calling thread works too, so that it can look for signals while the others run.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use crate::error::Error;
use crate::interrupt::{Flag, Interrupt};

/// Bytes of text below which starting threads costs more than it saves (two threads: about 40 us against 1 ns a byte).
pub const THRESHOLD_BYTES: usize = 256 * 1024;

/// Rows between two looks, which are short ones: the work of a long row looks for itself.
const ROWS_A_LOOK: usize = 16;

/// Turns that a thread takes if all rows are alike.
const TURNS_A_THREAD: usize = 16;

/// How often the calling thread listens while it waits for the others: the wait for a worker is over so much later.
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);

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
    let count = threads().min(rows.len());
    if count < 2 || bytes < THRESHOLD_BYTES {
        return work_off(rows, interrupt, &work);
    }
    // Some turns a thread, so that one with long rows does not keep the others waiting.
    let turns = Turns { next: AtomicUsize::new(0), rows: rows.len().div_ceil(count * TURNS_A_THREAD) };
    let shared = Shared { rows, work: &work, turns, stop: AtomicBool::new(false) };
    join_parts(thread::scope(|scope| {
        let worker = || shared.take_turns(&Flag(&shared.stop));
        // Where the system gives no more threads, those there are do it all.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let workers: Vec<_> = (1..count).map_while(spawn).collect();
        let mut parts = vec![shared.take_turns(interrupt)];
        for worker in workers {
            parts.extend(shared.wait(&worker, interrupt).err().map(Err));
            parts.push(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        parts
    }))
}

/// The results of rows that follow each other, with looks between them: the work of a short row may not look at all.
fn work_off<'t, T, R>(
    rows: &'t [T],
    interrupt: &dyn Interrupt,
    work: impl Fn(&'t T, &dyn Interrupt) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut results = Vec::with_capacity(rows.len());
    for few in rows.chunks(ROWS_A_LOOK) {
        interrupt.check()?;
        for row in few {
            results.push(work(row, interrupt)?);
        }
    }
    Ok(results)
}

/// Rows are taken in turns of so many.
struct Turns {
    next: AtomicUsize,
    rows: usize,
}

/// What the threads of one call share.
struct Shared<'t, 'w, T, W> {
    rows: &'t [T],
    work: &'w W,
    turns: Turns,
    stop: AtomicBool,
}

/// Results of a thread: the number of each turn that it took, and its rows.
type Done<R> = Vec<(usize, Vec<R>)>;

impl<'t, T, W> Shared<'t, '_, T, W> {
    /// Works off turns until none is left; an error or a panic stops every thread.
    fn take_turns<R>(&self, interrupt: &dyn Interrupt) -> Result<Done<R>, Error>
    where
        W: Fn(&'t T, &dyn Interrupt) -> Result<R, Error>,
    {
        let alarm = StopOnDrop(&self.stop);
        let mut done = Vec::new();
        loop {
            let turn = self.turns.next.fetch_add(1, Ordering::Relaxed);
            let Some(rows) = self.rows.chunks(self.turns.rows).nth(turn) else { break };
            done.push((turn, work_off(rows, interrupt, self.work)?));
        }
        std::mem::forget(alarm);
        Ok(done)
    }

    /// Listens for interrupts while a worker is at its last turn.
    fn wait<R>(&self, worker: &ScopedJoinHandle<'_, R>, interrupt: &dyn Interrupt) -> Result<(), Error> {
        while !worker.is_finished() {
            if let Err(error) = interrupt.check() {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            thread::sleep(BETWEEN_LOOKS);
        }
        Ok(())
    }
}

/// Stops every thread unless it is forgotten.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// All rows in order, or the error that made the threads stop: the others report [`Error::Interrupted`] only.
fn join_parts<R>(parts: Vec<Result<Done<R>, Error>>) -> Result<Vec<R>, Error> {
    let failures = parts.iter().filter_map(|part| part.as_ref().err().copied());
    if let Some(error) = failures.max_by_key(|&error| error != Error::Interrupted) {
        return Err(error);
    }
    let mut turns: Done<R> = parts.into_iter().flatten().flatten().collect();
    turns.sort_unstable_by_key(|&(turn, _)| turn);
    Ok(turns.into_iter().flat_map(|(_, rows)| rows).collect())
}
