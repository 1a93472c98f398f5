//! Every character, at every place of a block, as the table has it.

use super::Wide;
use crate::interrupt::{Never, Pace};
use crate::tokens::blocks::READ;
use crate::tokens::kinds::{Kind, Reader};
use crate::vectors::{BLOCK, Portable, Vectors, Work, with_vectors};

struct Read<'b>(&'b [u8; READ]);

impl Work for Read<'_> {
    type Output = Wide;
    fn run<V: Vectors>(self, vectors: V) -> Wide {
        let wide = self.0.iter().take(BLOCK).enumerate().fold(0, |wide, (at, byte)| wide | u64::from(byte >> 7) << at);
        Wide::read(vectors, self.0, wide)
    }
}

/// The masks of a block, character by character.
fn naive(read: &[u8; READ]) -> Wide {
    let (mut wide, mut at, pace) = (Wide::default(), 0, Pace::new(&Never));
    while at < BLOCK {
        let (kind, end) = Reader { text: read, pace: &pace }.read(at).unwrap_or((Kind::Rest, at + 1));
        if end > at + 1 {
            let span = (at..end.min(BLOCK)).fold(0, |span, at| span | 1 << at);
            let mask = match kind {
                Kind::Upper => &mut wide.capitals,
                Kind::Lower => &mut wide.small,
                Kind::Caseless => &mut wide.caseless,
                Kind::Mark => &mut wide.marks,
                Kind::Number | Kind::Space | Kind::Newline => &mut wide.others,
                Kind::Rest => &mut 0,
            };
            *mask |= span;
            wide.trails |= span & !(1 << at);
        }
        at = end;
    }
    wide
}

/// The first bytes of a text that is longer.
fn block(text: &str) -> [u8; READ] {
    text.as_bytes().first_chunk().copied().unwrap_or([b'a'; READ])
}

#[test]
fn every_character_has_the_bits_of_its_kind_in_both_ways() {
    let characters: Vec<char> = ('\u{80}'..=char::MAX).collect();
    for some in characters.chunks(15) {
        let read = block(&(String::from_iter(some) + &"a".repeat(READ)));
        let expected = naive(&read);
        assert_eq!(Read(&read).run(Portable), expected, "{some:?}");
        assert_eq!(with_vectors(Read(&read)), expected, "{some:?}");
    }
}

#[test]
fn the_place_in_the_block_does_not_matter() {
    for character in "éЖжÉ字カ한\u{301}\u{FE0F}😀。\u{200D}\u{3000}٣ſ𝔘".chars() {
        for at in 0..BLOCK {
            let read = block(&format!("{}{}{}", "a".repeat(at), character, "a".repeat(READ)));
            let expected = naive(&read);
            assert_eq!(Read(&read).run(Portable), expected, "{character:?} at {at}");
            assert_eq!(with_vectors(Read(&read)), expected, "{character:?} at {at}");
        }
    }
}
