use nexi_core::protocol::{Citation, Ending, Passage, Source, Support, Usage};
use nexi_core::run::Input;

use super::*;

fn question(thread: Option<&ThreadId>) -> NewTurn<'_> {
    NewTurn { thread, question: "When did  the bridge open?", effort: Effort::S, model: "m", asked_ms: 5 }
}

fn page() -> Page {
    Page { url: "https://e.org/".into(), title: "T".into(), text: "It opened in 1931.".into(), ..Page::default() }
}

#[test]
fn a_turn_comes_back_as_it_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    let history = History::open(&path).unwrap();
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    history.add_sources(&thread, &[StoredSource { number: 1, page: page(), read_ms: 6 }]).unwrap();
    let passage = Passage { start: 0, end: 18, quote: "It opened in 1931.".into(), start_line: None, end_line: None, page: None };
    let ending = Ending {
        state: TurnState::Answered,
        reason: None,
        answer: "In 1931 [1].".into(),
        sources: vec![Source {
            number: 1,
            url: "https://e.org/".into(),
            title: "T".into(),
            site: "e.org".into(),
            date: None,
            cached_ms: None,
            cited: true,
            passages: vec![passage],
        }],
        citations: vec![Citation { number: 1, ordinal: 0, passage: Some(0), known: true, support: Support::Supported, detected: None }],
        steps: 3,
        usage: Usage { prompt: 10, completion: 5, cost: 42, estimated: true },
        model: None,
    };
    history.finish_turn(&turn, &ending, 1234, &[]).unwrap();
    drop(history);
    let history = History::open(&path).unwrap();
    let turns = history.turns(&thread).unwrap();
    assert_eq!((&turns[0].ending, turns[0].duration_ms), (&ending, 1234));
    assert_eq!(history.turn(&turn).unwrap(), turns[0]);
    assert_eq!(history.source(&thread, 1).unwrap().page, page());
    assert_eq!(history.threads(10).unwrap()[0].title, "When did the bridge open?");
    assert_eq!(history.branch(&turn, false, 9).unwrap(), None, "nothing stands before the first turn");
    let branch = history.branch(&turn, true, 9).unwrap().unwrap();
    let copy = &history.turns(&branch).unwrap()[0];
    assert_eq!((&copy.ending, copy.question.as_str()), (&ending, "When did  the bridge open?"));
    assert!(copy.id != turn && history.source(&branch, 1).unwrap().page == page());
    history.delete_thread(&branch).unwrap();
    assert_eq!(history.turns(&thread).unwrap().len(), 1, "a branch is a thread of its own");
    history.begin_turn(&question(Some(&thread))).unwrap();
    assert!(matches!(history.begin_turn(&question(Some(&thread))), Err(StoreError::Busy)), "one run at a time in a thread");
    assert_eq!(history.turns(&thread).unwrap().len(), 2);
    history.delete_thread(&thread).unwrap();
    assert!(matches!(history.turns(&thread), Err(StoreError::Missing { .. })));
    assert!(matches!(history.begin_turn(&question(Some(&thread))), Err(StoreError::Missing { .. })));
}

#[test]
fn runs_of_dead_processes_are_interrupted_and_can_be_taken_over_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    let first = History::open(&path).unwrap();
    let (_, turn) = first.begin_turn(&question(None)).unwrap();
    first.journal(&turn, 0, 3, &[Input::TimeUp { hard: false }]).unwrap();
    let second = History::open(&path).unwrap();
    assert!(second.find_interrupted(None).is_err(), "the first process still lives");
    drop(first);
    assert_eq!(second.find_interrupted(None).unwrap(), turn);
    assert_eq!(second.find_interrupted(Some(&turn.as_str()[..12])).unwrap(), turn);
    assert_eq!(second.read_journal(&turn).unwrap(), [Journaled { elapsed_ms: 3, input: Input::TimeUp { hard: false } }]);
    second.take_over(&turn).unwrap();
    assert!(second.take_over(&turn).is_err());
    assert!(second.journal(&turn, 0, 3, &[Input::Cancelled]).is_err(), "a place in the journal is taken once");
}

#[test]
fn newer_and_damaged_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    drop(History::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(History::open(&path), Err(StoreError::TooNew(_))));
    let broken = folder.path().join("broken.db");
    std::fs::write(&broken, "this is not a database, not at all, not even nearly one").unwrap();
    assert!(matches!(History::open(&broken), Err(StoreError::Damaged { .. })));
    assert!(std::fs::read_to_string(&broken).unwrap().starts_with("this is not"));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let path = data.join("nexi.db");
    let _history = History::open(&path).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&data), mode(&path)), (0o700, 0o600));
}

#[test]
fn the_migrations_are_valid() {
    MIGRATIONS.validate().unwrap();
}
