//! The languages that Nexi speaks.

use std::borrow::Cow;

use unic_langid::LanguageIdentifier;

use crate::pseudo;

/// A language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    English,
    German,
    /// English with accents and longer words: shows what is not in the catalogue, and where a longer language has no room.
    Pseudo,
}

/// The files of a language, as name and text.
pub(crate) type Files = &'static [(&'static str, &'static str)];

/// What the system speaks, best first: what the variables of a locale say, as other programs read them, or what the system tells.
fn of_system(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let value = |name: &str| variable(name).filter(|value| !value.is_empty());
    let Some(locale) = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(value) else {
        return sys_locale::get_locales().collect();
    };
    // Without a locale there is no choice between languages.
    if matches!(locale.split('.').next(), Some("C" | "POSIX")) {
        return vec!["en".into()];
    }
    let preferred = value("LANGUAGE").unwrap_or_default();
    preferred.split(':').filter(|tag| !tag.is_empty()).map(str::to_owned).chain([locale]).collect()
}

// One list for each folder of `src-tauri/locales`, made by the build script.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl Language {
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::Pseudo];

    /// The language of a tag such as `en` or `en-GB`; `None` where the catalogue has none for it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_', '.']).next().unwrap_or_default() {
            _ if tag.eq_ignore_ascii_case(Self::Pseudo.tag()) => Some(Self::Pseudo),
            primary if primary.eq_ignore_ascii_case("en") => Some(Self::English),
            primary if primary.eq_ignore_ascii_case("de") => Some(Self::German),
            _ => None,
        }
    }

    /// The language of a program: what `NEXI_LANGUAGE` names, then what the settings choose, then what the system speaks.
    pub fn wanted(chosen: Option<&str>) -> Self {
        let named = std::env::var("NEXI_LANGUAGE").ok();
        let tags = [named.as_deref(), chosen].into_iter().flatten().map(str::to_owned);
        tags.chain(of_system(|name| std::env::var(name).ok())).find_map(|tag| Self::of_tag(&tag)).unwrap_or_default()
    }

    /// Its tag, as in `lang` of a page.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Pseudo => "en-XA",
        }
    }

    pub(crate) fn id(self) -> LanguageIdentifier {
        self.tag().parse().expect("the tags above are well-formed")
    }

    pub(crate) const fn files(self) -> Files {
        match self {
            Self::English | Self::Pseudo => EN,
            Self::German => DE,
        }
    }

    /// What is done to the text of its files.
    pub(crate) fn transform(self) -> Option<fn(&str) -> Cow<'_, str>> {
        match self {
            Self::English | Self::German => None,
            Self::Pseudo => Some(pseudo::accented),
        }
    }

    /// What stands before the decimals of a number.
    pub(crate) const fn point(self) -> &'static str {
        match self {
            Self::German => ",",
            Self::English | Self::Pseudo => ".",
        }
    }

    /// What stands between the thousands of a number.
    pub(crate) const fn separator(self) -> &'static str {
        match self {
            Self::German => ".",
            Self::English | Self::Pseudo => ",",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_asked_as_other_programs_do() {
        let system = |set: &[(&str, &str)]| {
            let set: Vec<(String, String)> = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            of_system(|name| set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()))
        };
        assert_eq!(system(&[("LANG", "de_DE.UTF-8")]), ["de_DE.UTF-8"]);
        assert_eq!(system(&[("LANG", "fr_FR.UTF-8"), ("LANGUAGE", "fr:de")]), ["fr", "de", "fr_FR.UTF-8"]);
        assert_eq!(system(&[("LC_ALL", ""), ("LANG", "de_DE"), ("LC_MESSAGES", "en_US")]), ["en_US"]);
        assert_eq!(system(&[("LC_ALL", "C.UTF-8"), ("LANGUAGE", "de_DE:de"), ("LANG", "de_DE.UTF-8")]), ["en"]);
    }
}
