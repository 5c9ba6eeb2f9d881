//! What happens to both texts before they are compared.

use std::borrow::Cow;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use crate::{Config, Normalisation};

/// Applies the options in the order that the crate documents.
pub(crate) fn prepare(text: &str, config: Config) -> Cow<'_, str> {
    let text = normalise_and_fold(text, config);
    let text = if config.collapse_whitespace {
        Cow::Owned(collapse(&text))
    } else {
        text
    };
    match text {
        _ if !config.strip => text,
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

fn normalise_and_fold(text: &str, config: Config) -> Cow<'_, str> {
    // ASCII is in every normal form and folds to lower case: no table needed.
    if text.is_ascii() {
        return match config.ignore_case {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let characters = text.chars();
    Cow::Owned(match (config.normalisation, config.ignore_case) {
        (Normalisation::None, false) => return Cow::Borrowed(text),
        (Normalisation::None, true) => characters.default_case_fold().collect(),
        (Normalisation::Nfc, false) => characters.nfc().collect(),
        (Normalisation::Nfkc, false) => characters.nfkc().collect(),
        // Folding can leave a text that isn't normalised, and sees more in one
        // that is decomposed: definitions D145 and D146 of the standard.
        (Normalisation::Nfc, true) => characters.nfd().default_case_fold().nfc().collect(),
        (Normalisation::Nfkc, true) => characters
            .nfd()
            .default_case_fold()
            .nfkd()
            .default_case_fold()
            .nfkc()
            .collect(),
    })
}

fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    let mut in_space = false;
    for character in text.chars() {
        if !character.is_whitespace() {
            collapsed.push(character);
        } else if !in_space {
            collapsed.push(' ');
        }
        in_space = character.is_whitespace();
    }
    collapsed
}
