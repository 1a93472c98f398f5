//! Maximal marginal relevance: each pick is the most relevant of what repeats the earlier picks least.
//!
//! `score = lambda * relevance - (1 - lambda) * (largest similarity to a pick)`. Once something is picked, the largest
//! similarity only grows, and rounding is monotone: an old score is an upper bound of the present one. So the best old
//! score is brought up to date, and picked if it is still the best. Before the first pick there is no such bound (a
//! negative similarity raises a score), and everything is scored anew after it. A similarity taken too low gives an
//! upper bound as well: only what is about to be picked needs its similarity to the nearest pick exactly.

use std::collections::BinaryHeap;

use crate::costs::Budget;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::standing::{Entry, Nearest};

/// What the first pick goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The relevance, whatever lambda is.
    Relevance,
    /// The score, with a similarity of 0.
    Score,
}

impl First {
    /// The rule of that name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "relevance" => Ok(Self::Relevance),
            "score" => Ok(Self::Score),
            _ => Err(Error::UnknownOption { option: "first" }),
        }
    }
}

/// Similarities between candidates and picks.
pub trait Similarity {
    /// Takes note that `candidate` is the next pick.
    fn pick(&mut self, candidate: usize);

    /// The similarity of a candidate to the pick of that number, 0 the first. Finite.
    fn to_pick(&self, candidate: usize, pick: usize) -> f64;

    /// A number that is at most the similarity, and at least that less [`Similarity::spread`]: the similarity itself
    /// where nothing is quicker. `next` is the candidate that will be asked for next, if any.
    fn low(&self, candidate: usize, pick: usize, next: Option<usize>) -> f64 {
        let _ = next;
        self.to_pick(candidate, pick)
    }

    /// How far [`Similarity::low`] may lie below the similarity.
    fn spread(&self) -> f64 {
        0.0
    }

    /// The work of one similarity of a candidate, in steps of about 100 ns.
    fn steps(&self, candidate: usize) -> usize;
}

/// What is asked for. Relevances are finite, `lambda` is from 0 to 1, costs are not negative.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The relevance of each candidate.
    pub relevance: &'r [f64],
    /// 1 goes by relevance alone, 0 by the least similarity to the picks.
    pub lambda: f64,
    /// What the first pick goes by.
    pub first: First,
    /// At most so many picks.
    pub limit: usize,
    /// What candidates cost and all picks may; texts are counted only where a candidate is about to be picked.
    pub budget: Option<Budget<'r>>,
}

/// The picks, in order, and the score of each when it was picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Positions of candidates.
    pub indices: Vec<i64>,
    /// Their scores.
    pub scores: Vec<f64>,
}

/// Selects candidates; ties go to the lower index. A candidate that costs more than is left when its turn comes is
/// passed over.
///
/// Time is that of one similarity a candidate, and of those that had to be brought up to date: 4 to 13 % of all at
/// lambda 0.5. Memory is 48 bytes a candidate.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn select(similarity: &mut dyn Similarity, request: &Request<'_>, pace: &Pace<'_>) -> Result<Selection, Error> {
    let mut left = request.budget.map_or(0, |budget| budget.room);
    let mut picks = Selection::default();
    let Some((first, score)) = pick_first(request, left, pace)? else { return Ok(picks) };
    take(similarity, request, &mut picks, &mut left, first, score)?;
    if picks.indices.len() >= request.limit {
        return Ok(picks);
    }
    let mut nearest = vec![Nearest::default(); request.relevance.len()];
    let mut heap = score_all(similarity, request, first, left, &mut nearest, pace)?;
    while picks.indices.len() < request.limit {
        pace.advance(1)?;
        let Some(mut best) = heap.pop() else { break };
        if !affords(request, best.index, left)? {
            continue;
        }
        let (nearest, rival, count) = (&mut nearest[best.index], heap.peek().copied(), picks.indices.len());
        update(similarity, request, &mut best, rival, count, nearest, pace)?;
        if best.leads(rival, count) && weighs(request) && similarity.spread() > 0.0 {
            settle(similarity, request, &mut best, count, nearest, pace)?;
        }
        if best.leads(rival, count) {
            take(similarity, request, &mut picks, &mut left, best.index, best.score)?;
        } else {
            heap.push(best);
        }
    }
    Ok(picks)
}

fn affords(request: &Request<'_>, index: usize, left: i64) -> Result<bool, Error> {
    request.budget.map_or(Ok(true), |budget| Ok(budget.costs.of(index)? <= left))
}

/// Whether a candidate is known to cost too much; what is not counted yet may do.
fn is_over(request: &Request<'_>, index: usize, left: i64) -> bool {
    request.budget.and_then(|budget| budget.costs.known(index)).is_some_and(|cost| cost > left)
}

/// Whether similarity matters: at lambda 1 it is not looked at, which makes the selection a sort.
fn weighs(request: &Request<'_>) -> bool {
    request.lambda < 1.0
}

fn score(request: &Request<'_>, index: usize, nearest: f64) -> f64 {
    request.lambda * request.relevance[index] - (1.0 - request.lambda) * nearest
}

/// The first pick and its score, or None where nothing may be picked.
fn pick_first(request: &Request<'_>, left: i64, pace: &Pace<'_>) -> Result<Option<(usize, f64)>, Error> {
    let count = if request.limit == 0 { 0 } else { request.relevance.len() };
    let mut entries = Vec::with_capacity(count);
    for index in (0..count).filter(|&index| !is_over(request, index, left)) {
        pace.advance(1)?;
        let by_relevance = request.first == First::Relevance;
        let merit = if by_relevance { request.relevance[index] } else { score(request, index, 0.0) };
        entries.push(Entry { score: merit, index, seen: 0 });
    }
    let mut heap = BinaryHeap::from(entries);
    while let Some(Entry { index, .. }) = heap.pop() {
        if affords(request, index, left)? {
            return Ok(Some((index, score(request, index, 0.0))));
        }
    }
    Ok(None)
}

fn take(
    similarity: &mut dyn Similarity,
    request: &Request<'_>,
    picks: &mut Selection,
    left: &mut i64,
    index: usize,
    score: f64,
) -> Result<(), Error> {
    if weighs(request) {
        similarity.pick(index);
    }
    picks.indices.push(i64::try_from(index).unwrap_or(i64::MAX));
    picks.scores.push(score);
    if let Some(budget) = request.budget {
        *left -= budget.costs.of(index)?;
    }
    Ok(())
}

/// Everything that can still be picked, scored after the first pick.
fn score_all(
    similarity: &dyn Similarity,
    request: &Request<'_>,
    first: usize,
    left: i64,
    nearest: &mut [Nearest],
    pace: &Pace<'_>,
) -> Result<BinaryHeap<Entry>, Error> {
    let count = nearest.len();
    let mut entries = Vec::with_capacity(count);
    for (index, nearest) in nearest.iter_mut().enumerate() {
        if index == first || is_over(request, index, left) {
            continue;
        }
        pace.advance(similarity.steps(index))?;
        if weighs(request) {
            let next = (index + 1 < count).then_some(index + 1);
            *nearest = Nearest::first(similarity.low(index, 0, next));
        }
        entries.push(Entry { score: score(request, index, nearest.low), index, seen: 1 });
    }
    Ok(BinaryHeap::from(entries))
}

/// Lets the entry see more picks: all of them, or as many as it takes to fall behind its rival.
fn update(
    similarity: &dyn Similarity,
    request: &Request<'_>,
    entry: &mut Entry,
    rival: Option<Entry>,
    picks: usize,
    nearest: &mut Nearest,
    pace: &Pace<'_>,
) -> Result<(), Error> {
    if !weighs(request) {
        entry.seen = picks;
    }
    let next = rival.map(|rival| rival.index);
    while entry.seen < picks && rival.is_none_or(|rival| *entry > rival) {
        pace.advance(similarity.steps(entry.index))?;
        if nearest.see(entry.seen, similarity.low(entry.index, entry.seen, next)) {
            entry.score = score(request, entry.index, nearest.low);
        }
        entry.seen += 1;
    }
    Ok(())
}

/// Gives the entry, which has seen all picks, its score exactly.
fn settle(
    similarity: &dyn Similarity,
    request: &Request<'_>,
    entry: &mut Entry,
    picks: usize,
    nearest: &mut Nearest,
    pace: &Pace<'_>,
) -> Result<(), Error> {
    let clear = nearest.second + similarity.spread() <= nearest.low;
    let nearby = if clear { nearest.pick..nearest.pick + 1 } else { 0..picks };
    for pick in nearby {
        pace.advance(similarity.steps(entry.index))?;
        nearest.low = nearest.low.max(similarity.to_pick(entry.index, pick));
    }
    entry.score = score(request, entry.index, nearest.low);
    Ok(())
}
