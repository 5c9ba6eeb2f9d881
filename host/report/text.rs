//! Small pieces of text for people.

use super::escape;

/// The first `length` characters of `text`, with a mark if there are more;
/// safe for a terminal.
pub(super) fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", escape(&text[..end])),
        None => escape(text),
    }
}

/// `1 case`, `2 cases`.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
