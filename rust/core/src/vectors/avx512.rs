//! Sixty-four bytes at a time, where the processor has AVX-512 with VBMI2: Ice Lake, Zen 4 and later.
#![allow(unsafe_code, reason = "functions compiled for AVX-512 are called behind the check for it, and stay in arrays")]
#![allow(clippy::inline_always, reason = "code is compiled for AVX-512 only where it is inlined into such a function")]

use std::arch::x86_64::{
    __m128i, __m512i, _mm512_add_epi8, _mm512_add_epi32, _mm512_and_si512, _mm512_castsi512_si128,
    _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask, _mm512_cvtepu8_epi32, _mm512_extracti32x4_epi32,
    _mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8,
    _mm512_set1_epi32, _mm512_storeu_si512, _mm512_sub_epi8,
};

use super::{BLOCK, Masks, Vectors, Work};

/// Places in a register.
const LANES: usize = 16;

/// The numbers of the bytes of a block.
static NUMBERS: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut at = 1;
    while at < BLOCK {
        numbers[at] = numbers[at - 1] + 1;
        at += 1;
    }
    numbers
};

/// Shows that the processor has what is used here: there is no other way to one than [`Avx512::detect`].
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }

    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` shows that the processor has these features, and the function has no other demand.
        unsafe { run_avx512(work, self) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<W: Work>(work: W, avx512: Avx512) -> W::Output {
    work.run(avx512)
}

impl Vectors for Avx512 {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Masks {
        // SAFETY: `self` shows that the processor has AVX-512, and the function has no other demand.
        unsafe { classify(block) }
    }

    #[inline(always)]
    fn high_bits(self, block: &[u8; BLOCK]) -> u64 {
        // SAFETY: as above.
        unsafe { high_bits(block) }
    }

    #[inline(always)]
    fn put_places(self, bits: u64, first: u32, places: &mut [u32; BLOCK]) {
        // SAFETY: as above.
        unsafe { put_places(bits, first, places) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn classify(block: &[u8; BLOCK]) -> Masks {
    let bytes = load(block);
    let is = |first: u8, last: u8| between(bytes, first, last);
    let spaces = is(b' ', b' ');
    Masks {
        letters: between(_mm512_or_si512(bytes, _mm512_set1_epi8(0x20)), b'a', b'z'),
        capitals: is(b'A', b'Z'),
        digits: is(b'0', b'9'),
        white: is(b'\t', b'\r') | spaces,
        spaces,
        newlines: is(b'\n', b'\n') | is(b'\r', b'\r'),
        separators: is(0x1C, 0x1F),
        apostrophes: is(b'\'', b'\''),
        slashes: is(b'/', b'/'),
        wide: _mm512_movepi8_mask(bytes),
        // A character begins where both upper bits are set.
        leads: _mm512_movepi8_mask(_mm512_and_si512(bytes, _mm512_add_epi8(bytes, bytes))),
        plain: is(0xE5, 0xE9) | is(0xEB, 0xEC) | is(0xE4, 0xE4) & is(0xB8, 0xBF) >> 1,
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn high_bits(block: &[u8; BLOCK]) -> u64 {
    _mm512_movepi8_mask(load(block))
}

/// Takes the numbers of the set bits together, and widens them, of 16 bytes at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn put_places(bits: u64, first: u32, places: &mut [u32; BLOCK]) {
    let numbers = _mm512_maskz_compress_epi8(bits, load(&NUMBERS));
    let [one, two, three, four] = places.as_chunks_mut::<LANES>().0 else { return };
    put_sixteen(_mm512_castsi512_si128(numbers), first, one);
    put_sixteen(_mm512_extracti32x4_epi32::<1>(numbers), first, two);
    // Words are seldom so short.
    if bits.count_ones() as usize > 2 * LANES {
        put_sixteen(_mm512_extracti32x4_epi32::<2>(numbers), first, three);
        put_sixteen(_mm512_extracti32x4_epi32::<3>(numbers), first, four);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put_sixteen(numbers: __m128i, first: u32, places: &mut [u32; LANES]) {
    let sums = _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), _mm512_set1_epi32(first.cast_signed()));
    // SAFETY: sixteen numbers of 32 bits are the 64 bytes that are written, which may be unaligned.
    unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), sums) };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(block: &[u8; BLOCK]) -> __m512i {
    // SAFETY: the 64 bytes that are read are the block, and may be unaligned.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// A bit for each byte that lies between two, which are included.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn between(bytes: __m512i, first: u8, last: u8) -> u64 {
    if first == last {
        return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(first.cast_signed()));
    }
    let above = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first.cast_signed()));
    _mm512_cmple_epu8_mask(above, _mm512_set1_epi8((last - first).cast_signed()))
}
