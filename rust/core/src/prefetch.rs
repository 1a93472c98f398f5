//! A hint to the processor: what will be read soon, where it cannot tell by itself.
#![allow(unsafe_code, reason = "the hint is an intrinsic")]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// Fetches the line of an item; nothing where the processor has no such hint.
#[inline]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which every x86-64 has; it reads nothing.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
