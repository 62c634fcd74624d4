//! No two modules beside each other use one another, directly or by way of others. A module and those within it may.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{files, root};

/// A module's place in its crate, such as `["research", "run", "check"]`.
type Place = Vec<String>;
type Arrows = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_do_not_use_each_other_in_circles() {
    let crates = std::fs::read_dir(root().join("src-tauri/crates")).expect("the crates");
    let mut sources: Vec<_> = crates.flatten().map(|entry| entry.path().join("src")).collect();
    sources.push(root().join("src-tauri/src"));
    let mut arrows = 0;
    for source in sources {
        let modules = modules(&source);
        let uses = uses(&modules);
        arrows += uses.len();
        for ((parent, level), graph) in levels(&uses) {
            let Some(found) = circle(&graph) else { continue };
            let is_part = |place: &Place| place.starts_with(&parent) && place.get(level).is_some_and(|part| found.contains(part));
            let arrows: Vec<String> = uses
                .iter()
                .filter(|(from, to)| is_part(from) && is_part(to) && from[level] != to[level])
                .map(|(from, to)| format!("{} -> {}", from.join("::"), to.join("::")))
                .collect();
            panic!("{}: {found:?} use each other:\n{}", source.display(), arrows.join("\n"));
        }
    }
    assert!(arrows > 300, "only {arrows} uses were found");
}

#[test]
fn files_of_the_window_do_not_import_each_other_in_circles() {
    let folder = root().join("ui/js");
    let mut all = Vec::new();
    files(&folder, &[".js"], &mut all);
    let mut graph = Arrows::new();
    for path in &all {
        let text = std::fs::read_to_string(path).expect("a file of the window");
        for line in text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from ")) {
            let Some(name) = line.split('"').nth(1).filter(|name| name.starts_with('.')) else { continue };
            let target = path.parent().expect("a folder").join(name).canonicalize().unwrap_or_else(|error| panic!("{name}: {error}"));
            graph.entry(path.display().to_string()).or_default().insert(target.display().to_string());
        }
    }
    assert!(graph.len() > 20, "only {} files import others", graph.len());
    let found = circle(&graph);
    assert!(found.is_none(), "{found:?} import each other");
}

#[test]
fn a_circle_is_found() {
    let arrows = |all: &[(&str, &str)]| {
        let mut graph = Arrows::new();
        for (from, to) in all {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        graph
    };
    assert_eq!(circle(&arrows(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = circle(&arrows(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")])).expect("a circle");
    assert_eq!(found, ["b", "c", "d"]);
    let paths = |text: &str| used(text).into_iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(paths("use crate::{a::{self, B}, c};\n// use crate::d;\n"), ["crate::a::self", "crate::a::B", "crate::c"]);
    assert_eq!(paths("let x = super::e::f(crate::g::H);"), ["super::e::f", "crate::g::H"]);
}

/// Every module of a crate with its text, without its tests.
fn modules(source: &Path) -> BTreeMap<Place, String> {
    let mut all = Vec::new();
    files(source, &[".rs"], &mut all);
    let place = |path: &Path| {
        let inner = path.strip_prefix(source).expect("a file of this crate").with_extension("");
        let mut place: Place = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if matches!(place.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            place.pop();
        }
        place
    };
    let text = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a module");
        text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
    };
    all.iter().filter(|path| !path.ends_with("tests.rs")).map(|path| (place(path), text(path))).collect()
}

/// Where the names lie that a module passes on from others, by the module and the name.
fn passed_on(modules: &BTreeMap<Place, String>) -> BTreeMap<(Place, String), Place> {
    let mut out = BTreeMap::new();
    for (module, text) in modules {
        for line in
            text.split(';').filter_map(|statement| statement.split_once("pub use ").or_else(|| statement.split_once("pub(crate) use ")))
        {
            let mut paths = Vec::new();
            tree(&[], line.1, &mut paths);
            for path in paths {
                let mut at = match path[0].as_str() {
                    "crate" => Vec::new(),
                    "super" => module[..module.len().saturating_sub(1)].to_vec(),
                    "self" => module.clone(),
                    first => [module.as_slice(), &[first.to_owned()]].concat(),
                };
                for part in &path[1..] {
                    let next = [at.as_slice(), std::slice::from_ref(part)].concat();
                    if !modules.contains_key(&next) {
                        break;
                    }
                    at = next;
                }
                if let Some(name) = path.last().filter(|_| modules.contains_key(&at)) {
                    out.insert((module.clone(), name.clone()), at);
                }
            }
        }
    }
    out
}

/// Which module uses which. A name that a module passes on counts for the one it lies in.
fn uses(modules: &BTreeMap<Place, String>) -> BTreeSet<(Place, Place)> {
    let mut out = BTreeSet::new();
    let passed_on = passed_on(modules);
    for (module, text) in modules.iter().filter(|(module, _)| !module.is_empty()) {
        for path in used(text) {
            let mut at = match path[0].as_str() {
                "crate" => Vec::new(),
                "super" => module[..module.len() - 1].to_vec(),
                "self" => module.clone(),
                first if modules.contains_key(&[module.as_slice(), &[first.to_owned()]].concat()) => {
                    [module.as_slice(), &[first.to_owned()]].concat()
                }
                _ => continue,
            };
            for (index, part) in path[1..].iter().enumerate() {
                if part == "super" {
                    at.pop();
                    continue;
                }
                let mut next = [at.as_slice(), std::slice::from_ref(part)].concat();
                if index == 0 && path[0] == "crate" && !modules.contains_key(&next) {
                    // What the crate shows at its top lies in one of its folders.
                    let folder = modules.keys().find(|place| place.len() == 2 && place[1] == *part);
                    next = folder.cloned().unwrap_or(next);
                }
                if !modules.contains_key(&next) {
                    while let Some(inner) = passed_on.get(&(at.clone(), part.clone())).filter(|inner| **inner != at) {
                        at.clone_from(inner);
                    }
                    break;
                }
                at = next;
            }
            if !at.is_empty() && at != *module {
                out.insert((module.clone(), at));
            }
        }
    }
    out
}

/// The paths that a text uses, those in braces one by one.
fn used(text: &str) -> Vec<Vec<String>> {
    let text: String = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut out = Vec::new();
    let mut rest = text.as_str();
    while let Some(found) = rest.find("use ") {
        let (before, after) = rest.split_at(found);
        mentioned(before, &mut out);
        let starts = before.chars().next_back().is_none_or(char::is_whitespace);
        let end = if starts { after.find(';').unwrap_or(after.len()) } else { 4 };
        if starts {
            tree(&[], &after[4..end], &mut out);
        }
        rest = &after[end..];
    }
    mentioned(rest, &mut out);
    out
}

/// Paths such as `crate::a::b` in the middle of code.
fn mentioned(code: &str, out: &mut Vec<Vec<String>>) {
    for word in code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        let parts: Vec<String> = word.split("::").map(str::to_owned).collect();
        if parts.len() > 1 && matches!(parts[0].as_str(), "crate" | "super" | "self") {
            out.push(parts);
        }
    }
}

fn tree(prefix: &[String], text: &str, out: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0, 0);
    let mut branches = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&text[start..]);
    for branch in branches.into_iter().map(str::trim).filter(|branch| !branch.is_empty()) {
        let parts = |text: &str| text.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        match branch.split_once('{') {
            Some((before, inner)) => {
                let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
                tree(&[prefix, &parts(before)].concat(), inner, out);
            }
            None => {
                let name = branch.split(" as ").next().unwrap_or(branch);
                out.push([prefix, &parts(name)].concat());
            }
        }
    }
}

/// For each module that holds others, which of those use which.
fn levels(uses: &BTreeSet<(Place, Place)>) -> BTreeMap<(Place, usize), Arrows> {
    let mut out: BTreeMap<(Place, usize), Arrows> = BTreeMap::new();
    for (from, to) in uses {
        let level = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // A module may use those within it and the one it lies in.
        if let (Some(from_part), Some(to_part)) = (from.get(level), to.get(level)) {
            let graph = out.entry((from[..level].to_vec(), level)).or_default();
            graph.entry(from_part.clone()).or_default().insert(to_part.clone());
        }
    }
    out
}

/// One circle, if there is any.
fn circle(graph: &Arrows) -> Option<Vec<String>> {
    fn walk(at: &str, graph: &Arrows, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        if let Some(from) = path.iter().position(|seen| seen == at) {
            return Some(path[from..].to_vec());
        }
        if !done.insert(at.to_owned()) {
            return None;
        }
        path.push(at.to_owned());
        let found = graph.get(at).into_iter().flatten().find_map(|next| walk(next, graph, path, done));
        path.pop();
        found
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|start| walk(start, graph, &mut Vec::new(), &mut done))
}
