//! Masks over the bytes of a text, a bit each: what is inside a word and, where facts count, capitals and numbers.

use crate::vectors::BLOCK;

/// The bits of up to 64 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    pub(crate) inside: u64,
    /// The first bytes of upper and title case letters.
    pub(crate) capitals: u64,
    /// All bytes of number characters.
    pub(crate) numbers: u64,
}

/// The masks of one text, which grow together.
#[derive(Debug, Default)]
pub(crate) struct Planes {
    inside: Vec<u64>,
    capitals: Vec<u64>,
    numbers: Vec<u64>,
    length: usize,
    marks_facts: bool,
}

impl Planes {
    /// Masks with or without those that facts need.
    pub(crate) fn new(marks_facts: bool) -> Self {
        Self { marks_facts, ..Self::default() }
    }

    /// Begins anew, with room for so many bytes.
    pub(crate) fn restart(&mut self, most: usize) {
        self.length = 0;
        for plane in [&mut self.inside, &mut self.capitals, &mut self.numbers] {
            plane.clear();
        }
        let words = most / BLOCK + 2;
        self.inside.resize(words, 0);
        if self.marks_facts {
            self.capitals.resize(words, 0);
            self.numbers.resize(words, 0);
        }
    }

    /// Appends the first `count` bits of each, 64 at most.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled with the loop over the text, for its vectors")]
    pub(crate) fn push(&mut self, bits: &Bits, count: usize) {
        let (at, kept) = (self.length, below(count));
        set(&mut self.inside, at, bits.inside & kept);
        if self.marks_facts {
            set(&mut self.capitals, at, bits.capitals & kept);
            set(&mut self.numbers, at, bits.numbers & kept);
        }
        self.length += count;
    }

    /// How many bytes there are.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// What is inside a word: a bit a byte, at least one more than there are bytes.
    pub(crate) fn inside(&self) -> &[u64] {
        &self.inside[..=self.length / BLOCK]
    }

    /// The numbers, likewise; nothing where facts are not asked for.
    pub(crate) fn numbers(&self) -> &[u64] {
        self.numbers.get(..=self.length / BLOCK).unwrap_or_default()
    }

    /// Whether a capital begins at a byte.
    pub(crate) fn has_capital(&self, at: usize) -> bool {
        self.capitals.get(at / BLOCK).is_some_and(|bits| bits >> (at % BLOCK) & 1 == 1)
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled with the loop over the text, for its vectors")]
fn set(plane: &mut [u64], at: usize, bits: u64) {
    let (word, shift) = (at / BLOCK, at % BLOCK);
    let two = &mut plane[word..word + 2];
    two[0] |= bits << shift;
    // In two shifts, as one by 64 is none.
    two[1] |= bits >> 1 >> (BLOCK - 1 - shift);
}

/// The lowest so many bits, 64 at most.
#[inline]
pub(crate) fn below(count: usize) -> u64 {
    if count < BLOCK { (1 << count) - 1 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bits, Planes};

    proptest! {
        #[test]
        fn masks_are_their_pieces_side_by_side(pieces in prop::collection::vec((any::<u64>(), 0_usize..=64), 0..9)) {
            let mut planes = Planes::new(true);
            planes.restart(9 * 64);
            planes.push(&Bits { inside: u64::MAX, capitals: u64::MAX, numbers: u64::MAX }, 64);
            planes.restart(9 * 64);
            let mut expected = Vec::new();
            for &(bits, count) in &pieces {
                planes.push(&Bits { inside: bits, capitals: !bits, numbers: bits }, count);
                expected.extend((0..count).map(|at| bits >> at & 1 == 1));
            }

            prop_assert_eq!(expected.len(), planes.length());
            prop_assert_eq!(planes.inside(), planes.numbers());
            for (at, &bit) in expected.iter().enumerate() {
                prop_assert_eq!((bit, !bit), (planes.inside()[at / 64] >> (at % 64) & 1 == 1, planes.has_capital(at)));
            }
        }
    }
}
