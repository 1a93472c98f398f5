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
    let (square, product) = norm_and_dot(row, &wide);

    prop_assert_eq!(naive(row, &wide).to_bits(), dot(row, &wide).to_bits());
    prop_assert_eq!(naive(row, &wide).to_bits(), product.to_bits());
    prop_assert_eq!(naive(row, &own).to_bits(), square.to_bits());
    Ok(())
}

/// Two rows of one width, around the sixteen lanes and beyond.
fn pairs<C: std::fmt::Debug + Clone>(
    components: impl Strategy<Value = C> + Clone,
) -> impl Strategy<Value = (Vec<C>, Vec<C>)> {
    (0_usize..70).prop_flat_map(move |width| {
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
}
