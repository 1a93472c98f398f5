//! Speed of each estimate rule over 1 MB of English-like and of mixed text, on one thread.
//!
//!     cargo bench --bench estimate

use std::hint::black_box;

use brimful_core::estimate::{Rule, estimate_tokens};
use brimful_core::interrupt::Never;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const NAMES: [&str; 6] = ["words_div_4", "words_times_1_3", "utf16_div_4", "chars_div_4", "script", "script_safe"];

const TEXTS: [(&str, &str); 3] = [
    ("ascii", "The quick brown fox jumps over 13 lazy dogs, again and again.\n"),
    ("latin", "Ein Wörterbuch für Bücher \u{2013} déjà vu, says the \u{201C}reader\u{201D} of 1,000 pages.\n"),
    ("chinese", "命令解释器的初始化脚本也可能执行。 "),
];

fn rules(criterion: &mut Criterion) {
    for (kind, sentence) in TEXTS {
        let text = sentence.repeat((1 << 20) / sentence.len());
        let mut group = criterion.benchmark_group(format!("estimate_tokens/{kind}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        for name in NAMES {
            let Ok(rule) = Rule::parse(name) else { continue };
            group.bench_function(name, |bencher| {
                bencher.iter_batched(
                    || [text.as_str()],
                    |texts| estimate_tokens(black_box(&texts), rule, &Never),
                    BatchSize::SmallInput,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(benches, rules);
criterion_main!(benches);
