//! Formulas as MathML. What stands in an answer is never passed through: LaTeX is read, and what
//! is made of it is cleaned by a list of its own.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use ammonia::Builder;
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use super::escape;

/// Formulas of one answer, and bytes of one of them.
const MAX_FORMULAS: usize = 300;
const MAX_FORMULA: usize = 2000;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from([
            "math",
            "mfrac",
            "mi",
            "mn",
            "mo",
            "mover",
            "mpadded",
            "mphantom",
            "mprescripts",
            "mroot",
            "mrow",
            "mspace",
            "msqrt",
            "mstyle",
            "msub",
            "msubsup",
            "msup",
            "mtable",
            "mtd",
            "mtext",
            "mtr",
            "munder",
            "munderover",
            "none",
        ]))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .generic_attributes(HashSet::from([
            "mathvariant",
            "stretchy",
            "displaystyle",
            "scriptlevel",
            "symmetric",
            "largeop",
            "movablelimits",
        ]))
        .tag_attributes(HashMap::from([
            ("math", HashSet::from(["display"])),
            ("mo", HashSet::from(["lspace", "rspace", "minsize", "maxsize", "fence", "separator", "form", "accent"])),
            ("mspace", HashSet::from(["width"])),
            ("mfrac", HashSet::from(["linethickness"])),
            ("mover", HashSet::from(["accent"])),
            ("munder", HashSet::from(["accentunder"])),
        ]))
        .link_rel(None);
    builder
});

/// A formula that has its place in the answer.
pub(super) struct Formula {
    mathml: String,
}

/// What stands for a formula until the answer has been cleaned. One that cannot be read, or is none,
/// is shown as it was written.
pub(super) fn place(latex: &str, display: bool, formulas: &mut Vec<Formula>) -> String {
    let plain = if display { format!("$${latex}$$") } else { format!("${latex}$") };
    if !display && !is_formula(latex) {
        return escape(&plain);
    }
    if latex.len() <= MAX_FORMULA
        && formulas.len() < MAX_FORMULAS
        && let Some(mathml) = mathml(latex, display)
    {
        formulas.push(Formula { mathml });
        return format!("<code data-math=\"{}\">{}</code>", formulas.len() - 1, escape(latex));
    }
    format!("<code>{}</code>", escape(latex))
}

/// Whether this is more than words between two prices.
fn is_formula(text: &str) -> bool {
    text.contains(['\\', '^', '_', '=', '{', '<', '>', '+']) || text.chars().filter(|c| !c.is_whitespace()).count() <= 3
}

fn mathml(latex: &str, display: bool) -> Option<String> {
    let make = || {
        let storage = Storage::new();
        let events: Vec<_> = Parser::new(latex, &storage).collect::<Result<_, _>>().ok()?;
        let mut out = String::new();
        let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
        let config = RenderConfig { display_mode, ..RenderConfig::default() };
        push_mathml(&mut out, events.into_iter().map(Ok::<_, std::fmt::Error>), config).ok()?;
        Some(CLEANER.clean(&out).to_string())
    };
    catch_unwind(AssertUnwindSafe(make)).ok().flatten().filter(|html| html.starts_with("<math"))
}

/// Puts formulas where their places are. Only our own marks have the attribute: text is escaped.
pub(super) fn put_in(html: &str, formulas: &[Formula]) -> String {
    const MARK: &str = "<code data-math=\"";
    if formulas.is_empty() {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len() * 2);
    let mut rest = html;
    while let Some(at) = rest.find(MARK) {
        out.push_str(&rest[..at]);
        let behind = &rest[at + MARK.len()..];
        let number = behind.split('"').next().and_then(|number| number.parse::<usize>().ok());
        let end = behind.find("</code>").map(|end| end + "</code>".len());
        match (number.and_then(|number| formulas.get(number)), end) {
            (Some(formula), Some(end)) => {
                out.push_str(&formula.mathml);
                rest = &behind[end..];
            }
            _ => {
                out.push_str(MARK);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
