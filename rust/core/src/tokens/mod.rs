//! Exact token counts, equal to those of `tiktoken`'s `encode_ordinary`, for any string.
//!
//! A pattern cuts the text into pre-tokens ([`pretokens`], or [`blocks`] for 64 bytes at once); the bytes of each are
//! merged by the ranks of a vocabulary ([`bpe`]). Counting needs no ids, so most words are only looked up ([`pieces`]): in the
//! cache of the thread ([`caches`]), then among the tokens ([`words`]). Long runs are cut where no token crosses ([`cuts`]) or merged in
//! windows ([`long`]). Chunks that were counted before are known again ([`memory`]).
//!
//! Pieces of a text are counted against a budget by a ruler ([`ruler`]).

mod blocks;
mod bounds;
mod bpe;
mod caches;
mod count;
mod cuts;
mod encoding;
mod key;
mod kinds;
mod long;
mod measure;
mod memory;
mod pairs;
mod pieces;
mod pretokens;
mod rank_file;
#[cfg(test)]
#[path = "tests/reference.rs"]
mod reference;
mod ruler;
mod sequence;
mod splice;
mod threads;
mod vocabulary;
mod wide;
mod words;

pub use encoding::Encoding;
pub(crate) use ruler::with_exact_ruler;

use self::count::Counter;
use self::pretokens::{Cl100k, O200k};
use self::vocabulary::Vocabulary;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::parallel::map_rows;

/// The exact tokens of each text. Linear in the length of the texts; what a chunk counts is remembered.
///
/// # Errors
/// [`Error::Interrupted`]; [`Error::Vocabulary`] where the packed vocabulary is damaged.
///
/// ```
/// use brimful_core::{interrupt::Never, tokens::{Encoding, count_tokens}};
/// assert_eq!(count_tokens(&["Hello, world!", ""], Encoding::O200kBase, &Never)?, [4, 0]);
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn count_tokens<S: AsRef<str> + Sync>(
    texts: &[S],
    encoding: Encoding,
    interrupt: &dyn Interrupt,
) -> Result<Vec<i64>, Error> {
    let vocabulary = encoding.vocabulary()?;
    let bytes = texts.iter().map(|text| text.as_ref().len()).sum();
    map_rows(texts, bytes, interrupt, |text, interrupt| {
        let text = text.as_ref();
        let tokens = memory::get_or_count(encoding, text, || count_text(vocabulary, encoding, text, interrupt))?;
        i64::try_from(tokens).map_err(|_| Error::TooLarge)
    })
}

fn count_text(
    vocabulary: &Vocabulary,
    encoding: Encoding,
    text: &str,
    interrupt: &dyn Interrupt,
) -> Result<u64, Error> {
    threads::with_caches(encoding, |caches| match encoding {
        Encoding::Cl100kBase => Counter::<Cl100k>::new(vocabulary, caches, interrupt).count(text),
        Encoding::O200kBase => Counter::<O200k>::new(vocabulary, caches, interrupt).count(text),
    })
}
