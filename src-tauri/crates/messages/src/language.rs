//! The languages that Nexi speaks.

use std::borrow::Cow;

use unic_langid::LanguageIdentifier;

use crate::pseudo;

/// A language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    English,
    /// English with accents and longer words: shows what is not in the catalogue, and where a longer language has no room.
    Pseudo,
}

/// The files of a language, as name and text.
pub(crate) type Files = &'static [(&'static str, &'static str)];

// One list for each folder of `src-tauri/locales`, made by the build script.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Pseudo];

    /// The language of a tag such as `en` or `en-GB`; `None` where the catalogue has none for it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_', '.']).next().unwrap_or_default() {
            _ if tag.eq_ignore_ascii_case(Self::Pseudo.tag()) => Some(Self::Pseudo),
            primary if primary.eq_ignore_ascii_case("en") => Some(Self::English),
            _ => None,
        }
    }

    /// The language that the environment asks for: `NEXI_LANGUAGE`, then what the system's programs go by.
    pub fn of_environment() -> Self {
        let named = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
        ["NEXI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(named).and_then(|tag| Self::of_tag(&tag)).unwrap_or_default()
    }

    /// Its tag, as in `lang` of a page.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Pseudo => "en-XA",
        }
    }

    pub(crate) fn id(self) -> LanguageIdentifier {
        self.tag().parse().expect("the tags above are well-formed")
    }

    pub(crate) const fn files(self) -> Files {
        match self {
            Self::English | Self::Pseudo => EN,
        }
    }

    /// What is done to the text of its files.
    pub(crate) fn transform(self) -> Option<fn(&str) -> Cow<'_, str>> {
        match self {
            Self::English => None,
            Self::Pseudo => Some(pseudo::accented),
        }
    }

    /// What stands before the decimals of a number.
    pub(crate) const fn point(self) -> &'static str {
        match self {
            Self::English | Self::Pseudo => ".",
        }
    }

    /// What stands between the thousands of a number.
    pub(crate) const fn separator(self) -> &'static str {
        match self {
            Self::English | Self::Pseudo => ",",
        }
    }
}
