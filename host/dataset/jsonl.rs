//! JSON Lines: one row a line. Blank lines are no rows.

use std::io;

use super::source::{self, Content, Piece, Source};

/// The next line that isn't blank.
pub(super) fn next(source: &mut Source) -> io::Result<Option<Piece>> {
    let limit = source.max_row_bytes();
    loop {
        let line = source.line();
        let mut text = Vec::new();
        // The longest row that is allowed may end in two bytes more, CR and LF.
        let reach = (limit as u64).saturating_add(2);
        let whole = source.read_line(&mut text, reach)?;
        if text.is_empty() {
            return Ok(None);
        }
        if !whole && text.len() as u64 == reach {
            drop(text);
            source.skip_line()?;
            let content = source::too_long(limit);
            return Ok(Some(Piece { line, content }));
        }
        trim_line_end(&mut text);
        if text.len() > limit {
            let content = source::too_long(limit);
            return Ok(Some(Piece { line, content }));
        }
        if !text.trim_ascii().is_empty() {
            let content = Content::Text(text);
            return Ok(Some(Piece { line, content }));
        }
    }
}

fn trim_line_end(text: &mut Vec<u8>) {
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    if text.last() == Some(&b'\r') {
        text.pop();
    }
}
