//! Where the bits of a mask are, by a table of all bytes: for vectors that cannot take bytes together by a mask.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use super::BLOCK;

/// Bits of a byte, whose places are written at once: so no branch depends on how many of them are set.
const AT_ONCE: usize = 8;

/// Where the bits of each byte are, in order, and behind them zeros.
static BITS: [[u8; AT_ONCE]; 256] = {
    let mut bits = [[0; AT_ONCE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                bits[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    bits
};

#[inline(always)]
pub(super) fn put_places(mut bits: u64, mut first: u32, places: &mut [u32; BLOCK]) {
    let mut count = 0;
    for _ in 0..BLOCK / AT_ONCE {
        let [byte, ..] = bits.to_le_bytes();
        for (place, &bit) in places[count..count + AT_ONCE].iter_mut().zip(&BITS[usize::from(byte)]) {
            *place = first.wrapping_add(u32::from(bit));
        }
        count += byte.count_ones() as usize;
        first = first.wrapping_add(8);
        bits >>= 8;
    }
}
