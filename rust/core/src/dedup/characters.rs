//! Characters of several bytes in a block that is lower-cased in place.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use crate::unicode;
use crate::unicode_traits::two_byte_lower;
use crate::vectors::BLOCK;

/// Bytes of the longest character.
pub(crate) const LONGEST: usize = 4;

/// A block, and room to read a character that begins at its last byte.
pub(crate) type Row = [u8; BLOCK + LONGEST];

/// Bytes of the character in UTF-8 that begins with `first`.
#[inline(always)]
pub(crate) fn length_of(first: u8) -> usize {
    (first.leading_ones() as usize).max(1)
}

/// The character of two to four bytes at `at`, and how many they are.
#[inline(always)]
pub(crate) fn decode(row: &Row, at: usize) -> (u32, usize) {
    let bytes = u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
    let six = |byte: u32| bytes >> (8 * byte) & 0x3F;
    match bytes & 0xFF {
        0..0xE0 => ((bytes & 0x1F) << 6 | six(1), 2),
        0xE0..0xF0 => ((bytes & 0xF) << 12 | six(1) << 6 | six(2), 3),
        _ => ((bytes & 7) << 18 | six(1) << 12 | six(2) << 6 | six(3), 4),
    }
}

/// Lower-cases the character at `at` unless that has another length.
#[inline(always)]
pub(crate) fn lower_in_place(row: &mut Row, at: usize, code: u32, length: usize) -> bool {
    if let (2, Some(lowered)) = (length, two_byte_lower(code)) {
        row[at..at + 2].copy_from_slice(&lowered);
        return true;
    }
    lower_any_in_place(row, at, code, length)
}

fn lower_any_in_place(row: &mut Row, at: usize, code: u32, length: usize) -> bool {
    let Some(mut lowered) = char::from_u32(code).map(unicode::lower) else { return false };
    match (lowered.next(), lowered.next()) {
        (Some(only), None) if only.len_utf8() == length => {
            only.encode_utf8(&mut row[at..at + length]);
            true
        }
        _ => false,
    }
}
