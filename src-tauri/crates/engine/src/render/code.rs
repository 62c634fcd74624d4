//! Code in colours: by classes, so that the window's style sheet decides and nothing is inline.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::escape;

/// Bytes and lines of code that are coloured; more is shown plainly.
const MAX_CODE: usize = 64 * 1024;
const MAX_LINE: usize = 2000;
/// Blocks whose colours are remembered while an answer grows.
const REMEMBERED: usize = 64;

/// Every class that may occur.
pub(super) const CLASSES: &[&str] = &["hl-a", "hl-c", "hl-d", "hl-f", "hl-i", "hl-k", "hl-n", "hl-s", "hl-t"];

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Which scopes have which class. The innermost scope that is here decides.
static KINDS: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let kinds = [
        ("comment", "hl-c"),
        ("string", "hl-s"),
        ("constant.character", "hl-s"),
        ("constant", "hl-n"),
        ("keyword.operator", ""),
        ("keyword", "hl-k"),
        ("storage", "hl-k"),
        ("entity.name.function", "hl-f"),
        ("support.function", "hl-f"),
        ("support.macro", "hl-f"),
        ("variable.function", "hl-f"),
        ("entity.name.tag", "hl-k"),
        ("entity.other.attribute-name", "hl-a"),
        ("entity.name", "hl-t"),
        ("support.type", "hl-t"),
        ("support.class", "hl-t"),
        ("markup.inserted", "hl-i"),
        ("markup.deleted", "hl-d"),
    ];
    kinds.into_iter().filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, class))).collect()
});

static LAST: Mutex<Option<HashMap<u64, String>>> = Mutex::new(None);

/// Code as HTML, coloured where its language is known.
pub(super) fn highlighted(language: &str, code: &str) -> String {
    if language.is_empty() || code.len() > MAX_CODE || code.lines().any(|line| line.len() > MAX_LINE) {
        return escape(code);
    }
    let Some(syntax) = syntax(language) else { return escape(code) };
    let mut hasher = DefaultHasher::new();
    (language, code).hash(&mut hasher);
    let key = hasher.finish();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let known = last.get_or_insert_with(HashMap::new);
    if let Some(html) = known.get(&key) {
        return html.clone();
    }
    let html = coloured(syntax, code).unwrap_or_else(|| escape(code));
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(key, html.clone());
    html
}

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let name = match language.to_ascii_lowercase().as_str() {
        // Near relatives of languages that are known.
        "typescript" | "ts" | "tsx" | "jsx" | "mjs" => "js".to_owned(),
        "shell" | "console" | "zsh" | "sh" => "bash".to_owned(),
        "c#" | "csharp" => "cs".to_owned(),
        "toml" | "ini" => "yaml".to_owned(),
        "text" | "txt" | "plain" | "plaintext" => return None,
        other => other.to_owned(),
    };
    SYNTAXES.find_syntax_by_token(&name)
}

fn coloured(syntax: &SyntaxReference, code: &str) -> Option<String> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut out = String::with_capacity(code.len() * 2);
    let mut open = "";
    for line in code.split_inclusive('\n') {
        let mut at = 0;
        for (place, change) in state.parse_line(line, &SYNTAXES).ok()? {
            put(&mut out, &line[at..place], class(&stack), &mut open);
            at = place;
            stack.apply(&change).ok()?;
        }
        put(&mut out, &line[at..], class(&stack), &mut open);
    }
    if !open.is_empty() {
        out.push_str("</span>");
    }
    Some(out)
}

fn class(stack: &ScopeStack) -> &'static str {
    let of = |scope: &Scope| KINDS.iter().find(|(kind, _)| kind.is_prefix_of(*scope)).map(|(_, class)| *class);
    stack.as_slice().iter().rev().find_map(of).unwrap_or_default()
}

/// Adds text, beginning a new element only where the class changes.
fn put(out: &mut String, text: &str, class: &'static str, open: &mut &'static str) {
    if text.is_empty() {
        return;
    }
    if class != *open {
        if !open.is_empty() {
            out.push_str("</span>");
        }
        if !class.is_empty() {
            out.push_str("<span class=\"");
            out.push_str(class);
            out.push_str("\">");
        }
        *open = class;
    }
    out.push_str(&escape(text));
}
