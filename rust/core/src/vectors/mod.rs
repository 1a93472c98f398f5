//! Sixty-four bytes classed at once: a bit a byte, by vector compares where the processor has them.
//!
//! The ways of all processors give the same bits; a test compares them on every byte.

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx512;
mod places;
mod portable;

pub(crate) use self::portable::Portable;

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
    /// Those among them that ideographs from U+4E00 and syllables of Hangul begin with, which are letters without case:
    /// 0xE5 to 0xE9, 0xEB, 0xEC, and 0xE4 before 0xB8 and above.
    pub(crate) plain: u64,
}

/// A way to class a block.
pub(crate) trait Vectors: Copy {
    fn classify(self, block: &[u8; BLOCK]) -> Masks;

    /// The high bit of each byte.
    fn high_bits(self, block: &[u8; BLOCK]) -> u64;

    /// Writes where the bits are, counted from `first`; what is behind the last of them means nothing.
    fn put_places(self, bits: u64, first: u32, places: &mut [u32; BLOCK]);
}

/// Work that wants the quickest way there is.
pub(crate) trait Work {
    type Output;
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

/// Does the work with AVX2 where this processor has it, and compiled for it.
#[inline]
pub(crate) fn with_vectors<W: Work>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.run(work);
    }
    work.run(Portable)
}

/// Likewise, or with AVX-512: reading texts for near-duplicates gains a sixth, counting tokens nothing.
#[inline]
pub(crate) fn with_widest_vectors<W: Work>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if let Some(avx512) = avx512::Avx512::detect() {
        return avx512.run(work);
    }
    with_vectors(work)
}

#[cfg(test)]
mod tests;
