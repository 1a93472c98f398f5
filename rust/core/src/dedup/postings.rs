//! Which stored texts have a shingle: a list of them for each shingle, in arenas, so that all are dropped at once.
//!
//! Shingles of the same place and tag share a list. That costs work and decides nothing: every text that comes out is
//! compared.

use super::counters::place;
use crate::error::Error;
use crate::interrupt::Pace;

/// Texts in a block of a list: with its head it fills a line of a cache.
const TEXTS_A_BLOCK: usize = 14;

/// A shingle of a chain, and the first text that has it: most have no other.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The lower half of the hash.
    tag: u32,
    first: u32,
    /// The place of the entry before it, counted from 1; 0 where there is none.
    before: u32,
    /// The place of the latest block of further texts, likewise.
    latest: u32,
}

/// Some texts of a list, side by side: a list that is long is read as fast as memory goes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    texts: [u32; TEXTS_A_BLOCK],
    count: u32,
    /// The place of the block before it, counted from 1; 0 where there is none.
    before: u32,
}

/// An inverted index over stored texts.
#[derive(Debug)]
pub(crate) struct Postings {
    /// The place of the latest entry of each chain, counted from 1; 0 where there is none.
    chains: Vec<u32>,
    entries: Vec<Entry>,
    blocks: Vec<Block>,
}

impl Postings {
    /// An index of so many chains, one at least.
    pub(crate) fn new(chains: usize) -> Self {
        Self { chains: vec![0; chains.max(1)], entries: Vec::new(), blocks: Vec::new() }
    }

    /// Adds a text to the list of a shingle. Constant time, but for the other shingles of the chain.
    pub(crate) fn push(&mut self, hash: u64, number: u32) -> Result<(), Error> {
        let chain = place(hash, self.chains.len());
        if let Some(at) = self.find(chain, tag(hash)) {
            return self.append(at, number);
        }
        self.entries.push(Entry { tag: tag(hash), first: number, before: self.chains[chain], latest: 0 });
        self.chains[chain] = u32::try_from(self.entries.len()).map_err(|_| Error::TooLarge)?;
        Ok(())
    }

    fn append(&mut self, at: usize, number: u32) -> Result<(), Error> {
        let before = self.entries[at].latest;
        if let Some(block) = before.checked_sub(1).map(|latest| &mut self.blocks[latest as usize])
            && let Some(text) = block.texts.get_mut(block.count as usize)
        {
            *text = number;
            block.count += 1;
            return Ok(());
        }
        self.blocks.push(Block { texts: [number; TEXTS_A_BLOCK], count: 1, before });
        self.entries[at].latest = u32::try_from(self.blocks.len()).map_err(|_| Error::TooLarge)?;
        Ok(())
    }

    /// Where the entry of a chain with that tag is.
    #[inline]
    fn find(&self, chain: usize, tag: u32) -> Option<usize> {
        let mut next = self.chains[chain];
        while let Some(at) = next.checked_sub(1) {
            let entry = &self.entries[at as usize];
            if entry.tag == tag {
                return Some(at as usize);
            }
            next = entry.before;
        }
        None
    }

    /// Calls `visit` for every stored text that has the shingle, and maybe for others.
    #[inline]
    pub(crate) fn visit(&self, hash: u64, pace: &Pace<'_>, mut visit: impl FnMut(u32)) -> Result<(), Error> {
        pace.advance(1)?;
        let Some(at) = self.find(place(hash, self.chains.len()), tag(hash)) else { return Ok(()) };
        visit(self.entries[at].first);
        let mut next = self.entries[at].latest;
        while let Some(at) = next.checked_sub(1) {
            pace.advance(1)?;
            let block = &self.blocks[at as usize];
            block.texts[..block.count as usize].iter().for_each(|&number| visit(number));
            next = block.before;
        }
        Ok(())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn tag(hash: u64) -> u32 {
    hash as u32
}

#[cfg(test)]
mod tests {
    use super::Postings;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn every_text_that_has_a_shingle_is_visited() {
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for chains in [0, 1, 5, 1000] {
            let mut postings = Postings::new(chains);
            for number in 0..3000 {
                assert_eq!(Ok(()), postings.push(spread(u64::from(number) % 7), number));
            }
            assert_eq!(Ok(()), postings.push(spread(7), 1));
            for shingle in 0..9 {
                let mut found = Vec::new();
                assert_eq!(Ok(()), postings.visit(spread(shingle), &Pace::new(&Never), |number| found.push(number)));
                found.sort_unstable();
                let has = |number: u32| u64::from(number) % 7 == shingle || (shingle == 7 && number == 1);
                assert_eq!((0..3000).filter(|&number| has(number)).collect::<Vec<_>>(), found);
            }
        }
    }
}
