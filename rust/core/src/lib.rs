//! The kernels of Brimful: text and numbers in, indices and numbers out.
//!
//! `brimful.kernels.contract` of the Python package specifies them; the Python twin has the same file names.

pub mod bm25;
pub mod boundary;
pub mod costs;
pub mod dedup;
pub mod dense;
pub mod error;
pub mod estimate;
mod facts;
pub mod grapheme;
pub mod held;
pub mod interrupt;
pub mod jaccard;
pub mod lanes;
pub mod mmr;
pub mod normal;
mod norms;
pub mod numbering;
pub mod pairwise;
pub mod parallel;
mod prefetch;
mod race;
mod rough;
mod ruler;
pub mod sentences;
pub mod shingle;
mod short_terms;
mod standing;
pub mod tally;
pub mod terms;
pub mod text;
pub mod text_report;
pub mod text_selection;
pub mod text_vectors;
pub mod tfidf;
pub mod tokens;
pub mod truncate;
pub mod unicode;
mod unicode_table;
mod unicode_traits;
mod vectors;
pub mod vocabulary;
