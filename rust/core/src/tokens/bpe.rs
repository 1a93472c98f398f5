//! Byte pair encoding: of all neighbours that merge, those of the lowest rank first, the leftmost of equals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{NONE, Pairs};
use crate::error::Error;
use crate::interrupt::{Never, Pace};

/// The longest piece that [`merge`] takes: a bit for each byte.
pub(crate) const SHORT: usize = 64;

/// So many tokens are looked through one by one.
const FEW: u32 = 12;

const POSITION_BITS: u32 = 6;

/// A bit for each byte of the piece, of 1 to 64 bytes, that begins a token of it.
///
/// A step looks through what may merge, some 4 bytes to a byte of the piece, and merges the best: quadratic, and for
/// so short a piece quicker than any heap.
pub(crate) fn merge(pairs: &Pairs, piece: &[u8]) -> u64 {
    let mut row = Row::new(pairs, piece);
    while row.merge_best(pairs) {}
    row.alive
}

/// The two tokens that the bytes of a token of three bytes or more come down to while it is not among the pairs itself.
pub(crate) fn merge_to_two(pairs: &Pairs, token: &[u8]) -> Option<(u32, u32)> {
    if token.len() > SHORT {
        let list = List::merged(pairs, token, &Pace::new(&Never)).ok()?;
        let parts: Vec<_> = list.tokens.into_iter().filter(|&part| part != NONE).collect();
        return if let [left, right] = parts[..] { Some((left, right)) } else { None };
    }
    let mut row = Row::new(pairs, token);
    while row.merge_best(pairs) {}
    let right = row.next(0)?;
    (row.alive.count_ones() == 2).then(|| (row.tokens[0], row.tokens[right]))
}

struct Row {
    alive: u64,
    tokens: [u32; SHORT],
    /// For each byte that begins a token: the rank that it and the next merge to, and its position.
    merges: [u32; SHORT],
    length: usize,
}

impl Row {
    #[inline]
    fn new(pairs: &Pairs, piece: &[u8]) -> Self {
        let length = piece.len().min(SHORT);
        let mut row = Self { alive: !0 >> (SHORT - length), tokens: [0; SHORT], merges: [NONE; SHORT], length };
        for (token, &byte) in row.tokens.iter_mut().zip(piece) {
            *token = pairs.byte(byte);
        }
        for (at, bytes) in piece.windows(2).take(SHORT - 1).enumerate() {
            row.merges[at] = entry(pairs.of_bytes(bytes[0], bytes[1]), at);
        }
        row
    }

    /// Merges the best two neighbours, if any merge.
    #[inline]
    fn merge_best(&mut self, pairs: &Pairs) -> bool {
        let best = self.best();
        if best == NONE {
            return false;
        }
        let (rank, at) = (best >> POSITION_BITS, best as usize % SHORT);
        let right = self.next(at).unwrap_or(at);
        self.alive &= !(1 << right);
        self.merges[right] = NONE;
        self.tokens[at] = rank;
        self.merges[at] = self.next(at).map_or(NONE, |next| entry(pairs.get(rank, self.tokens[next]), at));
        if let Some(before) = self.before(at) {
            self.merges[before] = entry(pairs.get(self.tokens[before], rank), before);
        }
        true
    }

    /// The least of what may merge. Of few, one after another is quicker than all at once: those just written would have
    /// to reach the memory first.
    #[inline]
    fn best(&self) -> u32 {
        if self.alive.count_ones() > FEW {
            return self.merges[..self.length].iter().copied().min().unwrap_or(NONE);
        }
        let (mut alive, mut best) = (self.alive, NONE);
        while alive != 0 {
            best = best.min(self.merges[alive.trailing_zeros() as usize % SHORT]);
            alive &= alive - 1;
        }
        best
    }

    #[inline]
    fn next(&self, at: usize) -> Option<usize> {
        let after = self.alive & (!0 << at << 1);
        (after != 0).then(|| after.trailing_zeros() as usize)
    }

    #[inline]
    fn before(&self, at: usize) -> Option<usize> {
        let before = self.alive & !(!0 << at);
        (before != 0).then(|| before.ilog2() as usize)
    }
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "a position is below 64")]
fn entry(rank: u32, at: usize) -> u32 {
    if rank == NONE { NONE } else { rank << POSITION_BITS | at as u32 }
}

/// Where the tokens of a piece of any length begin. Time n log n, memory linear.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn merge_long(pairs: &Pairs, piece: &[u8], pace: &Pace<'_>) -> Result<Vec<usize>, Error> {
    let tokens = List::merged(pairs, piece, pace)?.tokens;
    Ok((0..piece.len()).filter(|&at| tokens[at] != NONE).collect())
}

/// The tokens as a linked list over the bytes; a byte inside a token has [`NONE`].
struct List {
    tokens: Vec<u32>,
    merges: Vec<u32>,
    before: Vec<usize>,
    next: Vec<usize>,
}

impl List {
    fn merged(pairs: &Pairs, piece: &[u8], pace: &Pace<'_>) -> Result<Self, Error> {
        let mut list = Self::new(pairs, piece);
        let mut heap: BinaryHeap<_> = (0..piece.len()).filter_map(|at| list.candidate(pairs, at)).collect();
        while let Some(Reverse((rank, at))) = heap.pop() {
            pace.advance(1)?;
            if list.merges[at] != rank {
                continue;
            }
            list.join(at, rank);
            heap.extend(list.candidate(pairs, at));
            if at > 0 {
                heap.extend(list.candidate(pairs, list.before[at]));
            }
        }
        Ok(list)
    }

    fn new(pairs: &Pairs, piece: &[u8]) -> Self {
        Self {
            tokens: piece.iter().map(|&byte| pairs.byte(byte)).collect(),
            merges: vec![NONE; piece.len()],
            before: (0..piece.len()).map(|at| at.saturating_sub(1)).collect(),
            next: (1..=piece.len()).collect(),
        }
    }

    /// What the token at `at` and the next now merge to.
    fn candidate(&mut self, pairs: &Pairs, at: usize) -> Option<Reverse<(u32, usize)>> {
        let rank = self.tokens.get(self.next[at]).map_or(NONE, |&next| pairs.get(self.tokens[at], next));
        self.merges[at] = rank;
        (rank != NONE).then_some(Reverse((rank, at)))
    }

    fn join(&mut self, at: usize, rank: u32) {
        let right = self.next[at];
        (self.tokens[right], self.merges[right]) = (NONE, NONE);
        self.tokens[at] = rank;
        self.next[at] = self.next[right];
        if let Some(before) = self.before.get_mut(self.next[at]) {
            *before = at;
        }
    }
}

#[cfg(test)]
#[path = "tests/bpe.rs"]
mod tests;
