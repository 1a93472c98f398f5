//! The bits of every byte, in both ways of finding them.

use super::{BLOCK, Masks, Portable, Vectors, Work, with_vectors};

struct Classify<'b>(&'b [u8; BLOCK]);

impl Work for Classify<'_> {
    type Output = Masks;
    fn run<V: Vectors>(self, vectors: V) -> Masks {
        vectors.classify(self.0)
    }
}

struct HighBits<'b>(&'b [u8; BLOCK]);

impl Work for HighBits<'_> {
    type Output = u64;
    fn run<V: Vectors>(self, vectors: V) -> u64 {
        vectors.high_bits(self.0)
    }
}

#[test]
fn every_byte_has_the_same_bits_in_both_ways() {
    for byte in 0..=u8::MAX {
        for at in 0..BLOCK {
            let mut block = [b'a'; BLOCK];
            block[at] = byte;
            let masks = Portable.classify(&block);
            assert_eq!(with_vectors(Classify(&block)), masks);
            assert_eq!(Portable.high_bits(&block), masks.wide);
            assert_eq!(with_vectors(HighBits(&block)), masks.wide);
            let bit = |mask: u64| mask >> at & 1 == 1;
            assert_eq!(bit(masks.letters), byte.is_ascii_alphabetic());
            assert_eq!(bit(masks.capitals), byte.is_ascii_uppercase());
            assert_eq!(bit(masks.digits), byte.is_ascii_digit());
            assert_eq!(bit(masks.white), matches!(byte, 9..=13 | 32));
            assert_eq!(bit(masks.spaces), byte == b' ');
            assert_eq!(bit(masks.newlines), matches!(byte, b'\r' | b'\n'));
            assert_eq!(bit(masks.separators), matches!(byte, 0x1C..=0x1F));
            assert_eq!(bit(masks.apostrophes), byte == b'\'');
            assert_eq!(bit(masks.slashes), byte == b'/');
            assert_eq!(bit(masks.wide), byte >= 0x80);
            assert_eq!(bit(masks.leads), byte >= 0xC0);
        }
    }
}
