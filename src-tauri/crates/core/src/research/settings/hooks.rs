//! Hooks: webhooks and programs that are called after research.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    Problem, Wrong, looks_like_key,
    tools::{check_entry_name, is_read_as_program},
    vendors::is_loopback,
};
use crate::protocol::HookEvent;

/// One hook: an address that gets a request, or a program that is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Hook {
    /// Whether it is called at all.
    pub enabled: bool,
    /// The address of a webhook.
    pub url: Option<String>,
    /// The program that is started in its place.
    pub command: Option<String>,
    /// Its arguments; `{question}`, `{state}`, `{thread}`, `{turn}` and `{event}` are filled in. No shell reads them.
    pub args: Vec<String>,
    /// Whether requests carry a signature, made with a secret that is kept like keys.
    pub signed: bool,
    /// The events that it is called for.
    pub on: Vec<HookEvent>,
    /// Seconds that a delivery may take.
    #[schemars(range(min = 1, max = 600))]
    pub timeout: u32,
}

impl Default for Hook {
    fn default() -> Self {
        Self { enabled: true, url: None, command: None, args: Vec::new(), signed: true, on: HookEvent::DEFAULT.to_vec(), timeout: 30 }
    }
}

impl Hook {
    /// The argument that the program would read as a program of its own, with something filled in: a question may come from
    /// anybody, such as another program that asks over MCP.
    pub fn opening(&self) -> Option<usize> {
        let command = self.command.as_deref()?;
        let opens = |(index, word): (usize, &String)| {
            let has_field = FIELDS.iter().any(|field| word.contains(field));
            (has_field && is_read_as_program(command, &self.args, index)).then_some(index)
        };
        self.args.iter().enumerate().find_map(opens)
    }

    /// Where a delivery goes, on one line as it is shown.
    pub fn target(&self) -> String {
        match &self.url {
            Some(url) => url.clone(),
            None => self.command.iter().chain(&self.args).map(|word| super::tools::shown(word)).collect::<Vec<_>>().join(" "),
        }
    }
}

pub(super) fn check(hooks: &BTreeMap<String, Hook>, out: &mut Vec<Problem>) {
    for (name, hook) in hooks {
        let place = format!("hooks.{name}");
        check_entry_name(&place, name, out);
        if name.starts_with('-') {
            out.push(Problem::new(&place, Wrong::FirstLetter));
        }
        let mut wrong = |field: &str, wrong: Wrong| out.push(Problem::new(format!("{place}.{field}"), wrong));
        match (hook.url.as_deref(), hook.command.as_deref().map(str::trim)) {
            (None, None) => wrong("url", Wrong::NoTarget),
            (Some(_), Some(_)) => wrong("url", Wrong::HookProgramAndAddress),
            (None, Some("")) => wrong("command", Wrong::EmptyProgram),
            (None, Some(command)) if command.contains('{') => {
                wrong("command", Wrong::HookProgramWithField);
            }
            (None, Some(_)) => {
                if let Some(index) = hook.opening() {
                    wrong(&format!("args[{index}]"), Wrong::ReadAsProgram);
                }
            }
            (Some(url), None) => {
                if let Some(problem) = address_problem(url) {
                    wrong("url", problem);
                }
                if !hook.args.is_empty() {
                    wrong("args", Wrong::HookArgumentsOfAddress);
                }
            }
        }
        for (index, _) in hook.args.iter().enumerate().filter(|(_, argument)| looks_like_key(argument)) {
            wrong(&format!("args[{index}]"), Wrong::KeyInHook);
        }
        if hook.on.is_empty() {
            wrong("on", Wrong::NoEvents { known: HookEvent::ALL.map(HookEvent::as_str).join(", ") });
        }
    }
}

/// What is filled in in arguments.
const FIELDS: [&str; 5] = ["{question}", "{state}", "{thread}", "{turn}", "{event}"];

/// Why nothing can be sent to this address.
fn address_problem(url: &str) -> Option<Wrong> {
    let Ok(parsed) = url::Url::parse(url.trim()) else { return Some(Wrong::HookAddress) };
    match parsed.scheme() {
        "https" => {}
        "http" if parsed.host_str().is_some_and(is_at_home) => {}
        "http" => return Some(Wrong::HttpsUnlessNear),
        _ => return Some(Wrong::Https),
    }
    (!parsed.username().is_empty() || parsed.password().is_some()).then_some(Wrong::PasswordInAddress)
}

/// Whether a host is this computer or one on the same local network.
fn is_at_home(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_private = match bare.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(ip)) => ip.is_private() || ip.is_link_local(),
        Ok(std::net::IpAddr::V6(ip)) => ip.is_unique_local() || ip.is_unicast_link_local(),
        Err(_) => !bare.contains('.') || [".local", ".lan", ".home.arpa", ".internal"].iter().any(|end| bare.ends_with(end)),
    };
    is_private || is_loopback(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(hook: Hook) -> Vec<String> {
        let settings = super::super::Settings { hooks: BTreeMap::from([("notes".to_owned(), hook)]), ..Default::default() };
        settings.problems().into_iter().map(|problem| problem.field).collect()
    }

    #[test]
    fn every_problem_names_its_field() {
        let to = |url: &str| Hook { url: Some(url.into()), ..Hook::default() };
        let program = Hook { command: Some("notify-send".into()), args: vec!["{question}".into()], ..Hook::default() };
        assert_eq!(wrong(Hook::default()), ["hooks.notes.url"]);
        assert!(wrong(program.clone()).is_empty());
        assert_eq!(wrong(Hook { url: Some("https://e.org".into()), ..program.clone() }), ["hooks.notes.url"]);
        assert_eq!(wrong(Hook { command: Some("{question}".into()), ..program.clone() }), ["hooks.notes.command"]);
        assert_eq!(wrong(Hook { args: vec!["x".into()], ..to("https://e.org") }), ["hooks.notes.args"]);
        assert_eq!(wrong(Hook { on: Vec::new(), ..program.clone() }), ["hooks.notes.on"]);
        assert_eq!(wrong(Hook { timeout: 0, ..program }), ["hooks.notes.timeout"]);
        let shell = |args: &[&str]| Hook {
            command: Some("/bin/sh".into()),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            ..Hook::default()
        };
        assert_eq!(wrong(shell(&["-c", "echo \"{question}\" >> f"])), ["hooks.notes.args[1]"]);
        assert!(wrong(shell(&["-c", "echo \"$1\" >> f", "sh", "{question}"])).is_empty());
        for open in
            ["https://e.org/a?b=c", "http://127.0.0.1:5678/", "http://192.168.1.5:8123/api/webhook/x", "http://nas.local/", "http://n8n/"]
        {
            assert!(wrong(to(open)).is_empty(), "{open}");
        }
        for closed in ["http://e.org/", "ftp://e.org/", "e.org", "https://a:b@e.org/", "http://8.8.8.8/"] {
            assert_eq!(wrong(to(closed)), ["hooks.notes.url"], "{closed}");
        }
    }
}
