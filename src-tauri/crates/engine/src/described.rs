//! What is made from the settings' types for people and for the windows: a chapter of the handbook and a module.

use std::path::Path;

use nexi_core::settings::schema::{self, Kind, NAME, Setting, Word};
use nexi_messages::{Language, Messages};
use nexi_store::settings_file::told;
use serde_json::{Value, json};

/// Fails when a file is not what the types say; `NEXI_UPDATE=1` writes it.
fn is_up_to_date(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(file);
    if std::env::var_os("NEXI_UPDATE").is_some() {
        std::fs::write(&path, text).expect("a file that can be written");
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "{file} is older than the settings. Run: NEXI_UPDATE=1 cargo test -p nexi-engine described");
}

#[test]
fn the_chapter_of_the_handbook_is_up_to_date() {
    is_up_to_date("src-tauri/handbook/23-all-settings.md", &chapter());
}

#[test]
fn the_module_of_the_windows_is_up_to_date() {
    is_up_to_date("ui/js/settings/schema.js", &module());
}

fn chapter() -> String {
    let mut out = String::from(
        "# All settings\n\nEvery setting of the file config.toml, with what it may be and what counts where it is not set. NAME stands for a name of your choice. On a terminal, nexi config explain says the same, and nexi schema settings prints it for editors that complete and check the file.\n",
    );
    let all = schema::all();
    let (top, tables): (Vec<&Setting>, Vec<&Setting>) = all.iter().partition(|setting| setting.path.len() == 1);
    section("At the top of the file", &top, &mut out);
    let mut rest = tables.as_slice();
    while let Some(first) = rest.first() {
        let table = &first.path[..first.path.len() - 1];
        let count = rest.iter().take_while(|setting| setting.path[..setting.path.len() - 1] == *table).count();
        section(&format!("In the table [{}]", table.join(".")), &rest[..count], &mut out);
        rest = &rest[count..];
    }
    out
}

fn section(title: &str, settings: &[&Setting], out: &mut String) {
    out.push_str(&format!("\n## {title}\n\n"));
    for setting in settings {
        let name = setting.path.last().map_or("", String::as_str);
        let about = setting.about.replace('`', "");
        let may = match &setting.kind {
            Kind::Text | Kind::Texts | Kind::NamedTexts | Kind::NamedLists | Kind::Table => String::new(),
            Kind::Word(words) => format!(" One of {}.", listed(words)),
            Kind::Words(words) => format!(" Any of {}.", listed(words)),
            Kind::Switch | Kind::Whole(..) | Kind::Decimal => {
                format!(" {}.", capital(&told::wanted(Messages::of(Language::English), &setting.kind)))
            }
        };
        out.push_str(&format!("- {name}: {about}{may} {}\n", counts(setting)));
    }
}

fn listed(words: &[Word]) -> String {
    words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(", ")
}

/// What counts where a setting is not set, as a sentence.
fn counts(setting: &Setting) -> String {
    match &setting.standard {
        Value::Null if setting.path.last().is_some_and(|name| name == "type") => {
            "It has to be set where the name of the table is not that of a service that Nexi knows.".into()
        }
        Value::Null => "Not set by default.".into(),
        Value::String(text) if text.is_empty() => "Empty by default.".into(),
        Value::String(text) => format!("By default {text}."),
        Value::Array(items) if items.is_empty() => "Empty by default.".into(),
        Value::Array(items) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            format!("By default {}.", words.join(", "))
        }
        Value::Object(_) => "Empty by default.".into(),
        other => format!("By default {other}."),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

fn module() -> String {
    let mut out = String::from(
        "// Made from the Rust types by `NEXI_UPDATE=1 cargo test -p nexi-engine described`. Do not edit.\n\n/**\n * What a setting may be, by its path.\n * @type {Record<string, { kind: \"text\" | \"switch\" | \"whole\" | \"decimal\" | \"word\" | \"texts\" | \"words\" | \"table\", optional: boolean, from?: number, to?: number, words?: string[] }>}\n */\nexport const schema = {\n",
    );
    for setting in schema::all().iter().filter(|setting| !setting.path.iter().any(|name| name == NAME)) {
        let mut fields = json!({ "kind": kind(&setting.kind), "optional": setting.optional });
        let words = |words: &[Word]| words.iter().map(|word| Value::from(word.word.as_str())).collect::<Value>();
        match &setting.kind {
            Kind::Whole(from, to) => {
                fields["from"] = from.map(Value::from).unwrap_or_default();
                fields["to"] = to.map(Value::from).unwrap_or_default();
            }
            Kind::Word(all) | Kind::Words(all) => fields["words"] = words(all),
            _ => {}
        }
        let written: Vec<String> = fields
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| format!("{name}: {}", value.to_string().replace(',', ", ")))
            .collect();
        out.push_str(&format!("  {:?}: {{ {} }},\n", setting.name(), written.join(", ")));
    }
    out.push_str("};\n");
    out
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Switch => "switch",
        Kind::Whole(..) => "whole",
        Kind::Decimal => "decimal",
        Kind::Word(_) => "word",
        Kind::Texts => "texts",
        Kind::Words(_) => "words",
        Kind::NamedTexts | Kind::NamedLists | Kind::Table => "table",
    }
}
