//! Speed of `near_duplicates` on chunks of 200 words, a fifth of them edited copies, on one thread.
//!
//!     cargo bench --bench near_duplicates
//!
//! The verdicts are compared with those of the plain form before anything is timed.

use std::collections::HashSet;
use std::hint::black_box;

use brimful_core::dedup::{Options, Verdicts, near_duplicates};
use brimful_core::interrupt::Never;
use brimful_core::shingle::Shingles;
use brimful_core::text::Words;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const WORDS_A_TEXT: usize = 200;
const VOCABULARY: u64 = 50_000;
const MOST_EDITS: u64 = 6;
const OPTIONS: Options = Options {
    shingle_size: 5,
    threshold: 0.85,
    containment: None,
    words: Words::Whitespace,
    shingles: Shingles::Words,
    normalize: false,
    distinguish_facts: false,
};

fn requests(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("near_duplicates");
    for count in [10, 100, 1000] {
        let texts = request(count);
        assert_eq!(near_duplicates(&texts, &OPTIONS, &Never), Ok(plain_verdicts(&texts)));
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), &texts, |bencher, texts| {
            bencher.iter(|| near_duplicates(black_box(texts), &OPTIONS, &Never));
        });
    }
    group.finish();
}

/// The same chunks in other letters, in bytes of text a second: of two bytes, with every word in capitals at first, and
/// of three.
fn scripts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("near_duplicates in other letters");
    for (script, small, capital) in
        [("ascii", 'a', 'A'), ("cyrillic", 'а', 'А'), ("titles", 'а', 'А'), ("han", '一', '丁')]
    {
        let mut texts: Vec<String> = request(100).iter().map(|text| in_letters(text, small, capital)).collect();
        if script == "titles" {
            texts = texts.iter().map(|text| titled(text)).collect();
        }
        group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
        group.bench_with_input(BenchmarkId::from_parameter(script), &texts, |bencher, texts| {
            bencher.iter(|| near_duplicates(black_box(texts), &OPTIONS, &Never));
        });
    }
    group.finish();
}

/// A text of ASCII with other letters for its small ones and its capitals, in the order of the alphabet.
fn in_letters(text: &str, small: char, capital: char) -> String {
    let shift = |letter: char, from: char, to: char| {
        char::from_u32(u32::from(to) + u32::from(letter) - u32::from(from)).unwrap_or(letter)
    };
    let moved = text.chars().map(|letter| match letter {
        'a'..='z' => shift(letter, 'a', small),
        'A'..='Z' => shift(letter, 'A', capital),
        _ => letter,
    });
    moved.collect()
}

/// A text whose words begin with capitals.
fn titled(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The plain form: every text against every kept one, in order.
fn plain_verdicts(texts: &[String]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let mut kept = Vec::new();
    for (position, text) in (0..).zip(texts) {
        let folded = text.to_ascii_lowercase();
        let words: Vec<&str> = folded.split_whitespace().collect();
        let own: HashSet<String> = words.windows(OPTIONS.shingle_size).map(|window| window.join(" ")).collect();
        let found = first_match(&own, &kept);
        let (origin, similarity) = found.unwrap_or((-1, 0.0));
        verdicts.origins.push(origin);
        verdicts.similarities.push(similarity);
        if found.is_none() {
            kept.push((position, own));
        }
    }
    verdicts
}

fn first_match(own: &HashSet<String>, kept: &[(i64, HashSet<String>)]) -> Option<(i64, f64)> {
    kept.iter().map(|(position, other)| (*position, jaccard(own, other))).find(|&(_, found)| found >= OPTIONS.threshold)
}

#[allow(clippy::cast_precision_loss)] // a few hundred shingles
fn jaccard(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let shared = one.intersection(other).count();
    shared as f64 / (one.len() + other.len() - shared) as f64
}

/// Chunks as one request has them, the same on every run: every fifth is an edited copy of an earlier one.
fn request(count: usize) -> Vec<String> {
    let mut dice = Dice(1);
    let mut texts: Vec<Vec<String>> = Vec::with_capacity(count);
    for position in 0..count {
        let text = if position % 5 == 4 {
            edited(&texts[dice.below(position as u64)], &mut dice)
        } else {
            (0..WORDS_A_TEXT).map(|_| dice.word()).collect()
        };
        texts.push(text);
    }
    texts.iter().map(|words| words.join(" ")).collect()
}

/// A copy with up to six words replaced, one of which may be in capitals now.
fn edited(words: &[String], dice: &mut Dice) -> Vec<String> {
    let mut copy = words.to_vec();
    for _ in 0..dice.below(MOST_EDITS + 1) {
        let at = dice.below(copy.len() as u64);
        copy[at] = dice.word();
    }
    let at = dice.below(copy.len() as u64);
    copy[at] = copy[at].to_ascii_uppercase();
    copy
}

/// A source of repeatable chance: a 64-bit linear congruential generator, of which the upper bits are used.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    #[allow(clippy::cast_possible_truncation)] // below `bound`, which is a length or a small number
    fn below(&mut self, bound: u64) -> usize {
        (self.next() % bound) as usize
    }

    /// A word whose frequency falls with its rank: the product of three even draws leans to the small numbers.
    fn word(&mut self) -> String {
        let evenly = 1 << 31;
        let rank = (VOCABULARY * self.next() / evenly) * self.next() / evenly * self.next() / evenly;
        spell(rank)
    }
}

/// A pronounceable word for a rank, a short one for a small rank.
fn spell(mut rank: u64) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za"];
    let mut word = String::new();
    loop {
        word.push_str(SYLLABLES[usize::from(rank.to_le_bytes()[0] & 15)]);
        rank >>= 4;
        if rank == 0 {
            return word;
        }
    }
}

criterion_group!(benches, requests, scripts);
criterion_main!(benches);
