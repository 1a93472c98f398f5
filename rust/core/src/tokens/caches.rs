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
///
/// A piece lies in its slot or in the neighbour, which is in the same line of memory. Who is asked for there changes places
/// with what lies in the slot, so that of two pieces of one slot the common one is found at once.
pub(crate) struct Front(Box<[u128]>);

impl Front {
    fn new() -> Self {
        Self(vec![EMPTY; FRONT_SLOTS].into_boxed_slice())
    }

    /// The tokens of the piece of that key, where it is remembered in its slot.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the innermost step of counting")]
    pub(crate) fn get_first(&self, key: u128) -> Option<u64> {
        tokens_of(self.0[slot(key)], key)
    }

    /// The tokens of the piece of that key, where it is remembered.
    #[inline]
    pub(crate) fn get(&mut self, key: u128) -> Option<u64> {
        let slot = slot(key);
        tokens_of(self.0[slot], key).or_else(|| {
            let tokens = tokens_of(self.0[slot ^ 1], key)?;
            self.0.swap(slot, slot ^ 1);
            Some(tokens)
        })
    }

    /// Remembers a piece that is not remembered.
    #[inline]
    pub(crate) fn put(&mut self, key: u128, tokens: u64) {
        let slot = slot(key);
        if self.0[slot ^ 1] == EMPTY {
            self.0[slot ^ 1] = self.0[slot];
        }
        self.0[slot] = key | u128::from(tokens) << key::BITS;
    }
}

/// The tokens of an entry, if it is that of the key.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost step of counting")]
fn tokens_of(entry: u128, key: u128) -> Option<u64> {
    ((entry ^ key) << (u128::BITS - key::BITS) == 0).then_some((entry >> key::BITS) as u64)
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost step of counting")]
#[allow(clippy::cast_possible_truncation, reason = "16 bits are left")]
fn slot(key: u128) -> usize {
    (key::hash(key) >> (u64::BITS - FRONT_SLOTS.trailing_zeros())) as usize
}

/// Counts of pieces of 16 to `MOST` bytes: up to 60 in 1 MiB, up to 126 in 128 KiB.
///
/// A piece lies in one of two slots that have nothing to do with each other, in an empty one if there is any. With a single
/// slot each, a third of 8,000 pieces drive each other out; so it is one in fourteen.
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
        let [one, other] = self.slots(piece).map(|at| &self.0[at]);
        let found = if one.holds(piece) { one } else { Some(other).filter(|slot| slot.holds(piece))? };
        Some(found.tokens.into())
    }

    /// Remembers a piece that is not remembered.
    pub(crate) fn put(&mut self, piece: &[u8], tokens: u64) {
        let (Ok(length), Ok(tokens)) = (u8::try_from(piece.len()), u8::try_from(tokens)) else { return };
        let [one, other] = self.slots(piece);
        let slot = &mut self.0[if self.0[one].length > 0 && self.0[other].length == 0 { other } else { one }];
        slot.piece[..piece.len()].copy_from_slice(piece);
        (slot.length, slot.tokens) = (length, tokens);
    }

    /// The two slots in which a piece may lie.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "fewer bits are used")]
    fn slots(&self, piece: &[u8]) -> [usize; 2] {
        let hash = piece_hash(piece);
        [hash, hash >> u32::BITS].map(|bits| bits as usize & (self.0.len() - 1))
    }
}

impl<const MOST: usize> Slot<MOST> {
    #[inline]
    fn holds(&self, piece: &[u8]) -> bool {
        self.piece[..usize::from(self.length)] == *piece
    }
}

/// Its first 16 bytes, its last 16 and its length: pieces that agree in these share slots, and are compared in full.
#[inline]
fn piece_hash(piece: &[u8]) -> u64 {
    let ends = |bytes: Option<&[u8; 16]>| bytes.map_or(0, |bytes| u128::from_le_bytes(*bytes));
    key::hash(ends(piece.first_chunk()) ^ ends(piece.last_chunk()).rotate_left(64) ^ piece.len() as u128)
}

#[cfg(test)]
#[path = "tests/caches.rs"]
mod tests;
