//! Changes of watched questions as an Atom feed, for programs that read feeds.

use atom_syndication::{Content, Entry, Feed, Generator, Person, Text};
use nexi_messages::say;
use nexi_store::history::WatchedChange;

use crate::render::escape;

/// Changes that a feed holds.
pub(super) const MAX_ENTRIES: u32 = 50;

/// The feed, newest change first.
pub(super) fn atom(changes: &[WatchedChange]) -> String {
    let moment = |ms: i64| {
        let text = jiff::Timestamp::from_millisecond(ms).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        text.parse().unwrap_or_default()
    };
    let entries = changes.iter().map(|one| Entry {
        // An id of the turn's own, which nobody can open and everybody can compare.
        id: uuid::Uuid::parse_str(one.turn.as_str()).map_or_else(|_| one.turn.to_string(), |id| format!("urn:uuid:{}", id.hyphenated())),
        title: Text::plain(clean(&one.question)),
        updated: moment(one.changed_ms),
        content: Some(Content { content_type: Some("html".into()), value: Some(html(one)), ..Content::default() }),
        ..Entry::default()
    });
    let feed = Feed {
        id: "urn:nexi:watched".into(),
        title: Text::plain(say!("watched-atom.title")),
        updated: changes.first().map(|one| moment(one.changed_ms)).unwrap_or_default(),
        authors: vec![Person { name: "Nexi".into(), ..Person::default() }],
        generator: Some(Generator { value: "Nexi".into(), version: Some(env!("CARGO_PKG_VERSION").into()), ..Generator::default() }),
        entries: entries.collect(),
        ..Feed::default()
    };
    feed.to_string()
}

/// XML has no place for most control characters.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

fn escaped(text: &str) -> String {
    escape(&clean(text))
}

/// The new statements as a list; words of an answer are text and never markup.
fn html(change: &WatchedChange) -> String {
    let line = |new: &nexi_core::protocol::NewStatement| {
        let before = new
            .before
            .as_deref()
            .map(|before| format!(" ({})", escaped(&say!("watched-atom.before", statement = before))))
            .unwrap_or_default();
        format!("<li>{}{before}</li>", escaped(&new.text))
    };
    format!("<ul>{}</ul>", change.change.statements.iter().map(line).collect::<String>())
}
