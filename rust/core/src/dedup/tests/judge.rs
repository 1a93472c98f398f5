//! Verdicts by hashes that are made up, against the definition.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Judge, Match};
use crate::dedup::Options;
use crate::dedup::batch::{Corpus, Text};
use crate::dedup::bounds::Bounds;
use crate::dedup::counters::Counters;
use crate::dedup::keys::Keys;
use crate::dedup::wanted::Wanted;
use crate::error::Error;
use crate::interrupt::{Never, Pace};
use crate::shingle::Shingles;
use crate::text::Words;

const OPTIONS: Options = Options {
    shingle_size: 1,
    threshold: 0.5,
    containment: None,
    words: Words::Whitespace,
    shingles: Shingles::Words,
    normalize: false,
    distinguish_facts: false,
};

/// The verdicts on texts that have these hashes.
fn judge_all(texts: &[Vec<u64>], bounds: Bounds, places: usize, chains: usize) -> Result<Vec<Option<Match>>, Error> {
    let pace = Pace::new(&Never);
    let nothing = vec![""; texts.len()];
    let corpus = Corpus { texts: &nothing, options: &OPTIONS, keys: Keys::draw() };
    let mut counters = Counters::new(places);
    texts.iter().try_for_each(|hashes| counters.add(hashes, &pace))?;
    let mut wanted = Wanted::new(places);
    texts.iter().try_for_each(|hashes| wanted.add_prefix(hashes, &bounds, &counters, &pace))?;
    let wanted = bounds.has_containment().then_some(wanted);
    let mut judge = Judge::new(&corpus, bounds, counters, wanted, chains, true);
    let judge_one = |(position, hashes): (usize, &Vec<u64>)| judge.judge(&Text { position, content: 0, hashes }, &pace);
    texts.iter().enumerate().map(judge_one).collect()
}

/// The definition.
fn naive(texts: &[Vec<u64>], bounds: &Bounds) -> Vec<Option<Match>> {
    let sets: Vec<BTreeSet<u64>> = texts.iter().map(|hashes| hashes.iter().copied().collect()).collect();
    let mut found: Vec<Option<Match>> = Vec::new();
    for (position, own) in sets.iter().enumerate() {
        let repeats = |&earlier: &usize| {
            let shared = own.intersection(&sets[earlier]).count();
            bounds.similarity(shared, own.len(), sets[earlier].len()).map(|similarity| (earlier, similarity))
        };
        found.push((0..position).filter(|&earlier| found[earlier].is_none()).find_map(|earlier| repeats(&earlier)));
    }
    found
}

/// Ways to make hashes of small numbers that collide wherever hashes only save work.
const HASHES: [fn(u64) -> u64; 4] = [
    |number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15),
    // One place of counters, one chain, one place in a table.
    |number| number,
    // One tag of a list, one bit of a bitmap.
    |number| number << 32 | 5,
    // One place and one bit, other tags.
    |number| number << 12,
];

proptest! {
    #[test]
    fn hashes_that_collide_in_all_tables_cost_work_only(
        texts in prop::collection::vec(prop::collection::vec(1_u64..30, 1..12), 0..40),
        threshold in prop::sample::select(vec![0.0, 0.3, 0.5, 0.85, 1.5]),
        containment in prop::option::of(prop::sample::select(vec![0.3, 0.8, 1.0])),
        places in prop::sample::select(vec![1_usize, 7, 5000]),
    ) {
        let bounds = Bounds::new(threshold, containment);
        for hash in HASHES {
            let texts: Vec<Vec<u64>> =
                texts.iter().map(|numbers| numbers.iter().map(|&number| hash(number)).collect()).collect();

            prop_assert_eq!(Ok(naive(&texts, &bounds)), judge_all(&texts, bounds, places, places));
        }
    }
}
