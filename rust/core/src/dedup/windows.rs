//! The hashes of shingles: polynomials over the hashes of their symbols, modulo 2^64.
//!
//! Equal windows have equal hashes. Those of two different windows are equal with a chance of 2^-64 for each pair, as
//! the symbols' hashes are random. Where one is a permutation of the other it may be more, as a difference of two
//! powers of the base is even: 2^-58 where two of 32 symbols change places, 2^-44 where two symbols take turns by the
//! signs of (1 + x)(1 - x^2)(1 - x^4)(1 - x^8)(1 - x^16). Windows of other lengths are set apart by their own term.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use super::keys::Keys;
use crate::error::Error;
use crate::interrupt::Pace;

const AT_ONCE: usize = 1 << 14;
const SHINGLES_A_STEP: usize = 32;

/// The polynomials of all beginnings of a text's symbols, of which a window's is a difference.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    sums: Vec<u64>,
}

impl Windows {
    /// Forgets the symbols, and makes room for some.
    pub(crate) fn restart(&mut self, symbols: usize) {
        self.sums.clear();
        self.sums.reserve(symbols + 1);
        self.sums.push(0);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, last: u64, symbol: u64, keys: &Keys) -> u64 {
        let sum = last.wrapping_mul(keys.base).wrapping_add(symbol);
        self.sums.push(sum);
        sum
    }

    /// Appends the hash of every window of `size` symbols, or of all symbols where there are fewer; never 0.
    ///
    /// Returns the content hash: a sum over all of them, in any order, so equal sums are equal sets of shingles but
    /// for the chance above.
    #[inline(always)]
    pub(crate) fn append(
        &self,
        size: usize,
        keys: &Keys,
        hashes: &mut Vec<u64>,
        pace: &Pace<'_>,
    ) -> Result<u128, Error> {
        let symbols = self.sums.len() - 1;
        let size = size.min(symbols);
        let apart = (size as u64).wrapping_mul(keys.size);
        let power = (0..size).fold(1_u64, |power, _| power.wrapping_mul(keys.base));
        let mut content = 0_u128;
        hashes.reserve(self.sums.len() - size);
        for (upto, before) in self.sums[size..].chunks(AT_ONCE).zip(self.sums.chunks(AT_ONCE)) {
            pace.advance(upto.len() / SHINGLES_A_STEP)?;
            hashes.extend(upto.iter().zip(before).map(|(&upto, &before)| {
                let hash = upto.wrapping_sub(before.wrapping_mul(power)).wrapping_add(apart).max(1);
                content = content.wrapping_add(keys.content_term(hash));
                hash
            }));
        }
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::{AT_ONCE, Windows};
    use crate::dedup::keys::Keys;
    use crate::interrupt::{Never, Pace};

    /// The hashes of the windows of so many symbols, which are known by small numbers.
    fn hashes(symbols: &[u8], size: usize, keys: &Keys) -> (Vec<u64>, u128) {
        let (mut windows, mut hashes, mut last) = (Windows::default(), Vec::new(), 0);
        windows.restart(symbols.len());
        for &symbol in symbols {
            last = windows.push(last, keys.character(u32::from(symbol)), keys);
        }
        let content = windows.append(size, keys, &mut hashes, &Pace::new(&Never)).unwrap_or_default();
        (hashes, content)
    }

    proptest! {
        #[test]
        fn hashes_are_equal_where_the_windows_are(
            texts in prop::collection::vec(prop::collection::vec(0_u8..3, 0..60), 1..6), size in 1_usize..33,
        ) {
            let keys = Keys::draw();
            let mut known = HashMap::new();
            for text in &texts {
                let size = size.min(text.len()).max(1);
                let windows: Vec<_> = if text.is_empty() { vec![&text[..]] } else { text.windows(size).collect() };
                let found = hashes(text, size, &keys).0;
                prop_assert_eq!(windows.len(), found.len());
                for (window, hash) in windows.into_iter().zip(found) {
                    prop_assert_eq!(*known.entry(window).or_insert(hash), hash);
                }
            }
            let distinct: HashSet<_> = known.values().collect();
            prop_assert_eq!(known.len(), distinct.len());
        }
    }

    #[test]
    fn a_long_text_has_the_windows_of_its_parts() {
        let keys = Keys::draw();
        let text: Vec<u8> = (0..2 * AT_ONCE + 9).map(|at| (at * at % 251).to_le_bytes()[0]).collect();
        let (whole, _) = hashes(&text, 3, &keys);
        assert_eq!(text.len() - 2, whole.len());
        for at in [0, 1, AT_ONCE - 2, AT_ONCE - 1, AT_ONCE, 2 * AT_ONCE, 2 * AT_ONCE + 6] {
            assert_eq!(hashes(&text[at..at + 3], 3, &keys).0, whole[at..=at]);
        }
    }

    #[test]
    fn content_hashes_tell_sets_apart_that_share_sums() {
        let keys = Keys::draw();
        let content = |text: &[u8]| hashes(text, 2, &keys).1;

        assert_eq!(content(b"abcab").wrapping_add(content(b"ca")), content(b"cabca").wrapping_add(content(b"ab")));
        assert_ne!(content(b"axby"), content(b"aybx"));
        assert_ne!(content(b"aaaa"), content(b"aaa"));
    }
}
