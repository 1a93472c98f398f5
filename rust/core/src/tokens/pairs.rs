//! Which two neighbouring tokens merge, and into what.

use super::rank_file::RankFile;
use super::words::room_for;

/// No token: a pair that does not merge.
pub(crate) const NONE: u32 = u32::MAX;

const RANK_BITS: u32 = 18;
const BITS_A_SLOT: usize = 8;

/// The pairs of tokens that merge, with the rank of the token they become.
///
/// Merging is by bytes: two neighbours merge where their bytes together are a token. It is enough to hold one pair a
/// token, the two parts that its own bytes come down to before the last merge: what lies between two boundaries merges in
/// the same order whatever stands outside them, so no other two parts of the token ever become neighbours.
pub(crate) struct Pairs {
    /// The rank of each single byte.
    bytes: [u32; 256],
    /// The rank that two single bytes merge to.
    of_bytes: Box<[u32]>,
    /// `left + 1, right, rank` of 18 bits each, or 0.
    slots: Box<[u64]>,
    shift: u32,
    /// A bit for the hash of each pair: most neighbours do not merge, and this is small enough for the inner caches.
    filter: Box<[u64]>,
}

impl Pairs {
    /// Room for the pairs of `file`, and those of single bytes.
    pub(crate) fn new(file: &RankFile) -> Self {
        let slots = room_for(file.len());
        let mut pairs = Self {
            bytes: [NONE; 256],
            of_bytes: vec![NONE; 1 << 16].into_boxed_slice(),
            slots: vec![0; slots].into_boxed_slice(),
            shift: u64::BITS - slots.trailing_zeros(),
            filter: vec![0; slots * BITS_A_SLOT / 64].into_boxed_slice(),
        };
        for (rank, token) in (0..).zip((0..file.len()).map(|rank| file.token(rank))) {
            match *token {
                [byte] => pairs.bytes[usize::from(byte)] = rank,
                [left, right] => pairs.of_bytes[byte_pair(left, right)] = rank,
                _ => {}
            }
        }
        pairs
    }

    pub(crate) fn insert(&mut self, left: u32, right: u32, rank: u32) {
        let pair = join(left, right);
        let bit = self.bit(pair);
        self.filter[bit / 64] |= 1 << (bit % 64);
        let mut slot = self.first_slot(pair);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = pair << RANK_BITS | u64::from(rank);
    }

    #[inline]
    pub(crate) fn byte(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    #[inline]
    pub(crate) fn of_bytes(&self, left: u8, right: u8) -> u32 {
        self.of_bytes[byte_pair(left, right)]
    }

    /// The rank that two tokens merge to, or [`NONE`].
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the rank is in the lower bits")]
    pub(crate) fn get(&self, left: u32, right: u32) -> u32 {
        let pair = join(left, right);
        let bit = self.bit(pair);
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return NONE;
        }
        let mut slot = self.first_slot(pair);
        loop {
            let entry = self.slots[slot];
            if entry >> RANK_BITS == pair {
                return entry as u32 & ((1 << RANK_BITS) - 1);
            }
            if entry == 0 {
                return NONE;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the shift leaves less than the length")]
    fn bit(&self, pair: u64) -> usize {
        (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (self.shift - BITS_A_SLOT.trailing_zeros())) as usize
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the shift leaves less than the length")]
    fn first_slot(&self, pair: u64) -> usize {
        (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }
}

/// Never 0, so that no entry is: 0 marks an empty slot.
#[inline]
fn join(left: u32, right: u32) -> u64 {
    (u64::from(left) + 1) << RANK_BITS | u64::from(right)
}

#[inline]
fn byte_pair(left: u8, right: u8) -> usize {
    usize::from(left) << 8 | usize::from(right)
}

#[cfg(test)]
#[path = "tests/pairs.rs"]
mod tests;
