//! Texts cut to a budget of tokens: the longest piece that fits, with the marker inside the budget.

use crate::boundary::{Boundary, Heads, Tails};
use crate::error::Error;
use crate::estimate::Rule;
use crate::interrupt::{Interrupt, Pace};
use crate::parallel::map_rows;
use crate::ruler::{EstimateRuler, Measured, Piece, Ruler};
use crate::tokens::{Encoding, with_exact_ruler};

/// Bytes between two looks at the interrupt.
const BLOCK: usize = 64 * 1024;

/// Where text is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At the end: the beginning is kept.
    End,
    /// At the start: the end is kept.
    Start,
    /// Between the two, which get the same number of graphemes, the beginning an odd one.
    Middle,
}

impl Cut {
    /// The cut of that name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "end" => Ok(Self::End),
            "start" => Ok(Self::Start),
            "middle" => Ok(Self::Middle),
            _ => Err(Error::UnknownOption { option: "cut" }),
        }
    }
}

/// What tokens are.
#[derive(Clone, Copy, Debug)]
pub enum Tokens {
    /// Estimates by a rule.
    Estimated(Rule),
    /// The exact tokens of an encoding.
    Exact(Encoding),
}

/// How texts are cut.
#[derive(Clone, Copy, Debug)]
pub struct Options<'m> {
    /// What the budget counts.
    pub tokens: Tokens,
    /// Where text is removed.
    pub cut: Cut,
    /// What stays whole, as long as anything fits.
    pub boundary: Boundary,
    /// What stands where text was removed.
    pub marker: &'m str,
}

/// What is kept of each text: its first `heads` and all from `tails` on, in code points, around the marker.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Code points at the beginning.
    pub heads: Vec<i64>,
    /// Code points before the rest that is kept.
    pub tails: Vec<i64>,
    /// 1 where the marker stands between them, else 0.
    pub marked: Vec<i64>,
    /// The estimate of what is kept with its marker.
    pub tokens: Vec<i64>,
}

/// The longest piece of each text that fits its budget, which is the number at the same position.
///
/// Linear in what the budget reaches, apart from the count of code points and a logarithm of counts.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`]; [`Error::Vocabulary`] where the packed vocabulary is damaged.
///
/// ```
/// use brimful_core::{boundary::Boundary, estimate::Rule, interrupt::Never};
/// use brimful_core::truncate::{truncate, Cut, Options, Tokens};
/// let tokens = Tokens::Estimated(Rule::CharsDiv4);
/// let options = Options { tokens, cut: Cut::End, boundary: Boundary::Word, marker: "..." };
/// let kept = truncate(&["one two three four"], &[3], &options, &Never)?;
/// assert_eq!((&kept.heads[..], &kept.marked[..], &kept.tokens[..]), (&[7][..], &[1][..], &[2][..]));
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn truncate<S: AsRef<str> + Sync>(
    texts: &[S],
    budgets: &[i64],
    options: &Options<'_>,
    interrupt: &dyn Interrupt,
) -> Result<Kept, Error> {
    let rows: Vec<(&str, i64)> = texts.iter().map(AsRef::as_ref).zip(budgets.iter().copied()).collect();
    let bytes = rows.iter().map(|(text, _)| text.len()).sum();
    let pieces = map_rows(&rows, bytes, interrupt, |&(text, budget), interrupt| {
        let row = Row { text, options, interrupt, pace: Pace::new(interrupt) };
        match options.tokens {
            Tokens::Estimated(rule) => row.keep(&mut EstimateRuler { text, budget, rule, interrupt }),
            Tokens::Exact(encoding) => with_exact_ruler(encoding, text, budget, interrupt, |ruler| row.keep(ruler)),
        }
    })?;
    let mut kept = Kept::default();
    for [head, tail, marked, tokens] in pieces {
        kept.heads.push(head);
        kept.tails.push(tail);
        kept.marked.push(marked);
        kept.tokens.push(tokens);
    }
    Ok(kept)
}

struct Row<'t> {
    text: &'t str,
    options: &'t Options<'t>,
    interrupt: &'t dyn Interrupt,
    pace: Pace<'t>,
}

impl Row<'_> {
    /// Head, tail, marked, tokens.
    fn keep(&self, ruler: &mut dyn Ruler) -> Result<[i64; 4], Error> {
        let all = self.text.len();
        let over = match ruler.measure(self.options.cut == Cut::Start)? {
            Measured::Whole(tokens) if self.options.cut == Cut::Start => return Ok([0, 0, 0, tokens]),
            Measured::Whole(tokens) => return self.row(Piece { head: all, tail: all }, 0, tokens),
            Measured::Over(bytes) => bytes,
        };
        let within = match self.options.cut {
            Cut::End => Piece { head: over, tail: all },
            Cut::Start => Piece { head: 0, tail: all - over },
            Cut::Middle => match ruler.measure(true)? {
                Measured::Over(last) => Piece { head: over, tail: all - last },
                Measured::Whole(_) => Piece { head: all, tail: 0 },
            },
        };
        for (marker, marked) in [(self.options.marker, 1), ("", 0)] {
            if let Some((piece, tokens)) = self.longest(within, marker, ruler)? {
                return self.row(piece, marked, tokens);
            }
        }
        let nothing = Piece { head: 0, tail: all };
        self.row(nothing, 0, ruler.count(nothing, "")?)
    }

    /// The longest piece with that marker, at the coarsest boundary at which any fits.
    fn longest(&self, within: Piece, marker: &str, ruler: &mut dyn Ruler) -> Result<Option<(Piece, i64)>, Error> {
        for boundary in Boundary::COARSEST_FIRST.into_iter().skip_while(|&tried| tried != self.options.boundary) {
            let found = ruler.longest(&self.pieces(within, boundary)?, marker)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The pieces at a boundary that are neither empty nor the whole text, shortest first.
    ///
    /// The text before `within.head` is over the budget, and so is that after `within.tail`: past both, no place can
    /// give a piece that fits. Past one of them places still count, since a piece that has one is over.
    fn pieces(&self, within: Piece, boundary: Boundary) -> Result<Vec<Piece>, Error> {
        let (mut heads, mut tails) = (Heads::new(self.text, boundary), Tails::new(self.text, boundary));
        let (mut pieces, mut kept) = (Vec::new(), Piece { head: 0, tail: self.text.len() });
        let mut read = kept;
        let is_a_part = |kept: &Piece| kept.head < kept.tail;
        while read.head < read.tail && (read.head < within.head || read.tail > within.tail) {
            if self.options.cut != Cut::Start {
                let place = heads.next(&self.pace)?;
                read.head = place.at;
                if place.may_end {
                    kept.head = place.at;
                    pieces.extend(Some(kept).filter(is_a_part));
                }
            }
            if self.options.cut != Cut::End && read.head < read.tail {
                let place = tails.next(&self.pace)?;
                read.tail = place.at;
                if place.may_begin {
                    kept.tail = place.at;
                    pieces.extend(Some(kept).filter(is_a_part));
                }
            }
        }
        Ok(pieces)
    }

    /// The same in code points.
    fn row(&self, piece: Piece, marked: i64, tokens: i64) -> Result<[i64; 4], Error> {
        let head = self.count(0, piece.head)?;
        Ok([head, head + self.count(piece.head, piece.tail)?, marked, tokens])
    }

    /// The code points between two positions.
    fn count(&self, start: usize, end: usize) -> Result<i64, Error> {
        let mut count = 0;
        for block in self.text.as_bytes()[start..end].chunks(BLOCK) {
            self.interrupt.check()?;
            count += block.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        }
        i64::try_from(count).map_err(|_| Error::TooLarge)
    }
}
