//! Standard input and output, line by line. What is no message is answered here: a client that made
//! a mistake must not wait for ever.

use anyhow::Result;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;

/// Bytes of one message.
const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// Bytes on their way between the two of us.
const PIPE: usize = 64 * 1024;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// Standard input and output for the protocol, and what still has to be waited for at the end.
pub struct Lines {
    pub input: DuplexStream,
    pub output: DuplexStream,
    pub written: JoinHandle<()>,
}

/// Lines that wait for a client that does not read.
const WAITING: usize = 64;

/// Begins to read and write.
pub fn open() -> Lines {
    let (mut to_protocol, input) = duplex(PIPE);
    let (output, from_protocol) = duplex(PIPE);
    let (sender, mut lines) = channel::<Vec<u8>>(WAITING);
    let answers = sender.clone();
    tokio::spawn(async move {
        let mut reader = BufReader::new(tokio::io::stdin());
        while let Ok(Some(line)) = next(&mut reader).await {
            match refusal(&line) {
                None if line.iter().all(u8::is_ascii_whitespace) => {}
                None if to_protocol.write_all(&line).await.is_err() => return,
                None => {}
                Some(answer) => drop(answers.send(format!("{answer}\n").into_bytes()).await),
            }
        }
    });
    tokio::spawn(pass_on(from_protocol, sender));
    let written = tokio::spawn(async move {
        let mut out = tokio::io::stdout();
        while let Some(line) = lines.recv().await {
            if out.write_all(&line).await.is_err() || out.flush().await.is_err() {
                return;
            }
        }
    });
    Lines { input, output, written }
}

/// Whole lines, so that an answer of ours never stands in the middle of another one.
async fn pass_on(from: DuplexStream, to: Sender<Vec<u8>>) {
    let mut reader = BufReader::new(from);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).await.is_ok_and(|count| count > 0) {
        let _ = to.send(std::mem::take(&mut line)).await;
    }
}

/// The next line with its end; of one that is too long as much as shows that. None at the end.
async fn next(reader: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let chunk = reader.fill_buf().await?;
        if chunk.is_empty() {
            return Ok((!line.is_empty()).then_some(line));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let count = end.unwrap_or(chunk.len());
        let room = (MAX_MESSAGE + 1).saturating_sub(line.len());
        line.extend_from_slice(&chunk[..count.min(room)]);
        reader.consume(count);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

/// The answer to a line that is no message; none where the protocol shall see it.
fn refusal(line: &[u8]) -> Option<Value> {
    let refuse =
        |id: Value, code: i32, message: &str| Some(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}));
    if line.len() > MAX_MESSAGE {
        return refuse(Value::Null, INVALID_REQUEST, "The message is larger than 8 MiB.");
    }
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return refuse(Value::Null, PARSE_ERROR, &format!("The line is not one JSON message ({error}).")),
    };
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        return refuse(id, INVALID_REQUEST, "A message is one object with \"jsonrpc\": \"2.0\".");
    }
    if message.get("method") == Some(&json!("tools/call")) && !id.is_null() {
        let params = message.get("params");
        if !params.and_then(|params| params.get("name")).is_some_and(Value::is_string) {
            return refuse(id, INVALID_PARAMS, "params.name must be the name of a tool.");
        }
        if params.and_then(|params| params.get("arguments")).is_some_and(|arguments| !arguments.is_object() && !arguments.is_null()) {
            return refuse(id, INVALID_PARAMS, "params.arguments must be an object.");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_answered() {
        for (line, code, id) in [
            ("nonsense", PARSE_ERROR, Value::Null),
            ("{\"jsonrpc\": ", PARSE_ERROR, Value::Null),
            ("[]", INVALID_REQUEST, Value::Null),
            (r#"{"id": 6, "method": "ping"}"#, INVALID_REQUEST, json!(6)),
            (r#"{"jsonrpc": "2.0", "id": "a", "method": "tools/call"}"#, INVALID_PARAMS, json!("a")),
            (r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": [1]}}"#, INVALID_PARAMS, json!(1)),
        ] {
            let answer = refusal(line.as_bytes()).unwrap();
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}");
        }
        assert_eq!(refusal(b"\xff\xfe\n").unwrap()["error"]["code"], json!(PARSE_ERROR));
        for line in ["\n", r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#, r#"{"jsonrpc": "2.0", "id": 1, "method": "x"}"#]
        {
            assert_eq!(refusal(line.as_bytes()), None, "{line}");
        }
    }

    #[tokio::test]
    async fn long_lines_are_cut_and_the_next_one_is_whole() {
        let text = [vec![b'x'; MAX_MESSAGE + 4096], b"\n{}\nlast".to_vec()].concat();
        let mut reader = BufReader::new(text.as_slice());
        let first = next(&mut reader).await.unwrap().unwrap();
        assert_eq!((first.len(), refusal(&first).unwrap()["error"]["code"].clone()), (MAX_MESSAGE + 1, json!(INVALID_REQUEST)));
        assert_eq!(next(&mut reader).await.unwrap().as_deref(), Some(&b"{}\n"[..]));
        assert_eq!(next(&mut reader).await.unwrap().as_deref(), Some(&b"last"[..]));
        assert_eq!(next(&mut reader).await.unwrap(), None);
    }
}
