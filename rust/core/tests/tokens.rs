//! Exact counts from outside: against known counts, in batches, with interrupts and on many threads.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::thread;

use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::parallel::{THRESHOLD_BYTES, set_threads};
use brimful_core::tokens::{Encoding, count_tokens};
use proptest::prelude::*;

/// Texts and their tokens in `cl100k_base` and `o200k_base`, by `encode_ordinary` of tiktoken 0.14.0.
const KNOWN: [(&str, [i64; 2]); 11] = [
    ("", [0, 0]),
    ("Hello, world!", [4, 4]),
    ("The harbour master closed both gates at 17:45, because the tide (3.2 m) wouldn't wait.", [25, 24]),
    ("def fold(values: list[float]) -> float:\n    return max(values[1:])\n", [17, 18]),
    ("会议定于二〇二四年三月五日在北京举行。", [20, 15]),
    ("東京タワーは333メートルです。", [14, 11]),
    ("서울에서 부산까지 KTX로 2시간 30분이 걸립니다.", [26, 17]),
    ("Поезд №7 отправился в 06:30.", [15, 12]),
    ("สวัสดีครับ שלום مرحبا", [18, 8]),
    ("👨\u{200D}👩\u{200D}👧\u{200D}👦 🇩🇪 ok", [25, 16]),
    ("<|endoftext|>", [7, 7]),
];

/// What is repeated, how often, and the tokens by the same.
const RUNS: [(&str, usize, [i64; 2]); 9] = [
    ("a", 10_000, [1250, 1250]),
    (" ", 10_000, [79, 79]),
    ("\n", 10_000, [313, 625]),
    ("\r\n", 5_000, [1250, 1250]),
    ("=", 10_000, [156, 156]),
    ("ab", 5_000, [5000, 2500]),
    ("字", 3_000, [3000, 3000]),
    ("0", 9_999, [3333, 3333]),
    ("\u{301}", 999, [999, 999]),
];

fn count(text: &str, encoding: Encoding) -> Result<Vec<i64>, Error> {
    count_tokens(&[text], encoding, &Never)
}

#[test]
fn known_texts_have_their_known_counts() -> Result<(), Error> {
    for (at, encoding) in Encoding::ALL.into_iter().enumerate() {
        let counts = count_tokens(&KNOWN.map(|(text, _)| text), encoding, &Never)?;
        assert_eq!(counts, KNOWN.map(|(_, counts)| counts[at]), "{encoding:?}");
    }
    Ok(())
}

#[test]
fn long_runs_have_their_known_counts() -> Result<(), Error> {
    for (at, encoding) in Encoding::ALL.into_iter().enumerate() {
        for (unit, times, counts) in RUNS {
            assert_eq!(count(&unit.repeat(times), encoding)?, [counts[at]], "{encoding:?} {unit:?}");
        }
    }
    Ok(())
}

#[test]
fn encodings_have_names() {
    assert_eq!(["cl100k_base", "o200k_base"].map(Encoding::parse), Encoding::ALL.map(Ok));
    for name in ["", "o200k", "O200K_BASE", "p50k_base"] {
        assert_eq!(Encoding::parse(name), Err(Error::UnknownOption { option: "encoding" }), "{name:?}");
    }
}

proptest! {
    #[test]
    fn a_batch_equals_its_texts_one_by_one(texts in prop::collection::vec("\\PC{0,30}", 0..30)) {
        for encoding in Encoding::ALL {
            let alone = texts.iter().map(|text| count(text, encoding)).collect::<Result<Vec<_>, _>>()?.concat();
            prop_assert_eq!(count_tokens(&texts, encoding, &Never)?, alone);
        }
    }

    #[test]
    fn a_text_has_at_most_a_token_a_byte_and_at_least_one(text in "\\PC{1,200}") {
        for encoding in Encoding::ALL {
            let tokens = usize::try_from(count(&text, encoding)?[0])?;
            prop_assert!((1..=text.len()).contains(&tokens), "{} tokens", tokens);
        }
    }

    #[test]
    fn a_line_break_before_a_word_parts_the_counts(head in "[ -~é字]{0,60}", tail in "[a-z字][ -~é字]{0,60}") {
        for encoding in Encoding::ALL {
            let (head, whole) = (format!("{head}\n"), format!("{head}\n{tail}"));
            prop_assert_eq!(count(&whole, encoding)?[0], count(&head, encoding)?[0] + count(&tail, encoding)?[0]);
        }
    }
}

/// Says stop at the look of that number, and counts the looks.
struct StopsAt {
    stop: u32,
    looks: Cell<u32>,
}

impl StopsAt {
    fn new(stop: u32) -> Self {
        Self { stop, looks: Cell::new(0) }
    }
}

impl Interrupt for StopsAt {
    fn check(&self) -> Result<(), Error> {
        let looks = self.looks.replace(self.looks.get() + 1);
        if looks == self.stop { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Texts that are counted each in another way, and how often they are looked up from at least.
fn long_texts() -> [(Vec<String>, u32); 4] {
    let letters: String = (0..20_000_u32).map(|at| char::from(b'a' + (at * at / 7 % 23) as u8)).collect();
    [
        (vec!["Many words, 12 of them. ".repeat(5_000)], 7),
        (vec![letters], 4),
        (vec!["中文字漢".repeat(10_000)], 4),
        (vec!["Short.".to_owned(); 2_000], 20),
    ]
}

#[test]
fn an_interrupt_stops_at_any_look_and_leaves_later_calls_right() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        for (texts, least) in long_texts() {
            let never = StopsAt::new(u32::MAX);
            let expected = count_tokens(&texts, encoding, &never)?;
            let looks = never.looks.get();
            assert!(looks >= least, "{looks} looks");
            for stop in 0..looks {
                let stops = StopsAt::new(stop);
                assert_eq!(count_tokens(&texts, encoding, &stops), Err(Error::Interrupted), "{stop} of {looks}");
                assert_eq!(stops.looks.get(), stop + 1);
            }
            assert_eq!(count_tokens(&texts, encoding, &Never)?, expected);
        }
    }
    Ok(())
}

/// The number of threads belongs to the process: tests that set it take turns.
static TURN: Mutex<()> = Mutex::new(());

fn with_threads<R>(count: usize, work: impl FnOnce() -> R) -> R {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    set_threads(count);
    let result = work();
    set_threads(1);
    drop(turn);
    result
}

/// Enough text for threads: each is another one, and none is as long as the next.
fn many_texts() -> Vec<String> {
    (0..600_usize).map(|at| format!("{at} {} ", KNOWN[at % KNOWN.len()].0).repeat(1 + at % 30)).collect()
}

#[test]
fn any_number_of_threads_counts_the_same() -> Result<(), Error> {
    let texts = many_texts();
    assert!(texts.concat().len() > THRESHOLD_BYTES);
    for encoding in Encoding::ALL {
        let alone = with_threads(1, || count_tokens(&texts, encoding, &Never))?;
        for threads in [2, 3, 8] {
            assert_eq!(with_threads(threads, || count_tokens(&texts, encoding, &Never))?, alone, "{threads} threads");
        }
        let stopped = with_threads(3, || count_tokens(&texts, encoding, &StopsAt::new(0)));
        assert_eq!(stopped, Err(Error::Interrupted));
        assert_eq!(with_threads(3, || count_tokens(&texts, encoding, &Never))?, alone);
    }
    Ok(())
}

#[test]
fn many_callers_at_once_count_the_same() -> Result<(), Error> {
    let texts = &many_texts()[..200];
    let [cl100k, o200k] = Encoding::ALL;
    let expected = (count_tokens(texts, cl100k, &Never)?, count_tokens(texts, o200k, &Never)?);
    let both = || Ok((count_tokens(texts, cl100k, &Never)?, count_tokens(texts, o200k, &Never)?));
    thread::scope(|scope| {
        let callers: Vec<_> = (0..8).map(|_| scope.spawn(both)).collect();
        for caller in callers {
            assert_eq!(caller.join().ok(), Some(Ok::<_, Error>(expected.clone())));
        }
    });
    Ok(())
}
