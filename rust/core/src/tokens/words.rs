//! The set of the tokens: what is a token as it stands counts one.

use std::collections::HashSet;

use foldhash::quality::FixedState;

use super::key;
use super::rank_file::RankFile;

/// Slots of an open table, of which some always stay empty. With three in four taken a search reads one or two lines
/// of memory, and the table is laid out and read quicker than a sparser one.
pub(crate) fn room_for(entries: usize) -> usize {
    (entries + entries / 4 + 1).next_power_of_two()
}

/// Tokens of up to 15 bytes in an open table of keys, longer ones aside.
pub(crate) struct Words {
    slots: Box<[u128]>,
    shift: u32,
    long: HashSet<Box<[u8]>, FixedState>,
}

impl Words {
    pub(crate) fn new(file: &RankFile) -> Self {
        let slots = room_for(file.len());
        let shift = u64::BITS - slots.trailing_zeros();
        let mut words = Self { slots: vec![0; slots].into_boxed_slice(), shift, long: HashSet::default() };
        for token in (0..file.len()).map(|rank| file.token(rank)) {
            if let Some(key) = key::pack(token) {
                let slot = words.find(key);
                words.slots[slot] = key;
            } else {
                words.long.insert(token.into());
            }
        }
        words
    }

    /// Whether a text of that key is a token.
    pub(crate) fn has(&self, key: u128) -> bool {
        self.slots[self.find(key)] == key
    }

    /// Whether a text of more than 15 bytes is a token.
    pub(crate) fn has_long(&self, text: &[u8]) -> bool {
        self.long.contains(text)
    }

    /// The slot of the key, or the empty one where it belongs: the table always has some, and no key is 0.
    #[inline]
    fn find(&self, key: u128) -> usize {
        let mut slot = self.first_slot(key);
        while self.slots[slot] != key && self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the shift leaves less than the length")]
    fn first_slot(&self, key: u128) -> usize {
        (key::hash(key) >> self.shift) as usize
    }
}

#[cfg(test)]
#[path = "tests/words.rs"]
mod tests;
