//! The rank files of the encodings: one token a line, its bytes in base64, and its rank.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::error::Error;

/// The tokens of a vocabulary in the order of their ranks, which are 0, 1, 2 ...
pub(crate) struct RankFile {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl RankFile {
    /// Reads a packed rank file. Linear.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] for what is no gzip, no base64 or not in the order of the ranks.
    pub(crate) fn unpack(packed: &[u8]) -> Result<Self, Error> {
        let mut lines = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut lines).map_err(|_| Error::Vocabulary)?;
        let mut file = Self { bytes: Vec::with_capacity(lines.len() / 2), ends: Vec::new() };
        let mut rest = lines.as_slice();
        while !rest.is_empty() {
            rest = file.read_line(rest).ok_or(Error::Vocabulary)?;
        }
        Ok(file)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of the token of that rank.
    pub(crate) fn token(&self, rank: usize) -> &[u8] {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] as usize };
        &self.bytes[start..self.ends[rank] as usize]
    }

    /// Takes the first line and returns the others.
    fn read_line<'l>(&mut self, line: &'l [u8]) -> Option<&'l [u8]> {
        let mut at = 0;
        while let Some(quad) = line.get(at..at + 4)
            && quad[0] != b' '
        {
            self.push_quad([quad[0], quad[1], quad[2], quad[3]])?;
            at += 4;
        }
        if at == 0 || line.get(at) != Some(&b' ') {
            return None;
        }
        let mut rank = 0_usize;
        at += 1;
        while let Some(digit) = line.get(at).filter(|digit| digit.is_ascii_digit()) {
            rank = rank.checked_mul(10)?.checked_add(usize::from(digit - b'0'))?;
            at += 1;
        }
        let in_order = line.get(at) == Some(&b'\n') && rank == self.len();
        self.ends.push(u32::try_from(self.bytes.len()).ok()?);
        in_order.then(|| &line[at + 1..])
    }

    fn push_quad(&mut self, quad: [u8; 4]) -> Option<()> {
        let padding = usize::from(quad[2] == b'=') + usize::from(quad[3] == b'=');
        let mut bits = 0;
        for letter in quad {
            let digit = DIGITS[usize::from(letter)];
            if digit == NO_DIGIT {
                return None;
            }
            bits = bits << 6 | u32::from(digit);
        }
        let [_, triple @ ..] = bits.to_be_bytes();
        self.bytes.extend_from_slice(&triple[..3 - padding]);
        Some(())
    }
}

const NO_DIGIT: u8 = 0xFF;

/// The value of each base64 letter; padding counts as 0.
static DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        digits[letters[value as usize] as usize] = value;
        value += 1;
    }
    digits[b'=' as usize] = 0;
    digits
};

#[cfg(test)]
#[path = "tests/rank_file.rs"]
mod tests;
