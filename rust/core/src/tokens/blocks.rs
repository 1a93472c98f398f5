//! Where the pre-tokens of a block begin, found for all of its bytes at once.
//!
//! A block begins where a pre-token does. For each byte a bit tells its class, that of the character it belongs to, and
//! the rules of the patterns become shifts and sums of such masks. What a rule would have to know of bytes that lie beyond
//! the block, or of characters that are left to the exact reading, is not guessed: those starts are left out, and so is all
//! behind the first of them.

use super::key;
use super::kinds::contraction;
use super::pretokens::Pattern;
use super::wide::Wide;
use crate::vectors::{BLOCK, Masks, Vectors};

/// Bytes that are read from the start of a block: its own, and those of a key that begins at its last.
pub(crate) const READ: usize = BLOCK + key::READ;

/// The rules look ahead by at most two bytes: a contraction of two letters.
const AHEAD: u32 = 2;

const BITS: u32 = u64::BITS;

/// A text, and behind it characters that are left to the exact reading: no-break spaces.
pub(crate) fn pad<const LENGTH: usize>(text: &[u8]) -> [u8; LENGTH] {
    let mut padded = [0; LENGTH];
    let (copy, behind) = padded.split_at_mut(text.len());
    copy.copy_from_slice(text);
    behind.as_chunks_mut().0.fill([0xC2, 0xA0]);
    padded
}

/// What the patterns ask of the bytes of a block.
struct Classes {
    ascii: Masks,
    letters: u64,
    capitals: u64,
    punctuation: u64,
    /// Bytes of a character but its first.
    trails: u64,
    /// How many bytes come before the first character that is left to the exact reading.
    known: u32,
}

impl Classes {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled for the vectors of the processor where it is inlined")]
    fn read<P: Pattern>(vectors: impl Vectors, read: &[u8; READ], block: &[u8; BLOCK]) -> Self {
        let ascii = vectors.classify(block);
        if ascii.wide == 0 {
            let punctuation = !(ascii.letters | ascii.digits | ascii.white);
            let Masks { letters, capitals, .. } = ascii;
            return Self { ascii, letters, capitals, punctuation, trails: 0, known: BITS };
        }
        Self::of_wide::<P>(ascii, &Wide::read(vectors, read, ascii.wide))
    }

    /// Numbers and white space that are not ASCII are left to the exact reading.
    #[inline]
    fn of_wide<P: Pattern>(ascii: Masks, wide: &Wide) -> Self {
        let mut letters = ascii.letters | wide.letters();
        let capitals = ascii.capitals | wide.capitals;
        let mut unknown = wide.others;
        if P::SPLITS_CASE {
            // Behind a letter a mark is one without case. What capitals belong to behind such a letter, those that follow
            // them decide.
            let attached = runs(wide.marks & letters << 1, wide.marks);
            letters |= attached;
            unknown |= capitals & (wide.caseless | attached) << 1;
        }
        let punctuation = !(letters | ascii.digits | ascii.white | wide.others);
        if P::SPLITS_CASE {
            // A mark that begins a pre-token, or comes second, begins a word.
            let first = firsts(punctuation);
            unknown |= wide.marks & (first | behind(first & !(ascii.spaces << 1), wide.trails));
        }
        Self { ascii, letters, capitals, punctuation, trails: wide.trails, known: unknown.trailing_zeros() }
    }
}

/// A bit for each byte of the block, the first apart, at which a pre-token begins for certain.
///
/// Certain are starts at least two bytes before whatever is not known, and not inside white space that reaches it, since
/// only the end of a run of white space tells where it is cut.
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled for the vectors of the processor where it is inlined")]
pub(crate) fn starts<P: Pattern>(vectors: impl Vectors, read: &[u8; READ]) -> u64 {
    let Some(block) = read.first_chunk::<BLOCK>() else { return 0 };
    let Classes { ascii, letters, capitals, punctuation, trails, known } = Classes::read::<P>(vectors, read, block);
    let mut certain = below(known.saturating_sub(AHEAD - 1).min(BITS - AHEAD));

    // Newlines right behind punctuation belong to it.
    let swallowed = runs(ascii.newlines & punctuation << 1, ascii.newlines);
    if P::SPLITS_CASE {
        // So do slashes behind such newlines, and what they begin is another matter.
        certain &= below((swallowed << 1 & ascii.slashes).trailing_zeros());
    }
    let white = ascii.white & !swallowed;
    certain &= !open_end(white, known);

    // The last character of white space that is no newline goes with what follows.
    let blank = white & !ascii.newlines;
    let punctuation_starts = firsts(punctuation) & !(ascii.spaces << 1);
    let led = blank << 1 | behind(punctuation_starts, trails);
    let mut starts = punctuation_starts | white_starts(white, blank) | firsts(letters) & !led | threes(ascii.digits);
    if P::SPLITS_CASE {
        starts |= capitals & (letters & !capitals) << 1;
    }
    let contracted = ascii.apostrophes & if P::SPLITS_CASE { letters << 1 } else { punctuation_starts & letters >> 1 };
    starts = contract::<P>(starts, contracted, certain, block);
    starts & certain & !1
}

/// The starts in runs of white space: the first character, the one behind the last newline, and the last one unless it
/// is a newline itself.
#[inline]
fn white_starts(white: u64, blank: u64) -> u64 {
    let after_newline = firsts(blank) & white << 1;
    // Blanks between two newlines of a run are inside one pre-token.
    let mut inside = ends_behind(after_newline, blank) & white;
    let mut after_last = after_newline;
    while inside != 0 {
        let newline = inside.trailing_zeros();
        let before = after_last & below(newline);
        after_last &= !(1 << (BITS - 1 - before.leading_zeros()));
        inside &= inside - 1;
    }
    firsts(white) | after_last | blank & !(white >> 1)
}

/// The first of every three digits of a run.
#[inline]
fn threes(digits: u64) -> u64 {
    let mut starts = firsts(digits);
    let mut last = starts;
    let inner = digits & digits << 1 & digits << 2 & digits << 3;
    loop {
        last = last << 3 & inner;
        if last == 0 {
            return starts;
        }
        starts |= last;
    }
}

/// The starts that contractions make and take; `candidates` are the apostrophes that may begin one.
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled for the vectors of the processor where it is inlined")]
fn contract<P: Pattern>(starts: u64, candidates: u64, certain: u64, block: &[u8; BLOCK]) -> u64 {
    if candidates & certain == 0 {
        starts
    } else if P::SPLITS_CASE {
        join_contractions(starts, candidates, block)
    } else {
        end_contractions(starts, candidates, block)
    }
}

/// `cl100k_base`: a contraction is a pre-token of its own, and what follows it another.
#[inline(never)]
fn end_contractions(mut starts: u64, mut candidates: u64, block: &[u8; BLOCK]) -> u64 {
    while candidates != 0 {
        let at = candidates.trailing_zeros();
        candidates &= candidates - 1;
        let end = contraction_end(block, at);
        starts |= end.and_then(|end| 1_u64.checked_shl(end)).unwrap_or(0);
    }
    starts
}

/// `o200k_base`: a contraction belongs to the word before it, unless that is itself the end of one.
#[inline(never)]
fn join_contractions(mut starts: u64, mut candidates: u64, block: &[u8; BLOCK]) -> u64 {
    let mut joined = 0;
    while candidates != 0 {
        let at = candidates.trailing_zeros();
        candidates &= candidates - 1;
        if at == joined {
            continue;
        }
        if let Some(end) = contraction_end(block, at) {
            starts &= !(below(end) & !below(at));
            starts |= 1_u64.checked_shl(end).unwrap_or(0);
            joined = end;
        }
    }
    starts
}

/// Where the contraction that begins at a bit ends.
fn contraction_end(block: &[u8; BLOCK], at: u32) -> Option<u32> {
    contraction(block, at as usize).and_then(|end| u32::try_from(end).ok())
}

/// The bits below that position.
#[inline]
fn below(at: u32) -> u64 {
    if at >= u64::BITS { !0 } else { (1 << at) - 1 }
}

/// The first bit of each run.
#[inline]
fn firsts(mask: u64) -> u64 {
    mask & !(mask << 1)
}

/// The first byte behind each character that begins at `starts`.
#[inline]
fn behind(starts: u64, trails: u64) -> u64 {
    trails.wrapping_add(starts << 1) & !trails
}

/// The runs of `mask` that begin at `first`.
#[inline]
fn runs(first: u64, mask: u64) -> u64 {
    mask & !mask.wrapping_add(first)
}

/// The bit behind each of the runs of `mask` that begin at `first`.
#[inline]
fn ends_behind(first: u64, mask: u64) -> u64 {
    mask.wrapping_add(first) & !mask
}

/// All but the first bit of the run of white space that reaches the first byte that is not known.
#[inline]
fn open_end(white: u64, known: u32) -> u64 {
    let reached = white | !below(known);
    let first = BITS - (!reached).leading_zeros();
    !below(first + 1)
}

#[cfg(test)]
#[path = "tests/blocks.rs"]
mod tests;
