//! A thread as one HTML file that needs nothing else and runs nothing.

use crate::sentences;
use nexi_core::protocol::{Citation, Support, Turn};
use nexi_messages::{Messages, say};
use nexi_store::history::ThreadFile;

use super::csl::{Piece, Token, tokens};
use super::references::{References, cited};
use super::{CitationStyle, markdown, signs};
use crate::render::{self, escape};
use crate::report;

/// The page may be styled and nothing else.
const HEAD: &str = "<head>\n<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"Nexi\">\n";
const STYLE: &str = include_str!("page.css");

pub(super) fn page(file: &ThreadFile, style: CitationStyle) -> String {
    let references = References::new(file, style);
    let title = if file.turns.len() == 1 { file.turns.first().map_or("", |turn| &turn.question) } else { &file.title };
    let language = Messages::language().tag();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n{HEAD}<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        escape(title)
    );
    for (index, turn) in file.turns.iter().enumerate() {
        out.push_str(&article(turn, index, style, &references));
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn article(turn: &Turn, index: usize, style: CitationStyle, references: &References) -> String {
    let answer = with_links(&render::ending(&turn.ending), turn, index, style, references);
    let checked = checked(turn);
    let reason = sentences::reason_told(&turn.ending.reason)
        .map(|reason| format!("<p class=\"reason\">{}</p>\n", escape(&reason)))
        .unwrap_or_default();
    format!(
        "<article>\n<h1 dir=\"auto\">{}</h1>\n<p class=\"facts\">{}</p>\n<div class=\"answer\" dir=\"auto\">\n{answer}</div>\n{checked}{reason}{}{}</article>\n",
        escape(&turn.question),
        escape(&markdown::facts(turn)),
        list(turn, index, style, references),
        [
            section("change", &super::change::change(turn, "##")),
            section("method", &super::method::method(turn, "##")),
            section("opinion", &super::opinion::opinion(turn, "##"))
        ]
        .concat()
    )
}

/// How many statements are supported, and what the colours and signs mean that occur.
fn checked(turn: &Turn) -> String {
    let Some(line) = report::statements_line(turn) else { return String::new() };
    let found: Vec<Support> = turn.ending.statements.iter().map(|statement| statement.support).collect();
    let doubtful = [Support::PartlySupported, Support::Uncited, Support::NotSupported, Support::Contradicted];
    let mut legend: String = doubtful
        .into_iter()
        .filter(|support| found.contains(support))
        .map(|support| format!("<li><span class=\"sign {}\">{}</span>{}</li>", class(support), signs::sign(support), title(support)))
        .collect();
    if turn.ending.citations.iter().any(|citation| !citation.known) {
        legend.push_str(&format!("<li><span class=\"unknown\">[9]</span>{}</li>", escape(&say!("answers-titles.unknown"))));
    }
    if signs::changed(&turn.ending).next().is_some() {
        let meaning = escape(&say!("answers-titles.changed"));
        legend.push_str(&format!("<li><span class=\"sign\">{}</span>{meaning}</li>", signs::CHANGED));
    }
    let legend = if legend.is_empty() { legend } else { format!("<ul class=\"legend\">{legend}</ul>\n") };
    format!("<p class=\"checked\">{}</p>\n{legend}", escape(&line))
}

/// The class of a label; none where there is nothing to doubt.
fn class(support: Support) -> &'static str {
    match support {
        Support::Supported => "",
        Support::PartlySupported => "partly",
        Support::NotSupported => "unsupported",
        Support::Contradicted => "contradicted",
        Support::Uncited => "uncited",
    }
}

/// What a label says.
fn title(support: Support) -> String {
    say!(&format!("answers-titles.{}", support.as_str()))
}

/// A part below an answer, from Markdown.
fn section(class: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<section class=\"{class}\">\n{}</section>\n", render::answer(text)) }
}

/// The numbers of an answer as links into its list of sources.
fn with_links(html: &str, turn: &Turn, index: usize, style: CitationStyle, references: &References) -> String {
    const OPEN: &str = "<sup class=\"cite\" data-number=\"";
    const CLOSE: &str = "</sup>";
    let mut out = String::with_capacity(html.len() * 2);
    let mut rest = html;
    while let Some(at) = rest.find(OPEN) {
        out.push_str(&rest[..at]);
        let behind = &rest[at + OPEN.len()..];
        let Some(end) = behind.find(CLOSE) else { break };
        let number: u32 = behind.split('"').next().and_then(|number| number.parse().ok()).unwrap_or_default();
        let ordinal: Option<u32> =
            behind[..end].split("data-ordinal=\"").nth(1).and_then(|rest| rest.split('"').next()).and_then(|text| text.parse().ok());
        let known = turn.ending.sources.iter().any(|source| source.number == number);
        let judged = turn.ending.citations.iter().find(|citation| Some(citation.ordinal) == ordinal && citation.number == number);
        out.push_str(&link(number, index, known, judged, style, references));
        rest = &behind[end + CLOSE.len()..];
    }
    out.push_str(rest);
    out
}

fn link(number: u32, index: usize, known: bool, judged: Option<&Citation>, style: CitationStyle, references: &References) -> String {
    if !known {
        return format!("<span class=\"unknown\" title=\"{}\">[{number}]</span>", escape(&say!("answers-titles.unknown")));
    }
    let class = judged.map(|citation| class(citation.support)).filter(|class| !class.is_empty());
    let class = class.map(|class| format!(" {class}")).unwrap_or_default();
    let title = judged.map(|citation| title(citation.support)).unwrap_or_default();
    let missing = judged.map(|citation| citation.missing.as_slice()).unwrap_or_default();
    let title = match missing.is_empty() {
        true => title,
        false => say!("answers-title-missing", title = title, missing = missing.join(", ")),
    };
    let title = escape(&title);
    let text = match style {
        CitationStyle::Numbered => format!("[{number}]"),
        CitationStyle::Footnotes => format!("<sup>{number}</sup>"),
        _ => escape(&references.in_text(&[number]).unwrap_or_else(|| format!("[{number}]"))),
    };
    let space = if matches!(style, CitationStyle::Numbered | CitationStyle::Footnotes) { "" } else { " " };
    format!("{space}<a class=\"cite{class}\" href=\"#s{index}-{number}\" title=\"{title}\">{text}</a>")
}

/// An entry of a published style.
fn styled(pieces: &[Piece], url: &str) -> String {
    let piece = |token| match token {
        Token::Words(text) => escape(text),
        Token::Italic(text) => format!("<i>{}</i>", escape(text)),
        // Only addresses that a browser may open become links.
        Token::Address(address) if address.starts_with("http://") || address.starts_with("https://") => {
            format!("<a href=\"{0}\" rel=\"noopener noreferrer nofollow\">{0}</a>", escape(address))
        }
        Token::Address(address) => escape(address),
    };
    tokens(pieces, url).into_iter().map(piece).collect()
}

fn list(turn: &Turn, index: usize, style: CitationStyle, references: &References) -> String {
    let cited = cited(&turn.ending.sources, style, references);
    if cited.is_empty() {
        return String::new();
    }
    let mut out = format!("<section class=\"sources\">\n<h2>{}</h2>\n", escape(&say!("answers-sources")));
    for source in cited {
        let number = source.number;
        let label = match style {
            CitationStyle::AuthorDate => escape(references.short(number)),
            _ => number.to_string(),
        };
        if let Some(pieces) = references.entry(number) {
            out.push_str(&format!("<div class=\"source styled\" id=\"s{index}-{number}\"><div>{}", styled(pieces, &source.url)));
            out.push_str("</div></div>\n");
            continue;
        }
        let long = escape(&references.long(source));
        // Only addresses that a browser may open become links.
        let address = escape(&source.url);
        let named = if source.url.starts_with("http://") || source.url.starts_with("https://") {
            format!("<a href=\"{address}\" rel=\"noopener noreferrer nofollow\">{address}</a>")
        } else {
            format!("<span>{address}</span>")
        };
        out.push_str(&format!("<div class=\"source\" id=\"s{index}-{number}\"><b>{label}</b><div>{long}<br>{named}"));
        for passage in &source.passages {
            out.push_str(&format!("<blockquote dir=\"auto\">{}</blockquote>", escape(&passage.quote)));
        }
        out.push_str("</div></div>\n");
    }
    out.push_str("</section>\n");
    out
}
