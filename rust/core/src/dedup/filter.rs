//! Candidates that lengths and bitmaps leave: a text is compared with those alone.

use super::bitmap::Bitmap;
use super::bounds::Bounds;
use super::kept::Kept;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::vectors::{Vectors, Work, with_vectors};

const CANDIDATES_A_LOOK: usize = 64;
const CANDIDATES_A_STEP: usize = 8;

/// A text of `size` distinct shingles, and the kept texts that it may repeat.
pub(crate) struct Filter<'f> {
    pub(crate) bounds: &'f Bounds,
    pub(crate) kept: &'f Kept,
    pub(crate) size: usize,
    pub(crate) bitmap: &'f Bitmap,
    pub(crate) candidates: &'f mut Vec<u32>,
    pub(crate) pace: &'f Pace<'f>,
}

impl Filter<'_> {
    /// Drops every candidate that cannot share as much as is needed: it is too long or too short, or the bitmaps differ
    /// in more bits than the sets may differ in shingles.
    pub(crate) fn apply(self) -> Result<(), Error> {
        with_vectors(self)
    }

    /// How many shingles may be in one of two texts only, `None` where their lengths rule out that they repeat.
    fn most_difference(&self, other: usize) -> Option<usize> {
        self.bounds.needed(self.size, other).map(|needed| self.size + other - 2 * needed)
    }
}

impl Work for Filter<'_> {
    type Output = Result<(), Error>;

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled for the bit instructions of the processor")]
    fn run<V: Vectors>(self, _: V) -> Self::Output {
        // Texts of a cluster have few lengths: the last answer often serves again. No text has 0 shingles.
        let (mut length, mut most) = (0, None);
        let mut left = 0;
        for at in 0..self.candidates.len() {
            if at % CANDIDATES_A_LOOK == 0 {
                self.pace.advance(CANDIDATES_A_LOOK / CANDIDATES_A_STEP)?;
            }
            let number = self.candidates[at];
            if self.kept.size(number) != length {
                length = self.kept.size(number);
                most = self.most_difference(length);
            }
            if most.is_some_and(|most| self.bitmap.difference(self.kept.bitmap(number)) <= most) {
                self.candidates[left] = number;
                left += 1;
            }
        }
        self.candidates.truncate(left);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use crate::dedup::bitmap::Bitmap;
    use crate::dedup::bounds::Bounds;
    use crate::dedup::kept::Kept;
    use crate::dedup::shingle_set::ShingleSet;
    use crate::error::Error;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn what_a_text_repeats_is_never_dropped_and_most_else_is() -> Result<(), Error> {
        let pace = Pace::new(&Never);
        let hash = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hashes = |first: u64, last: u64| (first..last).map(hash).collect::<Vec<_>>();
        let (mut kept, mut set) = (Kept::default(), ShingleSet::default());
        let spans: Vec<(u64, u64)> = (1..60).flat_map(|first| [(first, 101), (first, first + 100)]).collect();
        for &(first, last) in &spans {
            set.fill(&hashes(first, last), &pace)?;
            kept.add(0, &set, Bitmap::of(set.distinct(), &pace)?, true, &pace)?;
        }
        for bounds in [Bounds::new(0.85, None), Bounds::new(0.5, Some(0.8)), Bounds::new(0.0, None)] {
            let mut candidates: Vec<u32> = (0..).take(spans.len()).collect();
            let bitmap = Bitmap::of(&hashes(1, 101), &pace)?;
            let (kept, candidates_left) = (&kept, &mut candidates);
            Filter { bounds: &bounds, kept, size: 100, bitmap: &bitmap, candidates: candidates_left, pace: &pace }
                .apply()?;
            for (number, &(first, last)) in (0..).zip(&spans) {
                let shared = usize::try_from(101 - first).unwrap_or(0);
                let other = usize::try_from(last - first).unwrap_or(0);
                let repeats = bounds.similarity(shared, 100, other).is_some();
                assert!(!repeats || candidates.contains(&number), "{first} {last}");
            }
            assert!(bounds.hold_always() || candidates.len() < spans.len());
        }
        Ok(())
    }
}
