//! Goes through running text from number to number.
//!
//! Passed over are calculator annotations (`<<16-3=13>>`), digits inside words
//! (`H2O`, though a currency code may be attached: `USD18`), exponents after
//! `^`, and dotted or slashed sequences (`1.2.3`, `12/05/2024`).
//!
//! A sign (`-`, `−`, `–`, `+`) counts if it stands directly before the number
//! or its currency sign, unless what precedes it makes it a subtraction or a
//! range (`16-3`).

use crate::number::Number;
use crate::numeral::{DecimalMark, Numeral, Reading, digits_end};

/// What may be written directly before a number.
const CURRENCIES: &[&str] = &[
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "INR", "JPY", "KRW",
    "MXN", "NOK", "NZD", "PLN", "Rs", "SEK", "SGD", "USD", "ZAR",
];

/// A number in a text.
#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    text: &'a str,
    /// Where it starts, sign and currency sign included.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    negative: bool,
    numeral: Numeral<'a>,
}

impl<'a> Token<'a> {
    /// The number as it is written.
    pub(crate) fn written(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    pub(crate) fn value(&self) -> Number {
        self.numeral.value(self.negative)
    }
}

/// The numbers that lie in a part of a text.
pub(crate) struct Numbers<'a> {
    /// The text up to the end of the part; what precedes the part can matter.
    text: &'a str,
    position: usize,
    mark: DecimalMark,
}

impl<'a> Numbers<'a> {
    /// The numbers of `text` from `start` to `end`, both at characters.
    pub(crate) fn new(text: &'a str, start: usize, end: usize, mark: DecimalMark) -> Self {
        Numbers {
            text: &text[..end],
            position: start,
            mark,
        }
    }
}

impl<'a> Iterator for Numbers<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            let start = self.position;
            // Continuation bytes of a character start nothing.
            let may_start = matches!(byte, b'0'..=b'9' | b'.' | b',' | b'\\' | b'<' | 0xc2 | 0xe2);
            if !may_start {
                self.position += 1;
                continue;
            }
            if let Some(end) = annotation_end(self.text, start) {
                self.position = end;
                continue;
            }
            match Numeral::read(self.text, start, self.mark) {
                Reading::Nothing => self.position += 1,
                Reading::NoNumber { end } => self.position = end,
                Reading::Numeral { numeral, end } if is_free(self.text, start) => {
                    self.position = end;
                    let (start, negative) = sign_before(self.text, start);
                    if !is_exponent(self.text, start) {
                        return Some(Token {
                            text: self.text,
                            start,
                            end,
                            negative,
                            numeral,
                        });
                    }
                }
                // Part of a word, with all the digits that follow.
                Reading::Numeral { .. } => {
                    self.position = digits_end(self.text, start, self.mark).max(start + 1);
                }
            }
        }
        None
    }
}

/// The end of a calculator annotation, which lies in one line.
fn annotation_end(text: &str, start: usize) -> Option<usize> {
    let inside = text[start..].strip_prefix("<<")?;
    let length = inside.find(['<', '>', '\n'])?;
    inside[length..]
        .starts_with(">>")
        .then_some(start + 2 + length + 2)
}

/// Whether a number may start here, rather than go on a word.
fn is_free(text: &str, start: usize) -> bool {
    let before = &text[..start];
    let outside = before.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = &before[outside.len()..];
    match outside.chars().next_back() {
        _ if word.is_empty() => true,
        // A LaTeX command.
        Some('\\') => true,
        Some(c) if c.is_ascii_digit() => false,
        _ => CURRENCIES.contains(&word),
    }
}

/// Where a number starts with what belongs to it, and whether it is negative.
fn sign_before(text: &str, start: usize) -> (usize, bool) {
    let mut from = start;
    let mut before = text[..start].chars();
    let mut last = before.next_back();
    if let Some(currency) = last.filter(|&c| is_currency(c)) {
        from -= currency.len_utf8();
        last = before.next_back();
        // LaTeX writes the dollar sign as `\$`.
        if last == Some('\\') {
            from -= 1;
            last = before.next_back();
        }
    }
    let Some(sign) = last.filter(|c| ['-', '\u{2212}', '\u{2013}', '+'].contains(c)) else {
        return (from, false);
    };
    let operand = |c: char| c.is_ascii_alphanumeric() || ")]}%-+".contains(c);
    if before.next_back().is_some_and(operand) {
        return (from, false);
    }
    (from - sign.len_utf8(), sign != '+')
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}')
}

/// Whether the number that starts here is an exponent: `m^2`, `10^{-3}`.
fn is_exponent(text: &str, start: usize) -> bool {
    let before = &text[..start];
    before.strip_suffix('{').unwrap_or(before).ends_with('^')
}
