//! The functions of the back end, each one call of the core.
#![allow(clippy::needless_pass_by_value, reason = "arguments are extracted into values that the function owns")]

use std::panic::resume_unwind;

use brimful_core::{
    bm25, dedup, estimate, pairwise, parallel, sentences, shingle::Shingles, text::Words, text_report, tfidf, tokens,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

use crate::call::call;
use crate::convert::{Columns, column};
use crate::errors::to_python;

/// Equal to `CONTRACT` of `brimful.kernels.contract`, or the package refuses this extension.
pub(crate) const CONTRACT: u32 = 4;

/// Return int64 token estimates, one a text.
#[pyfunction]
#[pyo3(signature = (texts, /, *, rule))]
pub(crate) fn estimate_tokens<'py>(
    py: Python<'py>,
    texts: Vec<PyBackedStr>,
    rule: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let rule = estimate::Rule::parse(rule).map_err(to_python)?;
    let counts = call(py, |interrupt| estimate::estimate_tokens(&texts, rule, interrupt))?;
    column(py, &counts)
}

/// Return int64 exact token counts, one a text.
#[pyfunction]
#[pyo3(signature = (texts, /, *, encoding))]
pub(crate) fn count_tokens<'py>(
    py: Python<'py>,
    texts: Vec<PyBackedStr>,
    encoding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoding = tokens::Encoding::parse(encoding).map_err(to_python)?;
    let counts = call(py, |interrupt| tokens::count_tokens(&texts, encoding, interrupt))?;
    column(py, &counts)
}

/// Return int64 weights in 1/1024 token, one a text.
#[pyfunction]
#[pyo3(signature = (texts, /, *, rule))]
pub(crate) fn weigh_tokens<'py>(py: Python<'py>, texts: Vec<PyBackedStr>, rule: &str) -> PyResult<Bound<'py, PyBytes>> {
    let rule = estimate::Rule::parse(rule).map_err(to_python)?;
    let weights = call(py, |interrupt| estimate::weigh_tokens(&texts, rule, interrupt))?;
    column(py, &weights)
}

/// Return, a text, int64 the earliest kept text that it repeats (-1: kept) and float64 that similarity.
#[pyfunction]
#[pyo3(signature = (
    texts, /, *, shingle_size, threshold, containment, words, shingles, normalize, distinguish_facts
))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the contract's keywords, one each")]
pub(crate) fn near_duplicates<'py>(
    py: Python<'py>,
    texts: Vec<PyBackedStr>,
    shingle_size: usize,
    threshold: f64,
    containment: Option<f64>,
    words: &str,
    shingles: &str,
    normalize: bool,
    distinguish_facts: bool,
) -> PyResult<Columns<'py>> {
    let options = dedup::Options {
        shingle_size,
        threshold,
        containment,
        words: Words::parse(words).map_err(to_python)?,
        shingles: Shingles::parse(shingles).map_err(to_python)?,
        normalize,
        distinguish_facts,
    };
    let verdicts = call(py, |interrupt| dedup::near_duplicates(&texts, &options, interrupt))?;
    Ok((column(py, &verdicts.origins)?, column(py, &verdicts.similarities)?))
}

/// Return the float64 TF-IDF cosine of each text with the query.
#[pyfunction]
#[pyo3(signature = (query, texts, /, *, include_query))]
pub(crate) fn tfidf_scores(
    py: Python<'_>,
    query: PyBackedStr,
    texts: Vec<PyBackedStr>,
    include_query: bool,
) -> PyResult<Bound<'_, PyBytes>> {
    let scores = call(py, |interrupt| tfidf::tfidf_scores(&query, &texts, include_query, interrupt))?;
    column(py, &scores)
}

/// Return the float64 TF-IDF cosine of each text with the query, and those of chosen texts with each other.
#[pyfunction]
#[pyo3(signature = (query, texts, among, /, *, include_query))]
pub(crate) fn tfidf_similarities(
    py: Python<'_>,
    query: Option<PyBackedStr>,
    texts: Vec<PyBackedStr>,
    among: Vec<usize>,
    include_query: bool,
) -> PyResult<Columns<'_>> {
    let asked = query.as_deref();
    let found = call(py, |interrupt| pairwise::tfidf_similarities(asked, &texts, &among, include_query, interrupt))?;
    Ok((column(py, &found.scores)?, column(py, &found.cosines)?))
}

/// Return the float64 BM25 score of each text for the query.
#[pyfunction]
#[pyo3(signature = (query, texts, /))]
pub(crate) fn bm25_scores(py: Python<'_>, query: PyBackedStr, texts: Vec<PyBackedStr>) -> PyResult<Bound<'_, PyBytes>> {
    let scores = call(py, |interrupt| bm25::bm25_scores(&query, &texts, interrupt))?;
    column(py, &scores)
}

/// Return int64 sentences a text, and int64 ends of all sentences, text after text.
#[pyfunction]
#[pyo3(signature = (texts, /))]
pub(crate) fn sentence_ends(py: Python<'_>, texts: Vec<PyBackedStr>) -> PyResult<Columns<'_>> {
    let found = call(py, |interrupt| sentences::sentence_ends(&texts, interrupt))?;
    Ok((column(py, &found.counts)?, column(py, &found.ends)?))
}

type Report<'py> = (Bound<'py, PyBytes>, String, String, Bound<'py, PyBytes>);

/// Return what the text rules say of `text`: classes, lower case, NFC, grapheme starts.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn inspect_text(py: Python<'_>, text: PyBackedStr) -> PyResult<Report<'_>> {
    let report = call(py, |interrupt| text_report::inspect_text(&text, interrupt))?;
    let starts = PyBytes::new(py, &report.grapheme_starts);
    Ok((PyBytes::new(py, &report.classes), report.lowered, report.composed, starts))
}

/// Set how many threads a call may use.
#[pyfunction]
#[pyo3(signature = (count, /))]
pub(crate) fn set_threads(count: usize) {
    parallel::set_threads(count);
}

/// Panic on purpose, without a word on stderr: `brimful doctor` and the tests see that a fault of a kernel comes out as `KernelError`.
#[pyfunction]
#[pyo3(signature = (message, /))]
pub(crate) fn fault(py: Python<'_>, message: String) -> PyResult<()> {
    call(py, |_| resume_unwind(Box::new(message)))
}
