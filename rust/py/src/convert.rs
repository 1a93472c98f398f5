//! Columns of numbers as bytes that `numpy.frombuffer` reads in place.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Two columns side by side.
pub(crate) type Columns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A number as its bytes in the machine's order.
pub(crate) trait Number: Copy {
    /// The eight bytes.
    fn bytes(self) -> [u8; 8];
}

impl Number for i64 {
    fn bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

impl Number for f64 {
    fn bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

/// A column as `bytes`: immutable, so the array over it is read-only.
///
/// # Errors
/// `MemoryError` where there is no room.
pub(crate) fn column<'py, N: Number>(py: Python<'py>, numbers: &[N]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(numbers), |bytes| {
        for (room, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            room.copy_from_slice(&number.bytes());
        }
        Ok(())
    })
}
