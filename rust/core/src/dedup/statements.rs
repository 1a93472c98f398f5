//! The facts of texts that are similar enough for them to matter, found out when they do.

use std::collections::HashMap;

use super::batch::Corpus;
use crate::error::Error;
use crate::facts::Facts;
use crate::interrupt::Pace;
use crate::numbering::Numbering;
use crate::text::{comparable, lower};

/// The facts of kept texts by number, and those of the text that is judged.
#[derive(Default)]
pub(crate) struct Statements {
    numbering: Numbering<u8>,
    kept: HashMap<u32, Facts>,
    own: Option<Facts>,
}

impl Statements {
    /// Turns to the next text.
    pub(crate) fn forget_own(&mut self) {
        self.own = None;
    }

    /// Keeps what is known of the text under the number that it has among the kept ones.
    pub(crate) fn keep_own(&mut self, number: u32) {
        self.kept.extend(self.own.take().map(|facts| (number, facts)));
    }

    /// Whether the text and a kept one each state something that the other lacks. Linear in both, the first time.
    pub(crate) fn contradict<S: AsRef<str> + Sync>(
        &mut self,
        corpus: &Corpus<'_, S>,
        position: usize,
        (number, kept): (u32, usize),
        pace: &Pace<'_>,
    ) -> Result<bool, Error> {
        if self.own.is_none() {
            self.own = Some(self.facts(corpus, position, pace)?);
        }
        if !self.kept.contains_key(&number) {
            let facts = self.facts(corpus, kept, pace)?;
            self.kept.insert(number, facts);
        }
        let (Some(own), Some(other)) = (&self.own, self.kept.get(&number)) else { return Ok(false) };
        pace.advance(own.size())?;
        Ok(own.contradict(other))
    }

    fn facts<S: AsRef<str> + Sync>(
        &mut self,
        corpus: &Corpus<'_, S>,
        position: usize,
        pace: &Pace<'_>,
    ) -> Result<Facts, Error> {
        let text = comparable(corpus.text(position), corpus.options.normalize, pace)?;
        Facts::of(&text, &lower(&text, pace)?, &mut self.numbering, pace)
    }
}
