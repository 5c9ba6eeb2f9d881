//! One JSON array: finds where each element ends, without reading it.
//!
//! Outside strings only brackets, commas and blanks matter, so the splitter is
//! a state machine over bytes; whether an element is JSON is for the parser.

use std::io;

use super::RowError;
use super::source::{Content, Piece, Row, Source, count_newlines};

/// Splits an array into its elements.
pub(super) struct Splitter {
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    AfterBracket,
    AfterComma,
    AfterElement,
    AfterArray,
    End,
}

impl Splitter {
    /// Steps over the opening bracket; `None` if the next byte is none.
    pub(super) fn open(source: &mut Source) -> io::Result<Option<Splitter>> {
        if source.skip_blank()? != Some(b'[') {
            return Ok(None);
        }
        source.consume(1);
        Ok(Some(Splitter {
            place: Place::AfterBracket,
        }))
    }

    /// The next element, or what stands where an element or comma should.
    pub(super) fn next(&mut self, source: &mut Source) -> io::Result<Option<Piece>> {
        loop {
            if self.place == Place::End {
                return Ok(None);
            }
            let next = source.skip_blank()?;
            let line = source.line();
            let bad = |message: &str| {
                let content = Content::Bad(RowError::new(message));
                Ok(Some(Piece { line, content }))
            };
            match (self.place, next) {
                (Place::AfterArray, None) => self.place = Place::End,
                (Place::AfterArray, Some(_)) => {
                    self.place = Place::End;
                    source.skip_rest()?;
                    return bad(
                        "file goes on after the closing `]` of its array: one file holds \
                                one array, or use `--format jsonl`",
                    );
                }
                (_, None) => {
                    self.place = Place::End;
                    return bad("file ends before the closing `]` of its array: it may be cut off");
                }
                (place, Some(b']')) => {
                    source.consume(1);
                    self.place = Place::AfterArray;
                    if place == Place::AfterComma {
                        return bad("no element between `,` and `]`: remove the comma");
                    }
                }
                (place, Some(b',')) => {
                    source.consume(1);
                    self.place = Place::AfterComma;
                    if place != Place::AfterElement {
                        return bad("no element before `,`: remove the comma");
                    }
                }
                (place, Some(first)) => {
                    self.place = Place::AfterElement;
                    let content = element(source, first, place == Place::AfterElement)?;
                    return Ok(Some(Piece { line, content }));
                }
            }
        }
    }
}

/// How far the element is read.
enum State {
    /// Inside this many brackets of either kind.
    Nested(u64),
    /// In a string inside this many brackets.
    Text(u64),
    /// After a backslash in such a string.
    Escape(u64),
    /// In a bare word, such as a number.
    Word,
}

/// The element that begins with the next byte, `first`.
fn element(source: &mut Source, first: u8, comma_missing: bool) -> io::Result<Content> {
    let mut row = Row::new(source.max_row_bytes());
    let mut state = match first {
        b'{' | b'[' => State::Nested(0),
        b'"' => State::Text(0),
        _ => State::Word,
    };
    // The first byte of a string is its opening quote, that of a word anything.
    let mut skip = usize::from(!matches!(state, State::Nested(_)));
    loop {
        let chunk = source.chunk()?;
        if chunk.is_empty() {
            break;
        }
        let (used, ended) = scan(&mut state, chunk, skip);
        skip = 0;
        row.push(&chunk[..used]);
        let lines = count_newlines(&chunk[..used]);
        source.consume(used);
        source.count_lines(lines);
        if ended {
            let defect = comma_missing
                .then_some("no `,` before this element, so the file is not a JSON array");
            return Ok(row.finish(defect));
        }
    }
    // A word needs nothing to end it.
    let defect = match state {
        State::Word => None,
        _ => Some("file ends inside this element: it may be cut off"),
    };
    Ok(row.finish(defect))
}

/// How many bytes of `chunk` belong to the element, and whether it ends there.
fn scan(state: &mut State, chunk: &[u8], skip: usize) -> (usize, bool) {
    let mut at = skip;
    while at < chunk.len() {
        match *state {
            State::Text(depth) => match memchr::memchr2(b'"', b'\\', &chunk[at..]) {
                None => return (chunk.len(), false),
                Some(plain) => {
                    at += plain + 1;
                    if chunk[at - 1] == b'\\' {
                        *state = State::Escape(depth);
                    } else if depth == 0 {
                        return (at, true);
                    } else {
                        *state = State::Nested(depth);
                    }
                }
            },
            State::Escape(depth) => {
                at += 1;
                *state = State::Text(depth);
            }
            State::Nested(depth) => {
                at += 1;
                match chunk[at - 1] {
                    b'"' => *state = State::Text(depth),
                    b'{' | b'[' => *state = State::Nested(depth + 1),
                    // An element begins with a bracket, so depth is at least 1.
                    b'}' | b']' if depth == 1 => return (at, true),
                    b'}' | b']' => *state = State::Nested(depth - 1),
                    _ => {}
                }
            }
            State::Word => match chunk[at] {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'"' => {
                    return (at, true);
                }
                _ => at += 1,
            },
        }
    }
    (at, false)
}
