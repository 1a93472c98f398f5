//! Maximal marginal relevance: each pick is the most relevant of what repeats the earlier picks least.
//!
//! `score = lambda * relevance - (1 - lambda) * (largest similarity to a pick)`. Once something is picked, the largest
//! similarity only grows, and rounding is monotone: an old score is an upper bound of the present one. So the best old
//! score is brought up to date, and picked if it is still the best. Before the first pick there is no such bound (a
//! negative similarity raises a score), and everything is scored anew after it. A similarity taken too low gives an
//! upper bound as well, and so does a relevance taken too high: only what is about to be picked needs its relevance and its
//! similarity to the nearest pick exactly.

use std::borrow::Cow;
use std::ops::Range;

use crate::costs::Budget;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::race::Race;

/// The most picks that a similarity is asked for at once.
pub const MOST_AT_ONCE: usize = 4;

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

    /// For each of the picks, of which there are at most [`Similarity::at_once`]: a number that is at most the similarity,
    /// and at least that less [`Similarity::spread`]. The similarity itself where nothing is quicker. `next` is the
    /// candidate that will be asked for next, if any.
    fn lows(&self, candidate: usize, picks: Range<usize>, next: Option<usize>) -> [f64; MOST_AT_ONCE] {
        let _ = next;
        let mut lows = [f64::NEG_INFINITY; MOST_AT_ONCE];
        lows.iter_mut().zip(picks).for_each(|(low, pick)| *low = self.to_pick(candidate, pick));
        lows
    }

    /// How many picks a candidate is compared with at once, 1 to [`MOST_AT_ONCE`]: more where they cost less together,
    /// although the first may tell enough.
    fn at_once(&self) -> usize {
        1
    }

    /// How far [`Similarity::lows`] may lie below the similarity.
    fn spread(&self) -> f64 {
        0.0
    }

    /// The relevance of a candidate, where what was given for it only bounds it from above; once a candidate.
    ///
    /// Such bounds go with a [`Similarity::spread`].
    fn relevance(&mut self, candidate: usize) -> Option<f64> {
        let _ = candidate;
        None
    }

    /// The work of one similarity of a candidate, in steps of about 100 ns.
    fn steps(&self, candidate: usize) -> usize;
}

/// What is asked for. Relevances are finite, `lambda` is from 0 to 1, costs are not negative.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The relevance of each candidate, or what bounds it from above: see [`Similarity::relevance`].
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

impl Selection {
    fn with_room(request: &Request<'_>) -> Self {
        let most = request.limit.min(request.relevance.len());
        Self { indices: Vec::with_capacity(most), scores: Vec::with_capacity(most) }
    }
}

/// Selects candidates; ties go to the lower index. A candidate that costs more than is left when its turn comes is
/// passed over.
///
/// Time is that of one similarity a candidate, and of those that had to be brought up to date: 4 to 31 % of all in the
/// benches, at lambda 0.5. Memory is 72 bytes a candidate.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn select(similarity: &mut dyn Similarity, request: &Request<'_>, pace: &Pace<'_>) -> Result<Selection, Error> {
    let left = request.budget.map_or(0, |budget| budget.room);
    let relevance = Cow::Borrowed(request.relevance);
    let mut race = Race { similarity, request, relevance, pace, left, picks: Selection::with_room(request) };
    let Some((first, score)) = race.first()? else { return Ok(race.picks) };
    race.take(first, score)?;
    if !race.is_over() {
        let (mut heap, mut nearest) = race.score_all(first)?;
        while !race.is_over() && race.step(&mut heap, &mut nearest)? {}
    }
    Ok(race.picks)
}
