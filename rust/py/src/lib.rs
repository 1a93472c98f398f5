//! The extension module `brimful.kernels._native`: conversions only, every decision is in `brimful-core`.

mod call;
mod convert;
mod errors;
mod kernels;

use pyo3::prelude::*;

/// The compiled back end; `brimful.kernels.contract` specifies its functions.
#[pymodule(gil_used = false)]
mod _native {
    use super::PyModule;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::kernels::{estimate_tokens, fault, inspect_text, near_duplicates, set_threads, weigh_tokens};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("CONTRACT", super::kernels::CONTRACT)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
