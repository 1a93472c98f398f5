//! Greedy removal of near-duplicates, over an inverted index of the kept texts' shingles.

use std::borrow::Cow;

use crate::error::Error;
use crate::facts::Facts;
use crate::interrupt::{Interrupt, Pace};
use crate::jaccard::{containment, jaccard};
use crate::parallel::map_rows;
use crate::shingle::{Interner, Shingles};
use crate::text::{Words, comparable, lower};

/// Texts prepared at once: enough to share among threads, few enough that their copies stay small.
const TEXTS_A_BLOCK: usize = 1024;

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
/// A text is compared with the kept ones only. Time is linear in the text and in the pairs of a shingle and a kept
/// text that has it too.
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
    let pace = Pace::new(interrupt);
    let mut interner = Interner::default();
    let mut kept = Kept::default();
    let mut verdicts = Verdicts::default();
    for block in texts.chunks(TEXTS_A_BLOCK) {
        let bytes = block.iter().map(|text| text.as_ref().len()).sum();
        let prepared = map_rows(block, bytes, interrupt, |text, interrupt| {
            Prepared::new(text.as_ref(), options, &Pace::new(interrupt))
        })?;
        for text in prepared {
            let own = Described::new(&text, options, &mut interner, &pace)?;
            kept.having.make_room(interner.shingle_count());
            let (origin, similarity) = kept.judge(own, verdicts.origins.len(), options, &pace)?;
            verdicts.origins.push(origin);
            verdicts.similarities.push(similarity);
        }
    }
    Ok(verdicts)
}

/// A text made comparable: what can be done for each text on its own, on any thread.
struct Prepared<'t> {
    comparable: Cow<'t, str>,
    folded: String,
}

impl<'t> Prepared<'t> {
    fn new(text: &'t str, options: &Options, pace: &Pace<'_>) -> Result<Self, Error> {
        let comparable = comparable(text, options.normalize, pace)?;
        let folded = lower(&comparable, pace)?;
        Ok(Self { comparable, folded })
    }
}

/// A text as numbers.
struct Described {
    shingles: Vec<u32>,
    facts: Facts,
}

impl Described {
    fn new(text: &Prepared<'_>, options: &Options, interner: &mut Interner, pace: &Pace<'_>) -> Result<Self, Error> {
        let Options { shingle_size, words, shingles, distinguish_facts, .. } = *options;
        let facts = if distinguish_facts {
            Facts::of(&text.comparable, &text.folded, interner, pace)?
        } else {
            Facts::default()
        };
        Ok(Self { shingles: interner.shingles(&text.folded, shingle_size, words, shingles, pace)?, facts })
    }
}

/// The texts kept so far, by number in the order of keeping, and which of them has a shingle.
#[derive(Default)]
struct Kept {
    positions: Vec<usize>,
    sizes: Vec<usize>,
    facts: Vec<Facts>,
    having: Postings,
    /// Scratch: how many shingles each kept text shares with the one judged; all 0 between two judgements.
    shared: Vec<usize>,
}

impl Kept {
    /// The verdict on a text: it is added unless it repeats one that is here.
    fn judge(
        &mut self,
        own: Described,
        position: usize,
        options: &Options,
        pace: &Pace<'_>,
    ) -> Result<(i64, f64), Error> {
        let candidates = self.candidates(&own.shingles, options, pace)?;
        let found = self.first_match(&candidates, &own, options, pace)?;
        for number in candidates {
            self.shared[number as usize] = 0;
        }
        if let Some((origin, similarity)) = found {
            return Ok((i64::try_from(origin).map_err(|_| Error::TooLarge)?, similarity));
        }
        self.add(own, position)?;
        Ok((-1, 0.0))
    }

    /// The kept texts in question, earliest first, with `shared` counted: at a bound of 0 even those that share
    /// nothing.
    fn candidates(&mut self, shingles: &[u32], options: &Options, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
        let mut touched = Vec::new();
        for &shingle in shingles {
            pace.advance(1)?;
            for number in self.having.of(shingle) {
                pace.advance(1)?;
                let shared = &mut self.shared[number as usize];
                if *shared == 0 {
                    touched.push(number);
                }
                *shared += 1;
            }
        }
        if options.threshold <= 0.0 || options.containment.is_some_and(|bound| bound <= 0.0) {
            pace.advance(self.positions.len())?;
            return Ok((0..u32::try_from(self.positions.len()).map_err(|_| Error::TooLarge)?).collect());
        }
        touched.sort_unstable();
        Ok(touched)
    }

    /// The position of the first candidate that the text repeats, and their similarity.
    fn first_match(
        &self,
        candidates: &[u32],
        own: &Described,
        options: &Options,
        pace: &Pace<'_>,
    ) -> Result<Option<(usize, f64)>, Error> {
        for &number in candidates {
            pace.advance(1)?;
            let number = number as usize;
            let similarity = repeats(self.shared[number], own.shingles.len(), self.sizes[number], options);
            let Some(similarity) = similarity else { continue };
            pace.advance(own.facts.size())?;
            if !own.facts.contradict(&self.facts[number]) {
                return Ok(Some((self.positions[number], similarity)));
            }
        }
        Ok(None)
    }

    fn add(&mut self, own: Described, position: usize) -> Result<(), Error> {
        let number = u32::try_from(self.positions.len()).map_err(|_| Error::TooLarge)?;
        self.positions.push(position);
        self.sizes.push(own.shingles.len());
        self.facts.push(own.facts);
        self.shared.push(0);
        for shingle in own.shingles {
            self.having.push(shingle, number)?;
        }
        Ok(())
    }
}

/// Which kept texts have a shingle: chains through one arena, so that all of them are dropped at once.
#[derive(Default)]
struct Postings {
    /// The place of the latest entry of each shingle, counted from 1; 0 where there is none.
    latest: Vec<u32>,
    /// The number of a kept text, and the place of the entry before it.
    entries: Vec<(u32, u32)>,
}

impl Postings {
    fn make_room(&mut self, shingles: usize) {
        self.latest.resize(shingles, 0);
    }

    fn push(&mut self, shingle: u32, number: u32) -> Result<(), Error> {
        let latest = &mut self.latest[shingle as usize];
        self.entries.push((number, *latest));
        *latest = u32::try_from(self.entries.len()).map_err(|_| Error::TooLarge)?;
        Ok(())
    }

    /// The kept texts that have `shingle`, the latest first.
    fn of(&self, shingle: u32) -> impl Iterator<Item = u32> {
        let entry = |place: u32| (place as usize).checked_sub(1).map(|place| self.entries[place]);
        std::iter::successors(entry(self.latest[shingle as usize]), move |&(_, before)| entry(before))
            .map(|(number, _)| number)
    }
}

/// The similarity by which a text repeats another, from what they share and how many shingles each has.
fn repeats(shared: usize, own: usize, other: usize, options: &Options) -> Option<f64> {
    let by_jaccard = jaccard(shared, own, other);
    if by_jaccard >= options.threshold {
        return Some(by_jaccard);
    }
    let by_containment = containment(shared, own);
    options.containment.is_some_and(|bound| by_containment >= bound).then_some(by_containment)
}
