//! The longest piece of a text by exact counts, which may fall as a piece grows.

use super::caches::Caches;
use super::encoding::Encoding;
use super::measure::Measure;
use super::memory;
use super::pretokens::{Cl100k, O200k, Pattern};
use super::threads;
use super::vocabulary::Vocabulary;
use crate::boundary::ceil;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::ruler::{Measured, Piece, Ruler};

/// A text with fewer bytes for each token of the budget may well fit: it is counted as a whole first.
const LIKELY: usize = 6;

/// Bytes that are looked at first for each token of the budget, at one end of a text that is over.
const BYTES_A_TOKEN: usize = 4;

/// Lends a ruler of exact tokens to `work`.
///
/// # Errors
/// [`Error::Vocabulary`], or what `work` reports.
pub(crate) fn with_exact_ruler<R>(
    encoding: Encoding,
    text: &str,
    budget: i64,
    interrupt: &dyn Interrupt,
    work: impl FnOnce(&mut dyn Ruler) -> Result<R, Error>,
) -> Result<R, Error> {
    let vocabulary = encoding.vocabulary()?;
    threads::with_caches(encoding, |caches| {
        let source = Source { text, encoding, budget, vocabulary, caches, interrupt };
        match encoding {
            Encoding::Cl100kBase => work(&mut ExactRuler::<Cl100k>::new(source)),
            Encoding::O200kBase => work(&mut ExactRuler::<O200k>::new(source)),
        }
    })
}

/// What a ruler is made of.
struct Source<'t> {
    text: &'t str,
    encoding: Encoding,
    budget: i64,
    vocabulary: &'t Vocabulary,
    caches: &'t mut Caches,
    interrupt: &'t dyn Interrupt,
}

/// A text, measured against a budget in exact tokens.
///
/// In `cl100k_base` "internationa" has 3 tokens and "international" has 1: a piece that fits may have one in it that does
/// not, so halving would miss the longest. Halving finds only from where on the tokens that cannot be avoided are over the
/// budget; below, pieces are counted from the longest down.
struct ExactRuler<'t, P> {
    text: &'t str,
    encoding: Encoding,
    budget: i64,
    measure: Measure<'t, P>,
}

impl<'t, P: Pattern> ExactRuler<'t, P> {
    fn new(source: Source<'t>) -> Self {
        let Source { text, encoding, budget, vocabulary, caches, interrupt } = source;
        let room = u64::try_from(budget).unwrap_or(0);
        Self { text, encoding, budget, measure: Measure::new(text, room, vocabulary, caches, interrupt) }
    }

    fn whole(&mut self) -> Result<Option<i64>, Error> {
        let Ok(budget) = u64::try_from(self.budget) else { return Ok(None) };
        if self.text.len() as u64 <= budget.saturating_mul(LIKELY as u64) {
            let measure = &mut self.measure;
            let tokens = memory::get_or_count(self.encoding, self.text, || measure.count_whole(self.text))?;
            if tokens <= budget {
                return Ok(Some(signed(tokens)?));
            }
        }
        let tokens = self.measure.read()?;
        Ok(if tokens <= budget { Some(signed(tokens)?) } else { None })
    }

    fn is_over(&mut self, piece: Piece) -> Result<bool, Error> {
        let before = self.measure.least_before(piece.head)?;
        let after = self.measure.least_after(piece.tail)?;
        // One token may be of both.
        Ok(signed(before + after - u64::from(before > 0 && after > 0))? > self.budget)
    }

    /// Looks at parts of one end of a text that is over, each longer than the last by a quarter, until one is over.
    fn reach(&mut self, of_end: bool) -> Result<usize, Error> {
        let all = self.text.len();
        let budget = usize::try_from(self.budget.max(0)).unwrap_or(usize::MAX);
        let mut size = budget.saturating_mul(BYTES_A_TOKEN).saturating_add(64);
        while size < all {
            let head = ceil(self.text, size);
            let tail = ceil(self.text, all - size);
            let least = if of_end { self.measure.least_after(tail)? } else { self.measure.least_before(head)? };
            if signed(least)? > self.budget {
                return Ok(if of_end { all - tail } else { head });
            }
            size = size.saturating_add(size / 4);
        }
        Ok(all)
    }
}

impl<P: Pattern> Ruler for ExactRuler<'_, P> {
    fn measure(&mut self, of_end: bool) -> Result<Measured, Error> {
        match self.whole()? {
            Some(tokens) => Ok(Measured::Whole(tokens)),
            None => Ok(Measured::Over(self.reach(of_end)?)),
        }
    }

    fn count(&mut self, piece: Piece, marker: &str) -> Result<i64, Error> {
        signed(self.measure.count(piece.head, marker, piece.tail)?)
    }

    fn longest(&mut self, pieces: &[Piece], marker: &str) -> Result<Option<(Piece, i64)>, Error> {
        let (mut low, mut over) = (0, pieces.len());
        while low < over {
            let middle = low + (over - low) / 2;
            if self.is_over(pieces[middle])? {
                over = middle;
            } else {
                low = middle + 1;
            }
        }
        for &piece in pieces[..over].iter().rev() {
            let tokens = self.count(piece, marker)?;
            if tokens <= self.budget {
                return Ok(Some((piece, tokens)));
            }
        }
        Ok(None)
    }
}

fn signed(tokens: u64) -> Result<i64, Error> {
    i64::try_from(tokens).map_err(|_| Error::TooLarge)
}
