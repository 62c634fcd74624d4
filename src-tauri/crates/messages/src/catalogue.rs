//! Looking messages up.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::Language;

static CURRENT: OnceLock<Language> = OnceLock::new();
/// By the order of [`Language::ALL`]; read when they are first asked for.
static LOADED: [OnceLock<Messages>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

/// What stands in a message's place for a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    /// Decides on the plural, and is written with a separator of thousands.
    Number(i64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Text(yes.to_string())
    }
}

macro_rules! numbers {
    ($($kind:ty)*) => {
        $(impl From<$kind> for Value {
            fn from(number: $kind) -> Self {
                Self::Number(i64::from(number))
            }
        }

        impl From<&$kind> for Value {
            fn from(number: &$kind) -> Self {
                Self::from(*number)
            }
        })*
    };
}

numbers!(u8 u16 u32 i32 i64);

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&usize> for Value {
    fn from(number: &usize) -> Self {
        Self::from(*number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

/// The messages of one language.
pub struct Messages {
    bundle: FluentBundle<FluentResource>,
}

impl Messages {
    /// The messages in the language of the program.
    pub fn current() -> &'static Self {
        Self::of(Self::language())
    }

    /// The language of the program.
    pub fn language() -> Language {
        CURRENT.get().copied().unwrap_or_default()
    }

    /// Chooses the language of the program. The first choice holds, so that no screen mixes two.
    pub fn choose(language: Language) {
        let _ = CURRENT.set(language);
    }

    pub fn of(language: Language) -> &'static Self {
        LOADED[language as usize].get_or_init(|| Self::load(language))
    }

    /// The files are part of the program, and a test reads them: faults in them are faults of the build.
    fn load(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.id()]);
        // Marks of direction around every variable would stand in terminals, files and the clipboard.
        bundle.set_use_isolating(false);
        bundle.set_transform(language.transform());
        bundle.set_formatter(Some(match language.separator() {
            "." => |value, _| grouped(value, "."),
            " " => |value, _| grouped(value, " "),
            _ => |value, _| grouped(value, ","),
        }));
        for (name, text) in language.files() {
            let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(_, errors)| panic!("{name}.ftl: {errors:?}"));
            bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{name}.ftl: {errors:?}"));
        }
        Self { bundle }
    }

    /// `a, b and c` or `a, b or c`, by a message with `$before` and `$last`.
    pub fn joined(&self, id: &str, names: &[impl AsRef<str>]) -> String {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        match names.split_last() {
            Some((last, before)) if !before.is_empty() => self.text(id, &[("before", before.join(", ").into()), ("last", (*last).into())]),
            _ => names.concat(),
        }
    }

    /// The message of a name, or of `name.attribute`. A name that the catalogue lacks is shown as it is.
    pub fn text(&self, id: &str, values: &[(&str, Value)]) -> String {
        let (name, attribute) = id.split_once('.').map_or((id, None), |(name, attribute)| (name, Some(attribute)));
        let message = self.bundle.get_message(name);
        let pattern = message.and_then(|message| match attribute {
            None => message.value(),
            Some(attribute) => message.get_attribute(attribute).map(|attribute| attribute.value()),
        });
        let Some(pattern) = pattern else {
            debug_assert!(false, "the catalogue has no message {id}");
            return id.to_owned();
        };
        let mut given = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            given.set(
                (*name).to_owned(),
                match value {
                    Value::Text(text) => FluentValue::from(text.as_str()),
                    Value::Number(number) => FluentValue::from(*number),
                },
            );
        }
        let mut faults = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&given), &mut faults).into_owned();
        debug_assert!(faults.is_empty(), "{id}: {faults:?}");
        text
    }

    /// Whether the catalogue has a message, or an attribute of one.
    pub fn has(&self, id: &str) -> bool {
        match id.split_once('.') {
            None => self.bundle.get_message(id).is_some_and(|message| message.value().is_some()),
            Some((name, attribute)) => self.bundle.get_message(name).is_some_and(|message| message.get_attribute(attribute).is_some()),
        }
    }
}

/// A number with a fixed number of places, written as the language of the program does.
pub fn decimal(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    let point = CURRENT.get().copied().unwrap_or_default().point();
    if point == "." { text } else { text.replace('.', point) }
}

/// A whole number with its thousands apart.
fn grouped(value: &FluentValue<'_>, separator: &str) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    if number.value.fract() != 0.0 {
        return None;
    }
    let digits = format!("{:.0}", number.value.abs());
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number.value < 0.0 {
        out.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push_str(separator);
        }
        out.push(digit);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_plurals_numbers_and_attributes() {
        let english = Messages::of(Language::English);
        assert_eq!(english.text("window-searches", &[("count", 1_u32.into())]), "1 search");
        assert_eq!(english.text("window-searches", &[("count", 12_345_u32.into())]), "12,345 searches");
        assert_eq!(
            english.text("incident-what.server_error", &[("service", "OpenAI".into()), ("status", 0_u32.into())]),
            "OpenAI had a server error."
        );
        assert!(english.has("incident-what.server_error") && !english.has("incident-what.none") && !english.has("none"));
    }

    #[test]
    fn the_pseudo_locale_keeps_what_is_filled_in() {
        let text = Messages::of(Language::Pseudo).text("window-searches", &[("count", 2_u32.into())]);
        assert_eq!(text, "2 ššééáárçhééšš");
    }
}
