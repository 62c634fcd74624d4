//! The catalogue as a whole: nothing is unused, and every language says what English says.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use fluent_syntax::ast::{Expression, Pattern, PatternElement, VariantKey};
use intl_pluralrules::{PluralRuleType, PluralRules};
use nexi_messages::{Language, accented};
use support::{Kind, camel, differences, is_category, parsed, read, root, variables};

/// Every word of some files, those behind a dot with it, too.
fn words(folder: &Path, endings: &[&str], into: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            // The modules that are generated from the catalogue name everything; tests are no use of a message.
            if !matches!(name.as_str(), "messages" | "tests" | "target" | "gen") {
                words(&path, endings, into);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let text = std::fs::read_to_string(&path).expect("a text");
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            into.extend(text.split(|letter| !is_part(letter)).map(str::to_owned));
            into.extend(
                text.split('.').skip(1).map(|rest| format!(".{}", rest.split(|letter| !is_part(letter)).next().unwrap_or_default())),
            );
        }
    }
}

/// Names of messages as programs write them, whole.
fn ids(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            // What this package says of itself is no use of a message.
            if !path.ends_with("crates/messages") {
                ids(&path, into);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&std::fs::read_to_string(&path).expect("a text"));
        }
    }
}

#[test]
fn every_message_is_used() {
    let mut script = BTreeSet::new();
    words(&root().join("ui"), &[".js", ".d.ts", ".html"], &mut script);
    let mut programs = String::new();
    ids(&root().join("src-tauri/crates"), &mut programs);
    ids(&root().join("src-tauri/src"), &mut programs);
    let mut unused = Vec::new();
    for (file, messages) in read("en") {
        // The tables of settings are asked for by the paths of settings, and the help by the names of commands.
        if matches!(file.as_str(), "fields" | "choices" | "nexi-commands" | "nexi-settings") {
            continue;
        }
        for message in &messages {
            let name = camel(message.id.strip_prefix(&format!("{file}-")).unwrap_or(&message.id));
            if programs.contains(&format!("\"{}", message.id)) {
                // Asked for by a code of the protocol, or each by its name.
                let by_code = programs.contains(&format!("\"{}\"", message.id)) || programs.contains(&format!("\"{}.{{", message.id));
                let full = |attribute: &str| format!("{}.{attribute}", message.id);
                let is_named =
                    |attribute: &str| programs.contains(&format!("\"{}\"", full(attribute))) || script.contains(&camel(attribute));
                let gone = message.attributes.iter().filter(|(attribute, _)| !by_code && !is_named(attribute));
                unused.extend(gone.map(|(attribute, _)| full(attribute)));
                continue;
            }
            if !script.contains(&format!(".{name}")) {
                unused.push(message.id.clone());
                continue;
            }
            let of_protocol = message.attributes.iter().any(|(attribute, _)| script.contains(attribute) && attribute.contains('_'));
            let gone = message.attributes.iter().filter(|(attribute, _)| {
                let is_named = script.contains(&camel(attribute)) || programs.contains(&format!("\"{attribute}\""));
                !is_named && !of_protocol
            });
            unused.extend(gone.map(|(attribute, _)| format!("{}.{attribute}", message.id)));
        }
    }
    assert!(unused.is_empty(), "nothing shows these messages; remove them: {unused:#?}");
}

/// What a language says must be what English says, with the same things filled in.
#[test]
fn every_language_has_the_messages_of_english() {
    let english = read("en");
    for language in Language::ALL.into_iter().filter(|language| !matches!(language, Language::English | Language::Pseudo)) {
        let other = read(language.tag());
        for (file, messages) in &english {
            let translated = other.get(file).unwrap_or_else(|| panic!("{}/{file}.ftl is missing", language.tag()));
            assert_eq!(differences(messages, translated), Vec::<String>::new(), "{}/{file}.ftl", language.tag());
        }
    }
}

#[test]
fn a_translation_that_loses_something_is_told() {
    let of = |text: &str| parsed("test", text.to_owned());
    let english = of("a = { $count } of { $all }\nb =\n    .x = One\n    .y = Two\n");
    assert_eq!(differences(&english, &english), Vec::<String>::new());
    let other = of("a = { $count }\nb =\n    .x = Eins\nc = Drei\n");
    assert_eq!(differences(&english, &other), ["b.y is missing", "a must fill in [\"all\", \"count\"]", "English has no c"]);
}

/// Where a sentence depends on a number, every form that the language has is there.
#[test]
fn plurals_are_complete() {
    for language in Language::ALL {
        let folder = if language == Language::Pseudo { "en" } else { language.tag() };
        let rules = PluralRules::create(folder.parse::<unic_langid::LanguageIdentifier>().expect("a tag"), PluralRuleType::CARDINAL)
            .expect("rules");
        // The forms that whole numbers take.
        let needed: BTreeSet<String> =
            (0_u32..=1_000).map(|number| format!("{:?}", rules.select(number).expect("a form")).to_lowercase()).collect();
        for (_, messages) in read(folder) {
            for message in &messages {
                for (id, pattern) in message.patterns() {
                    check(&id, pattern, &needed);
                }
            }
        }
    }
}

fn check(id: &str, pattern: &Pattern<String>, needed: &BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression: Expression::Select { variants, .. } } = element else { continue };
        let keys: Vec<_> = variants
            .iter()
            .map(|variant| match &variant.key {
                VariantKey::Identifier { name } | VariantKey::NumberLiteral { value: name } => name.as_str(),
            })
            .collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{id} has a form twice: {keys:?}");
        if keys.iter().any(|key| is_category(key)) {
            for form in needed {
                assert!(keys.contains(&form.as_str()), "{id} lacks the form {form}; it has {keys:?}");
            }
        }
        for variant in variants {
            check(id, &variant.value, needed);
        }
    }
}

#[test]
fn the_pseudo_locale_is_40_percent_longer() {
    let (mut plain, mut long) = (0, 0);
    for (_, messages) in read("en") {
        for message in &messages {
            for (_, pattern) in message.patterns() {
                for element in &pattern.elements {
                    if let PatternElement::TextElement { value } = element {
                        plain += value.chars().count();
                        long += accented(value).chars().count();
                    }
                }
            }
        }
    }
    let longer = long * 100 / plain;
    assert!((135..=155).contains(&longer), "{longer} %");
}

#[test]
fn kinds_of_variables_are_told_from_their_use() {
    let messages = read("en");
    let message = messages["window"].iter().find(|message| message.id == "window-searches").expect("a message");
    let value = message.value.as_ref().expect("a value");
    assert_eq!(variables(value)["count"], Kind::Number);
}

/// Every `say!` of the programs names a message, and fills in what it needs and nothing else.
#[test]
fn programs_fill_in_what_messages_need() {
    let mut programs = String::new();
    ids(&root().join("src-tauri/crates"), &mut programs);
    ids(&root().join("src-tauri/src"), &mut programs);
    let known: std::collections::BTreeMap<String, BTreeSet<String>> = read("en")
        .values()
        .flatten()
        .flat_map(|message| message.patterns().map(|(id, pattern)| (id, variables(pattern).into_keys().collect())).collect::<Vec<_>>())
        .collect();
    let mut seen = 0;
    // One call may stand in another.
    let calls = programs.match_indices("say!(").filter_map(|(at, found)| {
        let id = programs[at + found.len()..].trim_start().strip_prefix('"')?;
        let (id, rest) = id.split_once('"')?;
        Some((id, rest))
    });
    for (id, rest) in calls {
        // To the bracket that closes the call.
        let mut depth = 1;
        let end = rest.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        let given = &rest[..end.expect("a call that is closed")];
        let mut depth = 0;
        let mut parts = vec![String::new()];
        for letter in given.chars() {
            depth += i32::from("([{".contains(letter)) - i32::from(")]}".contains(letter));
            if letter == ',' && depth == 0 {
                parts.push(String::new());
            } else {
                parts.last_mut().expect("there is one").push(letter);
            }
        }
        let names: BTreeSet<String> =
            parts.iter().filter_map(|part| part.split_once('=')).map(|(name, _)| name.trim().to_owned()).collect();
        let needed = known.get(id).unwrap_or_else(|| panic!("the catalogue has no message {id}"));
        assert_eq!(&names, needed, "{id}");
        seen += 1;
    }
    assert!(seen > 90, "{seen}");
}
