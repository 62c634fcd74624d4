//! Links that other programs and web pages lead into Nexi with: `nexi://ask?q=TEXT` and `nexi://thread/ID`.
//!
//! Anybody can write such a link, so none of them does anything by itself: a question is put into the field and waits
//! for Enter, and a thread is shown.

use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::Mode;
use nexi_engine::core::{text, visible::visible};
use nexi_engine::views::AppEvent;
use tauri::{AppHandle, Runtime, Url};

use crate::{app, windows};

/// The scheme of the links.
pub(crate) const SCHEME: &str = "nexi";
/// Letters of a question at most.
const MAX_QUESTION: usize = 4000;

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Link {
    Ask { question: String, mode: Mode },
    Thread { thread: ThreadId, turn: Option<TurnId> },
}

impl Link {
    /// Reads a link: `nexi://ask?q=TEXT`, with `mode=deep` if wanted, or `nexi://thread/ID`, with `turn=ID` if wanted.
    ///
    /// # Errors
    /// A sentence that names what is wrong with it.
    pub(crate) fn parse(link: &str) -> Result<Self, String> {
        let url = Url::parse(link).map_err(|error| format!("{link} is not a link ({error})"))?;
        let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        match (url.scheme(), url.host_str()) {
            (SCHEME, Some("ask")) => {
                let question = text::truncate(&plain(&value("q").unwrap_or_default()), MAX_QUESTION);
                if question.is_empty() {
                    return Err(format!("{link} holds no question; it must be nexi://ask?q=TEXT"));
                }
                let mode = if value("mode").as_deref() == Some(Mode::Deep.as_str()) { Mode::Deep } else { Mode::Quick };
                Ok(Link::Ask { question, mode })
            }
            (SCHEME, Some("thread")) => {
                let id = url.path().trim_matches('/').to_owned();
                if !is_id(&id) {
                    return Err(format!("{link} names no thread; it must be nexi://thread/ID"));
                }
                Ok(Link::Thread { thread: ThreadId(id), turn: value("turn").filter(|id| is_id(id)).map(TurnId) })
            }
            _ => Err(format!("{link} leads nowhere; there are nexi://ask?q=TEXT and nexi://thread/ID")),
        }
    }

    /// Follows the link in the research window.
    pub(crate) fn open<R: Runtime>(self, handle: &AppHandle<R>) {
        let news = match self {
            Link::Ask { question, mode } => AppEvent::Question { question, mode },
            Link::Thread { thread, turn } => AppEvent::OpenThread { thread, turn },
        };
        match windows::show_main(handle) {
            Ok(()) => app::state(handle).post(windows::MAIN, news),
            Err(error) => eprintln!("nexi-desktop: the window cannot be opened: {error}"),
        }
    }
}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}

/// What a person can see of a text, with its lines.
fn plain(question: &str) -> String {
    let seen: String = visible(question).chars().filter(|letter| *letter == '\n' || !letter.is_control()).collect();
    seen.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_and_others_named() {
        let ask = |question: &str, mode| Ok(Link::Ask { question: question.into(), mode });
        assert_eq!(Link::parse("nexi://ask?q=Who%20built%20it%3F"), ask("Who built it?", Mode::Quick));
        assert_eq!(Link::parse("nexi://ask/?mode=deep&q=a+b"), ask("a b", Mode::Deep));
        assert_eq!(Link::parse("nexi://ask?q=a%0Ab%1B%5B31m%E2%80%AE"), ask("a\nb[31m", Mode::Quick));
        let id = "0123456789abcdef0123456789abcdef";
        let thread = |turn| Ok(Link::Thread { thread: ThreadId(id.into()), turn });
        assert_eq!(Link::parse(&format!("nexi://thread/{id}")), thread(None));
        assert_eq!(Link::parse(&format!("nexi://thread/{id}?turn={id}")), thread(Some(TurnId(id.into()))));
        for (link, says) in [
            ("nexi://ask", "holds no question"),
            ("nexi://ask?q=%20", "holds no question"),
            ("nexi://thread/../x", "names no thread"),
            ("nexi://settings", "leads nowhere"),
            ("https://ask?q=x", "leads nowhere"),
            ("nexi", "is not a link"),
        ] {
            assert!(Link::parse(link).unwrap_err().contains(says), "{link}");
        }
        let Ok(Link::Ask { question, .. }) = Link::parse(&format!("nexi://ask?q={}", "word ".repeat(5000))) else { panic!() };
        assert!(question.len() <= MAX_QUESTION + 3);
    }
}
