//! Reads one number without its sign.
//!
//! - Thousands in groups of three (`1,234,567`; also the Indian `12,34,567`),
//!   set apart by a comma (a full stop where the comma is the decimal mark),
//!   `'`, `’`, `_`, a space (also a no-break, thin or figure space), or LaTeX's
//!   `{,}` and `\,`, the same one throughout.
//! - Decimals (`18.50`, `.5`), but no full stop at the end.
//! - `1.5e3`, `1.5 × 10^3`, `1.5 \times 10^{3}`; exponents up to four digits.
//! - Fractions: `3/4`, `2 1/2`, `\frac{3}{4}`, `¾`, `2½`; parts up to 18 digits.

use serde::Deserialize;

use crate::decimal::Decimal;
use crate::fraction::{integer_fraction, lone_fraction};
use crate::number::Number;

/// What stands before the decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) enum DecimalMark {
    #[default]
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Comma,
}

impl DecimalMark {
    pub(crate) fn mark(self) -> u8 {
        match self {
            DecimalMark::Point => b'.',
            DecimalMark::Comma => b',',
        }
    }

    fn thousands(self) -> &'static str {
        match self {
            DecimalMark::Point => ",",
            DecimalMark::Comma => ".",
        }
    }
}

/// A number as it is written, without its sign.
#[derive(Clone, Debug)]
pub(crate) enum Numeral<'a> {
    Decimal {
        /// Digits and separators before the decimal mark.
        integer: &'a str,
        /// Digits after it.
        decimals: &'a str,
        exponent: i64,
    },
    Fraction {
        whole: u64,
        numerator: u64,
        /// Not 0.
        denominator: u64,
    },
}

/// What stands at a place of a text.
pub(crate) enum Reading<'a> {
    /// No number starts here.
    Nothing,
    /// Digits that aren't a number, such as a date.
    NoNumber { end: usize },
    /// A number.
    Numeral { numeral: Numeral<'a>, end: usize },
}

impl<'a> Numeral<'a> {
    /// Reads what starts at the character at `start`.
    pub(crate) fn read(text: &'a str, start: usize, mark: DecimalMark) -> Reading<'a> {
        if let Some((numerator, denominator, end)) = lone_fraction(text, start) {
            let numeral = Numeral::Fraction {
                whole: 0,
                numerator,
                denominator,
            };
            return Reading::Numeral { numeral, end };
        }
        let first = digit_run(text, start);
        let integer_end = match first {
            0 => start,
            _ => groups_end(text, start, start + first, mark),
        };
        let decimals_start = integer_end + 1;
        let decimals = match text.as_bytes().get(integer_end) {
            Some(&byte) if byte == mark.mark() => digit_run(text, decimals_start),
            _ => 0,
        };
        if first == 0 && (decimals == 0 || follows_word(text, start)) {
            return Reading::Nothing;
        }
        if decimals == 0
            && let Some(reading) = integer_fraction(text, start, integer_end, mark)
        {
            return reading;
        }
        let mut end = integer_end;
        if decimals > 0 {
            end = decimals_start + decimals;
            if text.as_bytes().get(end) == Some(&mark.mark()) && digit_run(text, end + 1) > 0 {
                return Reading::NoNumber {
                    end: digits_end(text, end, mark),
                };
            }
        }
        let (exponent, after) = exponent(text, end).unwrap_or((0, end));
        Reading::Numeral {
            numeral: Numeral::Decimal {
                integer: &text[start..integer_end],
                decimals: if decimals > 0 {
                    &text[decimals_start..end]
                } else {
                    ""
                },
                exponent,
            },
            end: after,
        }
    }

    pub(crate) fn value(&self, negative: bool) -> Number {
        match *self {
            Numeral::Decimal {
                integer,
                decimals,
                exponent,
            } => {
                let digits = integer.bytes().chain(decimals.bytes());
                let digits = digits.filter(u8::is_ascii_digit).map(|byte| byte - b'0');
                let exponent = exponent - decimals.len() as i64;
                Number::decimal(Decimal::new(negative, digits.collect(), exponent))
            }
            Numeral::Fraction {
                whole,
                numerator,
                denominator,
            } => Number::fraction(negative, whole, numerator, denominator),
        }
    }
}

/// The end of the digits that start at `start`, with decimal marks between
/// them.
pub(crate) fn digits_end(text: &str, start: usize, mark: DecimalMark) -> usize {
    let mut end = start;
    loop {
        let marks = usize::from(text.as_bytes().get(end) == Some(&mark.mark()));
        match digit_run(text, end + marks) {
            0 => return end,
            digits => end += marks + digits,
        }
    }
}

/// How many digits stand at `at`.
pub(crate) fn digit_run(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The end of the groups of thousands that follow the digits from `start` to
/// `first_end`; `first_end` if there are none.
pub(crate) fn groups_end(text: &str, start: usize, first_end: usize, mark: DecimalMark) -> usize {
    let first = first_end - start;
    if first > 3 || text[start..].starts_with('0') {
        return first_end;
    }
    let Some(separator) = separator(&text[first_end..], mark) else {
        return first_end;
    };
    let group = |at: usize, length: usize| {
        let digits = at + separator.len();
        (text[at..].starts_with(separator) && digit_run(text, digits) == length)
            .then_some(digits + length)
    };
    let mut end = first_end;
    while let Some(next) = group(end, 3) {
        end = next;
    }
    if end > first_end || first > 2 || separator != mark.thousands() {
        return end;
    }
    while let Some(next) = group(end, 2) {
        end = next;
    }
    group(end, 3).unwrap_or(first_end)
}

fn separator(rest: &str, mark: DecimalMark) -> Option<&'static str> {
    const SEPARATORS: [&str; 9] = [
        "'", "’", "_", " ", "\u{a0}", "\u{202f}", "\u{2009}", "\u{2007}", "\\,",
    ];
    // In LaTeX, braces keep the comma from being set as punctuation.
    let latex: &[&str] = match mark {
        DecimalMark::Point => &[",\\!", "{,}"],
        DecimalMark::Comma => &[],
    };
    let thousands = [mark.thousands()];
    let separators = latex.iter().chain(&thousands).chain(&SEPARATORS);
    separators
        .copied()
        .find(|&separator| rest.starts_with(separator))
}

/// The power of ten that follows a number, and its end.
fn exponent(text: &str, end: usize) -> Option<(i64, usize)> {
    let rest = &text[end..];
    if let Some(power) = rest.strip_prefix(['e', 'E']) {
        let (value, after) = signed(power)?;
        let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric());
        return (!goes_on).then_some((value, text.len() - after.len()));
    }
    let rest = rest.trim_start_matches(' ');
    let times = ["×", "x", "*", "·", "\\times", "\\cdot"];
    let factor = times.iter().find_map(|sign| rest.strip_prefix(sign))?;
    let power = factor.trim_start_matches(' ').strip_prefix("10^")?;
    let (value, after) = match power.strip_prefix('{') {
        Some(power) => {
            let (value, after) = signed(power)?;
            (value, after.strip_prefix('}')?)
        }
        None => signed(power)?,
    };
    Some((value, text.len() - after.len()))
}

/// An integer of up to four digits, and what follows it.
fn signed(text: &str) -> Option<(i64, &str)> {
    let unsigned = text.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(text);
    let digits = digit_run(unsigned, 0);
    if !(1..=4).contains(&digits) {
        return None;
    }
    let (digits, after) = unsigned.split_at(digits);
    let value: i64 = digits.parse().ok()?;
    let negative = text.starts_with(['-', '\u{2212}']);
    Some((if negative { -value } else { value }, after))
}

fn follows_word(text: &str, start: usize) -> bool {
    text[..start].ends_with(|c: char| c.is_ascii_alphanumeric())
}
