//! The encodings that ship with the package.

use std::sync::OnceLock;

use super::rank_file::RankFile;
use super::vocabulary::Vocabulary;
use crate::error::Error;

/// An exact encoding: a pattern that cuts text into pre-tokens, and a vocabulary that merges their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100kBase,
    /// The encoding of GPT-4o and later models.
    O200kBase,
}

static CL100K_BASE: OnceLock<Vocabulary> = OnceLock::new();
static O200K_BASE: OnceLock<Vocabulary> = OnceLock::new();

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 2] = [Self::Cl100kBase, Self::O200kBase];

    /// The encoding of that name.
    ///
    /// ```
    /// use brimful_core::tokens::Encoding;
    /// assert_eq!(Encoding::parse("o200k_base"), Ok(Encoding::O200kBase));
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "cl100k_base" => Ok(Self::Cl100kBase),
            "o200k_base" => Ok(Self::O200kBase),
            _ => Err(Error::UnknownOption { option: "encoding" }),
        }
    }

    /// Its vocabulary, laid out at the first call of the process.
    ///
    /// It is built outside the lock: a process forked meanwhile does not wait for a thread that it has not got. Two threads
    /// that come first together build it twice, and one result is dropped.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] where the packed file is damaged.
    pub(crate) fn vocabulary(self) -> Result<&'static Vocabulary, Error> {
        let (cell, packed) = match self {
            Self::Cl100kBase => (&CL100K_BASE, CL100K_FILE),
            Self::O200kBase => (&O200K_BASE, O200K_FILE),
        };
        if let Some(vocabulary) = cell.get() {
            return Ok(vocabulary);
        }
        let built = Vocabulary::new(&RankFile::unpack(packed)?)?;
        Ok(cell.get_or_init(|| built))
    }
}

const CL100K_FILE: &[u8] = include_bytes!("../../../../python/brimful/data/cl100k_base.tiktoken.gz");
const O200K_FILE: &[u8] = include_bytes!("../../../../python/brimful/data/o200k_base.tiktoken.gz");
