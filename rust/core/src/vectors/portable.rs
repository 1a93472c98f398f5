//! Eight bytes at a time in a plain number, for any processor.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use super::places::put_places;
use super::{BLOCK, Masks, Vectors};

/// Eight bytes at a time in a plain number.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

impl Vectors for Portable {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Masks {
        let (mut masks, mut fours, mut above) = (Masks::default(), 0, 0);
        for (eight, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*bytes);
            let narrow = !word & HIGH;
            let low = word & !HIGH;
            let is =
                |first: u8, last: u8, word: u64| gather(at_least(word, first) & !at_least(word, last + 1) & narrow);
            let put = |mask: &mut u64, bits: u64| *mask |= bits << (8 * eight);
            put(&mut masks.letters, is(b'a', b'z', low | (0x20 * ONES)));
            put(&mut masks.capitals, is(b'A', b'Z', low));
            put(&mut masks.digits, is(b'0', b'9', low));
            put(&mut masks.spaces, is(b' ', b' ', low));
            put(&mut masks.white, is(b'\t', b'\r', low));
            put(&mut masks.newlines, is(b'\n', b'\n', low) | is(b'\r', b'\r', low));
            put(&mut masks.separators, is(0x1C, 0x1F, low));
            put(&mut masks.apostrophes, is(b'\'', b'\'', low));
            put(&mut masks.slashes, is(b'/', b'/', low));
            put(&mut masks.wide, gather(word & HIGH));
            put(&mut masks.leads, gather(word & (word << 1) & HIGH));
            let is_wide = |first: u8, last: u8| {
                gather(at_least(low, first & 0x7F) & !at_least(low, (last & 0x7F) + 1) & word & HIGH)
            };
            put(&mut masks.plain, is_wide(0xE5, 0xE9) | is_wide(0xEB, 0xEC));
            put(&mut fours, is_wide(0xE4, 0xE4));
            put(&mut above, is_wide(0xB8, 0xBF));
        }
        masks.white |= masks.spaces;
        masks.plain |= fours & above >> 1;
        masks
    }

    #[inline(always)]
    fn high_bits(self, block: &[u8; BLOCK]) -> u64 {
        let eights = block.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        (0..).zip(eights).fold(0, |bits, (eight, word)| bits | gather(word) << (8 * eight))
    }

    #[inline(always)]
    fn put_places(self, bits: u64, first: u32, places: &mut [u32; BLOCK]) {
        put_places(bits, first, places);
    }
}

/// The high bit of each byte that is at least `least`, all being below 0x80.
#[inline(always)]
fn at_least(word: u64, least: u8) -> u64 {
    word + u64::from(0x80 - least) * ONES
}

/// The high bits of the eight bytes side by side.
#[inline(always)]
fn gather(high: u64) -> u64 {
    (high & HIGH).wrapping_mul(0x0002_0408_1020_4081) >> 56
}
