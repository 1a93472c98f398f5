//! Extended grapheme clusters: UAX 29, revision 45 (Unicode 16.0), with its rules `GB9c` and `GB11`.

use crate::unicode_table::record;

/// `Grapheme_Cluster_Break`, with `Extended_Pictographic` as one of its values: no character has both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Break {
    Other,
    Cr,
    Lf,
    Control,
    Extend,
    Zwj,
    RegionalIndicator,
    Prepend,
    SpacingMark,
    L,
    V,
    T,
    Lv,
    Lvt,
    Pictograph,
}

impl Break {
    const fn of(cluster: u32) -> Self {
        match cluster & 15 {
            1 => Self::Cr,
            2 => Self::Lf,
            3 => Self::Control,
            4 => Self::Extend,
            5 => Self::Zwj,
            6 => Self::RegionalIndicator,
            7 => Self::Prepend,
            8 => Self::SpacingMark,
            9 => Self::L,
            10 => Self::V,
            11 => Self::T,
            12 => Self::Lv,
            13 => Self::Lvt,
            14 => Self::Pictograph,
            _ => Self::Other,
        }
    }
}

/// `Indic_Conjunct_Break`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conjunct {
    None,
    Consonant,
    Extend,
    Linker,
}

impl Conjunct {
    const fn of(cluster: u32) -> Self {
        match cluster >> 4 {
            1 => Self::Consonant,
            2 => Self::Extend,
            3 => Self::Linker,
            _ => Self::None,
        }
    }
}

/// How much of a sequence with a given beginning the last characters are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    None,
    Begun,
    Linked,
}

/// Reads a text one character at a time and says of each whether a cluster begins there.
///
/// Constant time a character. For loops that have a pace to keep; the others have [`breaks`].
#[derive(Clone)]
pub struct Cursor {
    previous: Option<Break>,
    /// A pictograph and its extensions (begun), with a joiner after them (linked): `GB11`.
    pictograph: Progress,
    /// A consonant and its extensions (begun), with a linker among them (linked): `GB9c`.
    conjunct: Progress,
    /// An odd number of regional indicators: `GB12`, `GB13`.
    half_flag: bool,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { previous: None, pictograph: Progress::None, conjunct: Progress::None, half_flag: false }
    }
}

impl Cursor {
    /// A cursor before the first character of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a cluster begins with `c`, the character that follows those given before.
    #[inline]
    pub fn begins(&mut self, c: char) -> bool {
        let cluster = record(c).cluster();
        if cluster == 0 && self.previous == Some(Break::Other) {
            self.conjunct = Progress::None;
            return true;
        }
        self.begins_by_rules(Break::of(cluster), Conjunct::of(cluster))
    }

    fn begins_by_rules(&mut self, current: Break, conjunct: Conjunct) -> bool {
        let begins = match self.previous {
            None => true,
            Some(previous) => !self.joins(previous, current, conjunct),
        };
        self.half_flag = current == Break::RegionalIndicator && !self.half_flag;
        self.pictograph = match (current, self.pictograph) {
            (Break::Pictograph, _) | (Break::Extend, Progress::Begun) => Progress::Begun,
            (Break::Zwj, Progress::Begun) => Progress::Linked,
            _ => Progress::None,
        };
        self.conjunct = match (conjunct, self.conjunct) {
            (Conjunct::Consonant, _) => Progress::Begun,
            (Conjunct::Linker, Progress::Begun) => Progress::Linked,
            (Conjunct::Extend | Conjunct::Linker, so_far) => so_far,
            (Conjunct::None, _) => Progress::None,
        };
        self.previous = Some(current);
        begins
    }

    /// The rules `GB3` to `GB999`.
    #[expect(clippy::match_same_arms, reason = "an arm a rule or two, in the order of the rules")]
    fn joins(&self, previous: Break, current: Break, conjunct: Conjunct) -> bool {
        use Break::{
            Control, Cr, Extend, L, Lf, Lv, Lvt, Pictograph, Prepend, RegionalIndicator, SpacingMark, T, V, Zwj,
        };
        match (previous, current) {
            (Cr, Lf) => true,
            (Cr | Lf | Control, _) | (_, Cr | Lf | Control) => false,
            (L, L | V | Lv | Lvt) | (Lv | V, V | T) | (Lvt | T, T) => true,
            (_, Extend | Zwj | SpacingMark) | (Prepend, _) => true,
            (Zwj, Pictograph) => self.pictograph == Progress::Linked,
            (RegionalIndicator, RegionalIndicator) => self.half_flag,
            _ => conjunct == Conjunct::Consonant && self.conjunct == Progress::Linked,
        }
    }
}

/// The byte offsets at which the clusters of a text begin; see [`breaks`].
#[derive(Clone)]
pub struct Breaks<'t> {
    characters: std::str::CharIndices<'t>,
    cursor: Cursor,
}

impl Iterator for Breaks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let cursor = &mut self.cursor;
        self.characters.find(|&(_, character)| cursor.begins(character)).map(|(at, _)| at)
    }
}

/// The byte offsets at which the extended grapheme clusters of `text` begin, ascending. Linear.
///
/// ```
/// use brimful_core::grapheme::breaks;
/// assert_eq!(breaks("e\u{301}\r\n👩‍🚀").collect::<Vec<_>>(), [0, 3, 5]);
/// ```
#[must_use]
pub fn breaks(text: &str) -> Breaks<'_> {
    Breaks { characters: text.char_indices(), cursor: Cursor::new() }
}
