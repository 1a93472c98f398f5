//! `near_duplicates` against the definition: sets of strings, compared pair by pair.
#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::HashSet;

use brimful_core::dedup::{Options, Verdicts, near_duplicates};
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::parallel::{THRESHOLD_BYTES, set_threads};
use brimful_core::shingle::Shingles;
use brimful_core::text::Words;
use proptest::prelude::*;

fn options(shingle_size: usize, threshold: f64, containment: Option<f64>) -> Options {
    Options {
        shingle_size,
        threshold,
        containment,
        words: Words::Whitespace,
        shingles: Shingles::Words,
        normalize: false,
        distinguish_facts: false,
    }
}

fn judge(texts: &[&str], options: &Options) -> Verdicts {
    near_duplicates(texts, options, &Never).expect("nothing interrupts")
}

fn shingles(text: &str, size: usize) -> HashSet<String> {
    let words: Vec<_> = text.split(' ').filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    if words.len() < size {
        return HashSet::from([words.join(" ")]);
    }
    words.windows(size).map(|window| window.join(" ")).collect()
}

/// The definition, for texts of ASCII words and spaces.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_wrap)]
fn naive(texts: &[String], options: &Options) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for (position, text) in texts.iter().enumerate() {
        let own = shingles(text, options.shingle_size);
        let found = (0..position).filter(|&earlier| verdicts.origins[earlier] < 0).find_map(|earlier| {
            let other = shingles(&texts[earlier], options.shingle_size);
            let shared = own.intersection(&other).count() as f64;
            let jaccard = shared / own.union(&other).count() as f64;
            let containment = shared / own.len() as f64;
            let contained = options.containment.is_some_and(|bound| containment >= bound);
            let similarity = if jaccard >= options.threshold { jaccard } else { containment };
            (jaccard >= options.threshold || contained).then_some((earlier, similarity))
        });
        verdicts.origins.push(found.map_or(-1, |(earlier, _)| earlier as i64));
        verdicts.similarities.push(found.map_or(0.0, |(_, similarity)| similarity));
    }
    verdicts
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[abA]{0,1}( {1,2}[abc]){0,12}", 0..10)
}

fn bounds() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![-1.0, 0.0, 1e-9, 0.25, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.8, 0.85, 1.0, 1.1])
}

proptest! {
    #[test]
    fn verdicts_are_those_of_the_definition(
        texts in texts(), size in 1_usize..6, threshold in bounds(), containment in prop::option::of(bounds()),
    ) {
        let options = options(size, threshold, containment);

        let found = near_duplicates(&texts, &options, &Never);

        prop_assert_eq!(Ok(naive(&texts, &options)), found);
    }
}

#[test]
fn no_texts_give_no_verdicts() {
    assert_eq!(Verdicts::default(), judge(&[], &options(5, 0.85, None)));
}

#[test]
fn threads_change_nothing() {
    let texts: Vec<String> =
        (0..3000).map(|n| format!("{} text {} of many", "padding ".repeat(n % 40), n % 700)).collect();
    assert!(texts[..1024].iter().map(String::len).sum::<usize>() < THRESHOLD_BYTES * 2);
    let judged = [1, 2, 5].map(|threads| {
        set_threads(threads);
        near_duplicates(&texts, &options(3, 0.7, Some(0.9)), &Never)
    });
    set_threads(1);

    assert!(judged[0].is_ok());
    assert!(judged.iter().all(|verdicts| *verdicts == judged[0]));
}

/// Stops at the first look.
struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_ends_the_work() {
    let texts = vec!["a b c d e f g ".repeat(400); 20];

    assert_eq!(Err(Error::Interrupted), near_duplicates(&texts, &options(5, 0.85, None), &Always));
}

#[test]
fn facts_keep_contradicting_texts_apart() {
    let options = Options { distinguish_facts: true, ..options(1, 0.5, None) };

    let judged = judge(&["rose by 3.5 in Rome", "rose by 5.3 in Rome", "rose by 3.5 in rome"], &options);

    assert_eq!(vec![-1, -1, 0], judged.origins);
}

#[test]
fn long_texts_and_parts_of_them_are_judged_by_the_definition() {
    let words: Vec<String> = (0..6000).map(|number| format!("w{}", number * number % 5003)).collect();
    let edited = |every: usize| {
        let edit = |(at, word): (usize, &String)| if at % every == 0 { format!("x{at}") } else { word.clone() };
        words.iter().enumerate().map(edit).collect::<Vec<_>>().join(" ")
    };
    let whole = words.join(" ");
    let part = words[100..160].join(" ");
    let texts = [whole.clone(), part.clone(), edited(40), edited(20), format!("{part} {part}"), edited(2000), part];
    for options in [options(5, 0.85, None), options(5, 0.85, Some(0.8)), options(1, 0.5, Some(1.0))] {
        let judged = near_duplicates(&texts, &options, &Never);

        assert_eq!(Ok(naive(&texts, &options)), judged);
    }
}

#[test]
fn variants_around_the_threshold_are_judged_by_the_definition() {
    let variant = |number: usize| {
        let word = |at: usize| {
            if at * 7 % 90 < number % 4 || at == number % 60 { format!("x{number}") } else { format!("w{at}") }
        };
        (0..90).map(word).collect::<Vec<_>>().join(" ")
    };
    let texts: Vec<String> = (0..120).map(variant).collect();
    for thousandth in (500..1000).step_by(31) {
        let options = options(3, f64::from(thousandth) / 1000.0, None);

        assert_eq!(Ok(naive(&texts, &options)), near_duplicates(&texts, &options, &Never));
    }
}

#[test]
fn of_equal_texts_the_first_is_kept() {
    let texts = vec!["Always the same words, again and again."; 5000];

    let judged = judge(&texts, &options(5, 0.85, None));

    assert_eq!(-1, judged.origins[0]);
    assert!(judged.origins[1..].iter().all(|&origin| origin == 0));
    assert!(judged.similarities[1..].iter().all(|similarity| similarity.total_cmp(&1.0).is_eq()));
}
