//! Dot products that give the same bits on every machine.
//!
//! Component j is multiplied and added in lane j mod 16; the lanes are added by a fixed tree, 8, 4, 2 and 1 apart. The
//! product of two float32 is exact in float64, so fusing multiply and add cannot change a sum of such products; float64
//! products are rounded first, always. numpy's `add.reduce` over `(n, m, 16)` adds in the same order.
//!
//! Every function takes the row `ahead`, which will be read next, and has the processor fetch it in passing: rows are
//! longer than what a processor foresees on its own. Any other row, an empty one too, costs time and nothing else.
#![allow(unsafe_code, reason = "calls of functions compiled for AVX2 and FMA, registers of four")]
#![allow(clippy::inline_always, reason = "a loop is compiled for AVX2 only where it is inlined into such a function")]

use crate::prefetch::prefetch;
use crate::rough;

const LANES: usize = 16;
/// Bytes that a processor fetches at a time.
const LINE: usize = 64;

/// A component of a row: float32 or float64.
pub trait Component: Copy + Default + Send + Sync {
    /// Whether a product of two is exact in float64.
    const EXACT: bool;

    /// The component in float64: exact.
    fn wide(self) -> f64;

    /// By how much a product of [`Component::rough_dots`] may be off, for each component and relative to the product of
    /// the norms.
    const ROUGHNESS: f64;

    /// The dot products of a row with others, each off by at most that where the product of the norms lies between
    /// 1e-30 and 1e30: in float32 where the rows are. The shortest length counts.
    fn rough_dots<const N: usize>(row: &[Self], others: [&[Self]; N], ahead: &[Self]) -> [f64; N];
}

impl Component for f32 {
    const EXACT: bool = true;
    const ROUGHNESS: f64 = rough::ROUGHNESS;

    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    fn rough_dots<const N: usize>(row: &[Self], others: [&[Self]; N], ahead: &[Self]) -> [f64; N] {
        rough::rough_dots(row, others, ahead)
    }
}

impl Component for f64 {
    const EXACT: bool = false;
    const ROUGHNESS: f64 = 0.0;

    #[inline]
    fn wide(self) -> f64 {
        self
    }

    fn rough_dots<const N: usize>(row: &[Self], others: [&[Self]; N], ahead: &[Self]) -> [f64; N] {
        others.map(|other| dot(row, other, ahead))
    }
}

/// The dot product of `row` with components that came from a row of the same type; the shorter length counts.
#[must_use]
pub fn dot<C: Component, W: Component>(row: &[C], other: &[W], ahead: &[C]) -> f64 {
    let (row, other) = shorten(row, other);
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if avx2::is_there() {
        // SAFETY: the processor has what the function was compiled for, its one demand.
        return unsafe { avx2::dot(row, other, ahead) };
    }
    dot_lanes(row, other, ahead)
}

/// The dot products of `row` with itself and with `wide`, in one pass over `row`; the shorter length counts for both.
#[must_use]
pub fn norm_and_dot<C: Component>(row: &[C], wide: &[f64], ahead: &[C]) -> (f64, f64) {
    let (row, wide) = shorten(row, wide);
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if avx2::is_there() {
        // SAFETY: as in `dot`.
        return unsafe { avx2::norm_and_dot(row, wide, ahead) };
    }
    (dot_lanes(row, row, ahead), dot_lanes(row, wide, &[]))
}

fn dot_lanes<C: Component, W: Component>(row: &[C], other: &[W], ahead: &[C]) -> f64 {
    let mut lanes = [0.0; LANES];
    let ahead = same_length(ahead, row).chunks(LANES);
    for ((row, other), ahead) in row.chunks(LANES).zip(other.chunks(LANES)).zip(ahead) {
        fetch(ahead);
        for (lane, (left, right)) in lanes.iter_mut().zip(row.iter().zip(other)) {
            *lane += left.wide() * right.wide();
        }
    }
    let mut apart = LANES / 2;
    while apart > 0 {
        for lane in 0..apart {
            lanes[lane] += lanes[lane + apart];
        }
        apart /= 2;
    }
    lanes[0]
}

/// Both with the length of the shorter.
fn shorten<'r, C, W>(row: &'r [C], other: &'r [W]) -> (&'r [C], &'r [W]) {
    let length = row.len().min(other.len());
    (&row[..length], &other[..length])
}

/// `ahead` if it has the length of `row`, or else `row`: fetching what is there already does nothing.
fn same_length<'r, C>(ahead: &'r [C], row: &'r [C]) -> &'r [C] {
    if ahead.len() == row.len() { ahead } else { row }
}

#[inline(always)]
fn fetch<C>(chunk: &[C]) {
    for line in chunk.chunks(LINE / size_of::<C>()) {
        prefetch(&line[0]);
    }
}

/// The same with the lanes in registers of four: left to itself the compiler takes them through memory.
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2 {
    use std::arch::x86_64::{
        __m256d, _mm_add_pd, _mm_add_sd, _mm_cvtsd_f64, _mm_unpackhi_pd, _mm256_add_pd, _mm256_castpd256_pd128,
        _mm256_extractf128_pd, _mm256_fmadd_pd, _mm256_mul_pd, _mm256_setzero_pd,
    };

    use super::{Component, LANES, fetch, same_length};

    type Lanes = [__m256d; 4];

    pub(super) fn is_there() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn dot<C: Component, W: Component>(row: &[C], other: &[W], ahead: &[C]) -> f64 {
        let mut sums = [_mm256_setzero_pd(); 4];
        let (chunks, tail) = row.as_chunks();
        let (others, other_tail) = other.as_chunks();
        let (ahead, _) = same_length(ahead, row).as_chunks::<LANES>();
        for ((chunk, other), ahead) in chunks.iter().zip(others).zip(ahead) {
            fetch(ahead);
            sums = add::<C>(sums, load(chunk), load(other));
        }
        if !tail.is_empty() {
            sums = add::<C>(sums, load(&padded(tail)), load(&padded(other_tail)));
        }
        finish(sums)
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn norm_and_dot<C: Component>(row: &[C], wide: &[f64], ahead: &[C]) -> (f64, f64) {
        let (mut norms, mut dots) = ([_mm256_setzero_pd(); 4], [_mm256_setzero_pd(); 4]);
        let (chunks, tail) = row.as_chunks();
        let (wides, wide_tail) = wide.as_chunks();
        let (ahead, _) = same_length(ahead, row).as_chunks::<LANES>();
        for ((chunk, wide), ahead) in chunks.iter().zip(wides).zip(ahead) {
            fetch(ahead);
            let chunk = load(chunk);
            norms = add::<C>(norms, chunk, chunk);
            dots = add::<C>(dots, chunk, load(wide));
        }
        if !tail.is_empty() {
            let tail = load(&padded(tail));
            norms = add::<C>(norms, tail, tail);
            dots = add::<C>(dots, tail, load(&padded(wide_tail)));
        }
        (finish(norms), finish(dots))
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn load<C: Component>(chunk: &[C; LANES]) -> Lanes {
        // SAFETY: four registers of four float64 each, of which every pattern of bits is valid.
        unsafe { std::mem::transmute(chunk.map(C::wide)) }
    }

    /// Fuses only where that cannot change the result.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn add<C: Component>(sums: Lanes, left: Lanes, right: Lanes) -> Lanes {
        let fuse = |at: usize| _mm256_fmadd_pd(left[at], right[at], sums[at]);
        let round = |at: usize| _mm256_add_pd(sums[at], _mm256_mul_pd(left[at], right[at]));
        if C::EXACT { std::array::from_fn(fuse) } else { std::array::from_fn(round) }
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn finish(sums: Lanes) -> f64 {
        let four = _mm256_add_pd(_mm256_add_pd(sums[0], sums[2]), _mm256_add_pd(sums[1], sums[3]));
        let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }

    /// Zeros add nothing to a sum that began at 0.
    fn padded<C: Component, const N: usize>(tail: &[C]) -> [C; N] {
        let mut padded = [C::default(); N];
        padded.iter_mut().zip(tail).for_each(|(padded, component)| *padded = *component);
        padded
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{dot, dot_lanes};

    proptest! {
        #[test]
        fn without_vectors_the_sums_are_the_same(
            components in prop::collection::vec((-1e30_f32..1e30, -1e30_f32..1e30, -1e100_f64..1e100), 0..150),
        ) {
            let row: Vec<f32> = components.iter().map(|&(component, _, _)| component).collect();
            let other: Vec<f32> = components.iter().map(|&(_, component, _)| component).collect();
            let widened: Vec<f64> = other.iter().copied().map(f64::from).collect();
            let wide: Vec<f64> = components.iter().map(|&(_, _, component)| component).collect();

            prop_assert_eq!(dot(&row, &other, &[]).to_bits(), dot_lanes(&row, &other, &[]).to_bits());
            prop_assert_eq!(dot(&row, &widened, &row).to_bits(), dot_lanes(&row, &widened, &other).to_bits());
            prop_assert_eq!(dot(&wide, &wide, &wide).to_bits(), dot_lanes(&wide, &wide, &wide).to_bits());
        }
    }
}
