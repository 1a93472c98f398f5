//! The first shingles of each text, half a hash each: most texts are settled by them without being read again.
//!
//! A text with enough shingles that no other has is kept, and nothing repeats it (`judge`). Some of its shingles may be
//! enough to see that, and a counter's place goes by the upper half of a hash alone.

use super::bounds::Bounds;
use super::counters::{Counters, half};
use crate::error::Error;
use crate::interrupt::Pace;

/// Shingles kept for each one that has to be unique: in the mode that saves memory six in ten of those are found alone
/// on their place, so of nine quarters nearly always enough.
const QUARTERS: usize = 9;
/// A text that needs more is read again: half a kilobyte.
const MOST: usize = 128;

/// Samples of texts, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    halves: Vec<u32>,
    texts: Vec<Sample>,
}

/// How many shingles of a text there are, and how many of them it takes. None where it would take too many.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    count: u8,
    enough: u8,
}

impl Sample {
    fn of(shingles: usize, bounds: &Bounds) -> Self {
        let enough = bounds.prefix(shingles);
        let count = (enough.saturating_mul(QUARTERS) / 4).min(shingles);
        match (u8::try_from(count), u8::try_from(enough)) {
            (Ok(count), Ok(enough)) if usize::from(count) <= MOST => Self { count, enough },
            _ => Self::default(),
        }
    }
}

impl Samples {
    /// Keeps what may settle a text.
    pub(crate) fn add(&mut self, hashes: &[u64], bounds: &Bounds) {
        let sample = Sample::of(hashes.len(), bounds);
        self.halves.extend(hashes[..usize::from(sample.count)].iter().map(|&hash| half(hash)));
        self.texts.push(sample);
    }

    /// Which of the positions, one a sample, are of texts that have to be judged.
    pub(crate) fn unsettled(&self, positions: &[u32], counters: &Counters, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
        let (mut unsettled, mut rest) = (Vec::new(), self.halves.as_slice());
        for (&position, sample) in positions.iter().zip(&self.texts) {
            let (halves, behind) = rest.split_at(usize::from(sample.count));
            let enough = usize::from(sample.enough);
            if halves.is_empty() || counters.unique_halves(halves, enough, pace)? < enough {
                unsettled.push(position);
            }
            rest = behind;
        }
        Ok(unsettled)
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;
    use crate::dedup::bounds::Bounds;
    use crate::dedup::counters::Counters;
    use crate::error::Error;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn a_text_is_settled_by_enough_shingles_that_no_other_has() -> Result<(), Error> {
        let pace = Pace::new(&Never);
        let hash = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for (size, shared, threshold, is_settled) in [
            (100, 0, 0.85, true),
            (100, 20, 0.85, true),  // 16 of the first 36
            (100, 21, 0.85, false), // 15 of them
            (200, 0, 0.2, false),   // it would take 161
            (1, 0, 0.85, true),
            (1, 1, 0.85, false),
            (5, 0, 0.0, false),
        ] {
            let hashes: Vec<u64> = (1..=size).map(hash).collect();
            let mut counters = Counters::new(1 << 20);
            counters.add(&hashes, &pace)?;
            counters.add(&hashes[..shared], &pace)?;
            let (mut samples, bounds) = (Samples::default(), Bounds::new(threshold, None));
            samples.add(&hashes, &bounds);
            samples.add(&hashes[..1], &bounds);

            let unsettled = samples.unsettled(&[4, 7], &counters, &pace)?;

            assert_eq!(is_settled, !unsettled.contains(&4), "{size} {shared} {threshold}");
            assert_eq!(threshold > 0.0 && shared == 0, !unsettled.contains(&7));
        }
        Ok(())
    }
}
