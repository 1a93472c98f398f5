//! What words need to know of a character, laid out so that one load tells it for most alphabets.

use crate::unicode_table::{BLOCK, BLOCKS, PAGES, PAGES_LENGTH, RECORDS, Record};

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

/// What words need to know of a character, in the layout of the pages.
static TRAIT_PAGES: [Traits; PAGES_LENGTH] = {
    let mut traits = [Traits(0); PAGES_LENGTH];
    let mut index = 0;
    while index < traits.len() {
        traits[index] = Traits::of(RECORDS[PAGES[index] as usize]);
        index += 1;
    }
    traits
};

/// Code points of two bytes in UTF-8 lie below, and from the other on.
const TWO_BYTES: u32 = 0x800;
const ONE_BYTE: u32 = 0x80;

/// The traits of those: one load for most alphabets.
static TWO_BYTE_TRAITS: [Traits; TWO_BYTES as usize] = {
    let mut traits = [Traits(0); TWO_BYTES as usize];
    let mut code = 0;
    while code < traits.len() {
        traits[code] = TRAIT_PAGES[BLOCKS[code / BLOCK] as usize * BLOCK + code % BLOCK];
        code += 1;
    }
    traits
};

/// The two bytes that each of those lowers to, or zeros where it lowers to others.
static TWO_BYTE_LOWERS: [[u8; 2]; TWO_BYTES as usize] = {
    let mut lowers = [[0; 2]; TWO_BYTES as usize];
    let mut code = ONE_BYTE;
    while code < TWO_BYTES {
        let at = code as usize;
        let record = RECORDS[PAGES[BLOCKS[at / BLOCK] as usize * BLOCK + at % BLOCK] as usize];
        let lowered = code.wrapping_add_signed(record.lower_offset());
        let [first, ..] = (0xC0 | lowered >> 6).to_le_bytes();
        let [second, ..] = (0x80 | lowered & 0x3F).to_le_bytes();
        // A capital that lowers to itself may be one of the few that lower to two characters.
        let is_settled = record.lower_offset() != 0 || record.class() != 0;
        if is_settled && ONE_BYTE <= lowered && lowered < TWO_BYTES {
            lowers[at] = [first, second];
        }
        code += 1;
    }
    lowers
};

/// The traits of a code point; of a number that is none, those of some code point.
#[inline]
pub(crate) fn traits(code: u32) -> Traits {
    let code = code as usize;
    if let Some(&traits) = TWO_BYTE_TRAITS.get(code) {
        return traits;
    }
    TRAIT_PAGES[usize::from(BLOCKS[(code / BLOCK).min(BLOCKS.len() - 1)]) * BLOCK + code % BLOCK]
}

/// The bytes that a code point of two bytes lowers to, where they are two as well.
#[inline]
pub(crate) fn two_byte_lower(code: u32) -> Option<[u8; 2]> {
    TWO_BYTE_LOWERS.get(code as usize).copied().filter(|&lowered| lowered != [0; 2])
}

#[cfg(test)]
mod tests {
    use super::{Traits, traits, two_byte_lower};
    use crate::unicode;

    #[test]
    fn traits_are_what_the_table_says() {
        for character in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let traits = traits(character.into());
            let has = |bit| traits.has(bit) == 1;
            assert_eq!(unicode::is_white_space(character), !has(Traits::NO_SPACE), "{character:?}");
            assert_eq!(unicode::is_alphanumeric(character), has(Traits::ALPHANUMERIC), "{character:?}");
            assert_eq!(unicode::is_number(character), has(Traits::NUMBER), "{character:?}");
            assert!(has(Traits::LOWERS) || unicode::lower(character).eq([character]), "{character:?}");
        }
    }

    #[test]
    fn all_that_begins_with_a_plain_byte_is_a_letter_without_case_of_a_script_without_spaces() {
        let letter = 1 << Traits::NO_SPACE | 1 << Traits::ALPHANUMERIC | 1 << Traits::UNSPACED;
        for code in (0x4E00..=0x9FFF).chain(0xB000..=0xCFFF) {
            assert_eq!(Traits(letter), traits(code), "{code:X}");
        }
    }

    #[test]
    fn characters_of_two_bytes_lower_as_the_table_says() {
        for character in (0x80..0x800).filter_map(char::from_u32) {
            let lowered: String = unicode::lower(character).collect();
            let expected = <[u8; 2]>::try_from(lowered.as_bytes()).ok();
            let found = two_byte_lower(character.into());
            assert!(found == expected || found.is_none() && lowered.chars().eq([character]), "{character:?}");
        }
        assert_eq!(Some([0xD1, 0x91]), two_byte_lower(0x401));
        assert_eq!(None, two_byte_lower(0x130));
    }
}
