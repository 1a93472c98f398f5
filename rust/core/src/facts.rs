//! What a text states that another may contradict: numbers and capitalised words.

use crate::error::Error;
use crate::interrupt::Pace;
use crate::numbering::Numbering;
use crate::text::{Words, split_words};
use crate::unicode::{self, Class};

/// The facts of a text, as ascending numbers of words.
#[derive(Debug, Default)]
pub struct Facts {
    numbers: Vec<u32>,
    capitalised: Vec<u32>,
    words: Vec<u32>,
}

impl Facts {
    /// The facts of a text, from its comparable form and that in lower case.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::TooLarge`].
    pub fn of(comparable: &str, folded: &str, numbering: &mut Numbering<u8>, pace: &Pace<'_>) -> Result<Self, Error> {
        let mut facts = Self::default();
        // Lower-casing is character by character and keeps the classes, so both forms have the same words.
        let originals = split_words(comparable, Words::Alphanumeric);
        for (original, word) in originals.zip(split_words(folded, Words::Alphanumeric)) {
            pace.advance(1)?;
            let number = numbering.number(word.as_bytes())?;
            facts.words.push(number);
            if original.chars().next().is_some_and(|first| unicode::class(first) == Class::Upper) {
                facts.capitalised.push(number);
            }
        }
        for digits in Numbers(folded) {
            pace.advance(1)?;
            facts.numbers.push(numbering.number(digits.as_bytes())?);
        }
        for list in [&mut facts.numbers, &mut facts.capitalised, &mut facts.words] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(facts)
    }

    /// How many facts there are: the work of a comparison.
    #[must_use]
    pub fn size(&self) -> usize {
        self.numbers.len() + self.capitalised.len()
    }

    /// Whether each of two texts states something that the other lacks.
    #[must_use]
    pub fn contradict(&self, other: &Self) -> bool {
        self.states_more(other) && other.states_more(self)
    }

    fn states_more(&self, other: &Self) -> bool {
        !(is_subset(&self.numbers, &other.numbers) && is_subset(&self.capitalised, &other.words))
    }
}

/// Whether every number of one ascending list is in another.
fn is_subset(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|number| whole.binary_search(number).is_ok())
}

/// The numbers of a text: maximal runs of number characters, one `.` or `,` between two of them included.
struct Numbers<'t>(&'t str);

impl<'t> Iterator for Numbers<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = &self.0[self.0.find(unicode::is_number)?..];
        let mut end = 0;
        loop {
            end += run_length(&text[end..]);
            let beyond = text[end..].strip_prefix(['.', ',']).map_or(0, run_length);
            if beyond == 0 {
                break;
            }
            end += 1;
        }
        let (number, rest) = text.split_at(end);
        self.0 = rest;
        Some(number)
    }
}

/// Bytes of number characters at the beginning of `text`.
fn run_length(text: &str) -> usize {
    text.find(|character| !unicode::is_number(character)).unwrap_or(text.len())
}
