//! The patterns of the encodings, one pre-token at a time: the exact reading that everything quicker falls back to.
//!
//! A pattern looks ahead and never behind, so what it finds from the start of a pre-token on does not depend on the text
//! before.

use super::kinds::{Kind, Reader, Stopped, contraction};

/// A way to cut text into pre-tokens.
pub(crate) trait Pattern {
    /// Whether case splits words, and a contraction belongs to the word before it.
    const SPLITS_CASE: bool;

    /// Where the pre-token that begins at `at`, before the end of the text, ends.
    ///
    /// # Errors
    /// [`Stopped`].
    fn end(reader: Reader<'_>, at: usize) -> Result<usize, Stopped>;
}

/// The pattern of `cl100k_base`; its alternatives in their order:
/// `'(?i:[sdmt]|ll|ve|re)`, `[^\r\n\p{L}\p{N}]?+\p{L}++`, `\p{N}{1,3}+`, ` ?[^\s\p{L}\p{N}]++[\r\n]*+`, `\s++$`,
/// `\s*[\r\n]`, `\s+(?!\S)`, `\s`.
pub(crate) struct Cl100k;

impl Pattern for Cl100k {
    const SPLITS_CASE: bool = false;

    fn end(reader: Reader<'_>, at: usize) -> Result<usize, Stopped> {
        let Some((first, next)) = reader.read(at) else { return Ok(at) };
        if let Some(end) = contraction(reader.text, at) {
            return Ok(end);
        }
        if first.is_letter() {
            return reader.skip(next, Kind::is_letter);
        }
        if first == Kind::Number {
            return Ok(numbers(reader, at));
        }
        if first.may_lead()
            && let Some(end) = reader.skip_some(next, Kind::is_letter)?
        {
            return Ok(end);
        }
        if let Some(end) = punctuation(reader, at, first, next)? {
            return reader.skip(end, |kind| kind == Kind::Newline);
        }
        let spaces = Spaces::read(reader, at)?;
        Ok(if spaces.end == reader.text.len() { spaces.end } else { spaces.cut() })
    }
}

/// The pattern of `o200k_base`; its alternatives in their order, `C` being `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`:
/// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+C`,
/// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*C`, `\p{N}{1,3}`,
/// ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`.
pub(crate) struct O200k;

impl Pattern for O200k {
    const SPLITS_CASE: bool = true;

    fn end(reader: Reader<'_>, at: usize) -> Result<usize, Stopped> {
        let Some((first, next)) = reader.read(at) else { return Ok(at) };
        if let Some(end) = cased_word(reader, at, first, next)? {
            return Ok(contraction(reader.text, end).unwrap_or(end));
        }
        if first == Kind::Number {
            return Ok(numbers(reader, at));
        }
        if let Some(end) = punctuation(reader, at, first, next)? {
            return reader.scan(end, |kind, next| kind == Kind::Newline || reader.text[next - 1] == b'/');
        }
        let spaces = Spaces::read(reader, at)?;
        Ok(if spaces.end == reader.text.len() && spaces.newline.is_none() { spaces.end } else { spaces.cut() })
    }
}

/// The first two alternatives of `o200k_base`: each is tried with a leading character, then without.
fn cased_word(reader: Reader<'_>, at: usize, first: Kind, next: usize) -> Result<Option<usize>, Stopped> {
    if first != Kind::Mark {
        let start = if first.may_lead() { next } else { at };
        let letters = Letters::read(reader, start)?;
        return Ok(letters.small.or_else(|| letters.capitals()));
    }
    // Only a mark may lead a word and be a part of one.
    let (led, bare) = (Letters::read(reader, next)?, Letters::read(reader, at)?);
    Ok(led.small.or(bare.small).or_else(|| led.capitals()).or_else(|| bare.capitals()))
}

/// Letters without case, and marks, count both as capitals and as small letters.
struct Letters {
    start: usize,
    /// The end of the run of capitals from `start` on.
    end: usize,
    /// The end of any capitals and then at least one small letter. Where none follows the capitals, they give back
    /// their end as far as one that counts as small.
    small: Option<usize>,
}

impl Letters {
    fn read(reader: Reader<'_>, start: usize) -> Result<Self, Stopped> {
        let mut small = None;
        let end = reader.scan(start, |kind, next| {
            if kind.may_be_capital() && kind.may_be_small() {
                small = Some(next);
            }
            kind.may_be_capital()
        })?;
        if let Some((Kind::Lower, next)) = reader.read(end) {
            small = Some(reader.skip(next, Kind::may_be_small)?);
        }
        Ok(Self { start, end, small })
    }

    fn capitals(&self) -> Option<usize> {
        (self.end > self.start).then_some(self.end)
    }
}

/// Up to three numbers.
fn numbers(reader: Reader<'_>, at: usize) -> usize {
    let mut end = at;
    for _ in 0..3 {
        match reader.read(end) {
            Some((Kind::Number, next)) => end = next,
            _ => break,
        }
    }
    end
}

/// The end of a run of punctuation, which a space may lead.
fn punctuation(reader: Reader<'_>, at: usize, first: Kind, next: usize) -> Result<Option<usize>, Stopped> {
    if first.is_punctuation() {
        return reader.skip(next, Kind::is_punctuation).map(Some);
    }
    if reader.text[at] == b' ' { reader.skip_some(next, Kind::is_punctuation) } else { Ok(None) }
}

/// A run of white space that is not empty.
struct Spaces {
    start: usize,
    /// Where its last character begins.
    last: usize,
    end: usize,
    /// The end of its last newline.
    newline: Option<usize>,
}

impl Spaces {
    fn read(reader: Reader<'_>, start: usize) -> Result<Self, Stopped> {
        let mut run = Self { start, last: start, end: start, newline: None };
        reader.scan(start, |kind, next| {
            if kind.is_space() {
                (run.last, run.end) = (run.end, next);
            }
            if kind == Kind::Newline {
                run.newline = Some(next);
            }
            kind.is_space()
        })?;
        Ok(run)
    }

    /// Up to its last newline, else all but its last character, which goes with what follows; or that alone.
    fn cut(&self) -> usize {
        self.newline.unwrap_or(if self.last > self.start { self.last } else { self.end })
    }
}

#[cfg(test)]
#[path = "tests/pretokens.rs"]
mod tests;
