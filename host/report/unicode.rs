//! Text from data sets and plugins, made safe for a terminal.

/// `text` without anything that a terminal would obey: control characters
/// and bidirectional controls are shown as escapes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        let bidirectional = matches!(
            character,
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        if character.is_control() || bidirectional {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}
