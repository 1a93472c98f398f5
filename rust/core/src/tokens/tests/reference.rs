//! Merging once more, in the fewest lines and straight from the rank files; pieces and texts to try it on.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::OnceLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::bpe;
use super::encoding::Encoding;
use super::kinds::Reader;
use super::pairs::Pairs;
use super::pretokens::Pattern;
use super::rank_file::RankFile;
use crate::error::Error;
use crate::interrupt::{Interrupt, Never, Pace};

/// Counts the looks.
#[derive(Default)]
pub(crate) struct Looks(pub(crate) Cell<usize>);

impl Interrupt for Looks {
    fn check(&self) -> Result<(), Error> {
        self.0.set(self.0.get() + 1);
        Ok(())
    }
}

/// How often something looks at its interrupt.
pub(crate) fn looks<R>(work: impl FnOnce(&Looks) -> R) -> usize {
    let looks = Looks::default();
    work(&looks);
    looks.0.get()
}

/// Where the pre-token that begins at `at` ends.
pub(crate) fn end_of<P: Pattern>(text: &[u8], at: usize) -> usize {
    P::end(Reader { text, pace: &Pace::new(&Never) }, at).unwrap_or(usize::MAX)
}

/// Where the tokens of a piece begin, merged as one.
pub(crate) fn merge_long(pairs: &Pairs, piece: &[u8]) -> Vec<usize> {
    bpe::merge_long(pairs, piece, &Pace::new(&Never)).unwrap_or_default()
}

static CL100K_BASE: OnceLock<Reference> = OnceLock::new();
static O200K_BASE: OnceLock<Reference> = OnceLock::new();

/// The tokens of an encoding and nothing else.
pub(crate) struct Reference {
    pub(crate) file: RankFile,
    ranks: HashMap<Box<[u8]>, u32, foldhash::fast::FixedState>,
}

pub(crate) fn reference(encoding: Encoding) -> Result<&'static Reference, Error> {
    let (cell, packed): (_, &[u8]) = match encoding {
        Encoding::Cl100kBase => {
            (&CL100K_BASE, include_bytes!("../../../../../python/brimful/data/cl100k_base.tiktoken.gz"))
        }
        Encoding::O200kBase => {
            (&O200K_BASE, include_bytes!("../../../../../python/brimful/data/o200k_base.tiktoken.gz"))
        }
    };
    if let Some(reference) = cell.get() {
        return Ok(reference);
    }
    let file = RankFile::unpack(packed)?;
    Ok(cell.get_or_init(|| Reference::new(file)))
}

impl Reference {
    pub(crate) fn new(file: RankFile) -> Self {
        let ranks = (0..).zip((0..file.len()).map(|rank| file.token(rank))).map(|(rank, token)| (token.into(), rank));
        Self { ranks: ranks.collect(), file }
    }

    pub(crate) fn rank(&self, token: &[u8]) -> Option<u32> {
        self.ranks.get(token).copied()
    }

    /// The tokens with their ranks.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip((0..self.file.len()).map(|rank| self.file.token(rank)))
    }

    /// Where the tokens of a piece begin. Quadratic.
    pub(crate) fn merge(&self, piece: &[u8]) -> Vec<usize> {
        self.merge_below(piece, u32::MAX)
    }

    /// The same where only tokens of ranks below `limit` exist.
    pub(crate) fn merge_below(&self, piece: &[u8], limit: u32) -> Vec<usize> {
        let mut bounds: Vec<usize> = (0..=piece.len()).collect();
        let rank_at = |bounds: &[usize], part| self.rank(&piece[bounds[part]..bounds[part + 2]]).unwrap_or(u32::MAX);
        let mut ranks: Vec<u32> = (0..piece.len().saturating_sub(1)).map(|part| rank_at(&bounds, part)).collect();
        while let Some((part, _)) =
            ranks.iter().enumerate().min_by_key(|&(_, rank)| rank).filter(|&(_, rank)| *rank < limit)
        {
            bounds.remove(part + 1);
            ranks.remove(part);
            for changed in part.saturating_sub(1)..ranks.len().min(part + 1) {
                ranks[changed] = rank_at(&bounds, changed);
            }
        }
        bounds.pop();
        bounds
    }
}

/// Pieces of 1 to `most` bytes: any bytes, ASCII, bytes that often merge, wide characters, runs.
pub(crate) fn piece(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 1..=most),
        vec(0x20..0x7F_u8, 1..=most),
        vec(b'a'..=b'z', 1..=most),
        vec(select(&b"aehinst \r\n\t=-0"[..]), 1..=most),
        wide_text(most.div_ceil(3)).prop_map(move |text| text.bytes().take(most).collect()),
        (any::<u8>(), 1..=most).prop_map(|(byte, length)| vec![byte; length]),
    ]
}

/// 1 to `most` characters, most of them of three or four bytes.
pub(crate) fn wide_text(most: usize) -> impl Strategy<Value = String> {
    let common: Vec<char> =
        "的一是不了人我在有他这中大来上国的是中国我们中文字東京の、。はいカター한국어이다니ไทยาร😀👍🏽\u{200D}❤️，："
            .chars()
            .collect();
    let character = prop_oneof![
        8 => select(common),
        3 => prop::char::range('\u{4E00}', '\u{9FFF}'),
        1 => prop::char::range('\u{800}', '\u{FFFF}'),
        1 => prop::char::range('\u{10000}', '\u{10FFFF}'),
        1 => select(&['a', ' ', 'é', 'Ж'][..]),
    ];
    vec(character, 1..=most).prop_map(String::from_iter)
}

const NARROW: [&str; 48] = [
    "a",
    "b",
    "Z",
    "Q",
    "s",
    "t",
    "l",
    "v",
    "e",
    "r",
    "d",
    "m",
    "S",
    "L",
    "word",
    "The",
    "HTTPServer",
    "'",
    "'",
    "'s",
    "'ll",
    "'Re",
    "'vE",
    "'M",
    "0",
    "12",
    "3456",
    "78901",
    " ",
    " ",
    " ",
    "  ",
    "     ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "/",
    "//",
    "!",
    "?",
    "_",
    "-",
    "==",
    "\0",
    "\u{1F}",
    "\u{B}",
];

const WIDE: [&str; 20] = [
    "é", "Ж", "ж", "ſ", "'ſ", "ǅ", "字", "中文", "あ", "한국", "\u{301}", "\u{3000}", "\u{A0}", "\u{85}", "²", "٣",
    "😀", "\u{200D}", "\u{2019}", "ª",
];

/// Up to `most` parts that the patterns treat apart, one side by side with any other; one in `wide_share` is not ASCII.
pub(crate) fn edgy_text(most: usize, wide_share: u32) -> impl Strategy<Value = String> {
    let part = prop_oneof![wide_share - 1 => select(&NARROW[..]), 1 => select(&WIDE[..])];
    vec(part, 0..=most).prop_map(|parts| parts.concat())
}
