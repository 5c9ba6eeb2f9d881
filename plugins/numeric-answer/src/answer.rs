//! Finds the number that a worked answer ends in.
//!
//! Markers, of which the last that is followed by a number counts:
//!
//! - `####`, as GSM8K ends its solutions, with nothing but signs between it
//!   and the number; a numbered heading (`#### 2. Add up`) is none;
//! - `\boxed{…}`, with the number inside;
//! - `A:` at the start of a line, `answer:` and `answer is` anywhere, in any
//!   case and through Markdown emphasis, with the number in the rest of the
//!   sentence or, if the line ends there, of the next line that isn't blank.
//!
//! Behind a marker the first number counts, or the first after the last equals
//! sign: `A: 9 * 2 = 18 dollars on 3 days`.

use crate::numeral::DecimalMark;
use crate::scan::{Numbers, Token};

/// The final number of a text, if it has any.
pub(crate) fn final_number(text: &str, mark: DecimalMark) -> Option<Token<'_>> {
    let marked = markers(text)
        .into_iter()
        .rev()
        .find_map(|marker| marker.number(text, mark));
    marked.or_else(|| Numbers::new(text, 0, text.len(), mark).last())
}

/// What announces the final number, with the place behind it.
#[derive(Clone, Copy)]
enum Marker {
    Hashes(usize),
    Boxed(usize),
    Label(usize),
}

impl Marker {
    /// The number that this marker announces.
    fn number(self, text: &str, mark: DecimalMark) -> Option<Token<'_>> {
        match self {
            Marker::Hashes(start) => {
                let end = line_end(text, start);
                let token = Numbers::new(text, start, end, mark).next()?;
                let between = &text[start..token.start];
                let announced = !between.contains(char::is_alphanumeric);
                (announced && !is_numbering(&text[token.end..end])).then_some(token)
            }
            Marker::Boxed(start) => announced(text, start, brace_end(text, start), mark),
            Marker::Label(start) => {
                let mut start = start;
                let mut end = line_end(text, start);
                while end < text.len() && !text[start..end].contains(char::is_alphanumeric) {
                    start = end + 1;
                    end = line_end(text, start);
                }
                announced(text, start, end, mark)
            }
        }
    }
}

/// The first number between `start` and `end` in the same sentence, or the
/// first after its last equals sign.
fn announced(text: &str, start: usize, end: usize, mark: DecimalMark) -> Option<Token<'_>> {
    let mut found = None;
    let mut behind = start;
    for token in Numbers::new(text, start, end, mark) {
        let gap = &text[behind..token.start];
        if gap.contains(". ") {
            break;
        }
        behind = token.end;
        if found.is_none() || gap.contains('=') {
            found = Some(token);
        }
    }
    found
}

/// All markers of the text, in order.
fn markers(text: &str) -> Vec<Marker> {
    let bytes = text.as_bytes();
    let mut markers = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let rest = &bytes[at..];
        match byte {
            b'#' if rest.starts_with(b"####") => markers.push(Marker::Hashes(at + 4)),
            b'\\' if rest.starts_with(b"\\boxed{") => markers.push(Marker::Boxed(at + 7)),
            b'A' | b'a' => markers.extend(label_end(text, at).map(Marker::Label)),
            _ => {}
        }
    }
    markers
}

/// The place behind a label that starts at `at`: `A:`, `answer:`, `answer is`.
fn label_end(text: &str, at: usize) -> Option<usize> {
    let before = &text[..at];
    let rest = &text[at..];
    if let Some(rest) = rest.strip_prefix("A:") {
        let indented = before.trim_end_matches([' ', '\t', '*', '_', '>']);
        return (indented.is_empty() || indented.ends_with('\n'))
            .then_some(text.len() - rest.len());
    }
    const WORD: &str = "answer";
    let word = rest.get(..WORD.len())?;
    if !word.eq_ignore_ascii_case(WORD) || before.ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let rest = rest[WORD.len()..].trim_start_matches(['*', '_', ' ']);
    let is = rest
        .get(..2)
        .is_some_and(|word| word.eq_ignore_ascii_case("is"));
    let rest = match is {
        true => rest[2..].strip_prefix([' ', ':', '\n', '*', '_'])?,
        false => rest.strip_prefix(':')?,
    };
    Some(text.len() - rest.len())
}

/// Whether what follows a number shows that it numbers a heading.
fn is_numbering(rest: &str) -> bool {
    let title = rest.strip_prefix(['.', ')', ':']);
    title.is_some_and(|title| title.starts_with(' ') && !title.trim().is_empty())
}

fn line_end(text: &str, start: usize) -> usize {
    text[start..]
        .find('\n')
        .map_or(text.len(), |length| start + length)
}

/// Where the brace closes that opened right before `start`, or the end.
fn brace_end(text: &str, start: usize) -> usize {
    let mut depth = 1;
    for (offset, byte) in text[start..].bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return start + offset;
        }
    }
    text.len()
}
