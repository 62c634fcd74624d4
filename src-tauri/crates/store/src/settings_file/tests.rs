use nexi_core::{protocol::Effort, settings::Wrong};

use super::*;

const EXAMPLE: &str = r#"
default_effort = "l"
llm_backends = ["work", "builtin"]   # ordered
search_backends = ["documents", "searx"]
fetch_backends = ["builtin", "jina"]
max_context = 64000
auto_compact_thresh = 1
time_target = 60
max_cost = 1
[documents]
folders = ["~/notes"]
[network]
allowed_private_hosts = ["wiki.lan"]
[models."my-model"]
context = 32000
input = 0.5
output = 2
[prompts]
final_answer = "Now answer."
[providers.work]
type = "openai_compatible"
base_url = "https://api.openai.com/v1"
model = "gpt-4.1-mini"
api_key_env = "OPENAI_API_KEY"
[providers.searx]
type = "searxng"
base_url = "http://localhost:8888"
"#;

fn problems(text: &str) -> Vec<String> {
    parse(text).unwrap().1.into_iter().map(|problem| told::problem(&problem)).collect()
}

#[test]
fn the_example_is_understood() {
    let (loaded, problems) = parse(EXAMPLE).unwrap();
    assert_eq!((problems, loaded.unknown), (Vec::new(), Vec::new()));
    let settings = loaded.settings;
    assert_eq!((settings.default_effort, settings.max_context, settings.time_target), (Effort::L, 64000, Some(60)));
    assert_eq!(settings.providers["searx"].base_url.as_deref(), Some("http://localhost:8888"));
    assert_eq!(settings.documents.folders, ["~/notes"]);
    assert_eq!((settings.max_cost, settings.models["my-model"].output, settings.prompts.0.len()), (Some(1.0), Some(2.0), 1));
}

#[test]
fn mistakes_name_their_field() {
    for (text, wanted) in [
        ("max_context = \"big\"", "max_context: must be a whole number, 2000 or more, not text"),
        ("max_context = -1", "max_context: must be"),
        ("preserve_last_n_messages = -1", "preserve_last_n_messages: must be a whole number, 0 or more"),
        ("[providers.a]\ntype = \"ollama\"\nbase_url = \"ftp://x\"\nmodel = \"m\"", "providers.a.base_url: must begin with http"),
        ("default_effort = \"xl\"", "default_effort: must be s, m or l, not \"xl\""),
        ("llm_backends = \"work\"", "llm_backends: must be a list of strings"),
        ("search_backends = [1]", "search_backends[0]: must be text, not 1"),
        ("documents = 3", "documents: must be a table, not 3"),
        ("[providers.a]\ntype = \"magic\"", "providers.a.type: \"magic\" is not known"),
        ("[providers.a]\nmodel = \"x\"", "providers.a.type: is missing"),
        ("[providers.a]\ntype = \"jina\"\napi_key = \"hunter2\"", "providers.a.api_key: keys do not belong"),
        ("[providers.a]\ntype = \"gemini\"\nmodel = \"m\"\nkey_strategy = \"random\"", "providers.a.key_strategy: must be fallback"),
        ("[providers.a]\ntype = \"anthropic\"", "providers.a.model: is missing"),
        ("[providers.a]\ntype = \"ollama\"\nmodel = \"m\"\nmore_key_envs = [\"sk-1\"]", "providers.a.more_key_envs[0]: must be the name"),
        ("[providers.a]\ntype = \"ollama\"\nmodel = \"m\"\ntools = 1", "providers.a.tools: must be true or false"),
        ("max_cost = -1", "max_cost: must be US dollars"),
        ("max_cost = nan", "max_cost: must be a number, such as 0.5"),
        ("max_context = 3.5", "max_context: must be a whole number, 2000 or more, not a number with a fraction"),
        ("max_context = 99999999999", "max_context: must be a whole number, 2000 or more, not a number that large"),
        ("max_context = 2026-11-27", "max_context: must be a whole number, 2000 or more, not a date"),
        ("side_tasks = [\"planing\"]", "side_tasks[0]: must be planning, extraction, selection, compaction, check or evaluation"),
        ("[preferences]\nunits = \"furlongs\"", "preferences.units: must be metric or imperial, not \"furlongs\""),
        ("[preferences]\nunits = 3", "preferences.units: must be metric or imperial, not 3"),
        ("[desktop]\ntheme = [\"dark\"]", "desktop.theme: must be system, light or dark, not a list"),
        ("[search]\ncount = 99", "search.count: must be a whole number from 1 to 50, not 99"),
        ("[hooks.a]\nurl = \"https://e.org\"\non = [\"never\"]", "hooks.a.on[0]: must be answered, failed or changed"),
        ("[hooks]\na = 3", "hooks.a: must be a table, not 3"),
        ("[tools.a]\ncommand = \"x\"\nenv = { B = 1 }", "tools.a.env.B: must be text, not 1"),
        (
            "[tools.a]\nurl = \"https://e.org\"\nredirect_port = 80",
            "tools.a.redirect_port: must be a whole number from 1024 to 65535, not 80",
        ),
        ("[documents]\ninclude = [\"*.pdf\"]", "documents.include: must be a table of lists, not a list"),
        ("[network]\napi_token = \"hunter2\"", "network.api_token: keys do not belong"),
        // Entries may have any name, `json` and digits among them.
        ("[providers.json]\ntype = \"json\"\napi_key = \"hunter2\"", "providers.json.api_key: keys do not belong"),
        ("[tools.json]\ncommand = \"x\"\ntoken = \"hunter2\"", "tools.json.token: keys do not belong"),
        ("[providers.a]\napi_key = \"hunter2\"", "providers.a.api_key: keys do not belong"),
        (
            "[providers.2]\ntype = \"ollama\"\nmodel = \"m\"\nrequests_per_minute = 0",
            "providers.2.requests_per_minute: must be a whole number, 1 or more",
        ),
        ("[providers.a]\ntype = \"ollama\"\nmodel = \"sk-0123456789ABCDEF\"", "providers.a.model: keys do not belong"),
        ("[hooks.a]\ncommand = \"x\"\nargs = [\"--token=ghp_0123456789ABCDEF\"]", "hooks.a.args[0]: keys do not belong"),
        ("[commands.a]\nprogram = \"x\"\ndescription = \"y\"\nargs = [\"sk-0123456789ABCDEF\"]", "commands.a.args[0]: keys do not belong"),
        // A list is no table, whatever the order of its items.
        ("network = []", "network: must be a table, not a list"),
        ("watched = [100]", "watched: must be a table, not a list"),
        ("[hooks]\na = [true, \"https://e.org\"]", "hooks.a: must be a table, not a list"),
        ("[[network]]\nproxy = \"none\"", "network: must be a table, not a list"),
        ("[documents.exclude]\n\"/n\" = [\"a\", 2020-01-01]", "documents.exclude./n: must be a list of strings"),
        ("side_model = nan", "side_model: must be text, not nan or inf"),
        ("[desktop]\ntheme = 2026-01-01 # pw hunter2", "desktop.theme: must be system, light or dark, not a date"),
        ("side_tasks = [\"planing\", \"chek\"]", "side_tasks[1]: must be planning"),
        ("[deep]\nplan = \"maybe\"", "deep.plan: must be ask or go"),
        ("[models.m]\ninput = \"x\"", "models.m.input: must be a number"),
        ("[models.m]\ninput = 1", "models.m.output: is missing"),
        ("[prompts]\nextractor = \"x\"", "prompts.extractor: must hold {material}"),
        ("[prompts]\nfoo = \"x\"", "prompts.foo: is not a prompt"),
        ("auto_compact_thresh = 2.5", "auto_compact_thresh: must be a number above"),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|problem| problem.contains(wanted)), "{text}: {found:?}");
        assert!(!found.iter().any(|problem| problem.contains("hunter2")));
    }
}

#[test]
fn what_is_wrong_leaves_everything_else_as_it_is_set() {
    let text = "max_context = \"big\"\ndefault_effort = \" L \"\nside_model = \" \"\n[preferences]\nunits = \"\"\nlanguage = \"German\"\n\
        [search]\ncount = true\nlanguage = \"de\"\n[providers.openai]\nmodel = \"m\"\n[providers.a]\ntype = \"magic\"\nmodel = \"m\"\n\
        [providers.search]\ntype = \"json\"\njson = { url = \"https://e.org?q={query}\", title = \"t\", link = \"l\", headers = { X-Key = \"{key}\" } }\n";
    let (loaded, problems) = parse(text).unwrap();
    let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["max_context", "providers.a.type", "search.count"]);
    let settings = loaded.settings;
    assert_eq!((settings.max_context, settings.default_effort, settings.side_model), (128_000, Effort::L, None));
    assert_eq!((settings.preferences.language.as_deref(), settings.preferences.units), (Some("German"), None));
    assert_eq!((settings.search.count, settings.search.language.as_deref()), (10, Some("de")));
    assert_eq!(settings.providers.keys().collect::<Vec<_>>(), ["openai", "search"]);
    assert_eq!(settings.providers["openai"].base_url.as_deref(), Some("https://api.openai.com/v1"), "a service's name is its address");
    assert_eq!(settings.providers["search"].json.as_ref().map(|json| json.headers.len()), Some(1));
    assert_eq!(loaded.unknown, []);
}

#[test]
fn one_mistake_leaves_the_tables_around_it() {
    let text = "[providers.2]\ntype = \"ollama\"\nmodel = \"m\"\nmemory_mib = \"x\"\n[providers.work]\ntype = \"ollama\"\nmodel = \"m\"\n\
        [documents.exclude]\n2024 = \"x\"\n\"/home/me/n\" = [\"private/**\"]\n[search]\nkey = \"x\"\n";
    let (loaded, problems) = parse(text).unwrap();
    let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["documents.exclude.2024", "providers.2.memory_mib"]);
    assert_eq!(loaded.settings.providers.keys().collect::<Vec<_>>(), ["2", "work"]);
    assert_eq!(loaded.settings.documents.exclude["/home/me/n"], ["private/**"]);
    assert_eq!(loaded.unknown.iter().map(|problem| problem.field.as_str()).collect::<Vec<_>>(), ["search.key"]);
    // Two hundred words in capitals are no mistakes.
    let many: String = (0..250).map(|n| format!("[providers.p{n}]\ntype = \"OLLAMA\"\nmodel = \"m\"\nthinking = \"High\"\n")).collect();
    let (loaded, problems) = parse(&many).unwrap();
    assert_eq!((problems, loaded.settings.providers.len()), (Vec::new(), 250));
}

#[test]
fn every_setting_can_be_set_in_the_file() {
    use nexi_core::settings::schema::{self, Kind};
    for setting in schema::all() {
        let value = match &setting.kind {
            Kind::Text => "\"https://e.org\"".to_owned(),
            Kind::Switch => "true".into(),
            Kind::Whole(from, _) => from.unwrap_or(0).max(1).to_string(),
            Kind::Decimal => "0.5".into(),
            Kind::Word(words) => format!("{:?}", words[0].word),
            Kind::Texts => "[\"a\"]".into(),
            Kind::Words(words) => format!("[{:?}]", words[0].word),
            Kind::NamedTexts => "{ a = \"b\" }".into(),
            Kind::NamedLists => "{ a = [\"b\"] }".into(),
            Kind::Table => panic!("{} has no settings of its own", setting.name()),
        };
        let is_of_provider = setting.path[0] == "providers" && setting.path.last().is_some_and(|name| name != "type");
        let kind = if is_of_provider { "providers.NAME.type = \"json\"\n" } else { "" };
        let text = format!("{kind}{} = {value}\n", setting.name());
        let read = reading::settings(text.parse::<DocumentMut>().unwrap().as_table());
        assert_eq!((read.problems, read.unknown), (Vec::new(), Vec::new()), "{text}");
        // It has arrived: what is written is not what is there without it.
        let (before, after) = (serde_json::to_value(Settings::default()).unwrap(), serde_json::to_value(&read.settings).unwrap());
        let at = |values: &serde_json::Value| setting.path.iter().try_fold(values.clone(), |value, name| value.get(name).cloned());
        assert!(at(&after).is_some_and(|value| !value.is_null()), "{text}");
        assert!(at(&before) != at(&after) || setting.standard == at(&after).unwrap(), "{text}");
    }
}

#[test]
fn names_of_fields_are_read_as_toml_writes_them() {
    assert_eq!(path_of("models.\"gpt-4.1\".input").unwrap(), ["models", "gpt-4.1", "input"]);
    assert_eq!(path_of("providers.schön.model").unwrap(), ["providers", "schön", "model"]);
    assert_eq!((path_of("a..b"), path_of("models.\"x"), path_of("")), (None, None, None));
}

#[test]
fn a_table_with_the_name_of_a_type_is_of_that_type() {
    let (loaded, problems) = parse("[providers.wikipedia]\nbase_url = \"http://localhost:8080\"").unwrap();
    assert_eq!(problems, []);
    assert_eq!(loaded.settings.providers["wikipedia"].kind, nexi_core::settings::ProviderKind::Wikipedia);
}

#[test]
fn unknown_keys_are_reported_and_harmless() {
    let (loaded, problems) = parse("max_contxt = 5\n[providers.jina]\ntype = \"jina\"\nfoo = 1").unwrap();
    assert!(problems.is_empty());
    let fields: Vec<&str> = loaded.unknown.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["max_contxt", "providers.jina.foo"]);
    assert!(told::wrong(&loaded.unknown[0].wrong).ends_with("did you mean max_context?"), "{:?}", loaded.unknown);
}

#[test]
fn changes_keep_comments_and_bad_ones_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/config.toml");
    edit(&path, |document| document["default_effort"] = toml_edit::value("s")).unwrap();
    std::fs::write(&path, "# mine\nmax_context = 4000 # small\n").unwrap();
    let loaded = edit(&path, |document| document["default_effort"] = toml_edit::value("l")).unwrap();
    assert_eq!((loaded.settings.default_effort, loaded.settings.max_context), (Effort::L, 4000));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("# mine") && text.contains("# small") && text.contains("default_effort = \"l\""), "{text}");
    assert!(edit(&path, |document| document["max_context"] = toml_edit::value(1)).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert!(matches!(read(&folder.path().join("none.toml"), true), Err(SettingsError::File { .. })));
    assert_eq!(read(&folder.path().join("none.toml"), false).unwrap().settings, Settings::default());
}

#[test]
fn what_other_programs_need_keys_for_is_in_the_catalogue() {
    use nexi_core::settings::hotkey_problem;
    let named = ["space", "tab", "enter", "escape", "delete", "home", "left", "right", "up", "down"].map(str::to_owned);
    let keys: Vec<String> = ('a'..='z').map(String::from).chain((1..=12).map(|number| format!("f{number}"))).chain(named).collect();
    let mut needs = std::collections::BTreeSet::new();
    for held in 0..16_u8 {
        let held: String = ["alt+", "ctrl+", "shift+", "super+"]
            .iter()
            .enumerate()
            .filter(|(bit, _)| held >> bit & 1 == 1)
            .map(|(_, name)| *name)
            .collect();
        needs.extend(keys.iter().filter_map(|key| match hotkey_problem(&format!("{held}{key}"))?.wrong {
            Wrong::Needed { need } => Some(need),
            _ => None,
        }));
    }
    assert!(needs.len() > 55, "{needs:?}");
    for language in nexi_messages::Language::ALL {
        for need in &needs {
            assert!(nexi_messages::Messages::of(language).has(&format!("problems-need.{need}")), "{need}");
        }
    }
}

#[test]
fn a_key_in_the_wrong_line_is_not_shown() {
    let text = "side_model = \"sk-0123456789abcdefghijABCDEFGHIJ\"\n[network]\nallowed_private_hosts = [\"ghp_0123456789ABCDEFabcdef0123456789abcd/\"]";
    let found = problems(text).join("\n");
    assert!(found.contains("side_model: ") && found.contains("allowed_private_hosts[0]: "), "{found}");
    assert!(!found.contains("0123456789"), "{found}");
}
