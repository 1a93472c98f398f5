//! Counts of whole texts, remembered for all threads: a service sees the same chunks again.
//!
//! A text is known by its length and 128 bits of a hash, whose key of 64 bits is drawn anew for each process: two texts are
//! taken for one only if they agree in all of these. This is the one place of exact counts where a hash decides.
//! An encoding has 512 KiB, room for 16,384 texts, in which a text replaces another whose slot it shares. A text that is not
//! known costs its hash and one slot: of counting 200 known words 2 % by the least of six runs, up to 6 % in single ones.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::encoding::Encoding;

/// Shorter texts are counted as quickly as they are found.
const SHORTEST: usize = 128;

/// Longer texts are no chunks: they are counted at the price of their length.
const LONGEST: usize = 16 * 1024;

const SHARDS: usize = 64;
const SLOTS: usize = 256;

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u128,
    length: u32,
    tokens: u32,
}

type Shard = Mutex<Vec<Slot>>;

/// A lock is only tried: where another thread has it, or had it when the process was forked, the text is counted.
static MEMORIES: [[Shard; SHARDS]; 2] = [const { [const { Mutex::new(Vec::new()) }; SHARDS] }; 2];

/// 0 until it is drawn. No lock: a forked process never waits for one.
static SEED: AtomicU64 = AtomicU64::new(0);

/// The key of the hashes, drawn by the first who asks.
fn seed() -> u64 {
    match SEED.load(Ordering::Relaxed) {
        0 => {
            let drawn = RandomState::new().hash_one(0_u8) | 1;
            SEED.compare_exchange(0, drawn, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|first| first, |_| drawn)
        }
        seed => seed,
    }
}

/// The tokens of a text: remembered, or counted by `count` and then remembered.
pub(crate) fn get_or_count<E>(
    encoding: Encoding,
    text: &str,
    count: impl FnOnce() -> Result<u64, E>,
) -> Result<u64, E> {
    if !(SHORTEST..=LONGEST).contains(&text.len()) {
        return count();
    }
    let place = Place::new(encoding, text);
    if let Some(tokens) = place.get() {
        return Ok(tokens);
    }
    let tokens = count()?;
    place.put(tokens);
    Ok(tokens)
}

/// Where a text belongs.
struct Place {
    shard: &'static Shard,
    slot: usize,
    hash: u128,
    length: u32,
}

impl Place {
    #[allow(clippy::cast_possible_truncation, reason = "a length is below 2^32, and any bits of the hash will do")]
    fn new(encoding: Encoding, text: &str) -> Self {
        let hash = xxh3_128_with_seed(text.as_bytes(), seed());
        let (shard, slot) = (hash as usize % SHARDS, (hash >> 64) as usize % SLOTS);
        Self { shard: &MEMORIES[encoding as usize][shard], slot, hash, length: text.len() as u32 }
    }

    fn get(&self) -> Option<u64> {
        let slots = self.shard.try_lock().ok()?;
        let slot = slots.get(self.slot)?;
        (slot.hash == self.hash && slot.length == self.length).then_some(u64::from(slot.tokens))
    }

    fn put(&self, tokens: u64) {
        let (Ok(mut slots), Ok(tokens)) = (self.shard.try_lock(), u32::try_from(tokens)) else { return };
        if slots.is_empty() {
            slots.resize(SLOTS, Slot::default());
        }
        slots[self.slot] = Slot { hash: self.hash, length: self.length, tokens };
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, LONGEST, SHORTEST, get_or_count};

    fn count(text: &str, tokens: u64) -> Result<u64, &'static str> {
        get_or_count(Encoding::Cl100kBase, text, || Ok(tokens))
    }

    #[test]
    fn a_chunk_is_counted_once() {
        let (chunk, other) = ("remember me ".repeat(20), "remember we ".repeat(20));
        assert_eq!(count(&chunk, 7), Ok(7));
        assert_eq!(count(&chunk, 8), Ok(7));
        assert_eq!(count(&other, 9), Ok(9));
        assert_eq!(get_or_count(Encoding::O200kBase, &chunk, || Ok::<_, &str>(10)), Ok(10));
    }

    #[test]
    fn short_and_long_texts_are_counted_each_time() {
        for text in ["x".repeat(SHORTEST - 1), "x".repeat(LONGEST + 1)] {
            assert_eq!(count(&text, 1), Ok(1));
            assert_eq!(count(&text, 2), Ok(2));
        }
    }

    #[test]
    fn a_count_that_fails_is_not_remembered() {
        let text = "no count ".repeat(20);
        assert_eq!(get_or_count(Encoding::Cl100kBase, &text, || Err("interrupted")), Err("interrupted"));
        assert_eq!(count(&text, 3), Ok(3));
    }
}
