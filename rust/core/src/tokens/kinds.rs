//! Characters as the patterns see them.

use crate::error::Error;
use crate::interrupt::Pace;
use crate::unicode::{Class, class};

/// Bytes of a run that are read between two notes of the pace.
pub(crate) const STRETCH: usize = 4096;

/// What a pattern asks of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Lu, Lt.
    Upper,
    /// Ll.
    Lower,
    /// Lm, Lo.
    Caseless,
    /// M.
    Mark,
    /// N.
    Number,
    /// White space but for newlines.
    Space,
    /// `\r` and `\n`.
    Newline,
    /// Anything else.
    Rest,
}

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Rest as usize + 1;

    #[inline]
    pub(crate) fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Caseless)
    }

    /// One such character may stand before the letters of a word.
    #[inline]
    pub(crate) fn may_lead(self) -> bool {
        matches!(self, Self::Mark | Self::Space | Self::Rest)
    }

    #[inline]
    pub(crate) fn is_punctuation(self) -> bool {
        matches!(self, Self::Mark | Self::Rest)
    }

    #[inline]
    pub(crate) fn is_space(self) -> bool {
        matches!(self, Self::Newline | Self::Space)
    }

    #[inline]
    pub(crate) fn may_be_capital(self) -> bool {
        matches!(self, Self::Upper | Self::Caseless | Self::Mark)
    }

    #[inline]
    pub(crate) fn may_be_small(self) -> bool {
        matches!(self, Self::Lower | Self::Caseless | Self::Mark)
    }

    #[inline]
    fn of_class(class: Class) -> Self {
        match class {
            Class::Upper => Self::Upper,
            Class::Lower => Self::Lower,
            Class::OtherLetter => Self::Caseless,
            Class::Mark => Self::Mark,
            Class::Number => Self::Number,
            Class::WhiteSpace => Self::Space,
            Class::Connector | Class::Other => Self::Rest,
        }
    }

    const fn of_ascii(byte: u8) -> Self {
        match byte {
            b'A'..=b'Z' => Self::Upper,
            b'a'..=b'z' => Self::Lower,
            b'0'..=b'9' => Self::Number,
            b'\r' | b'\n' => Self::Newline,
            b'\t' | 0x0B | 0x0C | b' ' => Self::Space,
            _ => Self::Rest,
        }
    }
}

static ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Rest; 128];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte as usize] = Kind::of_ascii(byte);
        byte += 1;
    }
    kinds
};

/// The kind of the character of two to four bytes that stands at the beginning, and how many bytes it has.
#[inline]
pub(crate) fn wide_kind(bytes: [u8; 4]) -> (Kind, usize) {
    let trail = |ahead: usize| u32::from(bytes[ahead] & 0x3F);
    let (code, width) = match bytes[0] {
        first @ ..0xE0 => (u32::from(first & 0x1F) << 6 | trail(1), 2),
        first @ 0xE0..0xF0 => (u32::from(first & 0x0F) << 12 | trail(1) << 6 | trail(2), 3),
        first => (u32::from(first & 0x07) << 18 | trail(1) << 12 | trail(2) << 6 | trail(3), 4),
    };
    (Kind::of_class(char::from_u32(code).map_or(Class::Other, class)), width)
}

/// The one way in which reading fails. It fits into a register: a walker that returns [`Error`] is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Self::Interrupted
    }
}

/// Reads UTF-8 by position: every position given is the start of a character, or the end.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) pace: &'t Pace<'t>,
}

impl Reader<'_> {
    /// The kind of the character at `at` and where it ends, unless that is the end of the text.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "Chinese takes an eighth longer with a call for each character")]
    pub(crate) fn read(self, at: usize) -> Option<(Kind, usize)> {
        let first = *self.text.get(at)?;
        if first < 0x80 {
            return Some((ASCII[usize::from(first)], at + 1));
        }
        let byte = |ahead: usize| self.text.get(at + ahead).copied().unwrap_or(0);
        let bytes = self.text[at..].first_chunk().copied();
        let (kind, width) = wide_kind(bytes.unwrap_or_else(|| [first, byte(1), byte(2), byte(3)]));
        Some((kind, at + width))
    }

    /// Where the first character from `at` on begins with which `goes_on`, told its kind and where it ends, does not.
    #[inline]
    pub(crate) fn scan(self, at: usize, mut goes_on: impl FnMut(Kind, usize) -> bool) -> Result<usize, Stopped> {
        let (mut end, stretch) = (at, at + STRETCH);
        while end < stretch {
            match self.read(end) {
                Some((kind, next)) if goes_on(kind, next) => end = next,
                _ => return Ok(end),
            }
        }
        self.scan_on(end, goes_on)
    }

    /// The same beyond a stretch. Apart, because few runs are so long: the loop of the others is quicker without a call.
    #[cold]
    #[inline(never)]
    fn scan_on(self, at: usize, mut goes_on: impl FnMut(Kind, usize) -> bool) -> Result<usize, Stopped> {
        let (mut end, mut stretch) = (at, at);
        while let Some((_, next)) = self.read(end).filter(|&(kind, next)| goes_on(kind, next)) {
            if end >= stretch {
                self.pace.advance_over(STRETCH).map_err(|_| Stopped)?;
                stretch = end + STRETCH;
            }
            end = next;
        }
        Ok(end)
    }

    /// Where the run of such characters ends that begins at `at`; it may be empty.
    #[inline]
    pub(crate) fn skip(self, at: usize, kind: impl Fn(Kind) -> bool) -> Result<usize, Stopped> {
        self.scan(at, |read, _| kind(read))
    }

    /// The same where it is not empty.
    #[inline]
    pub(crate) fn skip_some(self, at: usize, kind: impl Fn(Kind) -> bool) -> Result<Option<usize>, Stopped> {
        let end = self.skip(at, kind)?;
        Ok((end > at).then_some(end))
    }
}

/// The end of the contraction that begins at `at`: `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d` in any case.
///
/// Without case `s` is also U+017F, the long s; no other of these letters has a third form.
#[inline]
pub(crate) fn contraction(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'\'') {
        return None;
    }
    let first = text.get(at + 1)?.to_ascii_lowercase();
    let second = text.get(at + 2).map_or(0, u8::to_ascii_lowercase);
    match (first, second) {
        (b's' | b'd' | b'm' | b't', _) => Some(at + 2),
        (b'l', b'l') | (b'v' | b'r', b'e') | (0xC5, 0xBF) => Some(at + 3),
        _ => None,
    }
}

#[cfg(test)]
#[path = "tests/kinds.rs"]
mod tests;
