//! Numbers for slices: equal numbers if and only if equal slices.
//!
//! Slices are compared in full. Hashes, keyed at random so that nobody can choose slices that collide, decide nothing
//! but the speed. All slices lie in one arena, so that a million of them are dropped at once, and the table is split, so
//! that no growth of it takes long: a kernel has to listen for interrupts.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::error::Error;

const SHARDS: usize = 64;

/// Numbers from 0 on, in the order in which slices are first seen.
#[derive(Debug)]
pub struct Numbering<T> {
    symbols: Vec<T>,
    ends: Vec<usize>,
    shards: Vec<HashTable<Entry>>,
    keys: RandomState,
}

/// A number with half of its slice's hash, which spares the slice at most looks and at all growths.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    number: u32,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        let shards = std::iter::repeat_with(HashTable::new).take(SHARDS).collect();
        Self { symbols: Vec::new(), ends: Vec::new(), shards, keys: RandomState::default() }
    }
}

impl<T: Copy + Eq + Hash> Numbering<T> {
    /// How many slices have a number: the numbers are those below.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of `slice`, which is given the next one if it has none. Linear in the slice.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past 2^32 slices.
    pub fn number(&mut self, slice: &[T]) -> Result<u32, Error> {
        let (hash, shard) = self.place(slice);
        if let Some(known) = self.known(slice, hash, shard) {
            return Ok(known);
        }
        let number = u32::try_from(self.ends.len()).map_err(|_| Error::TooLarge)?;
        self.symbols.extend_from_slice(slice);
        self.ends.push(self.symbols.len());
        self.shards[shard].insert_unique(spread(hash), Entry { hash, number }, |entry| spread(entry.hash));
        Ok(number)
    }

    /// The number of `slice`, if it has one. Linear in the slice.
    #[must_use]
    pub fn find(&self, slice: &[T]) -> Option<u32> {
        let (hash, shard) = self.place(slice);
        self.known(slice, hash, shard)
    }

    fn place(&self, slice: &[T]) -> (u32, usize) {
        let full = self.keys.hash_one(slice);
        (low_half(full), (full >> 58) as usize % SHARDS)
    }

    fn known(&self, slice: &[T], hash: u32, shard: usize) -> Option<u32> {
        let same = |entry: &Entry| entry.hash == hash && slice_of(&self.symbols, &self.ends, entry.number) == slice;
        self.shards[shard].find(spread(hash), same).map(|entry| entry.number)
    }
}

fn slice_of<'s, T>(symbols: &'s [T], ends: &[usize], number: u32) -> &'s [T] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |former| ends[former]);
    &symbols[start..ends[number]]
}

fn low_half(hash: u64) -> u32 {
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or(0)
}

/// The table takes the place of an entry from the low bits of its hash, and a tag from the high ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
