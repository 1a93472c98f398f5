//! Caches come back to their thread, and go on to another when it ends.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use super::with_caches;
use crate::tokens::Encoding;
use crate::tokens::key;

/// A count that no text has: the key is of one byte.
const MARK: u64 = 14;

fn mark(encoding: Encoding, text: &[u8]) {
    with_caches(encoding, |caches| caches.front.put(key::pack(text).unwrap_or_default(), MARK));
}

fn is_marked(encoding: Encoding, text: &[u8]) -> bool {
    with_caches(encoding, |caches| caches.front.get(key::pack(text).unwrap_or_default()) == Some(MARK))
}

/// On a thread of its own, whose caches are given on when it has been joined.
fn apart<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    thread::spawn(work).join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// One test for all, because the spare caches belong to the process and the tests run side by side.
#[test]
fn caches_come_back_nest_and_go_on() {
    for encoding in Encoding::ALL {
        // Held here, so that the threads below find the one that ended before them.
        apart(move || {
            mark(encoding, b"1");
            assert!(is_marked(encoding, b"1"));
            assert!(!is_marked(encoding, b"2"));
        });
        assert!(apart(move || is_marked(encoding, b"1")), "{encoding:?}");
        let side_by_side = apart(move || with_caches(encoding, |_| apart(move || is_marked(encoding, b"1"))));
        assert!(!side_by_side, "two threads had the same caches of {encoding:?}");
    }
    apart(two_encodings_nest);
    apart(one_encoding_nests);
    apart(a_panic_drops_the_caches);
}

fn two_encodings_nest() {
    let [one, other] = Encoding::ALL;
    with_caches(one, |outer| {
        mark(other, b"3");
        outer.front.put(key::pack(b"4").unwrap_or_default(), MARK);
    });
    assert!(is_marked(one, b"4") && !is_marked(one, b"3"));
    assert!(is_marked(other, b"3") && !is_marked(other, b"4"));
}

fn one_encoding_nests() {
    let [encoding, _] = Encoding::ALL;
    with_caches(encoding, |outer| {
        mark(encoding, b"5");
        assert_eq!(outer.front.get(key::pack(b"5").unwrap_or_default()), None);
        outer.front.put(key::pack(b"6").unwrap_or_default(), MARK);
    });
    assert!(is_marked(encoding, b"6"));
}

fn a_panic_drops_the_caches() {
    let [encoding, _] = Encoding::ALL;
    mark(encoding, b"7");
    let panicked = catch_unwind(AssertUnwindSafe(|| with_caches(encoding, |_| resume_unwind(Box::new(())))));
    assert!(panicked.is_err());
    assert!(!is_marked(encoding, b"7"));
}
