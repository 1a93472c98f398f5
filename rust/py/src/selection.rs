//! The kernels that choose among candidates.
#![allow(clippy::needless_pass_by_value, reason = "arguments are extracted into values that the function owns")]
#![allow(clippy::too_many_arguments, reason = "the contract's keywords, one each")]

use brimful_core::costs::{Budget, Costs, CountedTexts};
use brimful_core::dense::{self, mmr_select_dense as select_rows};
use brimful_core::error::Error;
use brimful_core::interrupt::Interrupt;
use brimful_core::lanes::Component;
use brimful_core::mmr::{First, Request, Selection};
use brimful_core::text_selection::mmr_select_text as select_texts;
use brimful_core::tokens::Encoding;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::call::call;
use crate::convert::{Columns, column};
use crate::errors::{kernel_error, to_python};
use crate::rows::{Held, Rows};

/// What both selections are told beside their candidates.
struct Options {
    relevance: Vec<f64>,
    lambda: f64,
    first: First,
    limit: usize,
    costs: Option<Vec<i64>>,
    encoding: Option<Encoding>,
    budget: Option<i64>,
}

impl Options {
    fn new(
        py: Python<'_>,
        relevance: Option<PyBuffer<f64>>,
        lambda: f64,
        first: &str,
        limit: Option<usize>,
        costs: Option<PyBuffer<i64>>,
        encoding: Option<&str>,
        budget: Option<i64>,
    ) -> PyResult<Self> {
        Ok(Self {
            relevance: relevance.map_or_else(|| Ok(Vec::new()), |relevance| relevance.to_vec(py))?,
            lambda,
            first: First::parse(first).map_err(to_python)?,
            limit: limit.unwrap_or(usize::MAX),
            costs: costs.map(|costs| costs.to_vec(py)).transpose()?,
            encoding: encoding.map(Encoding::parse).transpose().map_err(to_python)?,
            budget,
        })
    }

    /// Selects with the costs that were given, or with those of `texts`, counted as they are reached.
    fn select(
        &self,
        texts: &[PyBackedStr],
        interrupt: &dyn Interrupt,
        select: impl FnOnce(&Request<'_>) -> Result<Selection, Error>,
    ) -> Result<Selection, Error> {
        let counted = self.encoding.map(|encoding| CountedTexts::new(texts, encoding, interrupt));
        let costs = counted.as_ref().map(Costs::Counted).or(self.costs.as_deref().map(Costs::Given));
        select(&Request {
            relevance: &self.relevance,
            lambda: self.lambda,
            first: self.first,
            limit: self.limit,
            budget: costs.zip(self.budget).map(|(costs, room)| Budget { costs, room }),
        })
    }
}

/// Return int64 indices of the rows picked by MMR and float64 scores.
#[pyfunction]
#[pyo3(signature = (query, vectors, /, *, relevance, mmr_lambda, first, limit, costs, texts, encoding, budget))]
pub(crate) fn mmr_select_dense<'py>(
    py: Python<'py>,
    query: Option<Bound<'py, PyAny>>,
    vectors: Bound<'py, PyAny>,
    relevance: Option<PyBuffer<f64>>,
    mmr_lambda: f64,
    first: &str,
    limit: Option<usize>,
    costs: Option<PyBuffer<i64>>,
    texts: Option<Vec<PyBackedStr>>,
    encoding: Option<&str>,
    budget: Option<i64>,
) -> PyResult<Columns<'py>> {
    let options = Options::new(py, relevance, mmr_lambda, first, limit, costs, encoding, budget)?;
    let texts = texts.unwrap_or_default();
    let selection = match Rows::hold(&vectors)? {
        Rows::Single(rows) => select_held(py, query, &rows, &texts, &options),
        Rows::Double(rows) => select_held(py, query, &rows, &texts, &options),
    }?;
    columns(py, &selection)
}

fn select_held<C: Component + Element>(
    py: Python<'_>,
    query: Option<Bound<'_, PyAny>>,
    rows: &Held<C>,
    texts: &[PyBackedStr],
    options: &Options,
) -> PyResult<Selection> {
    let query = query.map(|query| PyBuffer::<C>::get(&query)?.to_vec(py)).transpose()?;
    let (count, width) = rows.shape();
    let Some(rows) = dense::Rows::new(rows.components(), count, width) else {
        return Err(kernel_error("an array has fewer components than its shape says"));
    };
    call(py, |interrupt| {
        options.select(texts, interrupt, |request| select_rows(query.as_deref(), rows, request, interrupt))
    })
}

/// Return int64 indices of the texts picked by MMR and float64 scores.
#[pyfunction]
#[pyo3(signature = (query, texts, /, *, relevance, mmr_lambda, first, limit, costs, encoding, budget))]
pub(crate) fn mmr_select_text<'py>(
    py: Python<'py>,
    query: Option<PyBackedStr>,
    texts: Vec<PyBackedStr>,
    relevance: Option<PyBuffer<f64>>,
    mmr_lambda: f64,
    first: &str,
    limit: Option<usize>,
    costs: Option<PyBuffer<i64>>,
    encoding: Option<&str>,
    budget: Option<i64>,
) -> PyResult<Columns<'py>> {
    let options = Options::new(py, relevance, mmr_lambda, first, limit, costs, encoding, budget)?;
    let selection = call(py, |interrupt| {
        options.select(&texts, interrupt, |request| select_texts(query.as_deref(), &texts, request, interrupt))
    })?;
    columns(py, &selection)
}

fn columns<'py>(py: Python<'py>, selection: &Selection) -> PyResult<Columns<'py>> {
    Ok((column(py, &selection.indices)?, column(py, &selection.scores)?))
}
