//! Tools of the person's own: servers that speak MCP, and commands.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong, looks_like_key};
use crate::ports::ToolCause;

/// The name that commands have in place of a server's.
pub const COMMANDS: &str = "command";
/// Characters of the name of a server or command.
const MAX_NAME: usize = 24;

/// A server of tools, which is a program or an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct ToolServer {
    /// Whether its tools are offered to models.
    pub enabled: bool,
    /// The program that is started.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Environment variables that it gets besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// Environment variables whose values are kept like keys.
    pub secrets: Vec<String>,
    /// The address of a server that is reached over HTTP.
    pub url: Option<String>,
    /// What Nexi is called by the one that signs people in to this address, where that registers no programs by itself.
    pub client_id: Option<String>,
    /// The port of this computer at which a sign-in comes back; any free one if it is none.
    #[schemars(range(min = 1024))]
    pub redirect_port: Option<u16>,
    /// What a sign-in asks to be allowed; what the server names if it is empty.
    pub scopes: Vec<String>,
    /// Seconds that a call may take without a sign of progress.
    #[schemars(range(min = 1, max = 1800))]
    pub timeout: u32,
    /// Whether what it returns is nobody's private text.
    pub public: bool,
    /// Whether it sends nothing away from this computer.
    pub local: bool,
}

impl Default for ToolServer {
    fn default() -> Self {
        Self {
            enabled: true,
            command: None,
            args: Vec::new(),
            env: BTreeMap::new(),
            secrets: Vec::new(),
            url: None,
            client_id: None,
            redirect_port: None,
            scopes: Vec::new(),
            timeout: 60,
            public: false,
            local: false,
        }
    }
}

impl ToolServer {
    /// What is started or reached, on one line as it is shown and approved; another line is another server.
    pub fn launch(&self) -> String {
        match &self.url {
            Some(url) => url.clone(),
            None => {
                let words = self.command.iter().chain(&self.args).map(|word| shown(word));
                let set = self.env.iter().map(|(name, value)| format!("{name}={}", shown(value)));
                let secret = self.secrets.iter().map(|name| format!("{name}=***"));
                set.chain(secret).chain(words).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A command that a model may run, with arguments of its own in the places that the person gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct ToolCommand {
    /// Whether it is offered to models.
    pub enabled: bool,
    /// What it does, for models.
    pub description: String,
    /// The program that is started.
    pub program: String,
    /// Its arguments; `{name}` stands for the argument of this name. Nothing is read by a shell.
    pub args: Vec<String>,
    /// What each argument means, by its name.
    pub arguments: BTreeMap<String, String>,
    /// The argument that the program reads from its standard input, if any.
    pub input: Option<String>,
    /// Whether it changes nothing, so that more than one call can be allowed at once.
    pub reads: bool,
    /// Seconds that it may take.
    #[schemars(range(min = 1, max = 3600))]
    pub timeout: u32,
    /// Whether what it prints is nobody's private text.
    pub public: bool,
    /// Whether it sends nothing away from this computer.
    pub local: bool,
}

impl Default for ToolCommand {
    fn default() -> Self {
        Self {
            enabled: true,
            description: String::new(),
            program: String::new(),
            args: Vec::new(),
            arguments: BTreeMap::new(),
            input: None,
            reads: false,
            timeout: 60,
            public: false,
            local: false,
        }
    }
}

impl ToolCommand {
    /// The command on one line.
    pub fn launch(&self) -> String {
        std::iter::once(&self.program).chain(&self.args).map(|word| shown(word)).collect::<Vec<_>>().join(" ")
    }

    /// The arguments of one call, in the places of `args`.
    ///
    /// # Errors
    /// When an argument is missing, or would be read as an option of the program.
    pub fn filled(&self, given: &BTreeMap<String, String>) -> Result<Vec<String>, ToolCause> {
        let mut out = Vec::new();
        for word in &self.args {
            let mut filled = String::new();
            let mut rest = word.as_str();
            // What an argument holds is not read again.
            while let Some((at, name)) = self.next_argument(rest) {
                let value = given.get(name).ok_or_else(|| ToolCause::MissingArgument { name: name.to_owned() })?;
                // Where it begins a word, it could become an option that nobody has allowed.
                if filled.is_empty() && at == 0 && value.starts_with('-') {
                    return Err(ToolCause::HyphenArgument { name: name.to_owned() });
                }
                if value.contains('\0') {
                    return Err(ToolCause::OddArgument { name: name.to_owned() });
                }
                filled.push_str(&rest[..at]);
                filled.push_str(value);
                rest = &rest[at + name.len() + 2..];
            }
            filled.push_str(rest);
            out.push(filled);
        }
        Ok(out)
    }

    /// The first place of an argument in a word, and its name.
    fn next_argument(&self, word: &str) -> Option<(usize, &str)> {
        let places = self.arguments.keys().filter_map(|name| Some((word.find(&format!("{{{name}}}"))?, name.as_str())));
        places.min_by_key(|(at, _)| *at)
    }
}

/// A name that fits, from any other.
pub fn fitting_name(name: &str) -> String {
    let plain: String = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let short = plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let short = short[..short.len().min(MAX_NAME)].trim_matches('-');
    match short {
        "" => "server".to_owned(),
        COMMANDS => format!("{COMMANDS}-server"),
        short => short.to_owned(),
    }
}

/// Programs that read what stands behind these options as a program of its own.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "ksh",
    "python",
    "python3",
    "perl",
    "ruby",
    "node",
    "php",
    "osascript",
    "powershell",
    "pwsh",
    "cmd",
    "cmd.exe",
];
const READ_AS_PROGRAM: &[&str] = &["-c", "-e", "-r", "-lc", "-ic", "--eval", "-Command", "-command", "/c", "/C"];

/// Whether a program reads the word at this place of its arguments as a program of its own.
pub(super) fn is_read_as_program(program: &str, args: &[String], index: usize) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let before = index.checked_sub(1).and_then(|before| args.get(before)).map_or("", String::as_str);
    INTERPRETERS.contains(&name) && READ_AS_PROGRAM.contains(&before)
}

/// Why a model could do more with a command than fill in its arguments.
fn opening(command: &ToolCommand) -> Option<(usize, Wrong)> {
    let holds = |word: &str| command.next_argument(word).is_some();
    for (index, word) in command.args.iter().enumerate().filter(|(_, word)| holds(word)) {
        if is_read_as_program(&command.program, &command.args, index) {
            return Some((index, Wrong::ReadAsProgram));
        }
        if let Some((at, _)) = command.next_argument(word)
            && at > 0
            && word[..at].bytes().all(|byte| byte == b'-')
        {
            return Some((index, Wrong::ChoosesOption));
        }
    }
    None
}

/// A word as a person would type it, with signs for characters that nobody would see.
pub(super) fn shown(word: &str) -> String {
    let word = &crate::user_tools::with_signs(word);
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:@,+%{}".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

pub(super) fn check(servers: &BTreeMap<String, ToolServer>, commands: &BTreeMap<String, ToolCommand>, out: &mut Vec<Problem>) {
    for (name, server) in servers {
        let place = format!("tools.{name}");
        check_name(&place, name, out);
        let mut wrong = |field: &str, wrong: Wrong| out.push(Problem::new(format!("{place}.{field}"), wrong));
        let command = server.command.as_deref().map(str::trim);
        match (command, server.url.as_deref()) {
            (None, None) => wrong("command", Wrong::NoLaunch),
            (Some(_), Some(_)) => wrong("url", Wrong::ProgramAndAddress),
            (Some(""), None) => wrong("command", Wrong::EmptyProgram),
            (Some(_), None) => {}
            (None, Some(url)) => {
                if let Some(problem) = address_problem(url) {
                    wrong("url", problem);
                }
                if !(server.args.is_empty() && server.env.is_empty()) {
                    wrong("args", Wrong::ArgumentsOfAddress);
                }
            }
        }
        if server.url.is_none() {
            let signs_in = [
                ("client_id", server.client_id.is_some()),
                ("redirect_port", server.redirect_port.is_some()),
                ("scopes", !server.scopes.is_empty()),
            ];
            for (field, _) in signs_in.into_iter().filter(|(_, is_set)| *is_set) {
                wrong(field, Wrong::SignInOfProgram);
            }
        }
        if server.client_id.as_ref().is_some_and(|id| id.trim().is_empty()) {
            wrong("client_id", Wrong::EmptyClientId);
        }
        for (index, scope) in server.scopes.iter().enumerate().filter(|(_, scope)| scope.is_empty() || scope.contains(char::is_whitespace))
        {
            wrong(&format!("scopes[{index}]"), Wrong::Scope { scope: scope.clone() });
        }
        for (index, argument) in server.args.iter().enumerate().filter(|(_, argument)| looks_like_key(argument)) {
            let _ = argument;
            wrong(&format!("args[{index}]"), Wrong::KeyInToolSettings);
        }
        for (variable, value) in &server.env {
            if !is_variable(variable) {
                wrong(&format!("env.{variable}"), Wrong::Variable);
            } else if looks_like_key(value) {
                wrong(&format!("env.{variable}"), Wrong::KeyInToolSettings);
            }
        }
        for (index, variable) in server.secrets.iter().enumerate().filter(|(_, variable)| !is_variable(variable)) {
            wrong(&format!("secrets[{index}]"), Wrong::NoVariable { name: variable.clone() });
        }
    }
    for (name, command) in commands {
        let place = format!("commands.{name}");
        check_name(&place, name, out);
        let mut wrong = |field: &str, wrong: Wrong| out.push(Problem::new(format!("{place}.{field}"), wrong));
        if command.program.trim().is_empty() {
            wrong("program", Wrong::NoProgram);
        } else if command.program.contains('{') {
            wrong("program", Wrong::ProgramWithArgument);
        }
        if command.description.trim().is_empty() {
            wrong("description", Wrong::NoToolDescription);
        }
        if let Some((index, why)) = opening(command) {
            wrong(&format!("args[{index}]"), why);
        }
        for argument in command.arguments.keys() {
            let place = format!("{{{argument}}}");
            if argument.is_empty() || !argument.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                wrong(&format!("arguments.{argument}"), Wrong::ArgumentName);
            } else if !command.args.iter().any(|word| word.contains(&place)) && command.input.as_ref() != Some(argument) {
                wrong(&format!("arguments.{argument}"), Wrong::UnusedArgument { place, argument: argument.clone() });
            }
        }
        if let Some(input) = command.input.as_ref().filter(|input| !command.arguments.contains_key(*input)) {
            wrong("input", Wrong::NoArgument { name: input.clone() });
        }
    }
}

/// Checks the name of a table that the person chose.
pub(super) fn check_entry_name(place: &str, name: &str, out: &mut Vec<Problem>) {
    let fits =
        !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !fits {
        out.push(Problem::new(place, Wrong::EntryName { most: MAX_NAME }));
    }
}

fn check_name(place: &str, name: &str, out: &mut Vec<Problem>) {
    check_entry_name(place, name, out);
    if name == COMMANDS {
        out.push(Problem::new(place, Wrong::ReservedName));
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Why a server cannot be reached at this address.
fn address_problem(url: &str) -> Option<Wrong> {
    let Ok(parsed) = url::Url::parse(url.trim()) else { return Some(Wrong::ToolAddress) };
    let host = parsed.host_str().unwrap_or_default();
    let near = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    match parsed.scheme() {
        "https" => {}
        "http" if near => {}
        "http" => return Some(Wrong::HttpsUnlessHere),
        _ => return Some(Wrong::Https),
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Some(Wrong::PasswordInAddress);
    }
    let is_secret = |name: &str| ["key", "token", "secret", "password"].iter().any(|word| name.to_ascii_lowercase().contains(word));
    if parsed.query_pairs().any(|(name, value)| is_secret(&name) || looks_like_key(&value)) {
        return Some(Wrong::KeyInAddress);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(server: ToolServer, command: ToolCommand) -> Vec<String> {
        let (tools, commands) = (BTreeMap::from([("files".into(), server)]), BTreeMap::from([("notes".into(), command)]));
        let settings = super::super::Settings { tools, commands, ..Default::default() };
        settings.problems().into_iter().map(|problem| problem.field).collect()
    }

    fn server(command: &str) -> ToolServer {
        ToolServer { command: Some(command.into()), ..ToolServer::default() }
    }

    fn command() -> ToolCommand {
        ToolCommand {
            description: "Finds notes.".into(),
            program: "grep".into(),
            args: vec!["-r".into(), "--regexp={words}".into(), "{folder}".into()],
            arguments: BTreeMap::from([("words".into(), String::new()), ("folder".into(), String::new())]),
            ..ToolCommand::default()
        }
    }

    #[test]
    fn every_problem_names_its_field() {
        assert!(wrong(server("npx"), command()).is_empty());
        assert_eq!(wrong(ToolServer::default(), command()), ["tools.files.command"]);
        let both = ToolServer { url: Some("https://e.org/mcp".into()), ..server("npx") };
        assert_eq!(wrong(both, command()), ["tools.files.url"]);
        for url in ["http://e.org/mcp", "ftp://e.org", "mcp", "https://a:b@e.org/", "https://e.org/mcp?apiKey=x"] {
            assert_eq!(wrong(ToolServer { url: Some(url.into()), ..ToolServer::default() }, command()), ["tools.files.url"], "{url}");
        }
        assert!(wrong(ToolServer { url: Some("http://127.0.0.1:8000/mcp".into()), ..ToolServer::default() }, command()).is_empty());
        let keyed = ToolServer { args: vec!["ghp_0123456789abcdefghij0123456789abcdef".into()], ..server("npx") };
        assert_eq!(wrong(keyed, command()), ["tools.files.args[0]"]);
        assert_eq!(wrong(server("npx"), ToolCommand { program: "{words}".into(), ..command() }), ["commands.notes.program"]);
        let unused = ToolCommand { args: vec!["{words}".into()], ..command() };
        assert_eq!(wrong(server("npx"), unused), ["commands.notes.arguments.folder"]);
        let mut out = Vec::new();
        check(&BTreeMap::from([("My Files".into(), server("x")), (COMMANDS.into(), server("x"))]), &BTreeMap::new(), &mut out);
        assert_eq!(out.len(), 2);
        let signs_in = ToolServer { client_id: Some("nexi".into()), redirect_port: Some(80), scopes: vec!["a b".into()], ..server("npx") };
        assert_eq!(wrong(signs_in, command()).len(), 5);
    }

    #[test]
    fn no_argument_becomes_a_program_or_an_option() {
        let shell = |args: &[&str]| ToolCommand {
            program: "/bin/sh".into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            arguments: BTreeMap::from([("words".into(), String::new())]),
            ..command()
        };
        assert_eq!(wrong(server("npx"), shell(&["-c", "grep {words} /n"])), ["commands.notes.args[1]"]);
        assert!(wrong(server("npx"), shell(&["-c", "grep \"$1\" /n", "sh", "{words}"])).is_empty());
        assert_eq!(wrong(server("npx"), shell(&["-{words}"])), ["commands.notes.args[0]"]);
        assert!(ToolServer { args: vec!["\u{202e}".into()], ..server("x") }.launch().contains("\\u{202e}"));
    }

    #[test]
    fn arguments_stay_words_and_never_become_options() {
        let given =
            |words: &str, folder: &str| BTreeMap::from([("words".to_owned(), words.to_owned()), ("folder".to_owned(), folder.to_owned())]);
        assert_eq!(command().filled(&given("a b; rm -rf $HOME", "/n")).unwrap(), ["-r", "--regexp=a b; rm -rf $HOME", "/n"]);
        assert!(command().filled(&given("-x", "/n")).is_ok(), "it stands behind the option's own name");
        assert!(matches!(command().filled(&given("x", "--include=*")), Err(ToolCause::HyphenArgument { .. })));
        assert!(matches!(command().filled(&BTreeMap::new()), Err(ToolCause::MissingArgument { .. })));
        assert_eq!(command().filled(&given("{folder}", "{words}")).unwrap(), ["-r", "--regexp={folder}", "{words}"]);
    }
}
