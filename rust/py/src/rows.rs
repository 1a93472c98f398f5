//! Rows of an array, read where they lie.
#![allow(unsafe_code, reason = "a copy of all rows would cost as much as the selection among them")]

use brimful_core::lanes::Component;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The rows of one (n, d) array, C-contiguous, of float32 or float64: `brimful.kernels.vectors` sees to that.
pub(crate) enum Rows {
    /// float32.
    Single(Held<f32>),
    /// float64.
    Double(Held<f64>),
}

impl Rows {
    /// Takes hold of an array's buffer; without one the array is not of the types above.
    ///
    /// # Errors
    /// `BufferError` for anything else, `ValueError` for another order or number of dimensions.
    pub(crate) fn hold(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        match PyBuffer::<f32>::get(array) {
            Ok(buffer) => Held::new(buffer).map(Self::Single),
            // It is of the other type, or of none that is taken: the second error tells.
            Err(_) => Held::new(PyBuffer::<f64>::get(array)?).map(Self::Double),
        }
    }
}

/// A buffer that is held, so that its memory neither moves nor goes.
pub(crate) struct Held<C: Element>(PyBuffer<C>);

impl<C: Element + Component> Held<C> {
    fn new(buffer: PyBuffer<C>) -> PyResult<Self> {
        if buffer.dimensions() == 2 && buffer.is_c_contiguous() {
            return Ok(Self(buffer));
        }
        Err(PyValueError::new_err("rows must lie one after another"))
    }

    /// All components, row after row.
    pub(crate) fn components(&self) -> &[C] {
        if self.0.item_count() == 0 {
            return &[];
        }
        // SAFETY: the buffer is C-contiguous, holds `item_count` items of the type that it was taken with, is aligned
        // for it (`PyBuffer::get` checks both) and stays where it is while it is held, which is as long as `self`
        // lives. Nobody must write to the array during the call, as with numpy's own functions that release the lock.
        unsafe { std::slice::from_raw_parts(self.0.buf_ptr().cast::<C>(), self.0.item_count()) }
    }

    /// How many rows there are, and how many components a row has.
    pub(crate) fn shape(&self) -> (usize, usize) {
        match self.0.shape() {
            &[count, width] => (count, width),
            _ => (0, 0),
        }
    }
}
