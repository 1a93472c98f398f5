//! What a kernel can fail with.

use std::fmt;

/// The whole list: arguments are checked before they come here, so a kernel fails only by being stopped or by a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller asked to stop; nothing was returned and nothing was kept.
    Interrupted,
    /// An option's word is unknown here: the two halves of the package are of different versions.
    UnknownOption {
        /// The option's name.
        option: &'static str,
    },
    /// More distinct words, shingles or texts than 32-bit numbers can name.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => formatter.write_str("interrupted"),
            Self::UnknownOption { option } => write!(formatter, "unknown value of `{option}`"),
            Self::TooLarge => formatter.write_str("more than 4,294,967,295 distinct items in one call"),
        }
    }
}

impl std::error::Error for Error {}
