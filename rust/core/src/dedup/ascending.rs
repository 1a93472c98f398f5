//! Sorting that can be interrupted: few numbers at once, many by their digits.

use crate::error::Error;
use crate::interrupt::Pace;

/// So many are sorted at once: about a millisecond.
const FEW: usize = 1 << 16;

const DIGIT_BITS: u32 = 16;
const DIGITS: usize = 1 << DIGIT_BITS;
const NUMBERS_A_STEP: usize = 64;

/// Sorts numbers that may be many. Linear from 65,536 on.
pub(crate) fn sort(numbers: &mut Vec<u32>, pace: &Pace<'_>) -> Result<(), Error> {
    if numbers.len() <= FEW {
        pace.advance(numbers.len() / NUMBERS_A_STEP)?;
        numbers.sort_unstable();
        return Ok(());
    }
    for shift in [0, DIGIT_BITS] {
        *numbers = sorted_by_digit(numbers, shift, pace)?;
    }
    Ok(())
}

/// The numbers by one digit, otherwise in their order.
fn sorted_by_digit(numbers: &[u32], shift: u32, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
    let digit = |number: u32| (number >> shift) as usize % DIGITS;
    let mut ends = vec![0_usize; DIGITS + 1];
    for some in numbers.chunks(FEW) {
        pace.advance(FEW / NUMBERS_A_STEP)?;
        for &number in some {
            ends[digit(number) + 1] += 1;
        }
    }
    for at in 0..DIGITS {
        ends[at + 1] += ends[at];
    }
    let mut sorted = vec![0; numbers.len()];
    for some in numbers.chunks(FEW) {
        pace.advance(FEW / NUMBERS_A_STEP)?;
        for &number in some {
            let end = &mut ends[digit(number)];
            sorted[*end] = number;
            *end += 1;
        }
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::{FEW, sort};
    use crate::interrupt::{Never, Pace};

    #[test]
    fn many_are_sorted_as_few_are() {
        for count in [0, 1, 1000, FEW, FEW + 1, 3 * FEW] {
            for factor in [1, 0x9E37_79B9, 0] {
                let numbers: Vec<u32> = (0..).take(count).map(|number: u32| number.wrapping_mul(factor)).collect();
                let (mut expected, mut found) = (numbers.clone(), numbers);
                expected.sort_unstable();

                assert_eq!(Ok(()), sort(&mut found, &Pace::new(&Never)));

                assert_eq!(expected, found);
            }
        }
    }
}
