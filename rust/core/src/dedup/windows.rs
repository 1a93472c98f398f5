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
    /// More than there are symbols: what is behind their sums is left from longer texts.
    sums: Vec<u64>,
    symbols: usize,
}

impl Windows {
    /// Forgets the symbols, and makes room for some, which are added one by one.
    pub(crate) fn restart(&mut self, symbols: usize) {
        self.make_room(symbols);
        self.symbols = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, last: u64, symbol: u64, keys: &Keys) -> u64 {
        let sum = keys.next_sum(last, symbol);
        self.symbols += 1;
        match self.sums.get_mut(self.symbols) {
            Some(place) => *place = sum,
            None => self.sums.push(sum),
        }
        sum
    }

    /// The sums of so many symbols, to be written one after the other (see [`Keys::next_sum`]).
    pub(crate) fn take(&mut self, symbols: usize) -> &mut [u64] {
        self.make_room(symbols);
        self.symbols = symbols;
        &mut self.sums[1..=symbols]
    }

    fn make_room(&mut self, symbols: usize) {
        if self.sums.len() <= symbols {
            // New zeros take no time until they are touched; by doubling, texts of like lengths share them.
            self.sums = vec![0; (symbols + 1).next_power_of_two()];
        }
    }

    /// Appends the hash of every window of `size` symbols, or of all symbols where there are fewer; never 0.
    ///
    /// Returns the content hash: a sum over pairs of them, so equal sums are equal sets of shingles but for the chance
    /// above. Equal sets may have other sums, where they make other pairs.
    #[inline(always)]
    pub(crate) fn append(
        &self,
        size: usize,
        keys: &Keys,
        hashes: &mut Vec<u64>,
        pace: &Pace<'_>,
    ) -> Result<u128, Error> {
        let sums = &self.sums[..=self.symbols];
        let size = size.min(self.symbols);
        let apart = (size as u64).wrapping_mul(keys.size);
        let power = (0..size).fold(1_u64, |power, _| power.wrapping_mul(keys.base));
        let mut content = 0_u128;
        hashes.reserve(sums.len() - size);
        for (upto, before) in sums[size..].chunks(AT_ONCE).zip(sums.chunks(AT_ONCE)) {
            pace.advance(upto.len() / SHINGLES_A_STEP)?;
            let first = hashes.len();
            // Two loops: the first is one of vectors, which the wide products of the second would keep it from.
            hashes.extend(
                upto.iter()
                    .zip(before)
                    .map(|(&upto, &before)| upto.wrapping_sub(before.wrapping_mul(power)).wrapping_add(apart).max(1)),
            );
            content = content.wrapping_add(content_of(&hashes[first..], keys));
        }
        Ok(content)
    }
}

/// Half as many products as there are hashes; one that is left over makes a pair with itself.
#[inline(always)]
fn content_of(hashes: &[u64], keys: &Keys) -> u128 {
    let (pairs, left) = hashes.as_chunks();
    let terms = pairs.iter().map(|&[one, other]| keys.content_term(one, other));
    let last = left.iter().map(|&only| keys.content_term(only, only));
    terms.chain(last).fold(0, u128::wrapping_add)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};

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
    fn what_longer_texts_left_does_not_matter() {
        let (keys, pace) = (Keys::draw(), Pace::new(&Never));
        let mut windows = Windows::default();
        for length in [9_u8, 0, 3, 40, 5, 41, 1] {
            let (mut last, mut sums, mut pushed) = (0, Vec::new(), Vec::new());
            windows.restart(usize::from(length / 2));
            for symbol in 0..length {
                last = windows.push(last, u64::from(symbol) << 50, &keys);
                sums.push(last);
            }
            let content = windows.append(3, &keys, &mut pushed, &pace);
            let mut taken = Vec::new();
            windows.take(usize::from(length)).copy_from_slice(&sums);

            assert_eq!(content, windows.append(3, &keys, &mut taken, &pace));
            assert_eq!(pushed, taken);
            assert_eq!(usize::from(length).saturating_sub(2).max(1), taken.len());
        }
    }

    #[test]
    fn texts_of_equal_content_hashes_have_the_same_shingles() {
        let keys = Keys::draw();
        let mut known: HashMap<u128, BTreeSet<u64>> = HashMap::new();
        for length in 0..12_u32 {
            for bits in 0..1_u32 << length {
                let text: Vec<u8> = (0..length).map(|at| u8::from(bits >> at & 1 == 1)).collect();
                let (hashes, content) = hashes(&text, 3, &keys);
                let shingles = hashes.into_iter().collect();
                assert_eq!(known.entry(content).or_insert_with(|| BTreeSet::clone(&shingles)), &shingles);
            }
        }
    }

    /// Triples of letters by the parity of their second ones: both parities have the same pairs, and so equal sums of
    /// all that is linear in its factors.
    #[test]
    fn content_hashes_tell_texts_apart_whose_shingles_have_equal_sums() {
        for _ in 0..200 {
            let keys = Keys::draw().without_content();
            for first in 0..2 {
                let [even, odd] = [0, 1].map(|parity| cubes(first, parity));
                let [(even, one), (odd, other)] = [even, odd].map(|text| hashes(&text, 3, &keys));
                assert_ne!(even.iter().collect::<BTreeSet<_>>(), odd.iter().collect::<BTreeSet<_>>());
                assert_ne!(one, other);
            }
        }
    }

    /// The triples of one of two letters each that have so many of the second, modulo 2, each among letters that are
    /// the same everywhere; so many of those come first.
    fn cubes(first: usize, parity: u32) -> Vec<u8> {
        let mut text = vec![100; first];
        for triple in (0..8_u8).filter(|triple| triple.count_ones() % 2 == parity) {
            let letter = |number: u8| 10 + 2 * number + (triple >> number & 1);
            text.extend([1, 2, letter(0), letter(1), letter(2), 3, 4, 5]);
        }
        text
    }
}
