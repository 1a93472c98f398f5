//! Greedy removal of near-duplicates, exact: every verdict is that of comparing each text with each kept one.
//!
//! 1. Text pass ([`reader`]): lower case and words ([`folded`], [`spans`]), a 64-bit hash a word ([`keys`]) and a shingle
//!    ([`windows`]), 128 bits of the content, by which exact repeats are left aside ([`originals`]).
//! 2. A saturating counter a shingle ([`counters`]), over all originals.
//! 3. In order of priority ([`judge`]): a text with enough shingles that no other has is kept at once. Of the others the
//!    rarest shingles ([`rarest`]) are looked up among those of kept texts ([`postings`]). What comes out passes a filter
//!    of lengths and parities ([`filter`], [`bounds`], [`bitmap`]), and is compared in full ([`shingle_set`]).
//!
//! Hashes of 64 bits stand for shingles; [`keys`] says how often two of them may be taken for one.

mod batch;
mod bitmap;
mod bounds;
mod counters;
mod filter;
mod folded;
mod judge;
mod kept;
mod keys;
mod originals;
mod postings;
mod rarest;
mod reader;
mod shingle_set;
mod spans;
mod statements;
mod windows;

use self::batch::{BYTES_A_SHINGLE, Batch, Corpus};
use self::bounds::Bounds;
use self::counters::Counters;
use self::judge::{Judge, Match};
use self::keys::Keys;
use self::originals::Originals;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::shingle::Shingles;
use crate::text::Words;

/// Texts read at once where they are read twice.
const TEXTS_A_BLOCK: usize = 1024;

/// Bytes of text from which on hashes are not kept between the passes, as they take more room than the texts.
const LARGE: usize = 256 << 20;

/// When two texts count as the same. The bounds are finite.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Words a shingle.
    pub shingle_size: usize,
    /// The Jaccard similarity at which a text repeats a kept one.
    pub threshold: f64,
    /// The share of its own shingles at which a text repeats a kept one, where that is asked.
    pub containment: Option<f64>,
    /// What a word is.
    pub words: Words,
    /// What a shingle is a window of.
    pub shingles: Shingles,
    /// Whether texts are compared under NFC, without a leading byte order mark.
    pub normalize: bool,
    /// Whether texts stay apart when each has a fact that the other lacks.
    pub distinguish_facts: bool,
}

/// What became of each text.
#[derive(Debug, Default, PartialEq)]
pub struct Verdicts {
    /// The position of the earliest kept text that it repeats, or -1 when it is kept itself.
    pub origins: Vec<i64>,
    /// How similar they are; 0 when it is kept.
    pub similarities: Vec<f64>,
}

/// The verdict on each text, in the order of the texts, which is their priority.
///
/// A text is compared with the kept ones only. Time is linear in the texts, and in the pairs of texts that share one of
/// their rarest shingles: quadratic in a cluster of texts that are all about as similar as the threshold says.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
///
/// # Examples
/// ```
/// use brimful_core::{dedup::{near_duplicates, Options}, interrupt::Never, shingle::Shingles, text::Words};
/// let options = Options {
///     shingle_size: 5, threshold: 0.85, containment: None, words: Words::Whitespace,
///     shingles: Shingles::Words, normalize: false, distinguish_facts: false,
/// };
/// let verdicts = near_duplicates(&["The cat sat.", "A dog ran.", "the  CAT sat."], &options, &Never)?;
/// assert_eq!(verdicts.origins, [-1, -1, 0]);
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn near_duplicates<S: AsRef<str> + Sync>(
    texts: &[S],
    options: &Options,
    interrupt: &dyn Interrupt,
) -> Result<Verdicts, Error> {
    let corpus = Corpus { texts, options, keys: Keys::draw() };
    let mode = if corpus.bytes() < LARGE { Mode::Fast } else { Mode::LowMemory };
    judge_all(&corpus, mode, interrupt)
}

/// Whether hashes are kept between the passes or worked out twice; the verdicts are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Fast,
    LowMemory,
}

fn judge_all<S: AsRef<str> + Sync>(
    corpus: &Corpus<'_, S>,
    mode: Mode,
    interrupt: &dyn Interrupt,
) -> Result<Verdicts, Error> {
    let count = u32::try_from(corpus.texts.len()).map_err(|_| Error::TooLarge)?;
    let bounds = Bounds::new(corpus.options.threshold, corpus.options.containment);
    let mut matches = vec![None; corpus.texts.len()];
    let mut originals = Originals::new(corpus.texts.len());
    if bounds.can_be_reached() {
        let pace = Pace::new(interrupt);
        let positions: Vec<u32> = (0..count).collect();
        let (counters, batches) = match mode {
            Mode::Fast => count_kept(corpus, &positions, &bounds, &mut originals, interrupt)?,
            Mode::LowMemory => (count_read(corpus, &positions, &bounds, &mut originals, interrupt)?, Vec::new()),
        };
        let chains = chains(&bounds, &originals, &counters);
        let mut judge = Judge::new(corpus, bounds, counters, chains, mode == Mode::Fast);
        let mut judge_batch = |batch: &Batch| -> Result<(), Error> {
            for text in batch.texts().filter(|text| originals.of(text.position) == text.position) {
                matches[text.position] = judge.judge(&text, &pace)?;
            }
            Ok(())
        };
        match mode {
            Mode::Fast => batches.iter().try_for_each(judge_batch)?,
            Mode::LowMemory => {
                for block in originals.positions().chunks(TEXTS_A_BLOCK) {
                    corpus.read(block, interrupt)?.iter().try_for_each(&mut judge_batch)?;
                }
            }
        }
    }
    verdicts(&matches, &originals)
}

/// Reads all texts and keeps their hashes; then there are exactly as many counters as they ask for.
fn count_kept<S: AsRef<str> + Sync>(
    corpus: &Corpus<'_, S>,
    positions: &[u32],
    bounds: &Bounds,
    originals: &mut Originals,
    interrupt: &dyn Interrupt,
) -> Result<(Counters, Vec<Batch>), Error> {
    let pace = Pace::new(interrupt);
    let batches = corpus.read(positions, interrupt)?;
    let mut shingles = 0;
    for text in batches.iter().flat_map(Batch::texts) {
        pace.advance(1)?;
        shingles += if originals.add(text.content)? { text.hashes.len() } else { 0 };
    }
    let mut counters = Counters::new(shingles * places_a_shingle(bounds));
    for text in batches.iter().flat_map(Batch::texts) {
        if originals.of(text.position) == text.position {
            counters.add(text.hashes, &pace)?;
        }
    }
    Ok((counters, batches))
}

/// Reads all texts block by block and counts their shingles, of which nothing else is kept.
fn count_read<S: AsRef<str> + Sync>(
    corpus: &Corpus<'_, S>,
    positions: &[u32],
    bounds: &Bounds,
    originals: &mut Originals,
    interrupt: &dyn Interrupt,
) -> Result<Counters, Error> {
    let pace = Pace::new(interrupt);
    let mut counters = Counters::new(corpus.bytes() / BYTES_A_SHINGLE * places_a_shingle(bounds));
    for block in positions.chunks(TEXTS_A_BLOCK) {
        for text in corpus.read(block, interrupt)?.iter().flat_map(Batch::texts) {
            if originals.add(text.content)? {
                counters.add(text.hashes, &pace)?;
            }
        }
    }
    Ok(counters)
}

/// Of shingles that no other text has, a share of e^(-1 / places) is alone on its place; a text whose share of those is
/// above the slack is kept at once.
fn places_a_shingle(bounds: &Bounds) -> usize {
    if bounds.slack() < 0.25 { 1 } else { 4 }
}

/// Chains for what will be stored: some shingles a text where prefixes are, nearly all where containment counts.
fn chains(bounds: &Bounds, originals: &Originals, counters: &Counters) -> usize {
    let few = 4 * originals.positions().len();
    if bounds.has_containment() { few.max(counters.places() / 8) } else { few }
}

/// A text that is no original repeats its original, or what that repeats: it would be found similar to just the same.
fn verdicts(matches: &[Option<Match>], originals: &Originals) -> Result<Verdicts, Error> {
    let mut verdicts = Verdicts::default();
    for (position, found) in matches.iter().enumerate() {
        let original = if originals.is_empty() { position } else { originals.of(position) };
        let found = if original == position { *found } else { matches[original].or(Some((original, 1.0))) };
        let (origin, similarity) = match found {
            Some((origin, similarity)) => (i64::try_from(origin).map_err(|_| Error::TooLarge)?, similarity),
            None => (-1, 0.0),
        };
        verdicts.origins.push(origin);
        verdicts.similarities.push(similarity);
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::batch::Corpus;
    use super::keys::Keys;
    use super::{Mode, Options, judge_all};
    use crate::interrupt::Never;
    use crate::shingle::Shingles;
    use crate::text::Words;

    proptest! {
        #[test]
        fn hashes_worked_out_twice_and_other_keys_change_nothing(
            texts in prop::collection::vec("[abA1]{0,1}( {1,2}[abcBd2]){0,14}", 0..60), size in 1_usize..4,
            threshold in prop::sample::select(vec![0.0, 0.2, 0.5, 0.85, 1.5]),
            containment in prop::option::of(prop::sample::select(vec![0.0, 0.3, 0.8, 1.5])), facts in any::<bool>(),
        ) {
            let options = Options {
                shingle_size: size, threshold, containment, words: Words::Whitespace,
                shingles: Shingles::Words, normalize: false, distinguish_facts: facts,
            };
            let judge = |mode| judge_all(&Corpus { texts: &texts, options: &options, keys: Keys::draw() }, mode, &Never);

            prop_assert_eq!(judge(Mode::Fast), judge(Mode::LowMemory));
        }
    }
}
