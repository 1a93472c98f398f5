//! How often numbers come, in ascending order and without sorting.

use std::mem;

use crate::error::Error;

/// Counts batches of numbers.
///
/// A bit says that a number has come, a bit of the level above that a word of bits is not empty, and so on: three levels
/// give the numbers of a batch in ascending order, in time that grows with the batch and hardly with the largest number.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All 0 between two batches, as are the bits.
    counts: Vec<u32>,
    levels: [Vec<u64>; 3],
}

impl Tally {
    /// Passes on each distinct number, ascending, and how often it comes. All are below `end`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] from 2^32 numbers on.
    pub fn count(&mut self, numbers: &[u32], end: usize, mut pass: impl FnMut(u32, f64)) -> Result<(), Error> {
        u32::try_from(numbers.len()).map_err(|_| Error::TooLarge)?;
        self.make_room(end);
        for &number in numbers {
            self.add(number as usize);
        }
        let [low, middle, high] = &mut self.levels;
        for (place, word) in (0..).zip(high) {
            for place in members(word, place) {
                for place in members(&mut middle[place as usize], place) {
                    for number in members(&mut low[place as usize], place) {
                        pass(number, f64::from(mem::take(&mut self.counts[number as usize])));
                    }
                }
            }
        }
        Ok(())
    }

    fn make_room(&mut self, end: usize) {
        if end > self.counts.len() {
            self.counts.resize(end, 0);
            let mut words = end;
            for level in &mut self.levels {
                words = words.div_ceil(64);
                level.resize(words, 0);
            }
        }
    }

    #[inline]
    fn add(&mut self, number: usize) {
        self.counts[number] += 1;
        let mut place = number;
        for level in &mut self.levels {
            level[place / 64] |= 1 << (place % 64);
            place /= 64;
        }
    }
}

/// The numbers whose bits are set in the word at `place`, ascending. Empties the word.
#[inline]
fn members(word: &mut u64, place: u32) -> impl Iterator<Item = u32> + use<> {
    let mut left = mem::take(word);
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(place * 64 + bit)
    })
}
