//! Speed of exact token counts over 256 KB of made-up text of several kinds, seen before, on one thread.
//!
//!     cargo bench --bench tokens
//!
//! Whether the counts are right is for the tests to say. Here the count of a text that ends in a newline is held against
//! that of the text twice over, before anything is timed: it is half of it.

use std::hint::black_box;

use brimful_core::interrupt::Never;
use brimful_core::tokens::{Encoding, count_tokens};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SIZE: usize = 1 << 18;

/// Syllables that words are strung together from, how many a word may have, and what stands between words.
const KINDS: [(&str, &[&str], usize, &str); 5] = [
    ("latin", &["the", "re", "in", "con", "ation", "er", "st", "al", "o", "ment", "ly", "un"], 4, " "),
    ("code", &["self", "_", "index", "get", "0", "(", ")", "==", "\n    ", ".", "value", "12"], 5, " "),
    ("russian", &["по", "ни", "ст", "ра", "во", "ение", "ть", "ого", "не", "при"], 4, " "),
    ("chinese", &["命", "令", "解释", "器", "的", "初始", "化", "，", "中", "国", "人", "可能"], 3, ""),
    ("emoji", &["\u{1F600}", "\u{1F44D}\u{1F3FD}", "\u{1F680}", " go", "\u{2764}\u{FE0F}", "!"], 3, " "),
];

/// A text of about [`SIZE`] bytes that begins with a letter and ends in a newline.
fn write_text(syllables: &[&str], longest: usize, gap: &str) -> String {
    let (mut text, mut state) = (String::from("Go"), 1_u64);
    // Knuth's linear congruential generator.
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below
    };
    while text.len() < SIZE {
        for _ in 0..=draw(longest) {
            text.push_str(syllables[draw(syllables.len())]);
        }
        text.push_str(gap);
    }
    text + ".\n"
}

/// The tokens of a text.
fn count(text: &str, encoding: Encoding) -> i64 {
    count_tokens(&[text], encoding, &Never).map_or(-1, |counts| counts[0])
}

fn texts(criterion: &mut Criterion) {
    for (kind, syllables, longest, gap) in KINDS {
        let text = write_text(syllables, longest, gap);
        let mut group = criterion.benchmark_group(format!("count_tokens/{kind}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (name, encoding) in ["cl100k_base", "o200k_base"].into_iter().zip(Encoding::ALL) {
            let once = count(&text, encoding);
            assert!(once > 0 && count(&text.repeat(2), encoding) == 2 * once, "{kind}, {name}");
            group.bench_function(name, |bencher| bencher.iter(|| count(black_box(&text), encoding)));
        }
        group.finish();
    }
}

criterion_group!(benches, texts);
criterion_main!(benches);
