//! Pieces longer than a word: merged in windows, so that time stays linear.
//!
//! A sequence of tokens is what merging gives if and only if each two neighbours are what merging the bytes of both
//! gives: merges on the two sides of a boundary are independent as long as none crosses it, and the first one to cross it
//! would have to join those two. So tokens of two windows may be put together where both windows have the same token at the
//! joint: each pair of neighbours then stands in one of the windows.

use super::bpe::{SHORT, merge, merge_long};
use super::pairs::Pairs;
use crate::error::Error;
use crate::interrupt::Pace;

/// Tokens of a window that are given up at first, because what follows could have merged with them.
const OVERLAP: usize = 3;

/// Joints tried between two windows before they are widened.
const TRIES: usize = 8;

/// How much wider the next window is when two of this width agree nowhere.
const WIDER: usize = 8;

/// A run of one byte is merged up to this length: four times the longest token.
const RUN: usize = 512;

/// The tokens of a piece, however long.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn count(pairs: &Pairs, piece: &[u8], pace: &Pace<'_>) -> Result<u64, Error> {
    if piece.len() <= SHORT {
        return Ok(u64::from(merge(pairs, piece).count_ones()));
    }
    match count_run(pairs, piece) {
        Some(tokens) => Ok(tokens),
        None => Windows { pairs, piece, width: SHORT }.count(pace),
    }
}

/// The tokens of a run of one byte: as many of the first token as leave room for a whole merge, and that of the rest.
///
/// The rest begins with two tokens equal to the first, so every pair of neighbours has been seen.
fn count_run(pairs: &Pairs, piece: &[u8]) -> Option<u64> {
    if piece.len() <= RUN || piece.iter().any(|&byte| byte != piece[0]) {
        return None;
    }
    let first = *merge_long(pairs, &piece[..RUN]).get(1)?;
    let repeats = (piece.len() - RUN).div_ceil(first);
    let rest = merge_long(pairs, &piece[repeats * first..]);
    (rest.get(..3) == Some(&[0, first, 2 * first])).then_some((repeats + rest.len()) as u64)
}

struct Windows<'v, 'p> {
    pairs: &'v Pairs,
    piece: &'p [u8],
    width: usize,
}

impl Windows<'_, '_> {
    fn count(&mut self, pace: &Pace<'_>) -> Result<u64, Error> {
        let (mut at, mut count) = (0, 0);
        let mut tokens = self.tokens(at);
        while at + self.width < self.piece.len() {
            pace.advance(self.width)?;
            if let Some((whole, next)) = self.join(at, &tokens) {
                count += whole as u64;
                at += tokens[whole];
                tokens = next;
            } else {
                self.width = self.width.saturating_mul(WIDER);
                tokens = self.tokens(at);
            }
        }
        Ok(count + tokens.len() as u64)
    }

    /// How many tokens of the window at `at` stand, and the window that begins behind them with the same token.
    fn join(&self, at: usize, tokens: &[usize]) -> Option<(usize, Vec<usize>)> {
        (1..tokens.len().saturating_sub(OVERLAP - 1)).rev().take(TRIES).find_map(|whole| {
            let (start, end) = (tokens[whole], tokens[whole + 1]);
            let next = self.tokens(at + start);
            (next.get(1) == Some(&(end - start))).then_some((whole, next))
        })
    }

    /// Where the tokens of the window that begins at `at` begin, counted from there.
    fn tokens(&self, at: usize) -> Vec<usize> {
        let window = &self.piece[at..self.piece.len().min(at.saturating_add(self.width))];
        if window.len() > SHORT {
            return merge_long(self.pairs, window);
        }
        let mut starts = merge(self.pairs, window);
        let mut tokens = Vec::with_capacity(starts.count_ones() as usize);
        while starts != 0 {
            tokens.push(starts.trailing_zeros() as usize);
            starts &= starts - 1;
        }
        tokens
    }
}

#[cfg(test)]
#[path = "tests/long.rs"]
mod tests;
