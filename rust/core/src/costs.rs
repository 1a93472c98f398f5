//! What the candidates of a selection cost: given, or counted when a candidate is reached.

use std::cell::RefCell;
use std::fmt;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::tokens::{Encoding, count_tokens};

/// What each candidate costs, and what all picks may cost together.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'r> {
    /// The costs, none negative.
    pub costs: Costs<'r>,
    /// The most that the picks may cost.
    pub room: i64,
}

/// What candidates cost.
#[derive(Clone, Copy, Debug)]
pub enum Costs<'r> {
    /// One number a candidate.
    Given(&'r [i64]),
    /// The exact tokens of one text a candidate.
    Counted(&'r CountedTexts<'r>),
}

impl Costs<'_> {
    /// What a candidate costs.
    ///
    /// # Errors
    /// Those of [`count_tokens`].
    pub fn of(&self, candidate: usize) -> Result<i64, Error> {
        match self {
            Self::Given(costs) => Ok(costs[candidate]),
            Self::Counted(texts) => texts.cost(candidate),
        }
    }

    /// What a candidate costs, where that is known without counting.
    #[must_use]
    pub fn known(&self, candidate: usize) -> Option<i64> {
        match self {
            Self::Given(costs) => Some(costs[candidate]),
            Self::Counted(texts) => texts.counts.borrow()[candidate],
        }
    }
}

/// Texts that are counted once each, when they are first asked for.
pub struct CountedTexts<'t> {
    texts: Vec<&'t str>,
    encoding: Encoding,
    interrupt: &'t dyn Interrupt,
    counts: RefCell<Vec<Option<i64>>>,
}

impl<'t> CountedTexts<'t> {
    /// One text a candidate, none counted yet.
    pub fn new<S: AsRef<str>>(texts: &'t [S], encoding: Encoding, interrupt: &'t dyn Interrupt) -> Self {
        let texts: Vec<_> = texts.iter().map(AsRef::as_ref).collect();
        let counts = RefCell::new(vec![None; texts.len()]);
        Self { texts, encoding, interrupt, counts }
    }

    fn cost(&self, candidate: usize) -> Result<i64, Error> {
        let known = self.counts.borrow()[candidate];
        if let Some(tokens) = known {
            return Ok(tokens);
        }
        let text = &self.texts[candidate..=candidate];
        let tokens = count_tokens(text, self.encoding, self.interrupt)?.into_iter().sum();
        self.counts.borrow_mut()[candidate] = Some(tokens);
        Ok(tokens)
    }
}

impl fmt::Debug for CountedTexts<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { texts, encoding, counts, .. } = self;
        formatter
            .debug_struct("CountedTexts")
            .field("texts", texts)
            .field("encoding", encoding)
            .field("counts", counts)
            .finish_non_exhaustive()
    }
}
