//! Thirty-two bytes at a time, where the processor has AVX2.
#![allow(unsafe_code, reason = "functions compiled for AVX2 are called behind the check for it, and read one block")]
#![allow(clippy::inline_always, reason = "code is compiled for AVX2 only where it is inlined into such a function")]

use super::places::put_places;
use super::{BLOCK, Masks, Vectors, Work};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_sub_epi8,
};

/// Shows that the processor has AVX2 and the bit instructions: there is no other way to one than [`Avx2::detect`].
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }

    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` shows that the processor has these features, and the function has no other demand.
        unsafe { run_avx2(work, self) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W, avx2: Avx2) -> W::Output {
    work.run(avx2)
}

impl Vectors for Avx2 {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Masks {
        // SAFETY: `self` shows that the processor has AVX2, and the function has no other demand.
        unsafe { classify_avx2(block) }
    }

    #[inline(always)]
    fn high_bits(self, block: &[u8; BLOCK]) -> u64 {
        // SAFETY: as above.
        unsafe { high_bits_avx2(block) }
    }

    #[inline(always)]
    fn put_places(self, bits: u64, first: u32, places: &mut [u32; BLOCK]) {
        put_places(bits, first, places);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn classify_avx2(block: &[u8; BLOCK]) -> Masks {
    let (low, high) = halves(block);
    let is = |first: u8, last: u8| mask(between(low, first, last), between(high, first, last));
    let small = _mm256_set1_epi8(0x20);
    let (small_low, small_high) = (_mm256_or_si256(low, small), _mm256_or_si256(high, small));
    let spaces = is(b' ', b' ');
    Masks {
        letters: mask(between(small_low, b'a', b'z'), between(small_high, b'a', b'z')),
        capitals: is(b'A', b'Z'),
        digits: is(b'0', b'9'),
        white: is(b'\t', b'\r') | spaces,
        spaces,
        newlines: is(b'\n', b'\n') | is(b'\r', b'\r'),
        separators: is(0x1C, 0x1F),
        apostrophes: is(b'\'', b'\''),
        slashes: is(b'/', b'/'),
        wide: mask(low, high),
        leads: mask(_mm256_and_si256(low, doubled(low)), _mm256_and_si256(high, doubled(high))),
        plain: is(0xE5, 0xE9) | is(0xEB, 0xEC) | is(0xE4, 0xE4) & is(0xB8, 0xBF) >> 1,
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_bits_avx2(block: &[u8; BLOCK]) -> u64 {
    let (low, high) = halves(block);
    mask(low, high)
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(block: &[u8; BLOCK]) -> (__m256i, __m256i) {
    // SAFETY: both reads of 32 bytes lie within the block of 64, and may be unaligned.
    unsafe { (_mm256_loadu_si256(block.as_ptr().cast()), _mm256_loadu_si256(block.as_ptr().add(BLOCK / 2).cast())) }
}

/// All bits of each byte that lies between two, which are included.
#[inline]
#[target_feature(enable = "avx2")]
fn between(bytes: __m256i, first: u8, last: u8) -> __m256i {
    if first == last {
        return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(first.cast_signed()));
    }
    let above = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first.cast_signed()));
    let most = _mm256_set1_epi8((last - first).cast_signed());
    _mm256_cmpeq_epi8(_mm256_min_epu8(above, most), above)
}

/// Each byte moved up by a bit: a character begins where both upper bits are set.
#[inline]
#[target_feature(enable = "avx2")]
fn doubled(bytes: __m256i) -> __m256i {
    _mm256_add_epi8(bytes, bytes)
}

/// The high bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    let (low, high) = (_mm256_movemask_epi8(low).cast_unsigned(), _mm256_movemask_epi8(high).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}
