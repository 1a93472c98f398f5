//! Greedy removal of near-duplicates, exact: every verdict is that of comparing each text with each kept one.
//!
//! 1. Text pass ([`reader`]): lower case and words ([`folded`], [`planes`], [`spans`]), a 64-bit hash a word ([`keys`]) and
//!    a shingle ([`windows`]), 128 bits of the content, by which exact repeats are left aside ([`originals`]).
//! 2. A saturating counter a shingle ([`counters`]), over all originals. Where containment counts, another pass finds
//!    what texts will be looked up by ([`wanted`]). [`passes`] keeps the hashes, or reads
//!    again what [`samples`] do not settle.
//! 3. In order of priority ([`judge`]): a text with enough shingles that no other has is kept at once. Of the others the
//!    rarest shingles ([`rarest`]) are looked up among those of kept texts ([`postings`]). What comes out passes a filter
//!    of lengths and parities ([`filter`], [`bounds`], [`bitmap`]), and is compared in full ([`shingle_set`]).
//!
//! Hashes of 64 bits stand for shingles; [`keys`] says how often two of them may be taken for one.

mod ascending;
mod batch;
mod bitmap;
mod bounds;
mod characters;
mod counters;
mod filter;
pub(crate) mod folded;
mod judge;
mod kept;
pub(crate) mod keys;
mod originals;
mod passes;
mod planes;
mod postings;
mod rarest;
mod reader;
mod samples;
pub(crate) mod shingle_set;
pub(crate) mod spans;
mod statements;
mod wanted;
mod windows;

use self::batch::Corpus;
use self::bounds::Bounds;
use self::judge::{Judge, Match};
use self::keys::Keys;
use self::originals::Originals;
use self::passes::Counted;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::shingle::Shingles;
use crate::text::Words;

/// Bytes of text from which on hashes are not kept between the passes, as they take more room than the texts.
const LARGE: usize = 512 << 20;

/// Chains for what will be stored: some shingles a text, and more where texts are long, which may store all of theirs.
const CHAINS_A_TEXT: usize = 4;
const SHINGLES_A_CHAIN: usize = 16;
const MOST_CHAINS_BY_LENGTH: usize = 1 << 22;
/// A text takes some nanoseconds here, a step of a pace 100.
const VERDICTS_A_STEP: usize = 16;

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
    judge_all(Mode::of(corpus.bytes()), &corpus, interrupt)
}

/// Whether hashes are kept between the passes or worked out again; the verdicts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are kept: some 2 KB a text of 200 words.
    Fast,
    /// They are worked out in each pass: some 0.7 KB a text of 160 words for all the rest.
    LowMemory,
}

impl Mode {
    /// That for texts of so many bytes together.
    fn of(bytes: usize) -> Self {
        if bytes < LARGE { Self::Fast } else { Self::LowMemory }
    }
}

/// What [`near_duplicates`] says, in a mode of the caller's choice.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
pub fn near_duplicates_in<S: AsRef<str> + Sync>(
    mode: Mode,
    texts: &[S],
    options: &Options,
    interrupt: &dyn Interrupt,
) -> Result<Verdicts, Error> {
    judge_all(mode, &Corpus { texts, options, keys: Keys::draw() }, interrupt)
}

fn judge_all<S: AsRef<str> + Sync>(
    mode: Mode,
    corpus: &Corpus<'_, S>,
    interrupt: &dyn Interrupt,
) -> Result<Verdicts, Error> {
    let bounds = Bounds::new(corpus.options.threshold, corpus.options.containment);
    // Grown on the way: to write millions at once takes long.
    let mut matches = Vec::new();
    if !bounds.can_be_reached() {
        return verdicts(corpus.texts.len(), &matches, &Originals::new(0), &Pace::new(interrupt));
    }
    let mut counted = match mode {
        Mode::Fast => Counted::keeping_hashes(corpus, &bounds, interrupt)?,
        Mode::LowMemory => Counted::in_low_memory(corpus, &bounds, interrupt)?,
    };
    let wanted = counted.wanted(corpus, &bounds, interrupt)?;
    let chains = chains_for(counted.originals.positions().len(), counted.shingles);
    let counters = counted.take_counters();
    let mut judge = Judge::new(corpus, bounds, counters, wanted, chains, mode == Mode::Fast);
    let pace = Pace::new(interrupt);
    counted.visit_originals(corpus, interrupt, |text| {
        matches.resize(text.position, None);
        matches.push(judge.judge(text, &pace)?);
        Ok(())
    })?;
    verdicts(corpus.texts.len(), &matches, &counted.originals, &pace)
}

fn chains_for(texts: usize, shingles: usize) -> usize {
    (CHAINS_A_TEXT * texts).max((shingles / SHINGLES_A_CHAIN).min(MOST_CHAINS_BY_LENGTH))
}

/// A text that is no original repeats its original, or what that repeats: it would be found similar to just the same.
/// Behind the last match there are none.
fn verdicts(
    texts: usize,
    matches: &[Option<Match>],
    originals: &Originals,
    pace: &Pace<'_>,
) -> Result<Verdicts, Error> {
    let mut verdicts = Verdicts::default();
    let match_of = |position: usize| matches.get(position).copied().flatten();
    for position in 0..texts {
        if position.is_multiple_of(VERDICTS_A_STEP) {
            pace.advance(1)?;
        }
        let original = if originals.is_empty() { position } else { originals.of(position) };
        let found = match_of(original).or_else(|| (original != position).then_some((original, 1.0)));
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

    use super::{Mode, Options, near_duplicates_in};
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
            let judge = |mode| near_duplicates_in(mode, &texts, &options, &Never);

            prop_assert_eq!(judge(Mode::Fast), judge(Mode::LowMemory));
        }
    }
}
