//! Numbers for terms of at most 8 bytes, which are looked up as whole numbers.

use std::hash::{BuildHasher, RandomState};
use std::mem;

use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;

use crate::error::Error;
use crate::interrupt::Pace;

/// Slots that a table begins with, by how much text is to come: 1 KiB to 1 MiB.
const FEWEST_SLOTS: usize = 1 << 6;
const MOST_SLOTS: usize = 1 << 16;

/// Bytes of text that fill a slot, as a rule: a guess that spares growths.
const BYTES_A_SLOT: usize = 16;

/// A term as a number, 0 where there is none, and the number given to it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    term: u64,
    number: u32,
}

/// A table of terms, at most half full, in which a term stands at its hash or in the first free slot after it.
///
/// One line of memory a look-up as a rule, where a general table takes two or three. The key of the hash is drawn anew
/// for each table, so that no text can be made whose terms collide.
#[derive(Clone, Debug)]
pub(crate) struct ShortTerms {
    slots: Vec<Slot>,
    filled: usize,
    keys: SeedableRandomState,
}

impl ShortTerms {
    /// An empty table for the terms of so many bytes of text.
    pub(crate) fn with_room(bytes: usize) -> Self {
        let slots = (bytes / BYTES_A_SLOT).clamp(FEWEST_SLOTS, MOST_SLOTS).next_power_of_two();
        let random = RandomState::new().hash_one(0);
        let keys = SeedableRandomState::with_seed(random, SharedSeed::global_random());
        Self { slots: vec![Slot::default(); slots], filled: 0, keys }
    }

    pub(crate) fn len(&self) -> usize {
        self.filled
    }

    /// The number of `term`, which is not 0, if it has one.
    #[inline]
    pub(crate) fn find(&self, term: u64) -> Option<u32> {
        let slot = self.slots[self.place(term)];
        (slot.term != 0).then_some(slot.number)
    }

    /// The number of `term`, which is not 0; it is given `next` if it has none.
    ///
    /// A processor cannot foresee whether a term is new, so nothing but the growth branches on it.
    #[inline]
    pub(crate) fn number(&mut self, term: u64, next: u32, pace: &Pace<'_>) -> Result<u32, Error> {
        let at = self.place(term);
        let slot = &mut self.slots[at];
        let is_new = slot.term == 0;
        let number = if is_new { next } else { slot.number };
        *slot = Slot { term, number };
        self.filled += usize::from(is_new);
        if self.filled > self.slots.len() / 2 {
            self.grow(pace)?;
        }
        Ok(number)
    }

    /// The slot of `term`, or the free one where it would stand.
    #[inline]
    fn place(&self, term: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut place = low_bits(self.keys.hash_one(term), last);
        while self.slots[place].term != term && self.slots[place].term != 0 {
            place = (place + 1) & last;
        }
        place
    }

    #[cold]
    fn grow(&mut self, pace: &Pace<'_>) -> Result<(), Error> {
        let larger = vec![Slot::default(); 2 * self.slots.len()];
        for slot in mem::replace(&mut self.slots, larger) {
            if slot.term != 0 {
                pace.advance(1)?;
                let free = self.place(slot.term);
                self.slots[free] = slot;
            }
        }
        Ok(())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lowest bits are what is wanted")]
fn low_bits(hash: u64, mask: usize) -> usize {
    hash as usize & mask
}
