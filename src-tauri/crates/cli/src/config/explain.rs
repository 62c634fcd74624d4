//! What settings mean: `nexi config explain`.

use anyhow::Result;
use nexi_engine::core::prompts;
use nexi_engine::core::settings::{
    Settings, nearest,
    schema::{self, Kind, Setting, Word},
};
use nexi_engine::settings_file::told::wanted;
use nexi_messages::{Messages, say};
use serde::Serialize;
use serde_json::Value;

use crate::args::Usage;
use crate::described::{about, about_word};
use crate::line::one_line;
use crate::output::{columns, hanging, print, print_json};

/// Columns of the names in a list.
const NAMES: usize = 34;

/// A setting, for scripts.
#[derive(Debug, Serialize)]
struct Explained {
    setting: String,
    about: String,
    /// What it may be, in words.
    value: String,
    /// The words that it may be; empty where it is none of a few.
    words: Vec<String>,
    default: Value,
    /// What counts now; null where nothing is set, and where the setting is that of an entry of any name.
    now: Value,
}

/// Explains the settings whose names begin with `field`: one, those of a table, or all.
pub fn explain(settings: &Settings, field: Option<&str>, as_json: bool) -> Result<()> {
    let names = field.map(super::path).transpose()?.unwrap_or_default();
    let wanted = found(&names);
    if wanted.is_empty() {
        return Err(unknown(field.unwrap_or_default(), &names).into());
    }
    let values = serde_json::to_value(settings)?;
    if as_json {
        let all: Vec<Explained> = wanted.into_iter().map(|setting| explained(setting, &values)).collect();
        return print_json(&all);
    }
    match wanted.as_slice() {
        [one] if one.path == names => print(&whole(one, &values)),
        all => print(&all.iter().map(|setting| hanging(line(setting), columns(), NAMES + 1)).collect::<String>()),
    }
}

/// The setting of this name, or those that are in the table of this name.
fn found(names: &[String]) -> Vec<Setting> {
    if !names.is_empty()
        && let Some(one) = schema::at(names)
        && one.kind != Kind::Table
        && (names[0] != "prompts" || names.len() == 1 || prompts::ALL.iter().any(|prompt| prompt.name == names[1]))
    {
        return vec![one];
    }
    let fits = |setting: &Setting| {
        setting.path.len() >= names.len() && setting.path.iter().zip(names).all(|(known, name)| known == name || known == schema::NAME)
    };
    let named = |mut setting: Setting| {
        setting.path[..names.len()].clone_from_slice(names);
        setting
    };
    schema::all().into_iter().filter(fits).map(named).collect()
}

fn unknown(field: &str, names: &[String]) -> Usage {
    let all: Vec<String> = schema::all().iter().map(Setting::name).collect();
    let own = names.last().map_or("", String::as_str);
    // People know a setting by its own name, and not by the table that it is in.
    let within = all.iter().find(|known| known.rsplit('.').next() == Some(own));
    Usage(match within.map(String::as_str).or_else(|| nearest(field, all.iter().map(String::as_str))) {
        Some(meant) => say!("nexi-config-unknown.meant", field = field, meant = meant),
        None => say!("nexi-config-unknown.explained", field = field),
    })
}

fn explained(setting: Setting, values: &Value) -> Explained {
    let now = now(&setting, values);
    Explained {
        setting: setting.name(),
        value: wanted(Messages::current(), &setting.kind),
        words: words(&setting.kind).iter().map(|word| word.word.clone()).collect(),
        about: about(&setting),
        default: setting.standard,
        now,
    }
}

fn words(kind: &Kind) -> &[Word] {
    match kind {
        Kind::Word(words) | Kind::Words(words) => words,
        _ => &[],
    }
}

/// The value that counts.
fn now(setting: &Setting, values: &Value) -> Value {
    setting.path.iter().try_fold(values, |value, name| value.get(name)).cloned().unwrap_or(Value::Null)
}

/// The name and the first sentence.
fn line(setting: &Setting) -> String {
    let about = about(setting);
    let first = about.split_inclusive(". ").next().unwrap_or_default().trim_end().trim_end_matches('.');
    format!("{:NAMES$} {}\n", setting.name(), one_line(&first.replace('`', "")))
}

fn whole(setting: &Setting, values: &Value) -> String {
    let mut out = format!("{}\n{}\n\n", setting.name(), hanging(about(setting).replace('`', ""), columns(), 0));
    let mut line = |name: String, value: String| out.push_str(&format!("{name:9} {value}\n"));
    line(say!("nexi-config-value"), wanted(Messages::current(), &setting.kind));
    for word in words(&setting.kind).iter().filter(|word| !word.about.is_empty()) {
        out.push_str(&format!("          {}: {}\n", word.word, one_line(&about_word(setting, word).replace('`', ""))));
    }
    if setting.path == ["prompts"] {
        let all: Vec<&str> = prompts::ALL.iter().map(|prompt| prompt.name).collect();
        out.push_str(&hanging(format!("          {}\n", all.join(", ")), columns(), 10));
    }
    let mut line = |name: String, value: String| out.push_str(&format!("{name:9} {value}\n"));
    line(say!("nexi-config-default"), shown(&setting.standard));
    line(say!("nexi-config-now"), shown(&now(setting, values)));
    out
}

/// A value as it would be typed.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => say!("nexi-config-not-set"),
        Value::String(text) if text.is_empty() => say!("nexi-config-empty"),
        Value::String(text) => one_line(text),
        other => one_line(&other.to_string()),
    }
}
