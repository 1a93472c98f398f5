//! Dot products that give the same bits on every machine.
//!
//! Component j is multiplied and added in lane j mod 16; the lanes are added by a fixed tree, 8, 4, 2 and 1 apart. The
//! product of two float32 is exact in float64, so fusing multiply and add cannot change a sum of such products; float64
//! products are rounded first, always. numpy's `add.reduce` over `(n, m, 16)` adds in the same order.
#![allow(unsafe_code, reason = "the calls of functions compiled for AVX2 and FMA, behind the check for both")]
#![allow(clippy::inline_always, reason = "a loop is compiled for AVX2 only where it is inlined into such a function")]

const LANES: usize = 16;

/// A component of a row: float32 or float64.
pub trait Component: Copy + Send + Sync {
    /// Whether a product of two is exact in float64.
    const EXACT: bool;

    /// The component in float64: exact.
    fn wide(self) -> f64;
}

impl Component for f32 {
    const EXACT: bool = true;

    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Component for f64 {
    const EXACT: bool = false;

    #[inline]
    fn wide(self) -> f64 {
        self
    }
}

/// The dot product of `row` with `wide` components that came from rows of the same type; the shorter length counts.
#[must_use]
pub fn dot<C: Component>(row: &[C], wide: &[f64]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both features, and the function has no other demand.
        return unsafe { dot_avx2(row, wide) };
    }
    dot_lanes::<C, false>(row, wide)
}

/// The dot products of `row` with itself and with `wide`, in one pass over `row`.
#[must_use]
pub fn norm_and_dot<C: Component>(row: &[C], wide: &[f64]) -> (f64, f64) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both features, and the function has no other demand.
        return unsafe { norm_and_dot_avx2(row, wide) };
    }
    norm_and_dot_lanes::<C, false>(row, wide)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dot_avx2<C: Component>(row: &[C], wide: &[f64]) -> f64 {
    dot_lanes::<C, true>(row, wide)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn norm_and_dot_avx2<C: Component>(row: &[C], wide: &[f64]) -> (f64, f64) {
    norm_and_dot_lanes::<C, true>(row, wide)
}

#[inline(always)]
fn dot_lanes<C: Component, const FUSE: bool>(row: &[C], wide: &[f64]) -> f64 {
    let mut lanes = Lanes::default();
    let (rows, row_tail) = row.as_chunks::<LANES>();
    let (wides, wide_tail) = wide.as_chunks::<LANES>();
    for (row, wide) in rows.iter().zip(wides) {
        lanes.add::<C, FUSE>(row, wide);
    }
    lanes.finish(row_tail, wide_tail)
}

#[inline(always)]
fn norm_and_dot_lanes<C: Component, const FUSE: bool>(row: &[C], wide: &[f64]) -> (f64, f64) {
    let (mut norms, mut dots) = (Lanes::default(), Lanes::default());
    let (rows, row_tail) = row.as_chunks::<LANES>();
    let (wides, wide_tail) = wide.as_chunks::<LANES>();
    for (row, wide) in rows.iter().zip(wides) {
        norms.add::<C, FUSE>(row, &row.map(C::wide));
        dots.add::<C, FUSE>(row, wide);
    }
    let mut widened = [0.0; LANES];
    for (widened, component) in widened.iter_mut().zip(row_tail) {
        *widened = component.wide();
    }
    (norms.finish(row_tail, &widened), dots.finish(row_tail, wide_tail))
}

/// Sixteen sums, four to a register of four: the compiler keeps this shape where a flat array gets shuffled.
#[derive(Clone, Copy, Default)]
struct Lanes([[f64; 4]; 4]);

impl Lanes {
    /// Fuses only where that cannot change the result, and only where the processor can.
    #[inline(always)]
    fn add<C: Component, const FUSE: bool>(&mut self, row: &[C; LANES], wide: &[f64; LANES]) {
        for register in 0..4 {
            for lane in 0..4 {
                let (left, right) = (row[4 * register + lane].wide(), wide[4 * register + lane]);
                let sum = &mut self.0[register][lane];
                *sum = if FUSE && C::EXACT { left.mul_add(right, *sum) } else { *sum + left * right };
            }
        }
    }

    /// Adds the components after the last sixteen, then the lanes. Apart from the loop, which it would spoil.
    #[inline(never)]
    fn finish<C: Component>(self, row: &[C], wide: &[f64]) -> f64 {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(self.0.as_flattened());
        for (lane, (component, wide)) in lanes.iter_mut().zip(row.iter().zip(wide)) {
            *lane += component.wide() * wide;
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
}
