//! The text pass: the hashes of a text's shingles, and one of all of them together.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_seed};

use super::Options;
use super::characters::length_of;
use super::folded::Folded;
use super::keys::Keys;
use super::spans::Spans;
use super::windows::Windows;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::shingle::{CHARACTERS_A_SHINGLE, Shingles};
use crate::text::comparable;
use crate::vectors::{Vectors, Work, with_widest_vectors};

/// Reads texts one by one, with scratch that serves all of them.
pub(crate) struct Reader<'o> {
    options: &'o Options,
    keys: Keys,
    folded: Folded,
    spans: Spans,
    windows: Windows,
}

impl<'o> Reader<'o> {
    pub(crate) fn new(options: &'o Options, keys: Keys) -> Self {
        let folded = Folded::new(options.shingles == Shingles::Auto, false);
        Self { options, keys, folded, spans: Spans::default(), windows: Windows::default() }
    }

    /// Appends the hash of each shingle of `text`, repeated ones as well: one at least. Returns the content hash.
    ///
    /// Texts of equal content hashes have equal verdicts: they have the same shingles, and the same facts where those
    /// count, because then it is a hash of the text itself.
    pub(crate) fn read(&mut self, text: &str, hashes: &mut Vec<u64>, pace: &Pace<'_>) -> Result<u128, Error> {
        let text = comparable(text, self.options.normalize, pace)?;
        let content = with_widest_vectors(Reading { reader: self, text: &text, hashes, pace })?;
        if self.options.distinguish_facts {
            return hash_text(text.as_bytes(), self.keys.content, pace);
        }
        Ok(content)
    }

    #[inline(always)]
    fn read_with<V: Vectors>(
        &mut self,
        text: &str,
        hashes: &mut Vec<u64>,
        pace: &Pace<'_>,
        vectors: V,
    ) -> Result<u128, Error> {
        self.folded.read(text, self.options.words, vectors, pace)?;
        self.spans.read(self.folded.planes().inside(), vectors, pace)?;
        if self.options.shingles == Shingles::Auto && self.folded.is_mostly_unspaced() {
            self.push_characters(pace)?;
            return self.windows.append(CHARACTERS_A_SHINGLE, &self.keys, hashes, pace);
        }
        self.push_words(pace)?;
        self.windows.append(self.options.shingle_size, &self.keys, hashes, pace)
    }

    #[inline(always)]
    fn push_words(&mut self, pace: &Pace<'_>) -> Result<(), Error> {
        // A copy stays in registers; what is behind a reference is read again after each sum is written.
        let (bytes, words, keys) = (self.folded.bytes(), self.spans.words(), self.keys);
        let mut last = 0;
        let sums = self.windows.take(words.len());
        for (some, sums) in words.chunks(WORDS_A_LOOK).zip(sums.chunks_mut(WORDS_A_LOOK)) {
            pace.advance(some.len() / WORDS_A_STEP)?;
            for (&[start, end], sum) in some.iter().zip(sums) {
                let symbol = keys.word(bytes, start as usize, end as usize, pace)?;
                last = keys.next_sum(last, symbol);
                *sum = last;
            }
        }
        Ok(())
    }

    /// The characters of the words, joined without spaces; a text may be one word.
    fn push_characters(&mut self, pace: &Pace<'_>) -> Result<(), Error> {
        let bytes = self.folded.bytes();
        self.windows.restart(self.spans.words().len());
        let mut last = 0;
        for &[start, end] in self.spans.words() {
            let (mut at, end) = (start as usize, end as usize);
            while at < end {
                let stretch = end.min(at + BYTES_A_LOOK);
                pace.advance(1 + (stretch - at) / WORDS_A_STEP)?;
                while let Some(character) = bytes[at..].first_chunk().filter(|_| at < stretch) {
                    let length = length_of(character[0]);
                    let utf8 = u32::from_be_bytes(*character) >> (32 - 8 * length);
                    last = self.windows.push(last, self.keys.character(utf8), &self.keys);
                    at += length;
                }
            }
        }
        Ok(())
    }
}

/// A hash of the text itself, of which equal texts only have equal ones.
fn hash_text(text: &[u8], seed: u64, pace: &Pace<'_>) -> Result<u128, Error> {
    if text.len() <= BYTES_A_LOOK {
        return Ok(xxh3_128_with_seed(text, seed));
    }
    let mut state = Xxh3::with_seed(seed);
    for stretch in text.chunks(BYTES_A_LOOK) {
        pace.advance_over(stretch.len())?;
        state.update(stretch);
    }
    Ok(state.digest128())
}

const WORDS_A_LOOK: usize = 4096;
const BYTES_A_LOOK: usize = 1 << 16;
/// A word or a character takes some nanoseconds, a step of a pace 100.
const WORDS_A_STEP: usize = 8;

/// One text to be read.
struct Reading<'r, 'o, 't> {
    reader: &'r mut Reader<'o>,
    text: &'t str,
    hashes: &'r mut Vec<u64>,
    pace: &'r Pace<'r>,
}

impl Work for Reading<'_, '_, '_> {
    type Output = Result<u128, Error>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        self.reader.read_with(self.text, self.hashes, self.pace, vectors)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{BYTES_A_LOOK, Reader, WORDS_A_STEP, hash_text, xxh3_128_with_seed};
    use crate::dedup::Options;
    use crate::dedup::keys::Keys;
    use crate::error::Error;
    use crate::interrupt::{Interrupt, Never, Pace};
    use crate::shingle::Shingles;
    use crate::text::Words;

    fn options(shingle_size: usize, shingles: Shingles) -> Options {
        Options {
            shingle_size,
            threshold: 0.85,
            containment: None,
            words: Words::Whitespace,
            shingles,
            normalize: true,
            distinguish_facts: false,
        }
    }

    /// The distinct shingles of each text, and its content hash, all by the same keys.
    fn read<const TEXTS: usize>(texts: [&str; TEXTS], options: &Options) -> [(Vec<u64>, u128); TEXTS] {
        let mut reader = Reader::new(options, Keys::draw());
        texts.map(|text| {
            let mut hashes = Vec::new();
            let content = reader.read(text, &mut hashes, &Pace::new(&Never)).unwrap_or_default();
            hashes.sort_unstable();
            hashes.dedup();
            (hashes, content)
        })
    }

    #[test]
    fn a_text_shorter_than_a_shingle_has_one() {
        for (text, count) in [("", 1), ("a", 1), ("a b", 1), ("a b c", 1), ("a b c d", 2), ("a a a a a", 1)] {
            assert_eq!(count, read([text], &options(3, Shingles::Words))[0].0.len(), "{text:?}");
        }
    }

    #[test]
    fn case_and_space_and_form_do_not_matter() {
        let [one, other] = read(["É b c  d", "\u{feff} e\u{301}\tB\u{3000}c D\n"], &options(2, Shingles::Words));

        assert_eq!(one, other);
    }

    #[test]
    fn the_order_of_words_matters() {
        let [one, other] = read(["a b c d", "a b d c"], &options(2, Shingles::Words));

        assert_ne!(one.1, other.1);
        assert_eq!(1, one.0.iter().filter(|&hash| other.0.contains(hash)).count());
    }

    #[test]
    fn characters_of_unspaced_texts_are_joined_and_are_no_words() {
        let [spaced, joined, word] = read(["東京 都大阪府", "東京都大阪府", "東 京"], &options(1, Shingles::Auto));

        assert_eq!(spaced, joined);
        assert_eq!(2, spaced.0.len());
        assert_eq!(read(["東京 a", "東京a"], &options(1, Shingles::Auto)).map(|(hashes, _)| hashes.len()), [1, 1]);
        assert_eq!(1, word.0.len());
    }

    #[test]
    fn where_facts_count_the_content_is_the_text_itself() {
        let facts = Options { distinguish_facts: true, ..options(2, Shingles::Words) };
        let [one, same, other] = read(["In Rome", "In Rome", "in rome"], &facts);

        assert_eq!(one, same);
        assert_eq!(one.0, other.0);
        assert_ne!(one.1, other.1);
    }

    #[test]
    fn a_long_text_is_hashed_as_a_short_one_is() {
        for length in [BYTES_A_LOOK - 1, BYTES_A_LOOK, BYTES_A_LOOK + 1, 3 * BYTES_A_LOOK + 5] {
            let text = vec![b'a'; length];
            assert_eq!(Ok(xxh3_128_with_seed(&text, 7)), hash_text(&text, 7, &Pace::new(&Never)));
        }
    }

    /// Counts the looks.
    #[derive(Default)]
    struct Looks(Cell<usize>);

    impl Interrupt for Looks {
        fn check(&self) -> Result<(), Error> {
            self.0.set(self.0.get() + 1);
            Ok(())
        }
    }

    #[test]
    fn a_text_of_one_word_is_looked_at_along_its_characters() {
        let text = "東".repeat(500_000);
        let looks = Looks::default();
        let options = options(5, Shingles::Auto);
        let mut reader = Reader::new(&options, Keys::draw());

        assert!(reader.read(&text, &mut Vec::new(), &Pace::new(&looks)).is_ok());

        assert!(looks.0.get() > text.len() / WORDS_A_STEP / 4096, "{}", looks.0.get());
    }
}
