//! The person's own commands as tools.

use std::collections::BTreeMap;
use std::time::Duration;

use nexi_core::{
    ports::{Failure, Page, ToolCause},
    settings::ToolCommand,
    text,
    user_tools::{Called, ToolDefinition},
};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use crate::{
    program::{start, stderr_tail},
    supervisor::{self, InputMode},
};

/// Bytes of what a command prints that are read.
const MAX_OUTPUT: u64 = 1_000_000;
/// Bytes of them that are kept.
const MAX_TEXT: usize = 400_000;
/// Bytes of what it says of its failure that are kept.
const MAX_FAILURE: usize = 1000;

/// A command as models are told of it.
pub fn definition(name: &str, command: &ToolCommand) -> ToolDefinition {
    let properties: Map<String, Value> = command
        .arguments
        .iter()
        .map(|(name, meaning)| {
            let mut schema = json!({"type": "string"});
            if !meaning.trim().is_empty() {
                schema["description"] = Value::String(meaning.clone());
            }
            (name.clone(), schema)
        })
        .collect();
    let required: Vec<&String> = command.arguments.keys().collect();
    ToolDefinition {
        name: name.to_owned(),
        title: None,
        description: command.description.clone(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
        reads: command.reads,
    }
}

/// Runs a command with these arguments.
///
/// # Errors
/// When an argument does not fit, it cannot be started, takes too long, or says that it failed.
pub async fn run(command: &ToolCommand, arguments: &Value, cancel: &CancellationToken) -> Result<Called, Failure> {
    let given: BTreeMap<String, String> = arguments
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let args = command.filled(&given).map_err(Failure::because)?;
    let input = command.input.as_ref().and_then(|name| given.get(name)).map_or("", String::as_str);
    run_program(&command.program, &args, input, Duration::from_secs(command.timeout.into()), cancel).await
}

/// Starts a program below the supervisor, gives it its input and waits for its end.
///
/// # Errors
/// When it cannot be started, takes longer than `time_limit`, or is stopped.
pub async fn run_program(
    program: &str,
    args: &[String],
    input: &str,
    time_limit: Duration,
    cancel: &CancellationToken,
) -> Result<Called, Failure> {
    let mut child = start(InputMode::Counted, program, args, &BTreeMap::new())?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let said = tokio::spawn(async move {
        match stderr {
            Some(stderr) => stderr_tail(stderr).await,
            None => String::new(),
        }
    });
    let talk = async {
        let mut stdin = stdin;
        if let Some(pipe) = &mut stdin {
            let head = if supervisor::program(InputMode::Counted).is_some() { format!("{}\n", input.len()) } else { String::new() };
            // A program that reads no input closes it.
            let _ = pipe.write_all(format!("{head}{input}").as_bytes()).await;
            let _ = pipe.flush().await;
        }
        if supervisor::program(InputMode::Counted).is_none() {
            drop(stdin.take());
        }
        let mut output = Vec::new();
        let mut more = 0;
        if let Some(mut stdout) = stdout {
            let _ = (&mut stdout).take(MAX_OUTPUT).read_to_end(&mut output).await;
            // A program whose output nobody reads would fail.
            more = tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await.unwrap_or_default();
        }
        // Until here the pipe says that somebody is waiting.
        drop(stdin);
        (output, more, child.wait().await)
    };
    let (output, more, status) = tokio::select! {
        done = talk => done,
        () = cancel.cancelled() => return Err(Failure::cancelled()),
        () = tokio::time::sleep(time_limit) => {
            return Err(Failure::because(ToolCause::DidNotEnd { seconds: time_limit.as_secs() }));
        }
    };
    let printed = text::truncate(&String::from_utf8_lossy(&output), MAX_TEXT);
    let code = status.ok().and_then(|status| status.code());
    let said = said.await.unwrap_or_default();
    if let Some(why) = supervisor::told(&said).filter(|_| code == Some(supervisor::NOT_FOUND)) {
        return Err(Failure::because(why));
    }
    if code != Some(0) {
        let said = [said.trim(), printed.trim()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let said = text::truncate(&said, MAX_FAILURE);
        return Err(Failure::because(match (code, said.is_empty()) {
            (Some(exit), false) => ToolCause::EndedWith { exit, said },
            (Some(exit), true) => ToolCause::EndedSilentlyWith { exit },
            (None, false) => ToolCause::Ended { said },
            (None, true) => ToolCause::EndedSilently,
        }));
    }
    let pages = if printed.trim().is_empty() { Vec::new() } else { vec![Page { text: printed, ..Page::default() }] };
    let left_out = if more > 0 || output.len() > MAX_TEXT { vec!["the rest of what it printed".to_owned()] } else { Vec::new() };
    Ok(Called { pages, left_out, failed: false })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn command(program: &str, args: &[&str]) -> ToolCommand {
        ToolCommand {
            description: "Test.".into(),
            program: program.into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            arguments: BTreeMap::from([("words".to_owned(), "What to say".to_owned())]),
            ..ToolCommand::default()
        }
    }

    async fn text_of(command: &ToolCommand, words: &str) -> String {
        let called = run(command, &json!({"words": words}), &CancellationToken::new()).await.unwrap();
        called.pages[0].text.clone()
    }

    #[tokio::test]
    async fn nothing_is_read_by_a_shell() {
        assert_eq!(text_of(&command("printf", &["%s", "<{words}>"]), "$(id); `id` | cat > /tmp/x").await, "<$(id); `id` | cat > /tmp/x>");
        let filter = ToolCommand { input: Some("words".into()), ..command("cat", &[]) };
        assert_eq!(text_of(&filter, "from standard input").await, "from standard input");
    }

    #[tokio::test]
    async fn failures_are_told_and_slow_ones_are_stopped() {
        let failing = command("sh", &["-c", "echo no such thing >&2; exit 3"]);
        let failing = ToolCommand { arguments: BTreeMap::new(), ..failing };
        let failure = run(&failing, &json!({}), &CancellationToken::new()).await.unwrap_err();
        assert_eq!(failure.message, "it ended with code 3: no such thing");
        let slow = ToolCommand { timeout: 1, arguments: BTreeMap::new(), ..command("sleep", &["30"]) };
        let failure = run(&slow, &json!({}), &CancellationToken::new()).await.unwrap_err();
        assert!(failure.message.contains("within 1 second "), "{failure}");
        let missing = ToolCommand { arguments: BTreeMap::new(), ..command("/nowhere/program", &[]) };
        assert!(run(&missing, &json!({}), &CancellationToken::new()).await.unwrap_err().message.contains("was not found"));
    }

    #[tokio::test]
    async fn a_lot_of_output_is_cut_and_no_failure() {
        let much = ToolCommand { arguments: BTreeMap::new(), ..command("sh", &["-c", "yes | head -c 3000000"]) };
        let called = run(&much, &json!({}), &CancellationToken::new()).await.unwrap();
        assert!(!called.failed && called.left_out.len() == 1 && called.pages[0].text.len() <= MAX_TEXT + 3);
    }

    #[test]
    fn models_are_told_what_the_settings_say() {
        let told = definition("say", &command("printf", &["{words}"]));
        assert_eq!(told.parameters["properties"]["words"]["description"], "What to say");
        assert_eq!(told.parameters["required"], json!(["words"]));
    }
}
