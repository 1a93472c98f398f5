//! Up to 15 bytes and their length in one number of 128 bits, so that comparing keys compares texts in full.

/// The longest text that a key holds.
pub(crate) const LONGEST: usize = 15;

/// Bytes that [`read`] looks at from the start of a text.
pub(crate) const READ: usize = 16;

const LENGTH_SHIFT: u32 = 120;

/// Bits of a key; the four above are free for whoever stores it.
pub(crate) const BITS: u32 = 124;

static MASKS: [u128; LONGEST + 1] = {
    let mut masks = [0; LONGEST + 1];
    let mut length = 0;
    while length <= LONGEST {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// The key of the first `length` bytes, `length` being 0 to 15.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost step of counting")]
pub(crate) fn read(bytes: &[u8; READ], length: usize) -> u128 {
    u128::from_le_bytes(*bytes) & MASKS[length] | (length as u128) << LENGTH_SHIFT
}

/// The key of a text, where it is not longer than 15 bytes.
pub(crate) fn pack(text: &[u8]) -> Option<u128> {
    if text.len() > LONGEST {
        return None;
    }
    let mut bytes = [0; READ];
    bytes[..text.len()].copy_from_slice(text);
    Some(read(&bytes, text.len()))
}

/// The bytes of a key, and how many there are.
pub(crate) fn unpack(key: u128) -> ([u8; READ], usize) {
    (key.to_le_bytes(), usize::from(key.to_le_bytes()[LONGEST] & 0x0F))
}

/// A number of 64 bits whose upper bits depend on all of the key.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost step of counting")]
#[allow(clippy::cast_possible_truncation, reason = "both halves are taken")]
pub(crate) fn hash(key: u128) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD6E8_FEB8_6659_FD93);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
#[path = "tests/key.rs"]
mod tests;
