//! Pieces longer than a word: merged in windows, so that time stays linear.
//!
//! A sequence of tokens is what merging gives if and only if each two neighbours are what merging the bytes of both
//! gives: merges on the two sides of a boundary are independent as long as none crosses it, and the first one to cross it
//! would have to join those two. So tokens of two windows may be put together where both windows have the same token at the
//! joint: each pair of neighbours then stands in one of the windows.

use super::bpe::{SHORT, merge, merge_long};
use super::kinds::STRETCH;
use super::pairs::Pairs;
use crate::error::Error;
use crate::interrupt::Pace;

/// Tokens of a window that are given up at first, because what follows could have merged with them.
const OVERLAP: usize = 3;

/// Joints tried between two windows before they are widened.
const TRIES: usize = 8;

/// How much wider the next window is when two of this width agree nowhere.
const WIDER: usize = 8;

/// The longest period of a run: that of the widest character, or of as many bytes.
const LONGEST_PERIOD: usize = 4;

/// A run is merged up to this length: four times the longest token.
const RUN: usize = 512;

/// The tokens of a piece, however long.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn count(pairs: &Pairs, piece: &[u8], pace: &Pace<'_>) -> Result<u64, Error> {
    if piece.len() <= SHORT {
        return Ok(u64::from(merge(pairs, piece).count_ones()));
    }
    match merge_run(pairs, piece, pace)? {
        Some((repeats, _, rest)) => Ok((repeats + rest.len()) as u64),
        None => Windows { pairs, piece, width: SHORT }.count(pace),
    }
}

/// A run of one character, or of a few bytes that come again: how many tokens are like the first, how long that is, and
/// where those of the rest begin, counted from there.
type Run = (usize, usize, Vec<usize>);

/// The tokens of a run, if it is one.
///
/// The first token must be made of whole periods. As many of it are taken as leave room for a whole merge, which is then
/// of the same run. The rest begins with two tokens equal to the first, so every pair of neighbours has been seen.
fn merge_run(pairs: &Pairs, piece: &[u8], pace: &Pace<'_>) -> Result<Option<Run>, Error> {
    if piece.len() <= RUN {
        return Ok(None);
    }
    let mut period = 1;
    while !repeats_at(piece, period, pace)? {
        period += 1;
        if period > LONGEST_PERIOD {
            return Ok(None);
        }
    }
    let Some(first) = merge_long(pairs, &piece[..RUN], pace)?.get(1).copied() else { return Ok(None) };
    if first % period != 0 {
        return Ok(None);
    }
    let repeats = (piece.len() - RUN).div_ceil(first);
    let rest = merge_long(pairs, &piece[repeats * first..], pace)?;
    Ok((rest.get(..3) == Some(&[0, first, 2 * first])).then_some((repeats, first, rest)))
}

/// Whether each byte of a piece is the one that many before it.
fn repeats_at(piece: &[u8], distance: usize, pace: &Pace<'_>) -> Result<bool, Error> {
    for (later, earlier) in piece[distance..].chunks(STRETCH).zip(piece.chunks(STRETCH)) {
        if *later != earlier[..later.len()] {
            return Ok(false);
        }
        pace.advance_over(later.len())?;
    }
    Ok(true)
}

/// Where the tokens of a piece begin, however long it is, counted from `base`.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn starts(pairs: &Pairs, piece: &[u8], base: usize, pace: &Pace<'_>) -> Result<Vec<usize>, Error> {
    let mut starts = Vec::new();
    if let Some((repeats, first, rest)) = merge_run(pairs, piece, pace)? {
        for token in 0..repeats {
            if token.is_multiple_of(STRETCH) {
                pace.advance_over(STRETCH)?;
            }
            starts.push(base + token * first);
        }
        starts.extend(rest.into_iter().map(|start| base + repeats * first + start));
        return Ok(starts);
    }
    Windows { pairs, piece, width: SHORT }
        .read(pace, |at, tokens| starts.extend(tokens.iter().map(|token| base + at + token)))?;
    Ok(starts)
}

/// Where the tokens of a window begin, merged as one.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn merge_starts(pairs: &Pairs, window: &[u8], pace: &Pace<'_>) -> Result<Vec<usize>, Error> {
    if window.is_empty() || window.len() > SHORT {
        return merge_long(pairs, window, pace);
    }
    let mut starts = merge(pairs, window);
    let mut tokens = Vec::with_capacity(starts.count_ones() as usize);
    while starts != 0 {
        tokens.push(starts.trailing_zeros() as usize);
        starts &= starts - 1;
    }
    Ok(tokens)
}

struct Windows<'v, 'p> {
    pairs: &'v Pairs,
    piece: &'p [u8],
    width: usize,
}

impl Windows<'_, '_> {
    fn count(&mut self, pace: &Pace<'_>) -> Result<u64, Error> {
        let mut count = 0;
        self.read(pace, |_, tokens| count += tokens.len() as u64)?;
        Ok(count)
    }

    /// Passes on where each window with tokens that stand begins, and where they begin, counted from there.
    fn read(&mut self, pace: &Pace<'_>, mut take: impl FnMut(usize, &[usize])) -> Result<(), Error> {
        let mut at = 0;
        let mut tokens = self.tokens(at, pace)?;
        while at + self.width < self.piece.len() {
            pace.advance(self.width)?;
            if let Some((whole, next)) = self.join(at, &tokens, pace)? {
                take(at, &tokens[..whole]);
                at += tokens[whole];
                tokens = next;
            } else {
                self.width = self.width.saturating_mul(WIDER);
                tokens = self.tokens(at, pace)?;
            }
        }
        take(at, &tokens);
        Ok(())
    }

    /// How many tokens of the window at `at` stand, and the window that begins behind them with the same token.
    fn join(&self, at: usize, tokens: &[usize], pace: &Pace<'_>) -> Result<Option<(usize, Vec<usize>)>, Error> {
        for whole in (1..tokens.len().saturating_sub(OVERLAP - 1)).rev().take(TRIES) {
            let (start, end) = (tokens[whole], tokens[whole + 1]);
            // In a run of one character one window is like the other.
            let is_same = self.window(at + start) == self.window(at);
            let next = if is_same { tokens.to_vec() } else { self.tokens(at + start, pace)? };
            if next.get(1) == Some(&(end - start)) {
                return Ok(Some((whole, next)));
            }
        }
        Ok(None)
    }

    /// Where the tokens of the window that begins at `at` begin, counted from there.
    fn tokens(&self, at: usize, pace: &Pace<'_>) -> Result<Vec<usize>, Error> {
        merge_starts(self.pairs, self.window(at), pace)
    }

    fn window(&self, at: usize) -> &[u8] {
        &self.piece[at..self.piece.len().min(at.saturating_add(self.width))]
    }
}

#[cfg(test)]
#[path = "tests/long.rs"]
mod tests;
