//! Where words begin and end, from the mask of what is inside them.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use crate::error::Error;
use crate::interrupt::Pace;
use crate::vectors::{BLOCK, Vectors};

const BLOCKS_A_LOOK: usize = 4096;
/// Blocks counted in a step of a pace.
const BLOCKS_A_STEP: usize = 64;

/// The beginnings and ends of all words of one text, by turns and ascending.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    places: Vec<u32>,
    count: usize,
}

impl Spans {
    /// Reads a mask whose last bit is 0, so that the last word ends within it. Linear.
    #[inline(always)]
    pub(crate) fn read<V: Vectors>(&mut self, inside: &[u64], vectors: V, pace: &Pace<'_>) -> Result<(), Error> {
        let most = inside.len() * BLOCK;
        if u32::try_from(most).is_err() {
            return Err(Error::TooLarge);
        }
        self.make_room(inside, pace)?;
        let (mut count, mut first, mut before) = (0, 0_u32, 0);
        for &mask in inside {
            pace.advance(1)?;
            // A bit wherever the mask differs from what is before it.
            let turns = mask ^ (mask << 1 | before);
            before = mask >> (BLOCK - 1);
            let Some(places) = self.places[count..].first_chunk_mut() else { return Err(Error::TooLarge) };
            vectors.put_places(turns, first, places);
            count += turns.count_ones() as usize;
            first = first.wrapping_add(64);
        }
        self.count = count;
        Ok(())
    }

    /// A bit may begin or end a word or both, and there is room for a whole block behind them.
    #[inline(always)]
    fn make_room(&mut self, inside: &[u64], pace: &Pace<'_>) -> Result<(), Error> {
        let mut words = 0;
        for some in inside.chunks(BLOCKS_A_LOOK) {
            pace.advance(some.len() / BLOCKS_A_STEP)?;
            words += some.iter().map(|mask| (mask & !(mask << 1)).count_ones() as usize).sum::<usize>();
        }
        let most = 2 * words + BLOCK;
        if self.places.len() < most {
            // New zeros take no time until they are touched; by doubling, texts of like lengths share them.
            self.places = vec![0; most.next_power_of_two()];
        }
        Ok(())
    }

    /// The first byte of each word and the one behind its last.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[[u32; 2]] {
        self.places[..self.count].as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Spans;
    use crate::error::Error;
    use crate::interrupt::{Never, Pace};
    use crate::vectors::{Portable, Vectors, Work, with_vectors, with_widest_vectors};

    /// The words of a mask, by scratch that served another.
    struct Read<'m>(&'m [u64]);

    impl Work for Read<'_> {
        type Output = Result<Vec<[usize; 2]>, Error>;
        fn run<V: Vectors>(self, vectors: V) -> Self::Output {
            let mut spans = Spans::default();
            spans.read(&[u64::MAX, 0x5555, 0], vectors, &Pace::new(&Never))?;
            spans.read(self.0, vectors, &Pace::new(&Never))?;
            Ok(spans.words().iter().map(|word| word.map(|place| place as usize)).collect())
        }
    }

    proptest! {
        #[test]
        fn spans_are_the_runs_of_the_mask(bits in prop::collection::vec(any::<bool>(), 0..400), runs in 1_usize..90) {
            let bits: Vec<bool> = bits.iter().flat_map(|&bit| std::iter::repeat_n(bit, runs)).chain([false]).collect();
            let mut masks = vec![0_u64; bits.len() / 64 + 1];
            for (at, &bit) in bits.iter().enumerate() {
                masks[at / 64] |= u64::from(bit) << (at % 64);
            }
            let is_inside = |at: usize| bits.get(at).copied().unwrap_or(false);
            let starts = (0..bits.len()).filter(|&at| is_inside(at) && (at == 0 || !is_inside(at - 1)));
            let ends = (1..=bits.len()).filter(|&at| !is_inside(at) && is_inside(at - 1));
            let expected: Vec<[usize; 2]> = starts.zip(ends).map(|(start, end)| [start, end]).collect();

            for found in [with_widest_vectors(Read(&masks)), with_vectors(Read(&masks)), Read(&masks).run(Portable)] {
                prop_assert_eq!(Ok(&expected), found.as_ref());
            }
        }
    }
}
