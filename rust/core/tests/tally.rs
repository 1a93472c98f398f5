//! Counts of numbers, against an ordered map.

use std::collections::BTreeMap;

use brimful_core::tally::Tally;
use proptest::prelude::*;

fn batch() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0_u32..4, 60_u32..70, 0_u32..1_000_000], 0..40)
}

proptest! {
    #[test]
    fn each_batch_is_counted_in_ascending_order_and_by_itself(batches in prop::collection::vec(batch(), 0..6)) {
        let mut tally = Tally::default();
        for batch in batches {
            let mut expected = BTreeMap::new();
            for &number in &batch {
                *expected.entry(number).or_insert(0.0) += 1.0;
            }
            let end = batch.iter().max().map_or(0, |&largest| largest as usize + 1);
            let mut found = Vec::new();

            prop_assert_eq!(Ok(()), tally.count(&batch, end, |number, count| found.push((number, count))));
            prop_assert_eq!(expected.into_iter().collect::<Vec<_>>(), found);
        }
    }
}
