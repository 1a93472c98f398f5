//! The caches of each thread, and those of threads that have ended.

use std::cell::RefCell;
use std::sync::Mutex;

use super::caches::Caches;
use super::encoding::Encoding;

/// Caches that wait for a thread: those that a call starts find them warm.
///
/// The lock is only tried: who does not get it makes new caches. So a process that was forked while another thread held it
/// never waits.
static SPARE: [Mutex<Vec<Caches>>; 2] = [const { Mutex::new(Vec::new()) }; 2];

/// Spare caches of an encoding, of 2.1 MiB each: more threads than a call starts as a rule leave none behind.
const MOST_SPARE: usize = 16;

#[derive(Default)]
struct Own([Option<Caches>; 2]);

thread_local! {
    static OWN: RefCell<Own> = RefCell::default();
}

impl Drop for Own {
    fn drop(&mut self) {
        for (caches, spare) in self.0.iter_mut().zip(&SPARE) {
            if let (Some(caches), Ok(mut spare)) = (caches.take(), spare.try_lock())
                && spare.len() < MOST_SPARE
            {
                spare.push(caches);
            }
        }
    }
}

/// Lends this thread's caches of an encoding to `work`.
pub(crate) fn with_caches<R>(encoding: Encoding, work: impl FnOnce(&mut Caches) -> R) -> R {
    let spare = || SPARE[encoding as usize].try_lock().ok().and_then(|mut spare| spare.pop());
    let mut caches =
        OWN.with_borrow_mut(|own| own.0[encoding as usize].take()).or_else(spare).unwrap_or_else(Caches::new);
    let result = work(&mut caches);
    OWN.with_borrow_mut(|own| own.0[encoding as usize] = Some(caches));
    result
}

#[cfg(test)]
#[path = "tests/threads.rs"]
mod tests;
