//! Reads fractions of integers: `3/4`, `2 1/2`, `\frac{3}{4}`, `¾`, `2½`.

use crate::numeral::{DecimalMark, Numeral, Reading, digit_run, groups_end};

/// Longer integers could overflow when a mixed number is put together.
const LONGEST: usize = 18;

/// A fraction that needs no number before it: numerator, denominator, end.
pub(crate) fn lone_fraction(text: &str, start: usize) -> Option<(u64, u64, usize)> {
    let rest = &text[start..];
    let first = rest.chars().next()?;
    if let Some((numerator, denominator)) = vulgar(first) {
        return Some((numerator, denominator, start + first.len_utf8()));
    }
    let command = rest.strip_prefix('\\')?;
    let command = command.strip_prefix(['d', 't']).unwrap_or(command);
    let numerator = command.strip_prefix("frac{")?;
    let (numerator, rest) = numerator.split_at(digit_run(numerator, 0));
    let denominator = rest.strip_prefix("}{")?;
    let (denominator, rest) = denominator.split_at(digit_run(denominator, 0));
    let rest = rest.strip_prefix('}')?;
    let denominator = integer(denominator).filter(|&value| value != 0)?;
    Some((integer(numerator)?, denominator, text.len() - rest.len()))
}

/// The fraction that the integer from `start` to `end` begins, if it does.
pub(crate) fn integer_fraction<'a>(
    text: &'a str,
    start: usize,
    end: usize,
    mark: DecimalMark,
) -> Option<Reading<'a>> {
    let value = integer(&text[start..end])?;
    if slash(text, end).is_some() {
        return quotient(text, value, end, mark);
    }
    let next = match text[end..].strip_prefix([' ', '\u{a0}']) {
        Some(rest) => text.len() - rest.len(),
        None => end,
    };
    let (numerator, denominator, after) = match lone_fraction(text, next) {
        Some(fraction) => fraction,
        None if next == end => return None,
        None => {
            let length = digit_run(text, next);
            let numerator = integer(&text[next..next + length])?;
            match quotient(text, numerator, next + length, mark)? {
                Reading::Numeral {
                    numeral: Numeral::Fraction { denominator, .. },
                    end,
                } if 0 < numerator && numerator < denominator => (numerator, denominator, end),
                _ => return None,
            }
        }
    };
    Some(Reading::Numeral {
        numeral: Numeral::Fraction {
            whole: value,
            numerator,
            denominator,
        },
        end: after,
    })
}

/// The numerator ends at `end`; reads the slash and what follows it.
fn quotient<'a>(
    text: &'a str,
    numerator: u64,
    end: usize,
    mark: DecimalMark,
) -> Option<Reading<'a>> {
    let start = slash(text, end)?;
    let first = digit_run(text, start);
    let end = groups_end(text, start, start + first, mark);
    if slash(text, end).is_some() {
        // A date, or a chain of divisions.
        let mut end = end;
        while let Some(next) = slash(text, end) {
            end = next + digit_run(text, next);
        }
        return Some(Reading::NoNumber { end });
    }
    let has_decimals =
        text.as_bytes().get(end) == Some(&mark.mark()) && digit_run(text, end + 1) > 0;
    let denominator = integer(&text[start..end])?;
    if has_decimals {
        return None;
    }
    if denominator == 0 {
        return Some(Reading::NoNumber { end });
    }
    Some(Reading::Numeral {
        numeral: Numeral::Fraction {
            whole: 0,
            numerator,
            denominator,
        },
        end,
    })
}

/// Where the digits after a slash at `at` start, if there are both.
fn slash(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix(['/', '\u{2044}'])?;
    (digit_run(rest, 0) > 0).then_some(text.len() - rest.len())
}

/// The value of some digits, which may be grouped.
fn integer(text: &str) -> Option<u64> {
    let digits = || text.bytes().filter(u8::is_ascii_digit);
    if !(1..=LONGEST).contains(&digits().count()) {
        return None;
    }
    Some(digits().fold(0, |value, byte| value * 10 + u64::from(byte - b'0')))
}

fn vulgar(character: char) -> Option<(u64, u64)> {
    Some(match character {
        '¼' => (1, 4),
        '½' => (1, 2),
        '¾' => (3, 4),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        _ => return None,
    })
}
