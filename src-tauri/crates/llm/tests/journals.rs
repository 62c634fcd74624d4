//! Recorded runs, folded again: the same inputs give the same ending, wherever a run was cut off.
//!
//! The journals were written by the end-to-end tests (`NEXI_RECORD=1`); `NEXI_UPDATE=1` writes the
//! endings anew.

#[path = "../../core/tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::check_conversation;
use nexi_core::protocol::{Ending, Event};
use nexi_core::run::{AnyRun, Effect, Input};
use nexi_llm::tokens::Encoding;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/journals")
}

fn journals() -> BTreeMap<String, Vec<Input>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap();
            let inputs = text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
            out.insert(path.file_stem().unwrap().to_string_lossy().into_owned(), inputs.collect());
        }
    }
    out
}

fn encoding(name: &str) -> Arc<Encoding> {
    Arc::new(if name == "compaction" { Encoding::O200kBase } else { Encoding::Cl100kBase })
}

/// A journal's run, with the effects of its beginning.
fn run(name: &str, inputs: &[Input]) -> (AnyRun, Vec<Effect>) {
    let Some(Input::Asked { asked }) = inputs.first() else { panic!("{name} begins with no question") };
    AnyRun::begin(asked.as_ref().clone(), encoding(name))
}

/// Folds inputs; checks on the way what must hold at every moment.
fn fold(run: &mut AnyRun, inputs: &[Input], numbers: &mut BTreeMap<String, u32>) -> Option<Ending> {
    inputs.iter().filter_map(|input| check(run.step(input.clone()), numbers)).last()
}

/// Checks effects; the ending among them.
fn check(effects: Vec<Effect>, numbers: &mut BTreeMap<String, u32>) -> Option<Ending> {
    let mut end = None;
    for effect in effects {
        match effect {
            Effect::AskModel { body, .. } => check_conversation(&body.messages),
            Effect::Of { effect, .. } => {
                if let Effect::AskModel { body, .. } = *effect {
                    check_conversation(&body.messages);
                }
            }
            Effect::Emit(event) => {
                let event = if let Event::Researcher { event, .. } = event { *event } else { event };
                if let Event::PageRead { url, number, .. } = event {
                    assert_eq!(*numbers.entry(url).or_insert(number), number, "a number has changed");
                }
            }
            Effect::Finish { ending, .. } => end = Some(*ending),
            _ => {}
        }
    }
    end
}

#[test]
fn every_recorded_run_ends_as_it_did() {
    let journals = journals();
    assert!(journals.len() >= 12, "only {} journals", journals.len());
    for (name, inputs) in &journals {
        let (mut run, begun) = run(name, inputs);
        let mut numbers = BTreeMap::new();
        // One that could pay for nothing ends as it begins.
        let begun = check(begun, &mut numbers);
        let ending = begun.or(fold(&mut run, inputs, &mut numbers)).unwrap_or_else(|| panic!("{name} has no end"));
        let json = serde_json::to_string_pretty(&ending).unwrap() + "\n";
        let path = folder().join(format!("{name}.ending.json"));
        if std::env::var_os("NEXI_UPDATE").is_some() {
            std::fs::write(&path, &json).unwrap();
        }
        assert_eq!(json, std::fs::read_to_string(&path).unwrap_or_default(), "{name}");
        println!("{name}: {} inputs, {}", inputs.len(), ending.state.as_str());
    }
}

#[test]
fn a_recorded_run_can_be_cut_anywhere() {
    for (name, inputs) in &journals() {
        let (mut whole, begun) = run(name, inputs);
        let whole = check(begun, &mut BTreeMap::new()).or(fold(&mut whole, inputs, &mut BTreeMap::new())).unwrap();
        for cut in 1..inputs.len() {
            let (mut run, begun) = run(name, inputs);
            let mut numbers = BTreeMap::new();
            check(begun, &mut numbers);
            assert!(fold(&mut run, &inputs[..cut], &mut numbers).is_none(), "{name} ends too early");
            assert!(!run.outstanding().is_empty(), "{name}, cut at {cut}: nothing to go on with");
            let ending = fold(&mut run, &inputs[cut..], &mut numbers).unwrap();
            assert_eq!(ending, whole, "{name}, cut at {cut}");
        }
    }
}
