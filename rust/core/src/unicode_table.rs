//! The Unicode 16.0 table that both back ends read; `scripts/generate_unicode_table.py` describes its layout.
//!
//! It is laid out while compiling, so there is nothing to initialise and no lock for a forked child to inherit.

const BYTES: &[u8] = include_bytes!("../../../python/brimful/data/unicode-16.0.bin");

const BLOCK: usize = 128;
const LONG_LOWER_WIDTH: usize = 12;
const CODE_POINT_BITS: u32 = 21;
const CODE_POINT_MASK: u64 = (1 << CODE_POINT_BITS) - 1;

const _: () = {
    assert!(matches!(BYTES.first_chunk(), Some(b"brimfulU\x01\x00\x10\x00")), "another table than this code reads");
    assert!(u32_at(12) as usize == BLOCK, "another block size than this code reads");
};

/// What the table says of one code point, packed; `lower` is what lowering adds to it.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    bits: u32,
    lower: i32,
}

impl Record {
    pub(crate) const fn class(self) -> u32 {
        self.bits & 7
    }

    pub(crate) const fn script(self) -> u32 {
        self.bits >> 3 & 7
    }

    /// Grapheme break class in the lower four bits, conjunct break class in the two above: 0 for most characters.
    pub(crate) const fn cluster(self) -> u32 {
        self.bits >> 6 & 63
    }

    /// NFC quick check is not Yes, or the combining class is not 0.
    pub(crate) const fn is_unsettled(self) -> bool {
        self.bits >> 12 & 1 != 0
    }

    pub(crate) const fn decomposes(self) -> bool {
        self.bits >> 13 & 1 != 0
    }

    /// It is the second of a primary composite, Hangul included.
    pub(crate) const fn joins(self) -> bool {
        self.bits >> 14 & 1 != 0
    }

    pub(crate) const fn combining_class(self) -> u8 {
        self.bits.to_le_bytes()[2]
    }

    pub(crate) const fn lower_offset(self) -> i32 {
        self.lower
    }
}

struct Section {
    start: usize,
    length: usize,
}

const fn section(number: usize) -> Section {
    Section { start: u32_at(16 + 8 * number) as usize, length: u32_at(20 + 8 * number) as usize }
}

const fn u32_at(at: usize) -> u32 {
    u32::from_le_bytes([BYTES[at], BYTES[at + 1], BYTES[at + 2], BYTES[at + 3]])
}

const fn i32_at(at: usize) -> i32 {
    i32::from_le_bytes(u32_at(at).to_le_bytes())
}

const fn u64s<const LENGTH: usize>(start: usize) -> [u64; LENGTH] {
    let mut numbers = [0; LENGTH];
    let mut index = 0;
    while index < LENGTH {
        let at = start + 8 * index;
        numbers[index] = u32_at(at) as u64 | (u32_at(at + 4) as u64) << 32;
        index += 1;
    }
    numbers
}

const BLOCKS_SECTION: Section = section(0);
const PAGES_SECTION: Section = section(1);
const RECORDS_SECTION: Section = section(2);
const LONG_LOWERS_SECTION: Section = section(3);
const DECOMPOSITIONS_SECTION: Section = section(4);
const COMPOSITES_SECTION: Section = section(5);

static BLOCKS: [u16; BLOCKS_SECTION.length] = {
    let mut blocks = [0; BLOCKS_SECTION.length];
    let mut index = 0;
    while index < blocks.len() {
        let at = BLOCKS_SECTION.start + 2 * index;
        blocks[index] = u16::from_le_bytes([BYTES[at], BYTES[at + 1]]);
        index += 1;
    }
    blocks
};

static PAGES: &[u8] = BYTES.split_at(PAGES_SECTION.start).1.split_at(PAGES_SECTION.length).0;

/// All numbers that a byte can be have an entry, so that looking one up needs no check.
static RECORDS: [Record; 256] = {
    let mut records = [Record { bits: 0, lower: 0 }; 256];
    let mut index = 0;
    while index < RECORDS_SECTION.length {
        let at = RECORDS_SECTION.start + 8 * index;
        records[index] = Record { bits: u32_at(at), lower: i32_at(at + 4) };
        index += 1;
    }
    records
};

static ASCII: [Record; BLOCK] = {
    let mut ascii = [Record { bits: 0, lower: 0 }; BLOCK];
    let mut index = 0;
    while index < BLOCK {
        ascii[index] = RECORDS[PAGES[BLOCKS[0] as usize * BLOCK + index] as usize];
        index += 1;
    }
    ascii
};

/// The classes alone, in the layout of the pages: one load less for what is asked most.
static CLASS_PAGES: [u8; PAGES_SECTION.length] = {
    let mut classes = [0; PAGES_SECTION.length];
    let mut index = 0;
    while index < classes.len() {
        classes[index] = RECORDS[PAGES[index] as usize].class().to_le_bytes()[0];
        index += 1;
    }
    classes
};

/// What words need to know of a character, in the layout of the pages.
static TRAIT_PAGES: [Traits; PAGES_SECTION.length] = {
    let mut traits = [Traits(0); PAGES_SECTION.length];
    let mut index = 0;
    while index < traits.len() {
        traits[index] = Traits::of(RECORDS[PAGES[index] as usize]);
        index += 1;
    }
    traits
};

/// Code points of two bytes in UTF-8 and those below.
const TWO_BYTES: usize = 0x800;

/// The traits of those: one load for most alphabets.
static TWO_BYTE_TRAITS: [Traits; TWO_BYTES] = {
    let mut traits = [Traits(0); TWO_BYTES];
    let mut code = 0;
    while code < TWO_BYTES {
        traits[code] = TRAIT_PAGES[BLOCKS[code / BLOCK] as usize * BLOCK + code % BLOCK];
        code += 1;
    }
    traits
};

/// What words need to know of a character, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits(u8);

impl Traits {
    pub(crate) const NO_SPACE: u32 = 0;
    pub(crate) const ALPHANUMERIC: u32 = 1;
    /// Alphanumeric, and of a script that is written without spaces: such scripts have symbols and marks of
    /// punctuation, too.
    pub(crate) const UNSPACED: u32 = 2;
    pub(crate) const CAPITAL: u32 = 3;
    pub(crate) const NUMBER: u32 = 4;
    /// Lower-casing may change it.
    pub(crate) const LOWERS: u32 = 5;

    const fn of(record: Record) -> Self {
        let class = record.class();
        let is_capital = class == 0;
        Self(
            (class != 5) as u8
                | ((class < 5) as u8) << Self::ALPHANUMERIC
                | ((class < 5 && record.script() != 0) as u8) << Self::UNSPACED
                | (is_capital as u8) << Self::CAPITAL
                | ((class == 4) as u8) << Self::NUMBER
                | ((is_capital || record.lower_offset() != 0) as u8) << Self::LOWERS,
        )
    }

    /// 1 where it has that trait, or 0.
    #[inline]
    pub(crate) const fn has(self, bit: u32) -> u8 {
        self.0 >> bit & 1
    }
}

static DECOMPOSITIONS: [u64; DECOMPOSITIONS_SECTION.length] = u64s(DECOMPOSITIONS_SECTION.start);
static COMPOSITES: [u64; COMPOSITES_SECTION.length] = u64s(COMPOSITES_SECTION.start);

/// One load for ASCII, three for any other character.
#[inline]
pub(crate) fn record(character: char) -> Record {
    let code = character as usize;
    if code < BLOCK {
        return ASCII[code];
    }
    RECORDS[usize::from(PAGES[usize::from(BLOCKS[code / BLOCK]) * BLOCK + code % BLOCK])]
}

/// The class of a character: what its record says, in two loads.
#[inline]
pub(crate) fn class(character: char) -> u8 {
    let code = character as usize;
    CLASS_PAGES[usize::from(BLOCKS[code / BLOCK]) * BLOCK + code % BLOCK]
}

/// The traits of a code point; of a number that is none, those of some code point.
#[inline]
pub(crate) fn traits(code: u32) -> Traits {
    let code = code as usize;
    if let Some(&traits) = TWO_BYTE_TRAITS.get(code) {
        return traits;
    }
    TRAIT_PAGES[usize::from(BLOCKS[(code / BLOCK).min(BLOCKS.len() - 1)]) * BLOCK + code % BLOCK]
}

/// The two characters that `character` lowers to, where they are two.
pub(crate) fn long_lower(character: char) -> Option<(char, char)> {
    (0..LONG_LOWERS_SECTION.length)
        .map(|index| LONG_LOWERS_SECTION.start + LONG_LOWER_WIDTH * index)
        .find(|&at| u32_at(at) == u32::from(character))
        .and_then(|at| char::from_u32(u32_at(at + 4)).zip(char::from_u32(u32_at(at + 8))))
}

/// The canonical decomposition of a character that has one in the table: one step of it, of one or two characters.
pub(crate) fn decomposition(character: char) -> Option<(char, Option<char>)> {
    let pair = after(&DECOMPOSITIONS, u64::from(character), 2 * CODE_POINT_BITS)?;
    let second = pair & CODE_POINT_MASK;
    let second = if second == 0 { None } else { scalar(second) };
    Some((scalar(pair >> CODE_POINT_BITS)?, second))
}

/// The primary composite of two characters, Hangul aside.
pub(crate) fn composite(first: char, second: char) -> Option<char> {
    let pair = u64::from(first) << CODE_POINT_BITS | u64::from(second);
    after(&COMPOSITES, pair, CODE_POINT_BITS).and_then(scalar)
}

/// What follows `key` in the one entry that begins with it, `width` bits wide.
fn after(entries: &[u64], key: u64, width: u32) -> Option<u64> {
    let found = entries.binary_search_by_key(&key, |entry| entry >> width).ok()?;
    Some(entries[found] & ((1 << width) - 1))
}

fn scalar(code: u64) -> Option<char> {
    char::from_u32(u32::try_from(code).ok()?)
}
