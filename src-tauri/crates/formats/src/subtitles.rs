//! `.srt` and `.vtt`: what is said, and when.

use nexi_core::{place::Place, text::fold_space};

use crate::{Extracted, FormatError, Part, decode};

/// Seconds of speech that are one part.
const PART: f64 = 30.0;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let text = decode(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let mut out = Extracted::default();
    let mut begun: Option<f64> = None;
    for block in text.split("\n\n") {
        let mut lines = block.lines().skip_while(|line| !line.contains("-->"));
        let Some(start) = lines.next().and_then(|line| seconds(line.split("-->").next()?)) else { continue };
        let said = fold_space(&without_tags(&lines.collect::<Vec<_>>().join(" ")));
        if said.is_empty() {
            continue;
        }
        match (out.parts.last_mut(), begun) {
            (Some(part), Some(begin)) if start >= begin && start - begin < PART => {
                // Subtitles that roll say the last line again.
                if !part.text.ends_with(&said) {
                    part.text.push(' ');
                    part.text.push_str(&said);
                }
            }
            _ => {
                begun = Some(start);
                out.parts.push(Part::new(Place::Time { at: clock(start) }, said));
            }
        }
    }
    if out.parts.is_empty() { Err(FormatError::Broken) } else { Ok(out) }
}

/// `00:01:02,500` and `01:02.500`
fn seconds(time: &str) -> Option<f64> {
    time.trim().replace(',', ".").split(':').try_fold(0.0, |sum, part| Some(sum * 60.0 + part.trim().parse::<f64>().ok()?))
}

fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Without `<i>`, `<v Ann>` and `{\an8}`; who speaks stays.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{']) {
        out.push_str(&rest[..at]);
        let end = if rest[at..].starts_with('<') { '>' } else { '}' };
        let Some(length) = rest[at..].find(end) else { break };
        let tag = &rest[at + 1..at + length];
        if let Some(speaker) = tag.strip_prefix("v ") {
            out.push_str(&format!("{speaker}: "));
        }
        rest = &rest[at + length + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_has_a_time() {
        let srt = "1\n00:00:01,000 --> 00:00:03,000\n<i>The bridge</i>\nopens.\n\n2\n00:00:04,000 --> 00:00:05,000\n{\\an8}In May.\n\n3\n01:02:03,000 --> 01:02:04,000\nLater.\n";
        let found = extract(srt.as_bytes()).unwrap();
        assert_eq!(
            found.parts,
            [
                Part::new(Place::Time { at: "0:00:01".into() }, "The bridge opens. In May."),
                Part::new(Place::Time { at: "1:02:03".into() }, "Later.")
            ]
        );
        let vtt = "WEBVTT\n\nNOTE hidden\n\n00:31.000 --> 00:33.000 align:start\n<v Ann>Hello.\n";
        assert_eq!(extract(vtt.as_bytes()).unwrap().parts, [Part::new(Place::Time { at: "0:00:31".into() }, "Ann: Hello.")]);
        assert_eq!(extract(b"words"), Err(FormatError::Broken));
    }
}
