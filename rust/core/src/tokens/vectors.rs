//! Sixty-four bytes classed at once: a bit a byte, by vector compares where the processor has them.
//!
//! The portable way and that of AVX2 give the same bits; a test compares them on every byte.
#![allow(unsafe_code, reason = "functions compiled for AVX2 are called behind the check for it, and read one block")]
#![allow(clippy::inline_always, reason = "code is compiled for AVX2 only where it is inlined into such a function")]

/// Bytes in a block: a bit each in a mask.
pub(crate) const BLOCK: usize = 64;

/// Which bytes of a block are what; bytes of 0x80 and above are `wide`, maybe `leads`, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Masks {
    pub(crate) letters: u64,
    pub(crate) capitals: u64,
    pub(crate) digits: u64,
    /// White space, newlines included.
    pub(crate) white: u64,
    /// The space U+0020 alone.
    pub(crate) spaces: u64,
    pub(crate) newlines: u64,
    /// U+001C to U+001F, which part words and are no white space.
    pub(crate) separators: u64,
    pub(crate) apostrophes: u64,
    pub(crate) slashes: u64,
    pub(crate) wide: u64,
    /// The first byte of each character of several bytes.
    pub(crate) leads: u64,
}

/// A way to class a block.
pub(crate) trait Vectors: Copy {
    fn classify(self, block: &[u8; BLOCK]) -> Masks;
}

/// Work that wants the quickest way there is.
pub(crate) trait Work {
    type Output;
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// Does the work with the quickest vectors of this processor, and compiled for it.
#[inline]
pub(crate) fn with_vectors<W: Work>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.run(work);
    }
    work.run(Portable)
}

/// Eight bytes at a time in a plain number.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

impl Vectors for Portable {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks::default();
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
        }
        masks.white |= masks.spaces;
        masks
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

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2 {
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
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn classify_avx2(block: &[u8; BLOCK]) -> Masks {
        // SAFETY: both reads of 32 bytes lie within the block of 64, and may be unaligned.
        let (low, high) = unsafe {
            (_mm256_loadu_si256(block.as_ptr().cast()), _mm256_loadu_si256(block.as_ptr().add(BLOCK / 2).cast()))
        };
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
        }
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
}

#[cfg(test)]
#[path = "tests/vectors.rs"]
mod tests;
