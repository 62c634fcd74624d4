//! Reasoning that a model writes into its text between `<think>` and `</think>`.

/// Splits text as it streams. Opening tags count at the beginning of the text only. A closing tag on
/// a line of its own without an opening one, as some templates make it, turns all that came before
/// into reasoning; any other closing tag is part of the text.
#[derive(Debug, Default)]
pub(crate) struct ThinkFilter {
    state: State,
    /// What may be the beginning of a tag.
    held: String,
    /// What was passed on as text.
    said: String,
    /// An opening tag was seen: from now on a closing one in the text is a word like any other.
    opened: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Nothing but blanks so far.
    #[default]
    Start,
    Inside,
    Text,
}

/// What a piece of text turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Reasoning(String),
    /// All text so far was reasoning.
    AllWasReasoning(String),
}

const OPENING: [&str; 3] = ["<think>", "<thinking>", "<reasoning>"];
const CLOSING: [&str; 3] = ["</think>", "</thinking>", "</reasoning>"];
/// Bytes of text after which a closing tag is no longer taken for one.
const MOST_SAID: usize = 64 * 1024;

impl ThinkFilter {
    pub(crate) fn push(&mut self, piece: &str) -> Vec<Part> {
        self.held.push_str(piece);
        let mut out = Vec::new();
        while self.advance(&mut out) {}
        out
    }

    /// The end of the text: what was held back is what it looks like.
    pub(crate) fn finish(&mut self) -> Vec<Part> {
        let rest = std::mem::take(&mut self.held);
        match self.state {
            _ if rest.is_empty() => Vec::new(),
            State::Inside => vec![Part::Reasoning(rest)],
            State::Start if rest.trim().is_empty() => Vec::new(),
            State::Start | State::Text => vec![Part::Text(rest)],
        }
    }

    fn advance(&mut self, out: &mut Vec<Part>) -> bool {
        match self.state {
            State::Start => {
                let trimmed = self.held.trim_start();
                if trimmed.is_empty() {
                    return false;
                }
                if let Some(tag) = OPENING.iter().find(|tag| trimmed.starts_with(**tag)) {
                    self.held = trimmed[tag.len()..].to_owned();
                    self.opened = true;
                    self.state = State::Inside;
                    return true;
                }
                if OPENING.iter().any(|tag| tag.starts_with(trimmed)) {
                    return false;
                }
                self.held = trimmed.to_owned();
                self.state = State::Text;
                true
            }
            State::Inside => {
                let (before, after) = split(&self.held);
                if !before.is_empty() {
                    out.push(Part::Reasoning(before.to_owned()));
                }
                let (rest, closed) = after;
                self.held = rest.to_owned();
                if closed {
                    self.state = State::Start;
                }
                closed && !self.held.is_empty()
            }
            State::Text => {
                let (before, (rest, closed)) = split(&self.held);
                let own_line = |said: &str| said.trim_end_matches([' ', '\t']).ends_with('\n');
                // Whether a line ends behind the tag is known only when more has come.
                if closed && rest.is_empty() && !self.opened {
                    return false;
                }
                if closed && !self.opened && self.said.len() < MOST_SAID && (own_line(before) || rest.starts_with(['\n', '\r'])) {
                    let all = std::mem::take(&mut self.said) + before;
                    let rest = rest.to_owned();
                    out.push(Part::AllWasReasoning(all));
                    self.held = rest;
                    self.opened = true;
                    self.state = State::Start;
                    return !self.held.is_empty();
                }
                let passed = if closed { self.held.len() - rest.len() } else { before.len() };
                let text: String = self.held.drain(..passed).collect();
                if !text.is_empty() {
                    if self.said.len() < MOST_SAID {
                        self.said.push_str(&text);
                    }
                    out.push(Part::Text(text));
                }
                closed && !self.held.is_empty()
            }
        }
    }
}

/// What stands before a closing tag or the beginning of one, and what is left: behind the tag if it
/// is whole, else from where it may begin.
fn split(text: &str) -> (&str, (&str, bool)) {
    for (at, _) in text.match_indices('<') {
        if let Some(tag) = CLOSING.iter().find(|tag| text[at..].starts_with(**tag)) {
            return (&text[..at], (&text[at + tag.len()..], true));
        }
        if CLOSING.iter().any(|tag| tag.starts_with(&text[at..])) {
            return (&text[..at], (&text[at..], false));
        }
    }
    (text, ("", false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text and the reasoning of a reply that comes in pieces of this many characters.
    fn run(text: &str, size: usize) -> (String, String) {
        let mut filter = ThinkFilter::default();
        let (mut said, mut thought) = (String::new(), String::new());
        let chars: Vec<char> = text.chars().collect();
        let mut parts: Vec<Part> = chars.chunks(size).flat_map(|piece| filter.push(&piece.iter().collect::<String>())).collect();
        parts.extend(filter.finish());
        for part in parts {
            match part {
                Part::Text(text) => said.push_str(&text),
                Part::Reasoning(text) => thought.push_str(&text),
                Part::AllWasReasoning(text) => {
                    assert!(text.starts_with(&said));
                    said.clear();
                    thought.push_str(&text);
                }
            }
        }
        (said, thought)
    }

    #[test]
    fn reasoning_is_split_off_however_it_is_cut() {
        for size in [1, 2, 3, 7, 100] {
            assert_eq!(
                run("<think>Hm <b>, 1 < 2.</think>\n\nThe answer.", size),
                ("The answer.".into(), "Hm <b>, 1 < 2.".into()),
                "{size}"
            );
            assert_eq!(run("Hm, so.\n</think>\n\nThe answer.", size), ("The answer.".into(), "Hm, so.\n".into()), "{size}");
            assert_eq!(run("Use the `<think>` tag, 1 < 2.", size), ("Use the `<think>` tag, 1 < 2.".into(), String::new()), "{size}");
            assert_eq!(run("<thinking>a</thinking><think>b</think>c", size), ("c".into(), "ab".into()), "{size}");
            let code = "Strip `</think>` with a filter. Like so: x</think>y.";
            assert_eq!(run(code, size), (code.into(), String::new()), "{size}");
            assert_eq!(run("<think>a</think>Use\n</think>\nthere.", size), ("Use\n</think>\nthere.".into(), "a".into()), "{size}");
            assert_eq!(run("<thin ice>", size), ("<thin ice>".into(), String::new()), "{size}");
            assert_eq!(run("<think>never ends", size), (String::new(), "never ends".into()), "{size}");
        }
    }
}
