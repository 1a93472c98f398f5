//! The kernel that cuts texts to size.
#![allow(clippy::needless_pass_by_value, reason = "arguments are extracted into values that the function owns")]

use brimful_core::boundary::Boundary;
use brimful_core::error::Error;
use brimful_core::estimate::Rule;
use brimful_core::tokens::Encoding;
use brimful_core::truncate::{Cut, Options, Tokens, truncate as truncate_texts};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

use crate::call::call;
use crate::convert::column;
use crate::errors::to_python;

type FourColumns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Return, a text, int64 head, tail, marked, tokens of the longest piece within its budget.
#[pyfunction]
#[pyo3(signature = (texts, budgets, /, *, rule, encoding, cut, boundary, marker))]
#[allow(clippy::too_many_arguments, reason = "the contract's keywords, one each")]
pub(crate) fn truncate<'py>(
    py: Python<'py>,
    texts: Vec<PyBackedStr>,
    budgets: PyBuffer<i64>,
    rule: Option<&str>,
    encoding: Option<&str>,
    cut: &str,
    boundary: &str,
    marker: PyBackedStr,
) -> PyResult<FourColumns<'py>> {
    let options = Options {
        tokens: parse_tokens(rule, encoding).map_err(to_python)?,
        cut: Cut::parse(cut).map_err(to_python)?,
        boundary: Boundary::parse(boundary).map_err(to_python)?,
        marker: &marker,
    };
    let budgets = budgets.to_vec(py)?;
    let kept = call(py, |interrupt| truncate_texts(&texts, &budgets, &options, interrupt))?;
    Ok((column(py, &kept.heads)?, column(py, &kept.tails)?, column(py, &kept.marked)?, column(py, &kept.tokens)?))
}

/// One of the two is given.
fn parse_tokens(rule: Option<&str>, encoding: Option<&str>) -> Result<Tokens, Error> {
    match (rule, encoding) {
        (Some(rule), None) => Rule::parse(rule).map(Tokens::Estimated),
        (None, Some(encoding)) => Encoding::parse(encoding).map(Tokens::Exact),
        _ => Err(Error::UnknownOption { option: "rule or encoding" }),
    }
}
