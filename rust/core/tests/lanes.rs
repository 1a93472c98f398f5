//! Dot products, against one addition at a time in the order of the definition.

use brimful_core::lanes::{Component, dot, norm_and_dot};
use proptest::prelude::*;

fn naive<C: Component>(row: &[C], wide: &[f64]) -> f64 {
    let mut lanes = [0.0; 16];
    for (place, (component, wide)) in row.iter().zip(wide).enumerate() {
        lanes[place % 16] += component.wide() * wide;
    }
    for apart in [8, 4, 2, 1] {
        for lane in 0..apart {
            lanes[lane] += lanes[lane + apart];
        }
    }
    lanes[0]
}

fn check<C: Component>(row: &[C], other: &[C]) -> Result<(), TestCaseError> {
    let wide: Vec<f64> = other.iter().map(|component| component.wide()).collect();
    let own: Vec<f64> = row.iter().map(|component| component.wide()).collect();
    let (square, product) = norm_and_dot(row, &wide, other);

    prop_assert_eq!(naive(row, &wide).to_bits(), dot(row, &wide, &[]).to_bits());
    prop_assert_eq!(naive(row, &wide).to_bits(), dot(row, other, other).to_bits());
    prop_assert_eq!(naive(row, &wide).to_bits(), product.to_bits());
    prop_assert_eq!(naive(row, &own).to_bits(), square.to_bits());
    Ok(())
}

/// Whether the quick form is as near as it says.
#[allow(clippy::cast_precision_loss, reason = "rows are short")]
fn check_rough(row: &[f32], other: &[f32]) -> Result<(), TestCaseError> {
    let wide = |row: &[f32]| row.iter().map(|component| component.wide()).collect::<Vec<f64>>();
    let (row_wide, other_wide) = (wide(row), wide(other));
    let norms = (naive(row, &row_wide) * naive(other, &other_wide)).sqrt();
    let allowed = norms * row.len() as f64 * f32::ROUGHNESS;

    let [alone] = f32::rough_dots(row, [other], &[]);
    let together = f32::rough_dots(row, [other, row, other, other], row);

    for (rough, exact) in [(alone, naive(row, &other_wide)), (together[0], naive(row, &other_wide))] {
        prop_assert!(!(1e-30..=1e30).contains(&norms) || (rough - exact).abs() <= allowed);
    }
    // The same sums in the same order, whatever stands beside them.
    prop_assert_eq!(together[0].to_bits(), together[2].to_bits());
    prop_assert_eq!(together[0].to_bits(), together[3].to_bits());
    prop_assert_eq!(together[1].to_bits(), f32::rough_dots(row, [row; 4], &[])[0].to_bits());
    Ok(())
}

/// Two rows of one width, around the sixteen and the sixty-four lanes and beyond.
fn pairs<C: std::fmt::Debug + Clone>(
    components: impl Strategy<Value = C> + Clone,
) -> impl Strategy<Value = (Vec<C>, Vec<C>)> {
    (0_usize..150).prop_flat_map(move |width| {
        (prop::collection::vec(components.clone(), width), prop::collection::vec(components.clone(), width))
    })
}

proptest! {
    #[test]
    fn float32_sums_do_not_depend_on_the_processor((row, other) in pairs(-1e30_f32..1e30)) {
        check(&row, &other)?;
    }

    #[test]
    fn float64_sums_do_not_depend_on_the_processor((row, other) in pairs(-1e100_f64..1e100)) {
        check(&row, &other)?;
    }

    #[test]
    fn a_rough_product_is_within_its_bound((row, other) in pairs(-1e10_f32..1e10)) {
        check_rough(&row, &other)?;
    }

    #[test]
    fn a_rough_product_of_magnitudes_far_apart_is_within_its_bound(
        (row, other) in pairs((-1.0_f32..1.0, -120_i32..40).prop_map(|(share, power)| share * 2.0_f32.powi(power))),
    ) {
        check_rough(&row, &other)?;
    }
}

#[test]
fn a_rough_product_of_many_components_is_within_its_bound() {
    let row: Vec<f32> = (0..50_000_u16).map(|place| 1.0 + f32::from(place % 1009) / 1024.0).collect();

    assert_eq!(Ok(()), check_rough(&row, &row).map_err(|error| error.to_string()));
}

#[test]
fn the_shorter_row_counts() {
    let row: Vec<f64> = (0..40).map(f64::from).collect();

    for shorter in [0_u8, 3, 16, 20, 32, 39] {
        let narrow: Vec<f32> = (0..shorter).map(f32::from).collect();
        let shorter = usize::from(shorter);
        let bits = naive(&narrow, &row).to_bits();
        let wide: Vec<f32> = (0..40_u8).map(f32::from).collect();
        // Sums of small whole numbers are exact in float32 too.
        assert_eq!([bits; 3], f32::rough_dots(&wide, [&narrow, &wide, &wide], &[]).map(f64::to_bits));
        assert_eq!([bits], f32::rough_dots(&narrow, [&wide], &[]).map(f64::to_bits));
        assert_eq!(naive(&row[..shorter], &row).to_bits(), dot(&row, &row[..shorter], &[]).to_bits());
        assert_eq!(naive(&row[..shorter], &row).to_bits(), dot(&row[..shorter], &row, &[]).to_bits());
    }
}
