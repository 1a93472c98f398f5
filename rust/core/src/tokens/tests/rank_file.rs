//! Rank files as they are read, whole and damaged.

use std::collections::HashSet;
use std::io::Write;

use super::RankFile;
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::reference::reference;

impl RankFile {
    pub(crate) fn of_tokens(tokens: &[Vec<u8>]) -> Self {
        let ends = tokens.iter().scan(0, |end, token| {
            *end += u32::try_from(token.len()).unwrap_or(u32::MAX);
            Some(*end)
        });
        Self { bytes: tokens.concat(), ends: ends.collect() }
    }
}

fn pack(lines: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines.as_bytes()).and_then(|()| packed.finish()).unwrap_or_default()
}

#[test]
fn tokens_come_back_in_the_order_of_their_ranks() -> Result<(), Error> {
    let file = RankFile::unpack(&pack("IQ== 0\nYWI= 1\nYWJj 2\nAP/+/fz7 3\n"))?;
    let tokens: Vec<_> = (0..file.len()).map(|rank| file.token(rank)).collect();
    assert_eq!(tokens, [&b"!"[..], b"ab", b"abc", b"\x00\xFF\xFE\xFD\xFC\xFB"]);
    Ok(())
}

#[test]
fn a_damaged_file_is_an_error() {
    let huge = format!("IQ== {}\n", "9".repeat(40));
    for lines in ["IQ== 1\n", "IQ== 0", "IQ=", "I*== 0\n", "IQ==\n", "\n", " 0\n", "IQ==-0\n", "IQ== 0\n\n", &huge] {
        assert_eq!(RankFile::unpack(&pack(lines)).err(), Some(Error::Vocabulary), "{lines:?}");
    }
    let whole = pack("IQ== 0\nYWI= 1\n");
    for packed in [b"no gzip", &whole[..whole.len() - 1], b""] {
        assert_eq!(RankFile::unpack(packed).err(), Some(Error::Vocabulary), "{packed:?}");
    }
}

#[test]
fn the_files_have_as_many_tokens_as_the_encodings_each_once() -> Result<(), Error> {
    for (encoding, count) in [(Encoding::Cl100kBase, 100_256), (Encoding::O200kBase, 199_998)] {
        let distinct: HashSet<_> = reference(encoding)?.tokens().map(|(_, token)| token).collect();
        assert_eq!(reference(encoding)?.file.len(), count);
        assert_eq!(distinct.len(), count);
        assert!(!distinct.contains(&b""[..]));
    }
    Ok(())
}
