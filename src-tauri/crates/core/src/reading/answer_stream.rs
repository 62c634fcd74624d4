//! The `answer` of a `final_answer` call, read while its arguments are still arriving.

/// Decodes the string value of the top-level key `answer` out of JSON that comes in pieces.
///
/// Pieces may be cut anywhere, inside an escape or between the halves of a surrogate pair.
/// Whatever is not a well-formed string ends the stream; the whole arguments are judged later.
#[derive(Debug, Clone, Default)]
pub struct AnswerStream {
    state: State,
    depth: u32,
    key: String,
    pending: String,
    high: Option<u32>,
    closed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Between tokens; the next string at depth 1 is a key.
    #[default]
    Key,
    InKey,
    InKeyEscape,
    AfterKey,
    /// Behind the colon of another key.
    Skip,
    SkipString,
    SkipEscape,
    /// Behind the colon of `answer`.
    Value,
    InAnswer,
    Escape,
    Unicode,
    Done,
}

impl AnswerStream {
    /// Takes the next piece of the arguments and returns what it adds to the answer.
    pub fn push(&mut self, piece: &str) -> String {
        let mut out = String::new();
        for c in piece.chars() {
            self.take(c, &mut out);
        }
        out
    }

    /// Whether the answer's closing quote was seen.
    pub fn is_complete(&self) -> bool {
        self.closed
    }

    fn take(&mut self, c: char, out: &mut String) {
        match self.state {
            State::Key => match c {
                '{' => self.depth += 1,
                '"' if self.depth == 1 => {
                    self.key.clear();
                    self.state = State::InKey;
                }
                '}' => self.state = State::Done,
                _ => {}
            },
            State::InKey => match c {
                '"' => self.state = State::AfterKey,
                '\\' => self.state = State::InKeyEscape,
                _ => self.key.push(c),
            },
            State::InKeyEscape => {
                self.key.push(c);
                self.state = State::InKey;
            }
            State::AfterKey if c == ':' => {
                self.state = if self.key == "answer" { State::Value } else { State::Skip };
            }
            State::AfterKey => {}
            State::Skip => match c {
                '"' => self.state = State::SkipString,
                '{' | '[' => self.depth += 1,
                '}' | ']' if self.depth == 1 => self.state = State::Done,
                '}' | ']' => self.depth -= 1,
                ',' if self.depth == 1 => self.state = State::Key,
                _ => {}
            },
            State::SkipString => match c {
                '\\' => self.state = State::SkipEscape,
                '"' => self.state = State::Skip,
                _ => {}
            },
            State::SkipEscape => self.state = State::SkipString,
            State::Value => match c {
                '"' => self.state = State::InAnswer,
                // An answer nested one level down is healed when the call is whole.
                _ if c.is_whitespace() => {}
                _ => self.state = State::Done,
            },
            State::InAnswer => match c {
                '"' => {
                    self.flush_high(out);
                    self.closed = true;
                    self.state = State::Done;
                }
                '\\' => self.state = State::Escape,
                _ => {
                    self.flush_high(out);
                    out.push(c);
                }
            },
            State::Escape => self.escape(c, out),
            State::Unicode => {
                self.pending.push(c);
                if self.pending.len() >= 4 {
                    self.unicode(out);
                }
            }
            State::Done => {}
        }
    }

    fn escape(&mut self, c: char, out: &mut String) {
        self.state = State::InAnswer;
        if c == 'u' {
            self.pending.clear();
            self.state = State::Unicode;
            return;
        }
        self.flush_high(out);
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            '"' | '\\' | '/' => out.push(c),
            _ => self.state = State::Done,
        }
    }

    fn unicode(&mut self, out: &mut String) {
        self.state = State::InAnswer;
        let Ok(unit) = u32::from_str_radix(&self.pending, 16) else {
            self.state = State::Done;
            return;
        };
        match (self.high.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                let code = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (before, 0xd800..=0xdbff) => {
                if before.is_some() {
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                self.high = Some(unit);
            }
            (before, _) => {
                if before.is_some() {
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                out.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    fn flush_high(&mut self, out: &mut String) {
        if self.high.take().is_some() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pieces(json: &str, size: usize) -> String {
        let mut stream = AnswerStream::default();
        let chars: Vec<char> = json.chars().collect();
        chars.chunks(size).map(|piece| stream.push(&piece.iter().collect::<String>())).collect()
    }

    #[test]
    fn the_answer_is_the_same_however_it_is_cut() {
        let answer = "Line one\n\"quoted\" \\ back, tab\t, é, 😀, ünï [1]";
        let plain = serde_json::json!({"notes": {"answer": "no", "list": ["]", "a\"b"]}, "answer": answer, "more": 1}).to_string();
        let escaped = r#"{ "answer" : "Line one\n\"quoted\" \\ back, tab\t, \u00e9, \ud83d\ude00, \u00fcn\u00ef [1]"}"#;
        for size in 1..40 {
            assert_eq!(in_pieces(&plain, size), answer, "{size}");
            assert_eq!(in_pieces(escaped, size), answer, "{size}");
        }
    }

    #[test]
    fn lone_surrogates_and_other_shapes_do_no_harm() {
        assert_eq!(in_pieces(r#"{"answer":"a\ud800b"}"#, 3), "a\u{fffd}b");
        assert_eq!(in_pieces(r#"{"answer":{"text":"x"}}"#, 3), "");
        assert_eq!(in_pieces("not json", 2), "");
    }
}
