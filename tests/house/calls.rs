//! What the modules of a window call, that window may call: otherwise a button leads to nothing but an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::read;

/// Shared modules hold what a window never comes to: the popup saves no templates, the wizard only adds a service.
const NEVER_REACHED: [(&str, &str); 4] =
    [("popup", "keep_template"), ("setup", "find_searxng"), ("setup", "remove_key"), ("setup", "check_settings")];

/// The module and all that it imports, whatever that imports.
fn modules(entry: &Path, out: &mut BTreeMap<PathBuf, String>) {
    if out.contains_key(entry) {
        return;
    }
    let text = read(&entry.to_string_lossy());
    out.insert(entry.to_path_buf(), text.clone());
    for line in text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from ")) {
        let Some(named) = line.split('"').nth(1).filter(|named| named.starts_with('.') && named.ends_with(".js")) else { continue };
        let mut path = entry.parent().map(Path::to_path_buf).unwrap_or_default();
        for part in named.split('/') {
            match part {
                "." => {}
                ".." => drop(path.pop()),
                part => path.push(part),
            }
        }
        modules(&path, out);
    }
}

#[test]
fn every_window_may_call_what_its_modules_call() {
    // `export const askIt = (…) => call("ask", …)`
    let host = read("ui/js/host.js");
    let commands: BTreeMap<&str, &str> = host
        .split("\nexport ")
        .filter_map(|part| {
            let name = part.split(' ').nth(1)?.split('(').next()?;
            Some((name, part.split("call(\"").nth(1)?.split('"').next()?))
        })
        .collect();
    assert!(commands.len() > 100, "{commands:?}");
    let configuration: Value = serde_json::from_str(&read("tauri.conf.json")).expect("JSON");
    let mut lacking = Vec::new();
    for (window, entry) in [("main", "main.js"), ("popup", "popup.js"), ("settings", "settings.js"), ("setup", "setup.js")] {
        let capabilities = configuration["app"]["security"]["capabilities"].as_array().expect("capabilities");
        let capability = capabilities.iter().find(|capability| capability["windows"][0] == window).expect("the window has one");
        let allowed: BTreeSet<String> = capability["permissions"]
            .as_array()
            .expect("permissions")
            .iter()
            .filter_map(|permission| Some(permission.as_str()?.strip_prefix("allow-")?.replace('-', "_")))
            .collect();
        let mut all = BTreeMap::new();
        modules(Path::new(&format!("ui/js/{entry}")), &mut all);
        assert!(all.len() > 10, "{window}: {:?}", all.keys());
        for (path, text) in all.iter().filter(|(path, _)| !path.ends_with("host.js")) {
            for part in text.split("host.").skip(1) {
                let name = part.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
                let Some(command) = commands.get(name) else { continue };
                if !allowed.contains(*command) && !NEVER_REACHED.contains(&(window, *command)) {
                    lacking.push(format!("{window} calls {command} in {} and may not", path.display()));
                }
            }
        }
    }
    assert_eq!(lacking, Vec::<String>::new());
}
