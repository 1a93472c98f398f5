//! The tokens of one pre-token after another that share a beginning or an end, without merging it anew each time.
//!
//! A sequence of tokens is what its bytes merge to if and only if each two neighbours are (see [`super::long`]). So the
//! tokens of a stretch of text are found once. Whatever shares bytes with it is merged in a short window, from a token of
//! the stretch on or up to one: where the window has the same token, the rest of the sequence is the same.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::bpe::SHORT;
use super::kinds::STRETCH;
use super::long;
use super::pairs::Pairs;
use crate::error::Error;
use crate::interrupt::Pace;

/// Tokens before a joint from which a window begins at first.
const BACK: usize = 2;

/// Bytes behind a joint up to which a window reaches at first.
const AHEAD: usize = 32;

/// How much farther the next window reaches when it agrees with a stretch nowhere.
const WIDER: usize = 4;

/// Bytes of a repetition that are merged behind a jump.
const LEFT_OVER: usize = 512;

/// The longest window that is remembered, and how many are.
const LONGEST_REMEMBERED: usize = 1024;
const MOST_REMEMBERED: usize = 1024;

/// A pre-token made of a part of the text, of what is inserted, and of another part. Each may be empty.
pub(crate) struct Joint<'j> {
    pub(crate) before: Range<usize>,
    pub(crate) inserted: &'j [u8],
    pub(crate) after: Range<usize>,
}

/// The tokens of a part of the text, read as one pre-token whatever it is.
struct Stretch {
    end: usize,
    /// Where each begins.
    tokens: Vec<usize>,
}

impl Stretch {
    fn new(pairs: &Pairs, text: &[u8], part: Range<usize>, pace: &Pace<'_>) -> Result<Self, Error> {
        Ok(Self { end: part.end, tokens: long::starts(pairs, &text[part.clone()], part.start, pace)? })
    }

    /// How many tokens stand before the one that lies `back` tokens before a place; all of these end up to there.
    fn before(&self, at: usize, back: usize) -> usize {
        self.tokens.partition_point(|&start| start <= at).saturating_sub(1 + back)
    }

    fn end_of(&self, token: usize) -> usize {
        self.tokens.get(token + 1).copied().unwrap_or(self.end)
    }

    /// How many tokens there are from the one on that lies just there.
    fn count_from(&self, part: Range<usize>) -> Option<usize> {
        let token = self.tokens.binary_search(&part.start).ok()?;
        (self.end_of(token) == part.end).then_some(self.tokens.len() - token)
    }
}

/// Stretches of a text, by where they begin or end.
pub(crate) struct Sequences<'t> {
    text: &'t [u8],
    pairs: &'t Pairs,
    beginnings: HashMap<usize, Stretch, FixedState>,
    ends: HashMap<usize, Stretch, FixedState>,
    /// Windows that are dear to merge: in a run of one character the same come again and again.
    merged: HashMap<Vec<u8>, Vec<usize>, FixedState>,
    /// What was merged last, and where its tokens begin.
    window: Vec<u8>,
    tokens: Vec<usize>,
    /// A distance, and from where to where the text repeats itself at it.
    repeats: (usize, usize, usize),
    /// The tokens of ends behind a jump, and the length of the first of each.
    behind: HashMap<Range<usize>, (usize, usize), FixedState>,
    /// Bytes behind a joint that made a jump possible last time.
    ahead: usize,
}

impl<'t> Sequences<'t> {
    pub(crate) fn new(text: &'t [u8], pairs: &'t Pairs) -> Self {
        Self {
            text,
            pairs,
            beginnings: HashMap::default(),
            ends: HashMap::default(),
            merged: HashMap::default(),
            window: Vec::new(),
            tokens: Vec::new(),
            repeats: (0, 0, 0),
            behind: HashMap::default(),
            ahead: AHEAD,
        }
    }

    /// The tokens of a pre-token. A short merge, once the stretches are known.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count(&mut self, joint: &Joint<'_>, pace: &Pace<'_>) -> Result<u64, Error> {
        self.grow_beginning(&joint.before, pace)?;
        self.grow_end(&joint.after, pace)?;
        Ok(self.merge_around(joint, pace)?.0 as u64)
    }

    /// The tokens of a pre-token, and the length of the first one that was merged.
    fn merge_around(&mut self, joint: &Joint<'_>, pace: &Pace<'_>) -> Result<(usize, usize), Error> {
        let (mut back, mut ahead) = (BACK, self.ahead);
        self.ahead = AHEAD;
        loop {
            let (kept, token) = self.go_back(&joint.before, back);
            let to = joint.after.end.min(joint.after.start.saturating_add(ahead));
            let to = if joint.after.len() > SHORT { to } else { joint.after.end };
            let inserted = self.merge_window(token.start, joint, to, pace)?;
            pace.advance(1 + self.window.len() / 2)?;

            let first = self.tokens.get(1).copied().unwrap_or(self.window.len());
            let follows = kept == 0 || first == token.len();
            let mut rest = Some(self.tokens.len()).filter(|_| to == joint.after.end);
            if rest.is_none() {
                rest = self.go_over(inserted, &joint.after, pace)?;
            }
            if rest.is_none() && follows {
                rest = self.jump(inserted, &joint.after, pace)?;
                self.ahead = if rest.is_some() { ahead } else { AHEAD };
            }
            match rest {
                Some(rest) if follows => return Ok((kept + rest, first)),
                Some(_) => back = back.saturating_mul(WIDER),
                None if follows => ahead = ahead.saturating_mul(WIDER),
                None => (back, ahead) = (back.saturating_mul(WIDER), ahead.saturating_mul(WIDER)),
            }
        }
    }

    /// Merges the text from `from` on to the joint, what is inserted, and the text behind it up to `to`; gives where the
    /// latter begins in the window.
    fn merge_window(&mut self, from: usize, joint: &Joint<'_>, to: usize, pace: &Pace<'_>) -> Result<usize, Error> {
        let parts = [&self.text[from..joint.before.end], joint.inserted, &self.text[joint.after.start.min(to)..to]];
        self.window = parts.concat();
        self.tokens = match self.merged.get(&self.window) {
            Some(known) => known.clone(),
            None => long::merge_starts(self.pairs, &self.window, pace)?,
        };
        if (SHORT + 1..=LONGEST_REMEMBERED).contains(&self.window.len()) {
            if self.merged.len() == MOST_REMEMBERED {
                self.merged.clear();
            }
            self.merged.insert(self.window.clone(), self.tokens.clone());
        }
        Ok(parts[0].len() + parts[1].len())
    }

    /// The same where the text behind the joint is a token over and over: a window has another phase than the end and
    /// agrees with it nowhere. From the first pair of equal tokens on, as many follow as the text repeats itself.
    fn jump(&mut self, inserted: usize, after: &Range<usize>, pace: &Pace<'_>) -> Result<Option<usize>, Error> {
        let is_equal = |token: &[usize]| {
            token[0] >= inserted && self.window[token[0]..token[1]] == self.window[token[1]..token[2]]
        };
        let Some(number) = self.tokens.windows(3).position(is_equal) else { return Ok(None) };
        let (start, length) = (self.tokens[number], self.tokens[number + 1] - self.tokens[number]);
        let start = after.start + (start - inserted);
        let repeated = self.repeats_up_to(start, length, after.end, pace)? - start;
        let times = repeated.saturating_sub(LEFT_OVER) / length;
        if times == 0 {
            return Ok(None);
        }
        let behind = start + times * length..after.end;
        let (tokens, first) = if let Some(&known) = self.behind.get(&behind) {
            known
        } else {
            let rest = Joint { before: 0..0, inserted: &[], after: behind.clone() };
            let merged = self.merge_around(&rest, pace)?;
            self.behind.insert(behind, merged);
            merged
        };
        Ok((first == length).then_some(number + times + tokens))
    }

    /// Where the text from a place on ends to repeat itself at that distance; what was found before is not read again.
    fn repeats_up_to(&mut self, start: usize, distance: usize, end: usize, pace: &Pace<'_>) -> Result<usize, Error> {
        let (known, from, to) = self.repeats;
        let is_known = |at: usize| known == distance && from <= at && at + distance < to;
        let mut at = start;
        while !is_known(at) && at + distance < end && self.text[at] == self.text[at + distance] {
            at += 1;
            if at.is_multiple_of(STRETCH) {
                pace.advance_over(STRETCH)?;
            }
        }
        let (from, found) = if is_known(at) { (from.min(start), to.min(end)) } else { (start, end.min(at + distance)) };
        self.repeats = (distance, from, found);
        Ok(found)
    }

    /// How many tokens stand before a window, and the token with which it has to begin if there are any.
    fn go_back(&self, before: &Range<usize>, back: usize) -> (usize, Range<usize>) {
        let stretch = self.beginnings.get(&before.start).filter(|_| before.len() > SHORT);
        let kept = stretch.map_or(0, |stretch| stretch.before(before.end, back));
        match stretch {
            Some(stretch) if kept > 0 => (kept, stretch.tokens[kept]..stretch.end_of(kept)),
            _ => (0, before.start..before.start),
        }
    }

    /// The tokens of a window up to one that is also of the end, and those of the end from there on.
    fn go_over(&self, inserted: usize, after: &Range<usize>, pace: &Pace<'_>) -> Result<Option<usize>, Error> {
        let Some(stretch) = self.ends.get(&after.end) else { return Ok(None) };
        let behind = self.tokens.partition_point(|&start| start < inserted);
        for (number, token) in self.tokens.windows(2).enumerate().skip(behind) {
            pace.advance(1)?;
            let at = |place: usize| after.start + place - inserted;
            if let Some(tokens) = stretch.count_from(at(token[0])..at(token[1])) {
                return Ok(Some(number + tokens));
            }
        }
        Ok(None)
    }

    fn grow_beginning(&mut self, part: &Range<usize>, pace: &Pace<'_>) -> Result<(), Error> {
        let is_known = |stretch: &Stretch| stretch.end >= part.end;
        if part.len() > SHORT && !self.beginnings.get(&part.start).is_some_and(is_known) {
            let end = self.text.len().min(part.end.saturating_add(part.len()));
            let stretch = Stretch::new(self.pairs, self.text, part.start..end, pace)?;
            self.beginnings.insert(part.start, stretch);
        }
        Ok(())
    }

    fn grow_end(&mut self, part: &Range<usize>, pace: &Pace<'_>) -> Result<(), Error> {
        let is_known = |stretch: &Stretch| stretch.tokens.first().is_some_and(|&start| start <= part.start);
        if part.len() > SHORT && !self.ends.get(&part.end).is_some_and(is_known) {
            let start = part.start.saturating_sub(part.len());
            let stretch = Stretch::new(self.pairs, self.text, start..part.end, pace)?;
            self.ends.insert(part.end, stretch);
        }
        Ok(())
    }
}
