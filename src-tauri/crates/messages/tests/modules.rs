//! The catalogue as a module for the windows, kept in `ui/js/messages`, one file for each language.

mod support;

use std::path::Path;

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use nexi_messages::Language;
use support::{Kind, Message, camel, is_category, read};

/// Fails when a module is not what the catalogue says; `NEXI_UPDATE=1` writes it.
#[test]
fn the_modules_of_the_windows_are_up_to_date() {
    for language in Language::ALL {
        let module = module(language);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../ui/js/messages/{}.js", language.tag()));
        if std::env::var_os("NEXI_UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder that can be made");
            std::fs::write(&path, module).expect("a file that can be written");
            continue;
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == module,
            "ui/js/messages/{}.js is older than src-tauri/locales. Run: NEXI_UPDATE=1 cargo test -p nexi-messages",
            language.tag()
        );
    }
}

/// Whether no window shows the messages of a file: those of the program and of errors, and what the terminal says.
fn is_for_programs(file: &str) -> bool {
    ["answers", "arguments", "desktop", "errors", "problems"].contains(&file) || file.starts_with("nexi-")
}

/// What every module begins with: how numbers are written and plurals told apart.
const HELPERS: &str = r#"
const rules = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** @param {string | number} value */
const shown = (value) => (typeof value === "number" ? numbers.format(value) : value);

/** @param {number} value @param {Intl.LDMLPluralRule} category */
const is = (value, category) => rules.select(value) === category;

"#;

fn module(language: Language) -> String {
    let write =
        Writer { transform: if language == Language::Pseudo { |text| nexi_messages::accented(text).into_owned() } else { str::to_owned } };
    let folder = if language == Language::Pseudo { "en" } else { language.tag() };
    let mut out = format!(
        "// Generated from src-tauri/locales/{folder} by `NEXI_UPDATE=1 cargo test -p nexi-messages`. Do not edit.\n\nexport const language = \"{}\";\n{HELPERS}export const messages = {{\n",
        language.tag()
    );
    for (file, messages) in read(folder) {
        if is_for_programs(&file) {
            continue;
        }
        out.push_str(&format!("  {}: {{\n", camel(&file)));
        for message in &messages {
            let name = camel(
                message
                    .id
                    .strip_prefix(&format!("{file}-"))
                    .unwrap_or_else(|| panic!("{}.ftl: the name {} must begin with {file}-", file, message.id)),
            );
            out.push_str(&write.message(&name, message));
        }
        out.push_str("  },\n");
    }
    out.push_str("};\n");
    out
}

struct Writer {
    transform: fn(&str) -> String,
}

impl Writer {
    fn message(&self, name: &str, message: &Message) -> String {
        match (&message.value, message.attributes.as_slice()) {
            (Some(value), []) => format!("    {name}: {},\n", self.member(value)),
            (None, attributes) if !attributes.is_empty() => {
                let mut out = format!("    {name}: {{\n");
                for (attribute, value) in attributes {
                    out.push_str(&format!("      {}: {},\n", camel(attribute), self.member(value)));
                }
                out.push_str("    },\n");
                out
            }
            _ => panic!("{}: give it a value or attributes, not both", message.id),
        }
    }

    /// A text, or a function of what is filled in.
    fn member(&self, pattern: &Pattern<String>) -> String {
        let variables = support::variables(pattern);
        if variables.is_empty() {
            return self.pattern(pattern);
        }
        let types = variables.iter().map(|(name, kind)| {
            format!(
                "{name}: {}",
                match kind {
                    Kind::Any => "string | number",
                    Kind::Number => "number",
                    Kind::Truth => "boolean",
                    Kind::Text => "string",
                }
            )
        });
        let names: Vec<_> = variables.keys().map(String::as_str).collect();
        format!("(/** @type {{{{ {} }}}} */ {{ {} }}) => {}", types.collect::<Vec<_>>().join(", "), names.join(", "), self.pattern(pattern))
    }

    /// An expression whose value is the text.
    fn pattern(&self, pattern: &Pattern<String>) -> String {
        if let [PatternElement::Placeable { expression: Expression::Select { selector, variants } }] = pattern.elements.as_slice() {
            return self.select(selector, variants);
        }
        let mut text = String::new();
        let mut is_plain = true;
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => text.push_str(&escaped(&(self.transform)(value))),
                PatternElement::Placeable { expression: Expression::Inline(InlineExpression::StringLiteral { value }) } => {
                    text.push_str(&escaped(value));
                }
                PatternElement::Placeable { expression: Expression::Inline(InlineExpression::VariableReference { id }) } => {
                    is_plain = false;
                    text.push_str(&format!("${{shown({})}}", id.name));
                }
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    is_plain = false;
                    text.push_str(&format!("${{{}}}", self.select(selector, variants)));
                }
                PatternElement::Placeable { expression } => panic!("the generator does not know {expression:?}"),
            }
        }
        if is_plain { format!("\"{}\"", text.replace("\\`", "`").replace("\\${", "${").replace('"', "\\\"")) } else { format!("`{text}`") }
    }

    fn select(&self, selector: &InlineExpression<String>, variants: &[fluent_syntax::ast::Variant<String>]) -> String {
        let InlineExpression::VariableReference { id } = selector else { panic!("only variables can be selectors: {selector:?}") };
        let name = &id.name;
        let mut out = String::from("(");
        for variant in variants.iter().filter(|variant| !variant.default) {
            let condition = match &variant.key {
                VariantKey::NumberLiteral { value } => format!("{name} === {value}"),
                VariantKey::Identifier { name: key } if is_category(key) => format!("is({name}, \"{key}\")"),
                VariantKey::Identifier { name: key } if key == "true" => name.clone(),
                VariantKey::Identifier { name: key } => format!("{name} === \"{key}\""),
            };
            out.push_str(&format!("{condition} ? {} : ", self.pattern(&variant.value)));
        }
        let default = variants.iter().find(|variant| variant.default).expect("the parser refuses a selection without a default");
        out.push_str(&self.pattern(&default.value));
        out.push(')');
        out
    }
}

/// A text inside of a template literal.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${").replace('\n', "\\n")
}
