//! The second pass: the verdict on each original, in order of priority.
//!
//! Let a text have n distinct shingles, and let everything that it repeats share at least m of them (`bounds`). Then
//! each such text has one of any n - m + 1 of them: its prefix. Shingles are ordered by count and hash, rarest first,
//! the same for all texts; those of count 1 are in no other text, so they are passed over.
//!
//! * Jaccard alone is symmetric: a text that the prefix belongs to shares as many shingles with what repeats it. The
//!   first shingle in the order that two texts share stands in the prefixes of both, as in either at least m - 1
//!   shingles follow it. So prefixes are looked up and prefixes are stored. A text whose unique shingles fill its
//!   prefix is kept, and nothing can repeat it: nothing is stored.
//! * Containment counts the shingles of the later text only. What is stored may be far longer and share a small part of
//!   its own, so a prefix of it would prove nothing. But what will be looked up is known ([`super::wanted`]): of its
//!   shingles of count 2 and more, those are stored. That the later text's prefix has a shared one needs no order.
//!
//! Candidates are compared in the order in which they were kept, so the first that the text repeats is the earliest.

use super::ascending;
use super::batch::{Corpus, Text};
use super::bitmap::Bitmap;
use super::bounds::Bounds;
use super::counters::Counters;
use super::filter::Filter;
use super::kept::Kept;
use super::postings::Postings;
use super::rarest::{Ranked, hash_of, keep_rarest, rank_common};
use super::reader::Reader;
use super::shingle_set::ShingleSet;
use super::statements::Statements;
use super::wanted::Wanted;
use crate::error::Error;
use crate::interrupt::Pace;

const TEXTS_A_STEP: usize = 16;

/// What has been judged so far, and scratch for the text that is.
pub(crate) struct Judge<'t, S> {
    corpus: &'t Corpus<'t, S>,
    bounds: Bounds,
    counters: Counters,
    /// What texts are looked up by where containment counts.
    wanted: Option<Wanted>,
    /// Whether the shingles of kept texts are stored with them, not read again.
    stores_shingles: bool,
    kept: Kept,
    having: Postings,
    statements: Statements,
    reader: Reader<'t>,
    own: ShingleSet,
    ranked: Vec<Ranked>,
    candidates: Vec<u32>,
    /// The text that a kept one was last a candidate for, counted from 1.
    asked: Vec<u32>,
    turn: u32,
}

/// The position of the kept text that a text repeats, and their similarity.
pub(crate) type Match = (usize, f64);

impl<'t, S: AsRef<str> + Sync> Judge<'t, S> {
    pub(crate) fn new(
        corpus: &'t Corpus<'t, S>,
        bounds: Bounds,
        counters: Counters,
        wanted: Option<Wanted>,
        chains: usize,
        stores_shingles: bool,
    ) -> Self {
        Self {
            corpus,
            bounds,
            counters,
            wanted,
            stores_shingles,
            kept: Kept::default(),
            having: Postings::new(chains),
            statements: Statements::new(corpus),
            reader: Reader::new(corpus.options, corpus.keys),
            own: ShingleSet::default(),
            ranked: Vec::new(),
            candidates: Vec::new(),
            asked: Vec::new(),
            turn: 0,
        }
    }

    /// What the next text repeats. If it is nothing, the text is kept.
    pub(crate) fn judge(&mut self, text: &Text<'_>, pace: &Pace<'_>) -> Result<Option<Match>, Error> {
        // Repeated shingles count here, which makes the prefix no shorter than it is.
        let enough = self.bounds.prefix(text.hashes.len());
        let unique = self.counters.unique(text.hashes, enough, pace)?;
        if unique >= enough {
            self.keep_wanted(text, pace)?;
            return Ok(None);
        }
        self.own.fill(text.hashes, pace)?;
        rank_common(self.own.distinct(), &self.counters, &mut self.ranked, pace)?;
        let size = self.own.distinct().len();
        keep_rarest(&mut self.ranked, self.bounds.prefix(size).saturating_sub(unique), pace)?;
        let bitmap = Bitmap::of(self.own.distinct(), pace)?;
        self.find_candidates(pace)?;
        let (bounds, kept, candidates) = (&self.bounds, &self.kept, &mut self.candidates);
        Filter { bounds, kept, size, bitmap: &bitmap, candidates, pace }.apply()?;
        ascending::sort(&mut self.candidates, pace)?;
        let found = self.first_match(text.position, pace)?;
        if found.is_none() {
            self.keep(text.position, bitmap, pace)?;
        }
        Ok(found)
    }

    /// Keeps a text that repeats nothing. By Jaccard nothing repeats it either, and by containment only what asks for
    /// one of its shingles.
    fn keep_wanted(&mut self, text: &Text<'_>, pace: &Pace<'_>) -> Result<(), Error> {
        let Some(wanted) = &self.wanted else { return Ok(()) };
        if !wanted.has_any(text.hashes, &self.counters, pace)? {
            return Ok(());
        }
        self.own.fill(text.hashes, pace)?;
        self.ranked.clear();
        self.statements.forget_own();
        let bitmap = Bitmap::of(self.own.distinct(), pace)?;
        self.keep(text.position, bitmap, pace)
    }

    /// The kept texts in question, in any order: those that have a shingle of the prefix.
    fn find_candidates(&mut self, pace: &Pace<'_>) -> Result<(), Error> {
        self.candidates.clear();
        if self.bounds.hold_always() {
            self.candidates.extend((0_u32..).take(self.kept.len()));
            return pace.advance(self.kept.len() / TEXTS_A_STEP);
        }
        self.turn = self.turn.checked_add(1).ok_or(Error::TooLarge)?;
        let (asked, candidates, turn) = (&mut self.asked, &mut self.candidates, self.turn);
        for &ranked in &self.ranked {
            if candidates.len() == self.kept.len() {
                break;
            }
            self.having.visit(hash_of(ranked), pace, |number| {
                let asked = &mut asked[number as usize];
                if *asked != turn {
                    *asked = turn;
                    candidates.push(number);
                }
            })?;
        }
        Ok(())
    }

    fn first_match(&mut self, position: usize, pace: &Pace<'_>) -> Result<Option<Match>, Error> {
        self.statements.forget_own();
        for at in 0..self.candidates.len() {
            pace.advance(1)?;
            let number = self.candidates[at];
            // Facts come first where any two texts repeat each other, or where comparing them takes no reading.
            let facts_first = self.bounds.hold_always() || self.statements.know(number);
            if facts_first && self.contradict(position, number, pace)? {
                continue;
            }
            let Some(similarity) = self.similarity(number, pace)? else { continue };
            if facts_first || !self.contradict(position, number, pace)? {
                return Ok(Some((self.kept.position(number), similarity)));
            }
        }
        Ok(None)
    }

    /// The similarity by which the text repeats a kept one, by all shingles of both.
    fn similarity(&mut self, number: u32, pace: &Pace<'_>) -> Result<Option<f64>, Error> {
        let (own, other) = (self.own.distinct().len(), self.kept.size(number));
        let Some(needed) = self.bounds.needed(own, other) else { return Ok(None) };
        let source = (self.corpus, &mut self.reader);
        let shared = self.kept.shared(number, &self.own, needed, source, pace)?;
        Ok(shared.and_then(|shared| self.bounds.similarity(shared, own, other)))
    }

    fn contradict(&mut self, position: usize, number: u32, pace: &Pace<'_>) -> Result<bool, Error> {
        if !self.corpus.options.distinguish_facts {
            return Ok(false);
        }
        self.statements.contradict(self.corpus, position, (number, self.kept.position(number)), pace)
    }

    /// Keeps the text where later ones find it: by its prefix, and by what is wanted.
    fn keep(&mut self, position: usize, bitmap: Bitmap, pace: &Pace<'_>) -> Result<(), Error> {
        let number = self.kept.add(position, &self.own, bitmap, self.stores_shingles, pace)?;
        self.statements.keep_own(number, pace)?;
        self.asked.push(0);
        if self.bounds.hold_always() {
            return Ok(());
        }
        let is_wanted = |hash| self.wanted.as_ref().is_some_and(|wanted| wanted.has(hash));
        for some in self.ranked.chunks(64) {
            pace.advance(some.len())?;
            for hash in some.iter().map(|&ranked| hash_of(ranked)).filter(|&hash| !is_wanted(hash)) {
                self.having.push(hash, number)?;
            }
        }
        if self.wanted.is_none() {
            return Ok(());
        }
        for some in self.own.distinct().chunks(64) {
            pace.advance(some.len())?;
            for &hash in some.iter().filter(|&&hash| is_wanted(hash) && self.counters.of(hash) > 1) {
                self.having.push(hash, number)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "tests/judge.rs"]
mod tests;
