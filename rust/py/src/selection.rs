//! The kernels that choose among candidates.
#![allow(clippy::needless_pass_by_value, reason = "arguments are extracted into values that the function owns")]
#![allow(clippy::too_many_arguments, reason = "the contract's keywords, one each")]

use brimful_core::dense::{self, mmr_select_dense as select_rows};
use brimful_core::lanes::Component;
use brimful_core::mmr::{First, Request, Selection};
use brimful_core::text_selection::mmr_select_text as select_texts;
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
    costs: Option<(Vec<i64>, i64)>,
}

impl Options {
    fn new(
        py: Python<'_>,
        relevance: Option<PyBuffer<f64>>,
        lambda: f64,
        first: &str,
        limit: Option<usize>,
        costs: Option<PyBuffer<i64>>,
        budget: Option<i64>,
    ) -> PyResult<Self> {
        let costs = costs.map(|costs| costs.to_vec(py)).transpose()?;
        Ok(Self {
            relevance: relevance.map_or_else(|| Ok(Vec::new()), |relevance| relevance.to_vec(py))?,
            lambda,
            first: First::parse(first).map_err(to_python)?,
            limit: limit.unwrap_or(usize::MAX),
            costs: costs.zip(budget),
        })
    }

    fn request(&self) -> Request<'_> {
        Request {
            relevance: &self.relevance,
            lambda: self.lambda,
            first: self.first,
            limit: self.limit,
            budget: self.costs.as_ref().map(|(costs, budget)| (&costs[..], *budget)),
        }
    }
}

/// Return int64 indices of the rows picked by MMR and float64 scores.
#[pyfunction]
#[pyo3(signature = (query, vectors, /, *, relevance, mmr_lambda, first, limit, costs, budget))]
pub(crate) fn mmr_select_dense<'py>(
    py: Python<'py>,
    query: Option<Bound<'py, PyAny>>,
    vectors: Bound<'py, PyAny>,
    relevance: Option<PyBuffer<f64>>,
    mmr_lambda: f64,
    first: &str,
    limit: Option<usize>,
    costs: Option<PyBuffer<i64>>,
    budget: Option<i64>,
) -> PyResult<Columns<'py>> {
    let options = Options::new(py, relevance, mmr_lambda, first, limit, costs, budget)?;
    let selection = match Rows::hold(&vectors)? {
        Rows::Single(rows) => select_held(py, query, &rows, &options),
        Rows::Double(rows) => select_held(py, query, &rows, &options),
    }?;
    columns(py, &selection)
}

fn select_held<C: Component + Element>(
    py: Python<'_>,
    query: Option<Bound<'_, PyAny>>,
    rows: &Held<C>,
    options: &Options,
) -> PyResult<Selection> {
    let query = query.map(|query| PyBuffer::<C>::get(&query)?.to_vec(py)).transpose()?;
    let (count, width) = rows.shape();
    let Some(rows) = dense::Rows::new(rows.components(), count, width) else {
        return Err(kernel_error("an array has fewer components than its shape says"));
    };
    call(py, |interrupt| select_rows(query.as_deref(), rows, &options.request(), interrupt))
}

/// Return int64 indices of the texts picked by MMR and float64 scores.
#[pyfunction]
#[pyo3(signature = (query, texts, /, *, relevance, mmr_lambda, first, limit, costs, budget))]
pub(crate) fn mmr_select_text<'py>(
    py: Python<'py>,
    query: Option<PyBackedStr>,
    texts: Vec<PyBackedStr>,
    relevance: Option<PyBuffer<f64>>,
    mmr_lambda: f64,
    first: &str,
    limit: Option<usize>,
    costs: Option<PyBuffer<i64>>,
    budget: Option<i64>,
) -> PyResult<Columns<'py>> {
    let options = Options::new(py, relevance, mmr_lambda, first, limit, costs, budget)?;
    let selection = call(py, |interrupt| select_texts(query.as_deref(), &texts, &options.request(), interrupt))?;
    columns(py, &selection)
}

fn columns<'py>(py: Python<'py>, selection: &Selection) -> PyResult<Columns<'py>> {
    Ok((column(py, &selection.indices)?, column(py, &selection.scores)?))
}
