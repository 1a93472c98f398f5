//! What a kernel can fail with.

use std::fmt;

/// The whole list: arguments are checked before they come here, but for components, which only a kernel
/// looks at one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// The caller asked to stop; nothing was returned and nothing was kept.
    Interrupted,
    /// An option's word is unknown here: the two halves of the package are of different versions.
    UnknownOption {
        /// The option's name.
        option: &'static str,
    },
    /// A component of a vector is NaN or infinite.
    NotFinite {
        /// The argument's name.
        argument: &'static str,
        /// The row, where the argument has rows.
        row: Option<usize>,
        /// The component.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// A packed vocabulary is damaged: the package is not as it was built.
    Vocabulary,
    /// More distinct words, shingles or texts than 32-bit numbers can name.
    TooLarge,
    /// There is no memory for a result of that many numbers.
    NoMemory {
        /// How many.
        numbers: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => formatter.write_str("interrupted"),
            Self::UnknownOption { option } => write!(formatter, "unknown value of `{option}`"),
            Self::NotFinite { argument, row, column, value } => {
                let row = row.map_or_else(String::new, |row| format!("[{row}]"));
                let value = if value.is_nan() { "nan".to_owned() } else { value.to_string() };
                write!(formatter, "{argument}{row}[{column}] must be finite, got {value}")
            }
            Self::Vocabulary => formatter.write_str("the packed vocabulary is damaged; install the package again"),
            Self::TooLarge => formatter.write_str("more than 4,294,967,295 distinct items in one call"),
            Self::NoMemory { numbers } => write!(formatter, "there is no memory for {numbers} numbers"),
        }
    }
}

impl std::error::Error for Error {}
