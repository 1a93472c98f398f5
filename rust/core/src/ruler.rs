//! What measures a text against its budget while it is cut: here by estimates, in `tokens/ruler.rs` by exact counts.

use crate::boundary::ceil;
use crate::error::Error;
use crate::estimate::{Rule, estimate_tokens};
use crate::interrupt::Interrupt;

/// Most texts have fewer, so that most are measured once.
const BYTES_A_TOKEN: usize = 8;

/// What is kept: the bytes before `head` and those from `tail` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) head: usize,
    pub(crate) tail: usize,
}

/// The tokens of a whole text within the budget, or the bytes of an end of it with which every piece is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    Whole(i64),
    Over(usize),
}

/// A text and its budget.
pub(crate) trait Ruler {
    /// Measures the text: its beginning, or its end, as far as the budget reaches.
    fn measure(&mut self, of_end: bool) -> Result<Measured, Error>;

    /// The tokens of a piece with its marker.
    fn count(&mut self, piece: Piece, marker: &str) -> Result<i64, Error>;

    /// The last of the pieces that fits, and its tokens; each is the one before it with something more beside the marker.
    fn longest(&mut self, pieces: &[Piece], marker: &str) -> Result<Option<(Piece, i64)>, Error>;
}

/// A text, measured in estimated tokens.
///
/// No insertion lowers an estimate. The rules of characters and bytes add up weights that are not negative. An
/// insertion never lowers the number of words either, since the white space that parts two words stays between them;
/// and the estimates never fall as words grow. So the pieces that fit come first, and the longest is found by halving.
pub(crate) struct EstimateRuler<'t> {
    pub(crate) text: &'t str,
    pub(crate) budget: i64,
    pub(crate) rule: Rule,
    pub(crate) interrupt: &'t dyn Interrupt,
}

impl EstimateRuler<'_> {
    fn estimate(&self, piece: &str) -> Result<i64, Error> {
        Ok(estimate_tokens(&[piece], self.rule, self.interrupt)?.into_iter().sum())
    }
}

impl Ruler for EstimateRuler<'_> {
    /// Estimates parts, each twice as long as the last, until one is over.
    fn measure(&mut self, of_end: bool) -> Result<Measured, Error> {
        let budget = usize::try_from(self.budget.max(0)).unwrap_or(usize::MAX);
        let mut size = budget.saturating_mul(BYTES_A_TOKEN).saturating_add(64);
        loop {
            let part = if of_end {
                &self.text[ceil(self.text, self.text.len().saturating_sub(size))..]
            } else {
                &self.text[..ceil(self.text, size)]
            };
            let tokens = self.estimate(part)?;
            if tokens > self.budget {
                return Ok(Measured::Over(part.len()));
            }
            if part.len() == self.text.len() {
                return Ok(Measured::Whole(tokens));
            }
            size = size.saturating_mul(2);
        }
    }

    fn count(&mut self, piece: Piece, marker: &str) -> Result<i64, Error> {
        self.estimate(&[&self.text[..piece.head], marker, &self.text[piece.tail..]].concat())
    }

    fn longest(&mut self, pieces: &[Piece], marker: &str) -> Result<Option<(Piece, i64)>, Error> {
        let (mut low, mut high) = (0, pieces.len());
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let tokens = self.count(pieces[middle], marker)?;
            if tokens <= self.budget {
                found = Some((pieces[middle], tokens));
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(found)
    }
}
