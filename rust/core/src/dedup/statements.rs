//! The facts of texts that are similar enough for them to matter, found out when they do.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::batch::Corpus;
use crate::error::Error;
use crate::facts::{FactReader, FactSet, Facts};
use crate::interrupt::Pace;
use crate::text::comparable;

/// The facts of kept texts by number, and those of the text that is judged.
pub(crate) struct Statements {
    reader: FactReader,
    kept: HashMap<u32, Facts, RandomState>,
    own: FactSet,
    knows_own: bool,
    scratch: FactSet,
}

impl Statements {
    pub(crate) fn new<S>(corpus: &Corpus<'_, S>) -> Self {
        Self {
            reader: FactReader::new(corpus.keys),
            kept: HashMap::default(),
            own: FactSet::default(),
            knows_own: false,
            scratch: FactSet::default(),
        }
    }

    /// Turns to the next text.
    pub(crate) fn forget_own(&mut self) {
        self.knows_own = false;
    }

    /// Keeps what is known of the text under the number that it has among the kept ones.
    pub(crate) fn keep_own(&mut self, number: u32, pace: &Pace<'_>) -> Result<(), Error> {
        if self.knows_own {
            self.kept.insert(number, self.own.facts(pace)?);
        }
        Ok(())
    }

    /// Whether the facts of the text and of a kept one are known, so that comparing them takes no reading.
    pub(crate) fn know(&self, number: u32) -> bool {
        self.knows_own && self.kept.contains_key(&number)
    }

    /// Whether the text and a kept one each state something that the other lacks. Linear in both, the first time.
    pub(crate) fn contradict<S: AsRef<str> + Sync>(
        &mut self,
        corpus: &Corpus<'_, S>,
        position: usize,
        (number, kept): (u32, usize),
        pace: &Pace<'_>,
    ) -> Result<bool, Error> {
        if !self.knows_own {
            let text = comparable(corpus.text(position), corpus.options.normalize, pace)?;
            self.reader.read(&text, &mut self.own, pace)?;
            self.knows_own = true;
        }
        if let Some(other) = self.kept.get(&number) {
            return self.own.contradicts(other, pace);
        }
        let text = comparable(corpus.text(kept), corpus.options.normalize, pace)?;
        self.reader.read(&text, &mut self.scratch, pace)?;
        let facts = self.scratch.facts(pace)?;
        let contradict = self.own.contradicts(&facts, pace)?;
        self.kept.insert(number, facts);
        Ok(contradict)
    }
}
