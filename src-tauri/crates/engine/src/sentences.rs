//! What runs speak of in enums, as sentences of the catalogue.

mod attachments;

use nexi_core::{
    model::ModelError,
    place::{PassagePlace, Place},
    ports::{Cause, DatabaseCause, Failure, SignInCause, ToolCause},
    protocol::{EndReason, FieldProblem, FormProblem, Incident, IncidentAction, IncidentKind, Notice, Reasons, ScheduleProblem, Source},
    run::OwnWords,
    text,
    urls::{self, OwnSource},
};
use nexi_llm::{BuiltinWords, Quirk};
use nexi_messages::{Messages, Value, coded, say};
use nexi_tools::CallbackWords;

/// Why a run ended as it did; empty where there is nothing to tell.
pub fn reasons(reasons: &Reasons) -> String {
    reasons.0.iter().map(reason).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The same where there is something to tell.
pub fn reason_told(of: &Reasons) -> Option<String> {
    Some(reasons(of)).filter(|told| !told.is_empty())
}

fn reason(reason: &EndReason) -> String {
    match reason {
        EndReason::ModelFailed { error: Some(error), .. } => model_error(error),
        EndReason::TakenOver { model, error: Some(error), .. } => {
            say!("reasons-why.taken_over", why = model_error(error), model = model_name(model))
        }
        EndReason::CostLimit { millionths } => say!("reasons-why.cost_limit", cost = format!("${}", *millionths as f64 / 1e6)),
        EndReason::UnreadAttachments { names, causes } => attachments::unread(names, causes),
        EndReason::TakenOver { why, model, error: None } => say!("reasons-why.taken_over", why = why, model = model_name(model)),
        other => coded("reasons-why", other),
    }
}

/// A model as people read it; `label` is what turns keep.
pub fn model_name(label: &str) -> String {
    if label == nexi_llm::BUILTIN_LABEL { say!("window-builtin-name") } else { label.to_owned() }
}

/// What has to be known although a run goes on.
pub fn notice(notice: &Notice) -> String {
    coded("notices-what", notice)
}

/// What went wrong in a run, what is done about it, and what the service said.
pub fn incident(incident: &Incident) -> String {
    let service = if incident.service.is_empty() { say!("incident-the-model") } else { incident.service.clone() };
    let values = [
        ("service", Value::from(service)),
        ("status", Value::from(incident.status.unwrap_or_default())),
        ("amount", Value::from(incident.amount.unwrap_or_default())),
    ];
    let mut parts = vec![Messages::current().text(&format!("incident-what.{}", name(&incident.kind)), &values)];
    parts.extend(match &incident.action {
        IncidentAction::Retry { wait_ms } => Some(say!("incident-again", seconds = wait_ms.div_ceil(1000))),
        IncidentAction::NextModel { model } => Some(say!("incident-action.next_model", model = model_name(model))),
        IncidentAction::Shorten => Some(say!("incident-action.shorten")),
        IncidentAction::MoreOutput => Some(say!("incident-action.more_output")),
        IncidentAction::WithoutModel => Some(say!("incident-action.without_model")),
        IncidentAction::Others | IncidentAction::None => None,
    });
    parts.extend(incident.cause.as_deref().filter(|_| incident.kind == IncidentKind::SearchFailed).map(|why| text::ended(&cause(why))));
    parts.extend(incident.said.as_ref().and_then(|said| match incident.kind {
        IncidentKind::SearchFailed if incident.cause.is_some() => None,
        IncidentKind::Rejected | IncidentKind::SearchFailed => Some(text::ended(said)),
        IncidentKind::Unreachable => Some(say!("incident-reason", words = text::ended(said))),
        IncidentKind::RateLimited | IncidentKind::ServerError | IncidentKind::KeyRefused | IncidentKind::NoBalance => {
            Some(say!("incident-it-said", words = text::ended(said)))
        }
        _ => None,
    }));
    parts.join(" ")
}

/// What the built-in researcher says around its quotations.
pub fn built_in_words() -> BuiltinWords {
    BuiltinWords {
        also: say!("answers-built-in.also"),
        doubtful: say!("answers-built-in.doubtful"),
        other: say!("answers-built-in.other"),
        nothing: say!("answers-built-in.nothing"),
        no_search: say!("answers-built-in.no-search"),
        no_results: say!("answers-built-in.no-results"),
        no_page: say!("answers-built-in.no-page"),
        other_things: say!("answers-built-in.other-things"),
        failed: say!("answers-built-in.failed"),
        advice: say!("answers-built-in.advice"),
        cause,
    }
}

/// What the browser shows at the end of a sign-in to a tool server.
pub fn callback_words() -> CallbackWords {
    CallbackWords {
        language: Messages::language().tag(),
        done: (say!("causes-callback.done"), say!("causes-callback.done-then")),
        unknown: (say!("causes-callback.unknown"), say!("causes-callback.unknown-then")),
        over: (say!("causes-callback.over"), say!("causes-callback.over-then")),
        failed: say!("causes-callback.failed"),
        why: failure,
    }
}

/// What a run writes into answers and reports that no model has written.
pub fn own_words() -> OwnWords {
    OwnWords {
        also: say!("answers-built-in.also"),
        no_source: say!("answers-own.no-source"),
        key_findings: say!("answers-own.key-findings"),
        not_established: say!("answers-own.not-established"),
        with_reasons: false,
    }
}

/// What went wrong with a model, and what to do about it.
pub fn model_error(error: &ModelError) -> String {
    let fields = serde_json::to_value(error).unwrap_or_default();
    let text = |name: &str| Value::from(fields[name].as_str().unwrap_or_default());
    let number = |name: &str| Value::from(fields[name].as_i64().unwrap_or_default());
    let wait = [&fields["retry_after"], &fields["after"]].into_iter().find_map(|time| time["secs"].as_i64());
    let message = match fields["why"].as_str() {
        Some(why) => Messages::current().text(&format!("failures-reply.{why}"), &[]),
        None => text::ended(fields["message"].as_str().unwrap_or_default()),
    };
    let values = [
        ("provider", text("provider")),
        ("model", text("model")),
        ("address", text("address")),
        ("variable", text("variable")),
        ("what", text("what")),
        ("message", Value::from(message)),
        ("status", number("status")),
        ("window", number("window")),
        ("waits", Value::from(wait.is_some())),
        ("time", Value::from(wait.map(time).unwrap_or_default())),
    ];
    let code = fields["kind"].as_str().unwrap_or_default();
    let told = Messages::current().text(&format!("failures-model.{code}"), &values);
    match fields["said"].as_str().filter(|said| !said.is_empty()) {
        Some(said) => format!("{told} {}", say!("incident-it-said", words = text::ended(said))),
        None => told,
    }
}

/// Why a search, a page or a call failed.
pub fn failure(failure: &Failure) -> String {
    failure.cause.as_deref().map_or_else(|| failure.message.clone(), cause)
}

/// The same of what is kept of it: facts, or the English sentence where an earlier version has written it.
pub fn failed(cause: Option<&Cause>, sentence: &str) -> String {
    cause.map_or_else(|| sentence.to_owned(), self::cause)
}

/// Why something of the web failed.
pub fn cause(of: &Cause) -> String {
    match of {
        Cause::All { causes } => causes.iter().map(|one| text::ended(&cause(one))).collect::<Vec<_>>().join(" "),
        Cause::Saying { cause, said } => format!("{} {}", self::cause(cause), say!("incident-it-said", words = said)),
        Cause::OfService { service, cause } => say!("causes-what.of_service", service = service, cause = self::cause(cause)),
        Cause::FileUnfetched { host, cause } => say!("causes-what.file_unfetched", host = host, cause = self::cause(cause)),
        Cause::Unread { reader, url, cause } => {
            say!("causes-what.unread", reader = reader, url = url, cause = self::cause(cause))
        }
        Cause::AgainIn { cause, seconds } => {
            let time = match *seconds {
                seconds @ ..100 => say!("causes-time.seconds", count = seconds),
                seconds => say!("causes-time.minutes", count = seconds.div_ceil(60)),
            };
            say!("causes-what.again_in", cause = self::cause(cause), time = time)
        }
        Cause::Limited { service, seconds: Some(seconds) } => say!("causes-what.limited_for", service = service, seconds = *seconds),
        Cause::Tool { why } => match why {
            ToolCause::SilentCall { seconds } => say!("causes-tool.silent_call", time = seconds_told(*seconds)),
            ToolCause::NotAnswered { seconds } => say!("causes-tool.not_answered", time = seconds_told(*seconds)),
            ToolCause::DidNotEnd { seconds } => say!("causes-tool.did_not_end", time = seconds_told(*seconds)),
            ToolCause::EndedWith { exit, said } => say!("causes-tool.ended_with", exit = exit.to_string(), said = said),
            ToolCause::EndedSilentlyWith { exit } => say!("causes-tool.ended_silently_with", exit = exit.to_string()),
            other => coded("causes-tool", other),
        },
        Cause::SignIn { why: SignInCause::PortTaken { port, message } } => {
            say!("causes-sign-in.port_taken", port = port.to_string(), message = message)
        }
        Cause::SignIn { why } => coded("causes-sign-in", why),
        Cause::Container { why } => coded("causes-container", why),
        Cause::Own { why } => coded("causes-own", why),
        Cause::Database { why } => database(why),
        other => coded("causes-what", other),
    }
}

/// Why a database could not be used.
pub fn database(why: &DatabaseCause) -> String {
    coded("causes-database", why)
}

/// `1 second`, `20 seconds`.
fn seconds_told(seconds: u64) -> String {
    say!("causes-seconds", count = seconds)
}

/// A time that a service takes or wants, in seconds.
fn time(seconds: i64) -> String {
    match seconds.max(1) {
        seconds @ ..=180 => say!("failures-time.seconds", count = seconds),
        seconds @ ..=7200 => say!("failures-time.minutes", count = (seconds + 59) / 60),
        seconds @ ..=172_800 => say!("failures-time.hours", count = (seconds + 3599) / 3600),
        _ => say!("failures-time.days"),
    }
}

/// `a, b and c`.
pub fn listed(names: &[String]) -> String {
    Messages::current().joined("arguments-and", names)
}

/// A way in which a service wants to be asked.
pub fn quirk(quirk: Quirk) -> String {
    match quirk {
        Quirk::MaxOutput(tokens) => say!("models-quirk.max_output", tokens = tokens),
        other => {
            let code = serde_json::to_value(other).unwrap_or_default();
            Messages::current().text(&format!("models-quirk.{}", code.as_str().unwrap_or_default()), &[])
        }
    }
}

/// What is wrong with a schedule; it follows the name of its field.
pub fn schedule(problem: &ScheduleProblem) -> String {
    coded("watched-schedule", problem)
}

/// What is wrong with what was entered into a field of a form.
pub fn form_field(problem: &FieldProblem) -> String {
    coded("answers-field", problem)
}

/// The same with the field's name before it.
pub fn form(problem: &FormProblem) -> String {
    format!("{}: {}", problem.title, form_field(&problem.wrong))
}

/// What a source is recognised by: its site, or what it is where it has none.
pub fn site(source: &Source) -> String {
    match urls::own_source(&source.url) {
        Some(OwnSource::AttachedText) => say!("places-own.text"),
        Some(OwnSource::PastResearch) => say!("places-own.thread"),
        Some(OwnSource::Tool(server)) => say!("places-own.tool", server = server),
        None => match urls::corpus_of(&source.url) {
            Some((corpus, _)) => say!("places-own.corpus", file = &source.site, corpus = corpus),
            None => source.site.clone(),
        },
    }
}

/// Where in a document something stands.
pub fn place(place: &Place) -> String {
    match place {
        Place::Page { number } => say!("places-where.page", number = number.to_string()),
        Place::Slide { number } => say!("places-where.slide", number = number.to_string()),
        Place::Paragraph { number } => say!("places-where.paragraph", number = number.to_string()),
        Place::Cell { number } => say!("places-where.cell", number = number.to_string()),
        Place::Section { name } | Place::Chapter { name } => say!("places-where.name", name = name),
        Place::Row { .. } | Place::Message { .. } | Place::Time { .. } => place.to_string(),
    }
}

/// What part of a document a passage fills. Of several sections, chapters or messages only the first is named.
pub fn passage_place(at: &PassagePlace) -> String {
    let more = at.to.saturating_sub(at.from);
    let range = |from: u32| format!("{from}-{}", from.saturating_add(more));
    match &at.place {
        None if more == 0 => say!("places-where.line", number = at.from.to_string()),
        None => say!("places-where.lines", range = range(at.from)),
        Some(Place::Page { number }) if more > 0 => say!("places-where.pages", range = range(*number)),
        Some(Place::Slide { number }) if more > 0 => say!("places-where.slides", range = range(*number)),
        Some(Place::Paragraph { number }) if more > 0 => say!("places-where.paragraphs", range = range(*number)),
        Some(Place::Cell { number }) if more > 0 => say!("places-where.cells", range = range(*number)),
        Some(row @ Place::Row { .. }) if more > 0 => say!("places-where.from", place = place(row)),
        Some(only) => place(only),
    }
}

/// A unit variant as the protocol writes it.
fn name(kind: &IncidentKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, time::Duration};

    use nexi_core::{model::BadReply, ports::ContainerCause, ports::OwnCause};
    use nexi_messages::Language;
    use schemars::{JsonSchema, schema_for};

    use super::*;

    /// The variants of an enum, as its schema lists them.
    fn variants<T: JsonSchema>() -> Vec<serde_json::Value> {
        let schema = serde_json::to_value(schema_for!(T)).unwrap();
        schema["oneOf"].as_array().expect("an enum").clone()
    }

    /// The codes of an enum that is tagged with `tag`, as its schema lists them.
    fn codes<T: JsonSchema>(tag: &str) -> Vec<String> {
        let schema = serde_json::to_value(schema_for!(T)).unwrap();
        let variants = schema["oneOf"].as_array().expect("an enum");
        variants.iter().map(|variant| variant["properties"][tag]["const"].as_str().expect("a code").to_owned()).collect()
    }

    #[test]
    fn what_the_built_in_researcher_says_of_its_search_is_no_statement() {
        use nexi_core::citations::statements::statements;
        for language in [nexi_messages::Language::English, nexi_messages::Language::German] {
            for part in ["also", "doubtful", "other", "nothing", "no-search", "no-results", "no-page", "failed"] {
                let text = Messages::of(language).text(&format!("answers-built-in.{part}"), &[]);
                assert_eq!(statements(&format!("{text}\n\n"), &[]), [], "{text}");
            }
            let text = Messages::of(language).text("answers-own.no-source", &[]);
            assert_eq!(statements(&format!("{text}\n\n- One"), &[]), [], "{text}");
        }
    }

    #[test]
    fn every_reason_and_notice_has_a_message() {
        let messages = Messages::of(nexi_messages::Language::English);
        for code in codes::<EndReason>("code") {
            assert!(messages.has(&format!("reasons-why.{code}")), "{code}");
        }
        for code in codes::<Notice>("code") {
            assert!(messages.has(&format!("notices-what.{code}")), "{code}");
        }
    }

    /// Every code has a sentence in every language, and what is filled in is what the sentence needs.
    #[test]
    fn everything_that_can_be_wrong_with_a_setting_has_a_message() {
        let schema = serde_json::to_value(schema_for!(nexi_core::settings::Wrong)).unwrap();
        for variant in schema["oneOf"].as_array().expect("an enum") {
            let fields = variant["properties"].as_object().expect("fields");
            let code = fields["code"]["const"].as_str().expect("a code");
            let mut values: Vec<(&str, Value)> = fields.keys().map(|name| (name.as_str(), Value::from(format!("the {name}")))).collect();
            // What has no sentence of its own, and what is put together of others.
            match code {
                "told" => continue,
                "unfit" => values.extend([("wanted", "the wanted".into()), ("found", "the found".into())]),
                _ => {}
            }
            for language in [Language::English, Language::German] {
                let (messages, id) = (Messages::of(language), format!("problems-wrong.{code}"));
                assert!(messages.has(&id), "{id}");
                let sentence = messages.text(&id, &values);
                for name in fields.keys().filter(|name| *name != "code") {
                    assert!(sentence.contains(&format!("the {name}")), "{id} does not say {name}: {sentence}");
                }
            }
        }
    }

    /// The English sentence that models read is the one of the catalogue, and every language has one.
    #[test]
    fn causes_are_told_from_the_catalogue() {
        let of_web = variants::<Cause>().into_iter().map(|variant| (None, variant));
        let of_others = [
            ("tool", variants::<ToolCause>()),
            ("sign_in", variants::<SignInCause>()),
            ("container", variants::<ContainerCause>()),
            ("own", variants::<OwnCause>()),
            ("database", variants::<DatabaseCause>()),
        ];
        let inner = of_others.iter().flat_map(|(of, all)| all.iter().map(|variant| (Some(*of), variant.clone())));
        let all: Vec<_> = of_web
            .filter(|(_, variant)| !of_others.iter().any(|(of, _)| variant["properties"]["code"]["const"] == *of))
            .chain(inner)
            .collect();
        assert!(all.len() > 180, "{}", all.len());
        for (group, variant) in &all {
            let fields = variant["properties"].as_object().expect("fields");
            let mut of = serde_json::Map::new();
            for (name, field) in fields {
                let inner = serde_json::json!({"code": "no_host"});
                let value = match (name.as_str(), field["type"].as_str()) {
                    ("code", _) => field["const"].clone(),
                    ("cause", _) => inner,
                    ("causes", _) => serde_json::json!([inner, {"code": "in_time"}]),
                    ("seconds", _) => 7.into(),
                    // Numbers of people's own measure have a separator; a status and a port are names.
                    (_, Some("integer")) => 404.into(),
                    (_, Some("string")) => format!("the {name}").into(),
                    other => panic!("{other:?}"),
                };
                of.insert(name.clone(), value);
            }
            let code = of["code"].as_str().expect("a code").to_owned();
            let of = match group {
                Some(group) => serde_json::json!({"code": group, "why": of}),
                None => serde_json::Value::Object(of),
            };
            let of: Cause = serde_json::from_value(of).expect("a cause");
            // Messages say "It said" where models read "It says", and tell of private networks what can be done instead of
            // what the resolver said.
            if !matches!(of, Cause::Saying { .. } | Cause::UnreachedPrivate { .. }) {
                assert_eq!(cause(&of), of.to_string());
            }
            for language in Language::ALL {
                let message = format!("causes-{}.{code}", group.unwrap_or("what").replace('_', "-"));
                assert!(matches!(code.as_str(), "all" | "saying") || Messages::of(language).has(&message), "{message}");
            }
        }
    }

    #[test]
    fn times_of_causes_are_told_in_words() {
        let service = || "x".to_owned();
        let limited = Cause::Limited { service: service(), seconds: None };
        assert_eq!(cause(&limited), limited.to_string());
        for seconds in [99, 100, 7200] {
            let again = Cause::AgainIn { cause: Box::new(limited.clone()), seconds };
            assert_eq!(cause(&again), again.to_string());
        }
        let port = Cause::Port { port: "9200".into() };
        assert_eq!(cause(&port), port.to_string());
    }

    /// What people read of an error of a model is what the error says of itself in logs.
    #[test]
    fn errors_of_models_are_told_from_the_catalogue() {
        let (provider, said) = (|| "openai".to_owned(), || "no, thanks".to_owned());
        let message = || "it broke".to_owned();
        let after = Duration::from_secs;
        let all = [
            ModelError::Unauthorized { provider: provider(), status: 401, said: said() },
            ModelError::KeyWanted { provider: provider(), said: String::new() },
            ModelError::UnusableKey { provider: provider() },
            ModelError::NoBalance { provider: provider(), said: said() },
            ModelError::NotFound { provider: provider(), what: "gpt-x".into() },
            ModelError::UnknownModel { provider: provider(), model: "gpt-x".into() },
            ModelError::WrongAddress { provider: provider(), address: "http://localhost:1/v2".into() },
            ModelError::WebPage { provider: provider() },
            ModelError::Rejected { provider: provider(), status: 422, message: message() },
            ModelError::ContextFull { provider: provider(), window: Some(8192), prompt: None },
            ModelError::ContextFull { provider: provider(), window: None, prompt: None },
            ModelError::RateLimited { provider: provider(), retry_after: Some(after(90)), said: said() },
            ModelError::RateLimited { provider: provider(), retry_after: None, said: String::new() },
            ModelError::Server { provider: provider(), status: 503, retry_after: None, said: said() },
            ModelError::Unreachable { provider: provider(), message: message() },
            ModelError::Tls { provider: provider(), message: "it broke.".into() },
            ModelError::Silent { provider: provider(), after: after(300) },
            ModelError::Endless { provider: provider(), after: after(9000) },
            ModelError::Broken { provider: provider() },
            ModelError::Malformed { provider: provider(), why: None, message: "it broke.".into() },
            ModelError::Runaway { provider: provider(), why: None, message: "it broke.".into() },
            ModelError::malformed("openai", BadReply::NotJson),
            ModelError::runaway("openai", BadReply::NeverEnds),
            ModelError::NoKey { provider: provider(), variable: "OPENAI_API_KEY".into() },
            ModelError::Cancelled,
        ];
        let told: HashSet<String> =
            all.iter().map(|error| serde_json::to_value(error).unwrap()["kind"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, codes::<ModelError>("kind").into_iter().collect(), "every kind is told");
        for error in &all {
            // Numbers in sentences have a separator of thousands.
            assert_eq!(model_error(error).replace("8,192", "8192"), error.to_string());
        }
    }

    #[test]
    fn reasons_are_told_one_behind_the_other() {
        let told = |list: Vec<EndReason>| reasons(&Reasons(list));
        assert_eq!(
            told(vec![EndReason::CostLimit { millionths: 620_000 }, EndReason::NothingLeftForAnswer]),
            "The cost limit of $0.62 is almost reached. Nothing was left for the answer itself; the sources it read are kept. Raise the limit in Settings."
        );
        assert_eq!(told(vec![EndReason::StepLimit { steps: 1 }]), "The limit of 1 step is reached.");
        assert_eq!(
            told(vec![EndReason::UnreadAttachments { names: vec!["a.pdf".into(), "b.pdf".into()], causes: Vec::new() }]),
            "a.pdf, b.pdf could not be read, so the answer does not rest on them."
        );
        assert_eq!(told(vec![EndReason::Told { text: "As it was.".into() }]), "As it was.");
        assert_eq!(reason_told(&Reasons::default()), None);
    }

    #[test]
    fn incidents_say_what_happened_what_is_done_and_what_was_said() {
        let mut limited = Incident::new(IncidentKind::RateLimited, "openai", IncidentAction::Retry { wait_ms: 4100 });
        limited.said = Some("slow down".into());
        assert_eq!(incident(&limited), "openai is asking for fewer requests. Trying again in 5 s. It said: slow down.");
        let full = Incident::new(IncidentKind::ContextFull, "", IncidentAction::None);
        assert_eq!(incident(&full), "The conversation is longer than the context window of The model.");
        let turns = Incident { amount: Some(2), ..Incident::new(IncidentKind::TurnsLeftOut, "m", IncidentAction::None) };
        assert_eq!(incident(&turns), "The oldest 2 turns of this thread do not fit the model's context window and are left out.");
    }
}
