use nexi_core::protocol::{Event, Notice, Reasons};
use std::collections::BTreeMap;

use nexi_core::protocol::{
    Citation, Correction, CorrectionKind, EarlierSummary, Ending, Incident, IncidentAction, IncidentKind, LibraryQuery, LibraryRow, Method,
    Passage, SecondLook, Source, Statement, Support, ThreadTitle, TurnState, Usage,
};
use nexi_core::run::Input;

use super::*;

/// A thread with one answer, which the library finds by "bridge".
pub(super) fn one_turn(history: &History) -> (ThreadId, TurnId) {
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    history.add_sources(&thread, &[StoredSource { number: 1, page: page(), read_ms: 6 }]).unwrap();
    let ending = Ending { state: TurnState::Answered, ..Ending::failed("", "The bridge opened in 1931.") };
    history.finish_turn(&turn, &ending, &BTreeMap::new(), 1, &[]).unwrap();
    (thread, turn)
}

pub(super) fn question(thread: Option<&ThreadId>) -> NewTurn<'_> {
    NewTurn {
        thread,
        question: "When did  the bridge open?",
        effort: Effort::S,
        mode: Mode::Quick,
        model: "m",
        asked_ms: 5,
        after: None,
        space: None,
        first: None,
    }
}

fn page() -> Page {
    Page { url: "https://e.org/".into(), title: "T".into(), text: "It opened in 1931.".into(), ..Page::default() }
}

#[test]
fn sources_get_their_numbers_when_the_run_ends_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    let stored = |number: u32| StoredSource { number, page: Page { url: format!("https://e.org/{number}"), ..page() }, read_ms: 6 };
    history.add_sources(&thread, &[stored(1), stored(2), stored(3)]).unwrap();
    let numbers = BTreeMap::from([(1, 3), (2, 1), (3, 2)]);
    let urls = || -> Vec<String> { history.sources(&thread).unwrap().into_iter().map(|stored| stored.page.url).collect() };
    assert_eq!(urls(), ["https://e.org/1", "https://e.org/2", "https://e.org/3"]);
    for _ in 0..2 {
        history.finish_turn(&turn, &Ending { state: TurnState::Answered, ..Ending::failed("", "a") }, &numbers, 1, &[]).unwrap();
        assert_eq!(urls(), ["https://e.org/2", "https://e.org/3", "https://e.org/1"]);
    }
}

#[test]
fn what_earlier_versions_kept_is_read_with_its_places_and_statements() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    let answer = "The bridge opened in 1931 [1]. It was painted green in May [1].\n\n    a[1]\n";
    history.finish_turn(&turn, &Ending { state: TurnState::Answered, ..Ending::failed("", answer) }, &BTreeMap::new(), 1, &[]).unwrap();
    let old = r#"[{"number":1,"ordinal":0,"passage":0,"known":true,"support":"supported"},{"number":1,"ordinal":1,"known":true,"support":"not_found"},{"number":1,"ordinal":2,"known":true,"support":"weak"}]"#;
    history.connection().execute("UPDATE turns SET citations = ?1, statements = '[]'", [old]).unwrap();
    let ending = history.turns(&thread).unwrap().remove(0).ending;
    let places: Vec<(usize, usize, Support)> =
        ending.citations.iter().map(|citation| (citation.start, citation.end, citation.support)).collect();
    assert_eq!(places, [(26, 29, Support::Supported), (59, 62, Support::NotSupported)]);
    let supports: Vec<Support> = ending.statements.iter().map(|statement| statement.support).collect();
    assert_eq!(supports, [Support::Supported, Support::NotSupported]);
}

#[test]
fn a_turn_comes_back_as_it_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    let history = History::open(&path).unwrap();
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    history.add_sources(&thread, &[StoredSource { number: 1, page: page(), read_ms: 6 }]).unwrap();
    let passage =
        Passage { start: 0, end: 18, quote: "It opened in 1931.".into(), start_line: None, end_line: None, page: None, place: None };
    let ending = Ending {
        state: TurnState::Answered,
        reason: Reasons::default(),
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
        citations: vec![Citation {
            number: 1,
            start: 8,
            end: 11,
            passage: Some(0),
            known: true,
            support: Support::Supported,
            ..Citation::default()
        }],
        statements: vec![Statement { start: 0, end: 12, support: Support::Supported }],
        steps: 3,
        usage: Usage { cost: 42, estimated: true, cached: 4, ..Usage::tokens(10, 5) },
        model: None,
        incident: Some(Box::new(Incident::new(IncidentKind::RateLimited, "work", IncidentAction::NextModel { model: "m".into() }))),
        follow_ups: vec!["Who built it?".into()],
        check: Some(Box::new(SecondLook {
            looked_at: 2,
            confirmed: 1,
            corrections: vec![Correction { kind: CorrectionKind::Struck, start: 0, end: 12, before: "In 1932.".into() }],
            failed: false,
        })),
        method: Some(Box::new(Method { rounds: 2, ..Method::default() })),
        summary: None,
        title: None,
    };
    history.finish_turn(&turn, &ending, &BTreeMap::new(), 1234, &[]).unwrap();
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
fn a_first_answer_names_its_thread_and_a_person_has_the_last_word() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let titled = |title: &str| Ending { title: ThreadTitle::new(title, "When it opened.").map(Box::new), ..Ending::failed("x", "Yes.") };
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    history.finish_turn(&turn, &titled("Opening of a bridge"), &BTreeMap::new(), 1, &[]).unwrap();
    assert_eq!(history.title(&thread).unwrap(), ("Opening of a bridge".into(), "When it opened".into(), false));
    let (_, later) = history.begin_turn(&question(Some(&thread))).unwrap();
    history.finish_turn(&later, &titled("Something else"), &BTreeMap::new(), 1, &[]).unwrap();
    assert_eq!(history.title(&thread).unwrap().0, "Opening of a bridge");
    let file = history.export(&thread).unwrap();
    assert_eq!((file.description.as_str(), file.titled), ("When it opened", true));
    let (renamed, turn) = history.begin_turn(&question(None)).unwrap();
    history.rename(&renamed, "Mine").unwrap();
    history.finish_turn(&turn, &titled("Opening of a bridge"), &BTreeMap::new(), 1, &[]).unwrap();
    assert_eq!(history.title(&renamed).unwrap().0, "Mine");
}

#[test]
fn a_summary_goes_with_any_turn_that_it_covers_and_a_branch_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let mut thread = None;
    let mut turns = Vec::new();
    for _ in 0..3 {
        let (of, turn) = history.begin_turn(&question(thread.as_ref())).unwrap();
        history.finish_turn(&turn, &Ending::failed("x", "Yes."), &BTreeMap::new(), 1, &[]).unwrap();
        thread = Some(of);
        turns.push(turn);
    }
    let thread = thread.unwrap();
    let summary = EarlierSummary { text: "It was opened.".into(), through: turns[1].clone(), turns: 2, private: false };
    history.keep_summary(&turns[2], &summary).unwrap();
    assert_eq!(history.turn(&turns[2]).unwrap().ending.summary.as_deref(), Some(&summary));
    let branch = history.branch(&turns[2], true, 9).unwrap().unwrap();
    let copied = history.turns(&branch).unwrap();
    assert_eq!(copied[2].ending.summary.as_ref().unwrap().through, copied[1].id);
    // A turn behind those that it covers comes and goes.
    let (_, later) = history.begin_turn(&question(Some(&thread))).unwrap();
    history.finish_turn(&later, &Ending::failed("x", "No."), &BTreeMap::new(), 1, &[]).unwrap();
    history.delete_turn(&later, false, 10).unwrap();
    history.restore_turn(&later).unwrap();
    history.forget_turn(&later, false, 10).unwrap();
    assert!(history.turn(&turns[2]).unwrap().ending.summary.is_some());
    history.delete_turn(&turns[0], false, 10).unwrap();
    assert_eq!(history.turn(&turns[2]).unwrap().ending.summary, None);
    // One that was being made meanwhile comes too late, by hand and with a run.
    assert!(matches!(history.keep_summary(&turns[2], &summary), Err(StoreError::Busy)));
    let (_, run) = history.begin_turn(&question(Some(&thread))).unwrap();
    let ending = Ending { summary: Some(Box::new(summary.clone())), ..Ending::failed("x", "Yes.") };
    history.finish_turn(&run, &ending, &BTreeMap::new(), 1, &[]).unwrap();
    assert_eq!(history.turn(&run).unwrap().ending.summary, None);
    assert!(history.turns(&branch).unwrap()[2].ending.summary.is_some());
    assert!(matches!(history.keep_summary(&TurnId("none".into()), &summary), Err(StoreError::Missing { .. })));
}

#[test]
fn turns_are_found_by_either_end_of_their_id_and_everything_can_be_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    let history = History::open(&path).unwrap();
    let (thread, first) = history.begin_turn(&question(None)).unwrap();
    history.finish_turn(&first, &Ending::failed("x", "an unusual word: ptarmigan"), &BTreeMap::new(), 1, &[]).unwrap();
    let (_, second) = history.begin_turn(&NewTurn { asked_ms: 6, ..question(None) }).unwrap();
    let newest = |limit, offset| -> Vec<TurnId> { history.newest_turns(limit, offset).unwrap().into_iter().map(|line| line.id).collect() };
    assert_eq!(newest(5, 0), [second.clone(), first.clone()]);
    assert_eq!((newest(1, 0), newest(5, 1)), (vec![second.clone()], vec![first.clone()]));
    assert_eq!(history.newest_turns(5, 0).unwrap()[1].state, TurnState::Failed);
    let id = first.as_str();
    for part in [id, &id[id.len() - 8..], &id.to_uppercase()] {
        assert_eq!(history.find_turn(part).unwrap(), first, "{part}");
    }
    assert_eq!(history.find_thread(thread.as_str()).unwrap(), thread);
    assert!(matches!(history.find_turn(&id[..4]), Err(StoreError::Ambiguous { .. })), "both were made in the same minute");
    assert!(matches!(history.find_turn(&id[..3]), Err(StoreError::Short { .. })));
    assert!(matches!(history.find_turn("zzzzzz"), Err(StoreError::Missing { .. })));
    assert_eq!(history.clear().unwrap(), (1, 1), "what is being answered stays");
    assert_eq!(newest(5, 0), [second]);
    drop(history);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(9).any(|window| window == b"ptarmigan"), "nothing is left of what was cleared");
    }
}

#[test]
fn what_is_purged_leaves_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nexi.db");
    let history = History::open(&path).unwrap();
    for _ in 0..40 {
        let (_, turn) = history.begin_turn(&question(None)).unwrap();
        history.finish_turn(&turn, &Ending::failed("x", "a word like any other"), &BTreeMap::new(), 1, &[]).unwrap();
    }
    let (thread, turn) = history.begin_turn(&question(None)).unwrap();
    history.finish_turn(&turn, &Ending::failed("x", "an unusual word: ptarmigan"), &BTreeMap::new(), 1, &[]).unwrap();
    history.delete(&thread, 9).unwrap();
    assert_eq!(history.purge(10).unwrap(), 1);
    drop(history);
    let bytes = std::fs::read(&path).unwrap();
    assert!(!bytes.windows(9).any(|window| window == b"ptarmigan"));
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
    assert_eq!(second.find_interrupted(Some(&turn.as_str()[24..])).unwrap(), turn, "as it is listed");
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

fn ending(answer: &str) -> Ending {
    Ending { state: TurnState::Answered, reason: Reasons::default(), ..Ending::failed("", answer) }
}

fn answered(history: &History, asked: &str, answer: &str, url: &str) -> ThreadId {
    let new = NewTurn { question: asked, effort: Effort::M, ..question(None) };
    let (thread, turn) = history.begin_turn(&new).unwrap();
    let page = Page { url: url.into(), title: "Harbour records".into(), text: "t".into(), ..Page::default() };
    history.add_sources(&thread, &[StoredSource { number: 1, page, read_ms: 6 }]).unwrap();
    let source = Source {
        number: 1,
        url: url.into(),
        title: "Harbour records".into(),
        site: nexi_core::urls::site(url),
        date: None,
        cached_ms: None,
        cited: true,
        passages: Vec::new(),
    };
    history.finish_turn(&turn, &Ending { sources: vec![source], ..ending(answer) }, &BTreeMap::new(), 10, &[]).unwrap();
    thread
}

fn find(history: &History, change: impl FnOnce(&mut LibraryQuery)) -> Vec<(ThreadId, String)> {
    let mut query = LibraryQuery { limit: 50, ..LibraryQuery::default() };
    change(&mut query);
    let shown = |row: LibraryRow| {
        let marked =
            row.hit.map(|hit| hit.pieces.into_iter().map(|piece| if piece.hit { format!("<{}>", piece.text) } else { piece.text }));
        (row.id, marked.map(Iterator::collect).unwrap_or_default())
    };
    history.library(&query).unwrap().rows.into_iter().map(shown).collect()
}

#[test]
fn the_library_finds_words_and_filters() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let bridge = answered(&history, "When did the bridge open?", "It was **opened** in 1931 [1].", "https://www.e.org/a");
    let tower = answered(&history, "東京タワーの高さは？", "東京タワーの高さは333メートルである。", "https://f.org/b");
    let text = |words: &str| find(&history, |query| query.text = words.into());
    assert_eq!(text("opening 1931"), [(bridge.clone(), "It was <opened> in <1931> [1].".into())]);
    assert_eq!(text("harbour").len(), 2, "sources are found, too");
    assert_eq!(text("高さ"), [(tower.clone(), "東京タワーの<高さ>は？\n東京タワーの高さは333メートルである。".into())]);
    assert_eq!((text("brid").len(), text("bridge tower").len(), text("\"open the\"").len(), text("*").len()), (1, 0, 0, 0));
    assert_eq!(find(&history, |query| query.site = Some("www.E.org".into())).len(), 1);
    assert_eq!(find(&history, |query| query.effort = Some(Effort::S)).len(), 0);
    history.pin(&tower, true).unwrap();
    history.set_tags(&tower, &["#japan".into(), "Japan ".into(), String::new()]).unwrap();
    assert_eq!((find(&history, |query| query.pinned = true).len(), history.tags().unwrap()), (1, vec![("japan".into(), 1)]));
    assert_eq!(find(&history, |query| query.tag = Some("japan".into()))[0].0, tower);
    history.rename(&bridge, "The bridge").unwrap();
    assert_eq!(history.threads(10).unwrap().iter().filter(|thread| thread.title == "The bridge").count(), 1);
    history.delete(&bridge, 7).unwrap();
    assert_eq!((text("opened").len(), history.threads(10).unwrap().len()), (0, 1));
    history.restore(&bridge).unwrap();
    assert_eq!(text("opened").len(), 1);
    history.delete(&bridge, 7).unwrap();
    assert_eq!((history.purge(6).unwrap(), history.purge(7).unwrap()), (0, 1));
    assert!(history.restore(&bridge).is_err());
    let rest: i64 =
        history.connection().query_row("SELECT count(*) FROM turns_fts WHERE turns_fts MATCH 'opened'", [], |row| row.get(0)).unwrap();
    assert_eq!(rest, 0, "nothing of it is left in the index");
    history.connection().execute("INSERT INTO turns_fts (turns_fts, rank) VALUES ('integrity-check', 1)", []).unwrap();
}

#[test]
fn every_thread_is_reached_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let all: Vec<ThreadId> = (0..25).map(|number| answered(&history, &format!("Question {number}"), "Yes.", "https://e.org/")).collect();
    for words in ["", "question", "question yes"] {
        let mut seen = Vec::new();
        loop {
            let query = LibraryQuery { text: words.into(), offset: seen.len() as u32, limit: 10, ..LibraryQuery::default() };
            let page = history.library(&query).unwrap();
            seen.extend(page.rows.into_iter().map(|row| row.id));
            if !page.more {
                break;
            }
        }
        seen.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        assert_eq!(seen, all, "{words:?}");
    }
}

#[test]
fn a_thread_goes_from_one_history_to_another_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let private = History::in_memory(folder.path()).unwrap();
    let thread = answered(&private, "When did the bridge open?", "In 1931 [1].", "https://e.org/a");
    private.set_tags(&thread, &["b".into(), "a".into()]).unwrap();
    let kept = History::open(&folder.path().join("nexi.db")).unwrap();
    let file = private.export(&thread).unwrap();
    assert_eq!(kept.import(std::slice::from_ref(&file)).unwrap(), [true]);
    assert_eq!(kept.export(&thread).unwrap(), file);
    assert_eq!(kept.import(std::slice::from_ref(&file)).unwrap(), [false], "twice is once");
    assert_eq!(find(&kept, |query| query.text = "1931".into()).len(), 1);
    let json = serde_json::to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<ThreadFile>(&json).unwrap(), file);
    let mut bad = file.clone();
    bad.sources[0].page.url = "javascript:alert(1)".into();
    bad.id = ThreadId("0".into());
    assert!(kept.import(&[bad]).unwrap_err().to_string().contains("must begin with"));
    let newer = ThreadFile { nexi_thread: 2, ..file };
    assert!(kept.import(&[newer]).unwrap_err().to_string().contains("newer"));
}

#[test]
fn a_turn_comes_into_being_with_the_first_line_of_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let (_, turn) = history.begin_turn(&NewTurn { first: Some(&Input::FinishNow), ..question(None) }).unwrap();
    assert_eq!(history.read_journal(&turn).unwrap()[0].input, Input::FinishNow);
    // What cannot be written down leaves no turn, either.
    history.connection().execute_batch("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT raise(FAIL, 'full'); END").unwrap();
    assert!(history.begin_turn(&NewTurn { first: Some(&Input::FinishNow), ..question(None) }).is_err());
    assert_eq!(history.threads(9).unwrap().len(), 1);
}

#[test]
fn a_thread_that_another_process_has_gone_on_with_is_read_again_first() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let (thread, read) = one_turn(&history);
    let (_, other) = one_turn(&history);
    let stale = NewTurn { after: Some(&other), ..question(Some(&thread)) };
    assert!(matches!(history.begin_turn(&stale), Err(StoreError::Busy)));
    assert!(history.begin_turn(&NewTurn { after: Some(&read), ..question(Some(&thread)) }).is_ok());
}

#[test]
fn every_page_is_looked_at_after_an_unclean_end_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let (path, wal) = (folder.path().join("nexi.db"), folder.path().join("nexi.db-wal"));
    let history = History::open(&path).unwrap();
    one_turn(&history);
    drop(history);
    assert!(!wal.exists(), "closed cleanly");
    // A page of a table that opening does not read.
    let history = History::open(&path).unwrap();
    let root: u32 =
        history.connection().query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'passages'", [], |row| row.get(0)).unwrap();
    one_turn(&history);
    let crashed = tempfile::tempdir().unwrap();
    for name in ["nexi.db", "nexi.db-wal"] {
        std::fs::copy(folder.path().join(name), crashed.path().join(name)).unwrap();
    }
    drop(history);
    let break_page = |folder: &Path| {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = std::fs::OpenOptions::new().write(true).open(folder.join("nexi.db")).unwrap();
        file.seek(SeekFrom::Start(u64::from(root - 1) * 16384)).unwrap();
        file.write_all(&[0x5A; 16384]).unwrap();
    };
    break_page(folder.path());
    assert!(History::open(&path).is_ok(), "nobody waits for what was closed well");
    break_page(crashed.path());
    assert!(matches!(History::open(&crashed.path().join("nexi.db")), Err(StoreError::Damaged { .. })));
}

#[test]
fn an_import_that_broke_off_is_not_there() {
    let place = tempfile::tempdir().unwrap();
    let from = History::open(&place.path().join("from/nexi.db")).unwrap();
    let files: Vec<ThreadFile> = (0..2).map(|_| from.export(&one_turn(&from).0).unwrap()).collect();
    let path = place.path().join("nexi.db");
    let history = History::open(&path).unwrap();
    history.import_part(&files[..1]).unwrap();
    // Another process leaves it alone while this one lives.
    assert_eq!(History::open(&path).unwrap().threads(9).unwrap().len(), 1);
    drop(history);
    let history = History::open(&path).unwrap();
    assert_eq!(history.threads(9).unwrap().len(), 0);
    history.import_part(&files).unwrap();
    history.import_is_whole(&[files[0].id.clone(), files[1].id.clone()], &[], 1).unwrap();
    drop(history);
    assert_eq!(History::open(&path).unwrap().threads(9).unwrap().len(), 2);
}

#[test]
fn what_earlier_versions_kept_as_sentences_is_told_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("nexi.db")).unwrap();
    let (_, turn) = history.begin_turn(&question(None)).unwrap();
    history.finish_turn(&turn, &Ending::failed("", ""), &BTreeMap::new(), 1, &[]).unwrap();
    let events = r#"[{"turn":"t","seq":1,"elapsed_ms":5,"event":{"type":"notice","text":"It goes on."}}]"#;
    let kept = (turn.as_str(), "Stopped. What was found is kept.", events);
    history.connection().execute("UPDATE turns SET reason = ?2, events = ?3 WHERE id = ?1", kept).unwrap();
    let read = history.turn(&turn).unwrap();
    assert_eq!(read.ending.reason, Reasons::from("Stopped. What was found is kept."));
    let told = Event::Notice { notice: Notice::Told { text: "It goes on.".into() } };
    assert_eq!(read.events.iter().map(|envelope| envelope.event.clone()).collect::<Vec<_>>(), [told]);
}
