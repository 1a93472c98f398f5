//! Dot products of float32 rows in float32: quick and in any order, but within a bound.
//!
//! Fused or not, n products and sums of float32 are off by n / 2^24 of the sum of all magnitudes, which is at most the
//! product of the norms, and by a little more where n is large; what underflows is less by far. [`ROUGHNESS`] is twice
//! that.
#![allow(unsafe_code, reason = "calls of functions compiled for AVX2 and FMA, registers of eight")]

use crate::prefetch::prefetch;

/// By how much a product may be off, for each component and relative to the product of the norms, where that lies
/// between 1e-30 and 1e30.
pub(crate) const ROUGHNESS: f64 = 1.0 / 8_388_608.0; // 2^-23
/// Components that a processor fetches at a time.
const LINE: usize = 16;

/// The dot products of a row with others, in one pass over it; `ahead` is a row that will be read next. The shortest
/// length counts.
pub(crate) fn rough_dots<const N: usize>(row: &[f32], others: [&[f32]; N], ahead: &[f32]) -> [f64; N] {
    let length = others.iter().fold(row.len(), |length, other| length.min(other.len()));
    let (row, others) = (&row[..length], others.map(|other| &other[..length]));
    let ahead = if ahead.len() == length { ahead } else { row };
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // It takes eight registers to keep the processor busy, and the products share them: four with some to spare.
        // SAFETY: the processor has what the functions were compiled for, their one demand.
        return unsafe {
            match N {
                1 => avx2::multiply::<N, 8, 64>(row, others, ahead),
                2 => avx2::multiply::<N, 4, 32>(row, others, ahead),
                _ => avx2::multiply::<N, 2, 16>(row, others, ahead),
            }
        };
    }
    others.map(|other| multiply(row, other, ahead))
}

/// The product of two rows of one length, which `ahead` has as well.
fn multiply(row: &[f32], other: &[f32], ahead: &[f32]) -> f64 {
    let mut lanes = [0.0_f32; LINE];
    for ((row, other), ahead) in row.chunks(LINE).zip(other.chunks(LINE)).zip(ahead.chunks(LINE)) {
        prefetch(&ahead[0]);
        lanes.iter_mut().zip(row.iter().zip(other)).for_each(|(lane, (left, right))| *lane += left * right);
    }
    f64::from(lanes.iter().sum::<f32>())
}

/// The same with the sums in registers: left to itself the compiler takes them through memory.
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2 {
    use std::arch::x86_64::{
        __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehdup_ps, _mm_movehl_ps, _mm256_add_ps,
        _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_setzero_ps,
    };

    use super::{LINE, prefetch};

    /// Components of a register.
    const EIGHT: usize = 8;

    /// Registers of eight components.
    type Part<const R: usize> = [__m256; R];

    /// Takes `WIDTH` components at a time, in `R` registers a row: eight times `R` is `WIDTH`.
    ///
    /// It begins where the row is aligned for a register: arrays seldom are, and then every second register would lie
    /// across two lines. The others are aligned there as well where rows are of whole registers.
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn multiply<const N: usize, const R: usize, const WIDTH: usize>(
        row: &[f32],
        others: [&[f32]; N],
        ahead: &[f32],
    ) -> [f64; N] {
        let head = row.as_ptr().align_offset(size_of::<__m256>()).min(row.len());
        let (row_head, row) = row.split_at(head);
        let (chunks, row_rest) = row.as_chunks::<WIDTH>();
        let (eights, row_tail) = row_rest.as_chunks::<EIGHT>();
        let parts = others.map(|other| other[head..].as_chunks::<WIDTH>());
        let rests = parts.map(|(_, rest)| rest.as_chunks::<EIGHT>());
        let (aheads, _) = ahead.as_chunks::<WIDTH>();
        let mut sums = [[_mm256_setzero_ps(); R]; N];
        for (at, (chunk, ahead)) in chunks.iter().zip(aheads).enumerate() {
            ahead.chunks_exact(LINE).for_each(|line| prefetch(&line[0]));
            let row = load::<R, WIDTH>(chunk);
            sums = std::array::from_fn(|other| add(sums[other], row, load::<R, WIDTH>(&parts[other].0[at])));
        }
        for (at, eight) in eights.iter().enumerate() {
            let [row] = load::<1, EIGHT>(eight);
            for (sums, (others, _)) in sums.iter_mut().zip(rests) {
                let [other] = load::<1, EIGHT>(&others[at]);
                sums[at % R] = _mm256_fmadd_ps(row, other, sums[at % R]);
            }
        }
        let ends = |other: usize| few(row_head, &others[other][..head]) + few(row_tail, rests[other].1);
        std::array::from_fn(|other| f64::from(total(sums[other]) + ends(other)))
    }

    /// The product of the few components before or behind whole registers.
    #[inline]
    fn few(row: &[f32], other: &[f32]) -> f32 {
        row.iter().zip(other).map(|(left, right)| left * right).sum()
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn load<const R: usize, const WIDTH: usize>(chunk: &[f32; WIDTH]) -> Part<R> {
        let (eights, _) = chunk.as_chunks::<EIGHT>();
        // SAFETY: a register of eight float32, of which every pattern of bits is valid.
        std::array::from_fn(|at| unsafe { std::mem::transmute::<[f32; EIGHT], __m256>(eights[at]) })
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn add<const R: usize>(sums: Part<R>, left: Part<R>, right: Part<R>) -> Part<R> {
        std::array::from_fn(|at| _mm256_fmadd_ps(left[at], right[at], sums[at]))
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn total<const R: usize>(sums: Part<R>) -> f32 {
        let mut apart = R;
        let mut sums = sums;
        while apart > 1 {
            apart /= 2;
            (0..apart).for_each(|at| sums[at] = _mm256_add_ps(sums[at], sums[at + apart]));
        }
        let four = _mm_add_ps(_mm256_castps256_ps128(sums[0]), _mm256_extractf128_ps::<1>(sums[0]));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ROUGHNESS, multiply};
    use crate::lanes::dot;

    proptest! {
        #[test]
        #[allow(clippy::cast_precision_loss, reason = "rows are short")]
        fn without_vectors_a_product_is_within_the_same_bound(
            components in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0, -60_i32..40), 0..150),
        ) {
            let scaled = |component: f32, power: i32| component * 2.0_f32.powi(power);
            let row: Vec<f32> = components.iter().map(|&(component, _, power)| scaled(component, power)).collect();
            let other: Vec<f32> = components.iter().map(|&(_, component, power)| scaled(component, power / 2)).collect();
            let norms = (dot(&row, &row, &[]) * dot(&other, &other, &[])).sqrt();

            let error = (multiply(&row, &other, &row) - dot(&row, &other, &[])).abs();

            prop_assert!(!(1e-30..=1e30).contains(&norms) || error <= norms * row.len() as f64 * ROUGHNESS);
        }
    }
}
