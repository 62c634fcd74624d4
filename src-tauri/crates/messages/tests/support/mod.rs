//! The files of the catalogue, parsed.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};

/// A message: a value, or attributes.
pub struct Message {
    pub id: String,
    pub value: Option<Pattern<String>>,
    pub attributes: Vec<(String, Pattern<String>)>,
}

impl Message {
    /// Its patterns, each with its full name.
    pub fn patterns(&self) -> impl Iterator<Item = (String, &Pattern<String>)> {
        let value = self.value.iter().map(|value| (self.id.clone(), value));
        value.chain(self.attributes.iter().map(|(name, value)| (format!("{}.{name}", self.id), value)))
    }
}

/// What a variable may be filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Any,
    Number,
    Truth,
    Text,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The files of a language by their names, in order.
pub fn read(folder: &str) -> BTreeMap<String, Vec<Message>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("src-tauri/locales").join(folder)).expect("a folder of messages") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        out.insert(name.clone(), parsed(&name, text));
    }
    out
}

/// The messages of one file.
pub fn parsed(name: &str, text: String) -> Vec<Message> {
    let resource = fluent_syntax::parser::parse(text).unwrap_or_else(|(_, errors)| panic!("{name}: {errors:?}"));
    let mut seen = BTreeSet::new();
    let messages = resource.body.into_iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(Message {
            id: message.id.name,
            value: message.value,
            attributes: message.attributes.into_iter().map(|attribute| (attribute.id.name, attribute.value)).collect(),
        }),
        Entry::Junk { content } => panic!("{name}: {content}"),
        _ => None,
    });
    messages.inspect(|message| assert!(seen.insert(message.id.clone()), "{} is there twice", message.id)).collect()
}

/// What another language lacks, has too much, or fills in otherwise.
pub fn differences(ours: &[Message], theirs: &[Message]) -> Vec<String> {
    let filled = |messages: &[Message]| -> BTreeMap<String, Vec<String>> {
        messages
            .iter()
            .flat_map(|message| message.patterns().map(|(id, pattern)| (id, variables(pattern).into_keys().collect())).collect::<Vec<_>>())
            .collect()
    };
    let (ours, theirs) = (filled(ours), filled(theirs));
    let missing = ours.keys().filter(|id| !theirs.contains_key(*id)).map(|id| format!("{id} is missing"));
    let other = ours
        .iter()
        .filter(|(id, names)| theirs.get(*id).is_some_and(|there| there != *names))
        .map(|(id, names)| format!("{id} must fill in {names:?}"));
    let more = theirs.keys().filter(|id| !ours.contains_key(*id)).map(|id| format!("English has no {id}"));
    missing.chain(other).chain(more).collect()
}

/// A name as JavaScript writes it. Underscores stay: such names are those of the protocol.
pub fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut parts = name.split('-');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let mut letters = part.chars();
        out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

/// Whether a variant is a category of plurals.
pub fn is_category(key: &str) -> bool {
    matches!(key, "zero" | "one" | "two" | "few" | "many")
}

/// What is filled in, by name.
pub fn variables(pattern: &Pattern<String>) -> BTreeMap<String, Kind> {
    let mut out = BTreeMap::new();
    collect(pattern, &mut out);
    out
}

fn collect(pattern: &Pattern<String>, out: &mut BTreeMap<String, Kind>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                out.entry(id.name.clone()).or_insert(Kind::Any);
            }
            Expression::Inline(_) => {}
            Expression::Select { selector, variants } => {
                if let InlineExpression::VariableReference { id } = selector {
                    let keys = variants.iter().filter(|variant| !variant.default).map(|variant| &variant.key);
                    let kind = keys.fold(Kind::Any, |_, key| match key {
                        VariantKey::NumberLiteral { .. } => Kind::Number,
                        VariantKey::Identifier { name } if is_category(name) => Kind::Number,
                        VariantKey::Identifier { name } if name == "true" => Kind::Truth,
                        VariantKey::Identifier { .. } => Kind::Text,
                    });
                    out.insert(id.name.clone(), kind);
                }
                for variant in variants {
                    collect(&variant.value, out);
                }
            }
        }
    }
    // A variable is met again inside of its own selection.
}
