//! Speed of `tfidf_scores` on chunks of 200 words, and of `tfidf_similarities` on 50 of them, on one thread.
//!
//!     cargo bench --bench tfidf
//!
//! The scores are compared with those of the plain form before anything is timed.

use std::collections::HashMap;
use std::hint::black_box;

use brimful_core::interrupt::Never;
use brimful_core::pairwise::tfidf_similarities;
use brimful_core::tfidf::tfidf_scores;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const WORDS_A_TEXT: usize = 200;
const VOCABULARY: u64 = 50_000;
const PAIRED: usize = 50;
const CLOSE: f64 = 1e-12;

fn scores(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tfidf_scores");
    for count in [100, 1000] {
        let (query, texts) = chunks(count);
        assert_close(&tfidf_scores(&query, &texts, false, &Never).unwrap_or_default(), &plain_scores(&query, &texts));
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), &texts, |bencher, texts| {
            bencher.iter(|| tfidf_scores(&query, black_box(texts), false, &Never));
        });
    }
    group.finish();
}

fn pairs(criterion: &mut Criterion) {
    let (query, texts) = chunks(PAIRED);
    let all: Vec<usize> = (0..PAIRED).collect();
    let Ok(found) = tfidf_similarities(None, &texts, &all, false, &Never) else { return };
    assert_close(&found.cosines[..PAIRED], &plain_scores(&texts[0], &texts));
    criterion.bench_function("tfidf_similarities among 50", |bencher| {
        bencher.iter(|| tfidf_similarities(Some(&query), black_box(&texts), &all, false, &Never));
    });
}

fn assert_close(found: &[f64], plain: &[f64]) {
    assert_eq!(found.len(), plain.len());
    assert!(found.iter().zip(plain).all(|(found, plain)| (found - plain).abs() < CLOSE));
}

/// The plain form: vectors as maps from words to weights.
fn plain_scores(query: &str, texts: &[String]) -> Vec<f64> {
    let rows: Vec<_> = texts.iter().map(|text| counts(text)).collect();
    let mut having: HashMap<&str, f64> = HashMap::new();
    rows.iter().flat_map(HashMap::keys).for_each(|word| *having.entry(word).or_default() += 1.0);
    let rows_and_one = rows.iter().fold(1.0, |count, _| count + 1.0);
    let idf = |word: &str| having.get(word).map_or(0.0, |having| (rows_and_one / (having + 1.0_f64)).ln() + 1.0);
    let dot = |one: &HashMap<&str, f64>, other: &HashMap<&str, f64>| -> f64 {
        one.iter().map(|(word, count)| count * other.get(word).unwrap_or(&0.0) * idf(word).powi(2)).sum()
    };
    let asked = counts(query);
    let cosine = |row: &HashMap<&str, f64>| dot(&asked, row) / (dot(row, row) * dot(&asked, &asked)).sqrt();
    rows.iter().map(cosine).collect()
}

fn counts(text: &str) -> HashMap<&str, f64> {
    let mut counts = HashMap::new();
    text.split(' ').for_each(|word| *counts.entry(word).or_default() += 1.0);
    counts
}

/// A query of twelve words and chunks, the same on every run.
fn chunks(count: usize) -> (String, Vec<String>) {
    let mut dice = Dice(1);
    (dice.text(12), (0..count).map(|_| dice.text(WORDS_A_TEXT)).collect())
}

/// A source of repeatable chance: a 64-bit linear congruential generator, of which the upper bits are used.
struct Dice(u64);

impl Dice {
    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| spell(self.rank())).collect::<Vec<_>>().join(" ")
    }

    /// The product of three even draws leans to the small numbers, which are the frequent words.
    fn rank(&mut self) -> u64 {
        let evenly = 1 << 31;
        (VOCABULARY * self.next() / evenly) * self.next() / evenly * self.next() / evenly
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
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

criterion_group!(benches, scores, pairs);
criterion_main!(benches);
