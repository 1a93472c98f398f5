//! Quotients of counts.

use brimful_core::jaccard::{containment, jaccard};

#[test]
fn quotients_are_rounded_once() {
    let bits = |quotients: [f64; 3]| quotients.map(f64::to_bits);

    assert_eq!(bits([0.8, 0.0, 17.0 / 20.0]), bits([jaccard(16, 20, 16), jaccard(0, 1, 1), jaccard(17, 18, 19)]));
    assert_eq!(bits([1.0 / 3.0, 1.0, 0.0]), bits([containment(1, 3), containment(7, 7), containment(0, 9)]));
}
