//! The definition of `truncate`: every number of graphemes is tried, from all of them down.

#![allow(clippy::unwrap_used)] // a test panics
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of small numbers

use brimful_core::boundary::{Boundary, Heads, Place};
use brimful_core::estimate::estimate_tokens;
use brimful_core::interrupt::{Never, Pace};
use brimful_core::tokens::count_tokens;
use brimful_core::truncate::{Cut, Kept, Options, Tokens};

pub(crate) fn count(text: &str, tokens: Tokens) -> i64 {
    let counts = match tokens {
        Tokens::Estimated(rule) => estimate_tokens(&[text], rule, &Never),
        Tokens::Exact(encoding) => count_tokens(&[text], encoding, &Never),
    };
    counts.unwrap()[0]
}

fn places(text: &str, boundary: Boundary) -> Vec<Place> {
    let (mut heads, pace) = (Heads::new(text, boundary), Pace::new(&Never));
    let mut places = vec![Place { at: 0, may_end: true, may_begin: true }];
    while places.last().unwrap().at < text.len() {
        places.push(heads.next(&pace).unwrap());
    }
    places
}

/// The piece of `count` graphemes, cut back to a boundary.
fn cut_back(places: &[Place], count: usize, cut: Cut) -> (usize, usize) {
    let last = places.len() - 1;
    let (first, rest) = match cut {
        Cut::End => (count, 0),
        Cut::Start => (0, count),
        Cut::Middle => (count.div_ceil(2), count / 2),
    };
    let head = places[..=first].iter().rfind(|place| place.may_end).unwrap().at;
    let tail = places[last - rest..last].iter().find(|place| place.may_begin).map_or(places[last].at, |place| place.at);
    (head, tail)
}

/// The piece that is kept, and 1 where the marker stands in it.
pub(crate) fn truncate(text: &str, budget: i64, options: &Options<'_>) -> (String, i64) {
    if count(text, options.tokens) <= budget {
        return (text.to_owned(), 0);
    }
    for (marker, marked) in [(options.marker, 1), ("", 0)] {
        for boundary in Boundary::COARSEST_FIRST.into_iter().skip_while(|&boundary| boundary != options.boundary) {
            let places = places(text, boundary);
            for graphemes in (1..places.len()).rev() {
                let (head, tail) = cut_back(&places, graphemes, options.cut);
                let piece = [&text[..head], marker, &text[tail..]].concat();
                let is_part = (head > 0 || tail < text.len()) && head < tail;
                if is_part && count(&piece, options.tokens) <= budget {
                    return (piece, marked);
                }
            }
        }
    }
    (String::new(), 0)
}

/// What the kernel keeps of the text in a row.
pub(crate) fn assemble(text: &str, kept: &Kept, row: usize, marker: &str) -> String {
    let head = text.chars().take(kept.heads[row] as usize);
    let tail = text.chars().skip(kept.tails[row] as usize);
    head.chain(marker.chars().filter(|_| kept.marked[row] == 1)).chain(tail).collect()
}
