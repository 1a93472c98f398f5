//! `near_duplicates` against the definition: sets of strings, compared pair by pair.
#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::HashSet;

use brimful_core::dedup::{Mode, Options, Verdicts, near_duplicates, near_duplicates_in};
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
        texts in texts(), size in prop::sample::select(vec![1_usize, 2, 3, 5, 8, 32]), threshold in bounds(), containment in prop::option::of(bounds()),
    ) {
        let options = options(size, threshold, containment);

        let expected = Ok(naive(&texts, &options));
        for mode in [Mode::Fast, Mode::LowMemory] {
            prop_assert_eq!(&expected, &near_duplicates_in(mode, &texts, &options, &Never));
        }
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
    for containment in [None, Some(0.9)] {
        let options = Options { distinguish_facts: true, ..options(3, 0.7, containment) };
        let judged = [1, 2, 5].map(|threads| {
            set_threads(threads);
            [Mode::Fast, Mode::LowMemory].map(|mode| near_duplicates_in(mode, &texts, &options, &Never))
        });
        set_threads(1);

        assert!(judged[0][0].is_ok());
        assert!(judged.iter().flatten().all(|verdicts| *verdicts == judged[0][0]));
    }
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

/// A long text stores a shingle a word; were they in as few lists as those of short texts, this would take minutes.
#[test]
fn a_text_of_many_distinct_words_and_its_copy_take_no_quadratic_time() {
    let text = (0..400_000).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
    let texts = [text.clone(), format!("{text} x")];
    for options in [options(5, 0.85, None), options(5, 0.5, Some(0.8))] {
        let judged = near_duplicates(&texts, &options, &Never).expect("nothing interrupts");

        assert_eq!(vec![-1, 0], judged.origins);
    }
}

/// Copies of one text, each with some words of its own and some that a few share.
fn variants(count: usize) -> Vec<String> {
    let variant = |number: usize| {
        let word = |at: usize| {
            if at * 7 % 90 < number % 4 || at == number % 60 { format!("x{number}") } else { format!("w{at}") }
        };
        (0..90).map(word).collect::<Vec<_>>().join(" ")
    };
    (0..count).map(variant).collect()
}

#[test]
fn variants_around_the_threshold_are_judged_by_the_definition() {
    let texts = variants(120);
    for thousandth in (500..1000).step_by(31) {
        for containment in [None, Some(0.8)] {
            let options = options(3, f64::from(thousandth) / 1000.0, containment);

            assert_eq!(Ok(naive(&texts, &options)), near_duplicates(&texts, &options, &Never));
        }
    }
}

#[test]
fn every_thousandth_decides_as_the_division_does() {
    let text = |words: i32| (0..words).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = (1..=40).map(text).collect();
    for thousandth in -1..=1001 {
        let threshold = f64::from(thousandth) / 1000.0;
        // A text of n words shares the n of a shorter one, so its first repeat is known without sets.
        let mut kept: Vec<i32> = Vec::new();
        let judge_one = |words| {
            let repeats = |&fewer: &i32| f64::from(fewer) / f64::from(words) >= threshold;
            let found = kept.iter().copied().find(repeats);
            if found.is_none() {
                kept.push(words);
            }
            found.map_or(-1, |fewer| i64::from(fewer) - 1)
        };
        let expected: Vec<i64> = (1..=40).map(judge_one).collect();
        for mode in [Mode::Fast, Mode::LowMemory] {
            let judged = near_duplicates_in(mode, &texts, &options(1, threshold, None), &Never);
            assert_eq!(Ok(&expected), judged.as_ref().map(|verdicts| &verdicts.origins), "{threshold}");
        }
    }
}

#[test]
fn a_cluster_at_the_threshold_is_the_same_in_both_modes_and_keeps_what_is_not_similar() {
    let texts = variants(1500);
    let options = options(3, 0.9, None);

    let judged = [Mode::Fast, Mode::LowMemory].map(|mode| near_duplicates_in(mode, &texts, &options, &Never));

    assert_eq!(judged[0], judged[1]);
    let origins = &judged[0].as_ref().expect("nothing interrupts").origins;
    let kept: Vec<String> =
        texts.iter().zip(origins).filter(|(_, origin)| **origin < 0).map(|(text, _)| text.clone()).collect();
    assert!(kept.len() > 100 && kept.len() < texts.len());
    assert_eq!(Ok(vec![-1; kept.len()]), near_duplicates(&kept, &options, &Never).map(|verdicts| verdicts.origins));
}

#[test]
fn many_texts_of_one_word_repeat_their_first() {
    let texts: Vec<String> = (0..60_000).map(|number| format!("w{}", number * 7 % 40_000)).collect();
    let mut first = std::collections::HashMap::new();
    let expected: Vec<i64> = (0..).zip(&texts).map(|(at, text)| first.insert(text, at).map_or(-1, |_| 0)).collect();
    for options in [options(5, 0.85, None), options(5, 0.5, Some(0.8)), options(1, 0.85, None)] {
        let judged = near_duplicates(&texts, &options, &Never).expect("nothing interrupts");

        assert!(judged.origins.iter().zip(&expected).all(|(origin, expected)| (*origin < 0) == (*expected < 0)));
        assert!(
            judged
                .origins
                .iter()
                .zip(&texts)
                .all(|(&at, text)| usize::try_from(at).is_ok_and(|at| texts[at] == *text) || at < 0)
        );
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
