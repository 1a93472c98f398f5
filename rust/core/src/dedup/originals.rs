//! Texts that are the first with their content. Others have the verdict of theirs, so they need no judgement.

use hashbrown::HashTable;

use crate::error::Error;

/// The originals in order, found by their 128-bit content hash.
#[derive(Debug)]
pub(crate) struct Originals {
    positions: Vec<u32>,
    contents: Vec<u128>,
    /// Numbers of originals. Made for all texts at once: no growth of it, which nobody could interrupt.
    table: HashTable<u32>,
    /// The position of the original of each text.
    of: Vec<u32>,
}

impl Originals {
    /// Room for so many texts.
    pub(crate) fn new(texts: usize) -> Self {
        Self {
            positions: Vec::new(),
            contents: Vec::new(),
            table: HashTable::with_capacity(texts),
            of: Vec::with_capacity(texts),
        }
    }

    /// Whether the next text is an original.
    pub(crate) fn add(&mut self, content: u128) -> Result<bool, Error> {
        let position = u32::try_from(self.of.len()).map_err(|_| Error::TooLarge)?;
        let known = self.table.find(low_half(content), |&number| self.contents[number as usize] == content);
        if let Some(&number) = known {
            self.of.push(self.positions[number as usize]);
            return Ok(false);
        }
        let number = u32::try_from(self.positions.len()).map_err(|_| Error::TooLarge)?;
        self.positions.push(position);
        self.contents.push(content);
        self.of.push(position);
        let contents = &self.contents;
        self.table.insert_unique(low_half(content), number, |&number| low_half(contents[number as usize]));
        Ok(true)
    }

    /// Whether no text was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The positions of the originals, ascending.
    pub(crate) fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The position of a text's original, which may be its own.
    pub(crate) fn of(&self, position: usize) -> usize {
        self.of[position] as usize
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn low_half(content: u128) -> u64 {
    content as u64
}

#[cfg(test)]
mod tests {
    use super::Originals;

    #[test]
    fn a_text_belongs_to_the_first_of_its_content() {
        let mut originals = Originals::new(2);
        let wide = 1 << 64;
        let added: Vec<_> = [7, 7 + wide, 7, 8, 7 + wide].map(|content| originals.add(content)).into();

        assert_eq!(vec![Ok(true), Ok(true), Ok(false), Ok(true), Ok(false)], added);
        assert_eq!([0, 1, 3], originals.positions());
        assert_eq!([0, 1, 0, 3, 1], [0, 1, 2, 3, 4].map(|position| originals.of(position)));
    }
}
