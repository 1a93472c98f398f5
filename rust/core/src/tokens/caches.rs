//! What one thread remembers of the pieces it has counted.
//!
//! All caches hold whole pieces and compare them in full, so a slot that two pieces share costs time and no count.

use super::key;

const FRONT_SLOTS: usize = 1 << 16;
const MIDDLE_SLOTS: usize = 1 << 14;
const BACK_SLOTS: usize = 1 << 10;

/// The longest phrase, or part of a run of wide characters, that is remembered.
pub(crate) const LONGEST: usize = 60;

/// The longest piece that is remembered: lines drawn of one character are as long, and come again and again.
pub(crate) const LONGEST_LINE: usize = 126;

/// No key: it has a byte and no length. It is not 0, so that new memory is touched at once and not while counting.
const EMPTY: u128 = 1;

/// What one thread remembers of one encoding: 2 MiB and an eighth.
pub(crate) struct Caches {
    pub(crate) front: Front,
    pub(crate) middle: Pieces<LONGEST>,
    pub(crate) back: Pieces<LONGEST_LINE>,
}

impl Caches {
    pub(crate) fn new() -> Self {
        Self { front: Front::new(), middle: Pieces::new(MIDDLE_SLOTS), back: Pieces::new(BACK_SLOTS) }
    }
}

/// Counts of pieces of up to 15 bytes: 1 MiB.
pub(crate) struct Front(Box<[u128]>);

impl Front {
    fn new() -> Self {
        Self(vec![EMPTY; FRONT_SLOTS].into_boxed_slice())
    }

    /// The tokens of the piece of that key, where it is remembered.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the innermost step of counting")]
    pub(crate) fn get(&self, key: u128) -> Option<u64> {
        let entry = self.0[slot(key)];
        ((entry ^ key) << (u128::BITS - key::BITS) == 0).then_some((entry >> key::BITS) as u64)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u128, tokens: u64) {
        self.0[slot(key)] = key | u128::from(tokens) << key::BITS;
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost step of counting")]
#[allow(clippy::cast_possible_truncation, reason = "16 bits are left")]
fn slot(key: u128) -> usize {
    (key::hash(key) >> (u64::BITS - FRONT_SLOTS.trailing_zeros())) as usize
}

/// Counts of pieces of 16 to `MOST` bytes: up to 60 in 1 MiB, up to 126 in 128 KiB.
pub(crate) struct Pieces<const MOST: usize>(Box<[Slot<MOST>]>);

#[derive(Clone)]
#[repr(align(64))]
struct Slot<const MOST: usize> {
    piece: [u8; MOST],
    length: u8,
    tokens: u8,
}

impl<const MOST: usize> Pieces<MOST> {
    /// `slots` is a power of two.
    fn new(slots: usize) -> Self {
        Self(vec![Slot { piece: [1; MOST], length: 0, tokens: 0 }; slots].into_boxed_slice())
    }

    /// The tokens of a piece of 16 to `MOST` bytes, where it is remembered.
    #[inline]
    pub(crate) fn get(&self, piece: &[u8]) -> Option<u64> {
        let slot = &self.0[self.slot(piece)];
        (&slot.piece[..usize::from(slot.length)] == piece).then_some(slot.tokens.into())
    }

    pub(crate) fn put(&mut self, piece: &[u8], tokens: u64) {
        let (Ok(length), Ok(tokens)) = (u8::try_from(piece.len()), u8::try_from(tokens)) else { return };
        let at = self.slot(piece);
        let slot = &mut self.0[at];
        slot.piece[..piece.len()].copy_from_slice(piece);
        (slot.length, slot.tokens) = (length, tokens);
    }

    #[inline]
    fn slot(&self, piece: &[u8]) -> usize {
        piece_hash(piece) & (self.0.len() - 1)
    }
}

/// Its first 16 bytes, its last 16 and its length: pieces that agree in these share a slot, and are compared in full.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "fewer bits are used")]
fn piece_hash(piece: &[u8]) -> usize {
    let ends = |bytes: Option<&[u8; 16]>| bytes.map_or(0, |bytes| u128::from_le_bytes(*bytes));
    let key = ends(piece.first_chunk()) ^ ends(piece.last_chunk()).rotate_left(64) ^ piece.len() as u128;
    (key::hash(key) >> (u64::BITS - MIDDLE_SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
#[path = "tests/caches.rs"]
mod tests;
