//! Errors of the core as the package's own exceptions, which are defined in Python.

use brimful_core::error::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError};
use pyo3::prelude::*;

mod python {
    #![allow(missing_docs, reason = "the macro writes the types; brimful.errors documents them")]
    pyo3::import_exception!(brimful.errors, ConfigError);
    pyo3::import_exception!(brimful.errors, InputError);
    pyo3::import_exception!(brimful.errors, KernelError);
}

/// The exception for an error of the core.
pub(crate) fn to_python(error: Error) -> PyErr {
    match error {
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        Error::NoMemory { .. } => PyMemoryError::new_err(error.to_string()),
        Error::UnknownOption { .. } => python::ConfigError::new_err(error.to_string()),
        Error::Vocabulary => python::KernelError::new_err(error.to_string()),
        Error::TooLarge | Error::NotFinite { .. } => python::InputError::new_err(error.to_string()),
    }
}

/// The exception for a panic: a fault of ours.
pub(crate) fn kernel_error(message: &str) -> PyErr {
    python::KernelError::new_err(format!("a kernel failed, which is a bug of brimful; please report it: {message}"))
}
