//! Normalization form C: UAX 15 at Unicode 16.0.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::unicode_table::{composite, decomposition, record};

const SYLLABLES: u32 = 0xAC00;
const LEADS: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const TAILS: u32 = 0x11A7;
const LEAD_COUNT: u32 = 19;
const VOWEL_COUNT: u32 = 21;
const TAIL_COUNT: u32 = 28;
const SYLLABLE_COUNT: u32 = LEAD_COUNT * VOWEL_COUNT * TAIL_COUNT;

/// Marks in a row that a comparing sort orders as fast as counting does.
const SHORT_RUN: usize = 64;

/// A character with its canonical combining class.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scalar {
    character: char,
    combining: u8,
}

/// The NFC of a text; the text itself where it is normal already.
///
/// Linear, however many marks follow each other.
///
/// # Errors
/// [`Error::Interrupted`].
///
/// ```
/// use brimful_core::interrupt::{Never, Pace};
/// assert_eq!(brimful_core::normal::nfc("e\u{301}", &Pace::new(&Never)).as_deref(), Ok("é"));
/// ```
pub fn nfc<'t>(text: &'t str, pace: &Pace<'_>) -> Result<Cow<'t, str>, Error> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text));
    }
    let (mut normal, mut copied, mut from) = (String::new(), 0, 0);
    let mut scalars = Vec::new();
    while let Some(span) = unsettled_span(text, from, pace)? {
        from = span.end;
        let given = &text[span.clone()];
        compose_span(given, &mut scalars, pace)?;
        if !scalars.iter().map(|scalar| scalar.character).eq(given.chars()) {
            normal.push_str(&text[copied..span.start]);
            normal.extend(scalars.iter().map(|scalar| scalar.character));
            copied = span.end;
        }
    }
    if copied == 0 {
        return Ok(Cow::Borrowed(text));
    }
    normal.push_str(&text[copied..]);
    Ok(Cow::Owned(normal))
}

/// The next run of unsettled characters with the settled one before it, in bytes.
///
/// A settled character composes with nothing before it (UAX 15 section 9), so such spans are composed one by one.
fn unsettled_span(text: &str, from: usize, pace: &Pace<'_>) -> Result<Option<Range<usize>>, Error> {
    let (mut start, mut found) = (from, false);
    for (offset, character) in text[from..].char_indices() {
        pace.advance(1)?;
        if record(character).is_unsettled() {
            found = true;
        } else if found {
            return Ok(Some(start..from + offset));
        } else {
            start = from + offset;
        }
    }
    Ok(found.then_some(start..text.len()))
}

fn compose_span(span: &str, scalars: &mut Vec<Scalar>, pace: &Pace<'_>) -> Result<(), Error> {
    scalars.clear();
    for character in span.chars() {
        pace.advance(1)?;
        decompose(character, scalars);
    }
    order(scalars, pace)?;
    compose(scalars, pace)
}

/// Appends the full canonical decomposition.
fn decompose(character: char, scalars: &mut Vec<Scalar>) {
    let known = record(character);
    if !known.decomposes() {
        scalars.push(Scalar { character, combining: known.combining_class() });
    } else if let Some(jamo) = decompose_syllable(character) {
        scalars.extend(jamo.into_iter().flatten().map(|character| Scalar { character, combining: 0 }));
    } else if let Some((first, second)) = decomposition(character) {
        decompose(first, scalars);
        if let Some(second) = second {
            decompose(second, scalars);
        }
    }
}

/// Lead, vowel and, if there is one, tail (Unicode 3.12).
fn decompose_syllable(character: char) -> Option<[Option<char>; 3]> {
    let index = u32::from(character).checked_sub(SYLLABLES).filter(|&index| index < SYLLABLE_COUNT)?;
    let tail = index % TAIL_COUNT;
    Some([
        char::from_u32(LEADS + index / (VOWEL_COUNT * TAIL_COUNT)),
        char::from_u32(VOWELS + index / TAIL_COUNT % VOWEL_COUNT),
        if tail == 0 { None } else { char::from_u32(TAILS + tail) },
    ])
}

/// Canonical ordering: sorts each run of marks by combining class, equal ones as they come.
fn order(scalars: &mut [Scalar], pace: &Pace<'_>) -> Result<(), Error> {
    for run in scalars.split_mut(|scalar| scalar.combining == 0) {
        pace.advance(1)?;
        if run.len() <= SHORT_RUN {
            run.sort_by_key(|scalar| scalar.combining);
        } else {
            order_long(run, pace)?;
        }
    }
    Ok(())
}

/// Counting sort: linear, and it can be interrupted.
fn order_long(run: &mut [Scalar], pace: &Pace<'_>) -> Result<(), Error> {
    let mut starts = [0_usize; 257];
    for scalar in &*run {
        pace.advance(1)?;
        starts[usize::from(scalar.combining) + 1] += 1;
    }
    for class in 1..starts.len() {
        starts[class] += starts[class - 1];
    }
    let given = run.to_vec();
    for &scalar in &given {
        pace.advance(1)?;
        let next = &mut starts[usize::from(scalar.combining)];
        run[*next] = scalar;
        *next += 1;
    }
    Ok(())
}

/// Canonical composition in place: each character joins the last starter unless something between blocks it (D115).
fn compose(scalars: &mut Vec<Scalar>, pace: &Pace<'_>) -> Result<(), Error> {
    let (mut kept, mut starter) = (0, None::<usize>);
    for index in 0..scalars.len() {
        pace.advance(1)?;
        let scalar = scalars[index];
        if let Some(at) = starter {
            let is_open = at + 1 == kept || scalars[kept - 1].combining < scalar.combining;
            if let Some(joined) = is_open.then(|| join(scalars[at].character, scalar.character)).flatten() {
                scalars[at].character = joined;
                continue;
            }
        }
        if scalar.combining == 0 {
            starter = Some(kept);
        }
        scalars[kept] = scalar;
        kept += 1;
    }
    scalars.truncate(kept);
    Ok(())
}

/// The primary composite of two characters.
fn join(first: char, second: char) -> Option<char> {
    if !record(second).joins() {
        return None;
    }
    join_jamo(u32::from(first), u32::from(second)).or_else(|| composite(first, second))
}

/// Lead and vowel, or a syllable without tail and a tail (Unicode 3.12).
fn join_jamo(first: u32, second: u32) -> Option<char> {
    let lead = first.checked_sub(LEADS).filter(|&lead| lead < LEAD_COUNT);
    let vowel = second.checked_sub(VOWELS).filter(|&vowel| vowel < VOWEL_COUNT);
    if let (Some(lead), Some(vowel)) = (lead, vowel) {
        return char::from_u32(SYLLABLES + (lead * VOWEL_COUNT + vowel) * TAIL_COUNT);
    }
    let syllable = first.checked_sub(SYLLABLES).filter(|&index| index < SYLLABLE_COUNT && index % TAIL_COUNT == 0);
    let tail = second.checked_sub(TAILS).filter(|tail| (1..TAIL_COUNT).contains(tail));
    syllable.zip(tail).and_then(|(_, tail)| char::from_u32(first + tail))
}
