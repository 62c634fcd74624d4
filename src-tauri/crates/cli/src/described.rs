//! What settings do, in the language of the program.
//!
//! The English text stands beside the settings, as comments of their fields. A test writes it into
//! `locales/en/nexi-settings.ftl`, which is what translators see; other languages have a file of the same name.

use std::sync::LazyLock;

use nexi_engine::core::settings::schema::{self, NAME, Setting, Word};
use nexi_messages::{Language, Messages};

/// All settings; a list of them asks for each.
static ALL: LazyLock<Vec<Setting>> = LazyLock::new(schema::all);

/// What a setting does.
pub fn about(setting: &Setting) -> String {
    translated(setting, "about").unwrap_or_else(|| setting.about.clone())
}

/// What a word means that a setting may be.
pub fn about_word(setting: &Setting, word: &Word) -> String {
    translated(setting, &attribute(word)).unwrap_or_else(|| word.about.clone())
}

fn attribute(word: &Word) -> String {
    format!("is-{}", word.word)
}

fn translated(setting: &Setting, attribute: &str) -> Option<String> {
    if Messages::language() == Language::English {
        return None;
    }
    let fits = |known: &&Setting| {
        known.path.len() == setting.path.len() && known.path.iter().zip(&setting.path).all(|(known, name)| known == name || known == NAME)
    };
    let message = format!("{}.{attribute}", id(ALL.iter().find(fits)?));
    let messages = Messages::current();
    messages.has(&message).then(|| messages.text(&message, &[]))
}

/// The name of the catalogue's message for a setting: `nexi-settings-search-count` for `search.count`.
fn id(setting: &Setting) -> String {
    format!("nexi-settings-{}", setting.path.join("-"))
}

#[cfg(test)]
mod tests {
    use nexi_engine::core::settings::schema::Kind;

    use super::*;
    use crate::generated::{generated, value};

    #[test]
    fn the_catalogue_has_the_meaning_of_every_setting() {
        let mut text = String::new();
        for setting in schema::all() {
            text.push_str(&format!("{} =\n    .about = {}\n", id(&setting), value(&setting.about)));
            if let Kind::Word(words) | Kind::Words(words) = &setting.kind {
                let told = words.iter().filter(|word| !word.about.is_empty());
                text.extend(told.map(|word| format!("    .{} = {}\n", attribute(word), value(&word.about))));
            }
        }
        generated("nexi-settings", "settings", "described", &text);
    }
}
