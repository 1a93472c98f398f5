//! The extension module `brimful.kernels._native`: conversions only, every decision is in `brimful-core`.

mod call;
mod convert;
mod errors;
mod kernels;
mod rows;
mod selection;
mod truncation;

use pyo3::prelude::*;

/// The compiled back end; `brimful.kernels.contract` specifies its functions.
#[pymodule(gil_used = false)]
mod _native {
    use super::PyModule;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::kernels::{
        bm25_scores, count_tokens, estimate_tokens, fault, inspect_text, near_duplicates, sentence_ends, set_threads,
        tfidf_scores, tfidf_similarities, weigh_tokens,
    };

    #[pymodule_export]
    use super::selection::{mmr_select_dense, mmr_select_text};

    #[pymodule_export]
    use super::truncation::truncate;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("CONTRACT", super::kernels::CONTRACT)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
