//! The bits of every byte, in all ways of finding them that this processor has.

use proptest::prelude::*;

use super::{BLOCK, Masks, Portable, Vectors, Work, with_vectors, with_widest_vectors};

struct Classify<'b>(&'b [u8; BLOCK]);

impl Work for Classify<'_> {
    type Output = (Masks, u64);
    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        (vectors.classify(self.0), vectors.high_bits(self.0))
    }
}

struct PutPlaces(u64, u32);

impl Work for PutPlaces {
    type Output = Vec<u32>;
    fn run<V: Vectors>(self, vectors: V) -> Vec<u32> {
        let mut places = [u32::MAX; BLOCK];
        vectors.put_places(self.0, self.1, &mut places);
        places[..self.0.count_ones() as usize].to_vec()
    }
}

#[test]
fn every_byte_has_the_same_bits_in_all_ways() {
    for byte in 0..=u8::MAX {
        for at in 0..BLOCK {
            let mut block = [b'a'; BLOCK];
            block[at] = byte;
            let (masks, high_bits) = Classify(&block).run(Portable);
            assert_eq!(high_bits, masks.wide);
            assert_eq!(with_vectors(Classify(&block)), (masks, high_bits));
            assert_eq!(with_widest_vectors(Classify(&block)), (masks, high_bits));
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
            assert_eq!(bit(masks.plain), matches!(byte, 0xE5..=0xE9 | 0xEB..=0xEC));
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_have_the_same_bits_in_all_ways(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0xE3..0xEE_u8, 0xB6..0xC1_u8], BLOCK),
    ) {
        let mut block = [0; BLOCK];
        block.copy_from_slice(&bytes);
        let expected = Classify(&block).run(Portable);
        prop_assert_eq!(with_vectors(Classify(&block)), expected);
        prop_assert_eq!(with_widest_vectors(Classify(&block)), expected);
        for at in 0..BLOCK - 1 {
            let plain = matches!(block[at], 0xE5..=0xE9 | 0xEB..=0xEC) || block[at] == 0xE4 && (0xB8..0xC0).contains(&block[at + 1]);
            prop_assert_eq!(plain, expected.0.plain >> at & 1 == 1);
        }
    }

    #[test]
    fn every_bit_has_its_place_in_all_ways(bits in any::<u64>(), fewer in any::<u64>(), first in any::<u32>()) {
        for bits in [bits, bits & fewer, bits | fewer, 0, u64::MAX, 1, 1 << 63] {
            let expected: Vec<u32> =
                (0..64).filter(|&at| bits >> at & 1 == 1).map(|at| first.wrapping_add(at)).collect();
            prop_assert_eq!(&expected, &PutPlaces(bits, first).run(Portable));
            prop_assert_eq!(&expected, &with_vectors(PutPlaces(bits, first)));
            prop_assert_eq!(&expected, &with_widest_vectors(PutPlaces(bits, first)));
        }
    }
}
