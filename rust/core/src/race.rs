//! A selection under way: the heap of what can still be picked, and the rules by which the best of it is picked.
//!
//! No entry of the heap has a score below its present one; `mmr.rs` has the argument. So an entry that has seen all picks,
//! has its score exactly and still comes first is the next pick.

use std::borrow::Cow;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::mmr::{First, Request, Selection, Similarity};
use crate::standing::{Entry, Nearest};

/// A selection under way.
pub(crate) struct Race<'s> {
    pub(crate) similarity: &'s mut dyn Similarity,
    pub(crate) request: &'s Request<'s>,
    /// The relevance of each candidate, or what bounds it from above.
    pub(crate) relevance: Cow<'s, [f64]>,
    pub(crate) pace: &'s Pace<'s>,
    /// What the next picks may cost.
    pub(crate) left: i64,
    pub(crate) picks: Selection,
}

impl Race<'_> {
    pub(crate) fn is_over(&self) -> bool {
        self.picks.indices.len() >= self.request.limit
    }

    fn affords(&self, index: usize) -> Result<bool, Error> {
        self.request.budget.map_or(Ok(true), |budget| Ok(budget.costs.of(index)? <= self.left))
    }

    /// Whether a candidate is known to cost too much; what is not counted yet may do.
    fn is_too_dear(&self, index: usize) -> bool {
        self.request.budget.and_then(|budget| budget.costs.known(index)).is_some_and(|cost| cost > self.left)
    }

    /// Whether similarity matters: at lambda 1 it is not looked at, which makes the selection a sort.
    fn weighs(&self) -> bool {
        self.request.lambda < 1.0
    }

    fn score(&self, index: usize, nearest: f64) -> f64 {
        self.request.lambda * self.relevance[index] - (1.0 - self.request.lambda) * nearest
    }

    /// The first pick and its score, or None where nothing may be picked.
    pub(crate) fn first(&mut self) -> Result<Option<(usize, f64)>, Error> {
        let count = if self.is_over() { 0 } else { self.relevance.len() };
        let mut entries = Vec::with_capacity(count);
        for index in (0..count).filter(|&index| !self.is_too_dear(index)) {
            self.pace.advance(1)?;
            entries.push(self.opening(index));
        }
        let mut heap = BinaryHeap::from(entries);
        while let Some(Entry { index, .. }) = heap.pop() {
            if !self.affords(index)? {
                continue;
            }
            if !self.sharpen(index)? {
                return Ok(Some((index, self.score(index, 0.0))));
            }
            heap.push(self.opening(index));
        }
        Ok(None)
    }

    /// How a candidate stands before the first pick.
    fn opening(&self, index: usize) -> Entry {
        let by_relevance = self.request.first == First::Relevance;
        let score = if by_relevance { self.relevance[index] } else { self.score(index, 0.0) };
        Entry { score, index, seen: 0 }
    }

    /// Finds out the relevance of a candidate of which there was a bound only. False where it was known.
    fn sharpen(&mut self, index: usize) -> Result<bool, Error> {
        let Some(relevance) = self.similarity.relevance(index) else { return Ok(false) };
        self.pace.advance(self.similarity.steps(index))?;
        self.relevance.to_mut()[index] = relevance;
        Ok(true)
    }

    pub(crate) fn take(&mut self, index: usize, score: f64) -> Result<(), Error> {
        if self.weighs() {
            self.similarity.pick(index);
        }
        self.picks.indices.push(i64::try_from(index).unwrap_or(i64::MAX));
        self.picks.scores.push(score);
        if let Some(budget) = self.request.budget {
            self.left -= budget.costs.of(index)?;
        }
        Ok(())
    }

    /// Everything that can still be picked, scored after the first pick, and how all candidates stand.
    pub(crate) fn score_all(&self, first: usize) -> Result<(BinaryHeap<Entry>, Vec<Nearest>), Error> {
        let count = self.relevance.len();
        let mut nearest = vec![Nearest::default(); count];
        let mut entries = Vec::with_capacity(count);
        for (index, nearest) in nearest.iter_mut().enumerate() {
            if index == first || self.is_too_dear(index) {
                continue;
            }
            self.pace.advance(self.similarity.steps(index))?;
            if self.weighs() {
                let next = (index + 1 < count).then_some(index + 1);
                let [low, ..] = self.similarity.lows(index, 0..1, next);
                *nearest = Nearest::first(low);
            }
            entries.push(Entry { score: self.score(index, nearest.low), index, seen: 1 });
        }
        Ok((BinaryHeap::from(entries), nearest))
    }

    /// Brings the best entry up to date: it is picked, passed over, or falls behind. False where there is none.
    pub(crate) fn step(&mut self, heap: &mut BinaryHeap<Entry>, nearest: &mut [Nearest]) -> Result<bool, Error> {
        self.pace.advance(1)?;
        let rival = second(heap);
        let Some(mut best) = heap.peek_mut() else { return Ok(false) };
        if !self.affords(best.index)? {
            PeekMut::pop(best);
            return Ok(true);
        }
        let nearest = &mut nearest[best.index];
        self.update(&mut best, nearest, rival)?;
        if self.leads(&best, rival) && self.similarity.spread() > 0.0 {
            self.settle(&mut best, nearest, rival)?;
        }
        if self.leads(&best, rival) {
            let best = PeekMut::pop(best);
            self.take(best.index, best.score)?;
        }
        Ok(true)
    }

    /// Whether an entry has seen all picks and comes before the best of the others.
    fn leads(&self, entry: &Entry, rival: Option<Entry>) -> bool {
        entry.seen == self.picks.indices.len() && rival.is_none_or(|rival| *entry > rival)
    }

    /// Lets the entry see more picks: all of them, or as many as it takes to fall behind its rival.
    fn update(&self, entry: &mut Entry, nearest: &mut Nearest, rival: Option<Entry>) -> Result<(), Error> {
        let (picks, next) = (self.picks.indices.len(), rival.map(|rival| rival.index));
        if !self.weighs() {
            entry.seen = picks;
        }
        while entry.seen < picks && rival.is_none_or(|rival| *entry > rival) {
            let unseen = entry.seen..picks.min(entry.seen + self.similarity.at_once());
            self.pace.advance(self.similarity.steps(entry.index) * unseen.len())?;
            entry.seen = unseen.end;
            let lows = self.similarity.lows(entry.index, unseen.clone(), next);
            unseen.zip(lows).for_each(|(pick, low)| nearest.see(pick, low));
            entry.score = self.score(entry.index, nearest.low);
        }
        Ok(())
    }

    /// Gives the entry, which has seen all picks, its score exactly, or one by which it falls behind its rival.
    fn settle(&mut self, entry: &mut Entry, nearest: &mut Nearest, rival: Option<Entry>) -> Result<(), Error> {
        self.sharpen(entry.index)?;
        entry.score = self.score(entry.index, nearest.low);
        let picks = self.picks.indices.len();
        for pick in nearest.nearby(picks, self.similarity.spread()).filter(|_| self.weighs()) {
            if !self.leads(entry, rival) {
                return Ok(());
            }
            self.pace.advance(self.similarity.steps(entry.index))?;
            nearest.know(pick, self.similarity.to_pick(entry.index, pick));
            entry.score = self.score(entry.index, nearest.low);
        }
        nearest.know_all(picks);
        Ok(())
    }
}

/// The second best of a heap: one of the two below the best.
fn second(heap: &BinaryHeap<Entry>) -> Option<Entry> {
    heap.as_slice().iter().skip(1).take(2).max().copied()
}
