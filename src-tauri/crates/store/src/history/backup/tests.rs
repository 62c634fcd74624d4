use super::super::tests::{one_turn, question};
use super::*;
use crate::history::NewTurn;

#[test]
fn copies_are_made_once_a_day_and_roll() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    assert_eq!(history.back_up("2026-01-01").unwrap(), None, "there is nothing to be kept yet");
    one_turn(&history);
    let mut day: jiff::civil::Date = "2026-01-01".parse().unwrap();
    for _ in 0..60 {
        assert!(history.back_up(&day.to_string()).unwrap().is_some());
        assert_eq!(history.back_up(&day.to_string()).unwrap(), None);
        day = day.tomorrow().unwrap();
    }
    let names: Vec<String> = backups(&database).into_iter().map(|backup| backup.name).collect();
    assert_eq!(names.len(), 11);
    assert_eq!((names[0].as_str(), names[6].as_str()), ("2026-03-01", "2026-02-23"));
    assert_eq!(&names[7..], ["2026-02-22", "2026-02-15", "2026-02-08", "2026-02-01"], "Sundays end their weeks");
    assert!(backups(&database).iter().all(|backup| (backup.threads, backup.turns) == (1, 1)));
}

#[test]
fn a_library_is_restored_and_what_was_there_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    let (kept, _) = one_turn(&history);
    history.back_up("2026-01-01").unwrap().unwrap();
    let (lost, _) = one_turn(&history);
    assert!(matches!(history.restore_backup("2026-01-02"), Err(StoreError::Missing { .. })));
    let (_, running) = history.begin_turn(&question(None)).unwrap();
    assert!(matches!(history.restore_backup("2026-01-01"), Err(StoreError::AtWork)));
    history.finish_turn(&running, &nexi_core::protocol::Ending::failed("x", ""), &Default::default(), 1, &[]).unwrap();
    let before = history.restore_backup("2026-01-01").unwrap();
    assert_eq!(history.threads(9).unwrap().into_iter().map(|thread| thread.id).collect::<Vec<_>>(), std::slice::from_ref(&kept));
    one_turn(&history);
    // And back again, from another process that opens what is there now.
    drop(history);
    let history = History::open(&database).unwrap();
    history.restore_backup(&before).unwrap();
    assert!(history.has_thread(&lost).unwrap() && history.has_thread(&kept).unwrap());
    // A copy with a hole is refused, and nothing changes.
    let path = folder(&database).join("nexi-2026-01-01.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xAA);
    std::fs::write(&path, bytes).unwrap();
    assert!(history.restore_backup("2026-01-01").is_err());
    assert!(history.has_thread(&lost).unwrap());
}

#[test]
fn a_copy_is_made_before_every_update_and_an_older_version_gets_one_that_it_can_read() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    assert_eq!(history.back_up_before_updating().unwrap(), None, "there is nothing to be kept yet");
    let (kept, _) = one_turn(&history);
    let made: Vec<String> = (0..WEEKS + 2).map(|_| history.back_up_before_updating().unwrap().unwrap()).collect();
    let all: Vec<String> = backups(&database).into_iter().map(|backup| backup.name).collect();
    assert_eq!(all.len(), WEEKS, "{all:?}");
    assert_eq!(all.first(), made.last());
    // A later version has changed the library and the newest copy, and has made a copy of its own before that.
    let (last, _) = one_turn(&history);
    drop(history);
    let own = database.with_extension("v99.backup");
    std::fs::copy(&database, &own).unwrap();
    let newest = folder(&database).join(format!("nexi-{}.db", made[WEEKS + 1]));
    for path in [&newest, &database] {
        Connection::open(path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    }
    assert!(matches!(History::open(&database), Err(StoreError::TooNew(_))));
    assert_eq!(newest_readable(&database), Some(own.clone()));
    let name = go_back(&database, &own).unwrap();
    let threads = |history: &History| history.threads(9).unwrap().into_iter().map(|one| one.id).collect::<std::collections::BTreeSet<_>>();
    let history = History::open(&database).unwrap();
    assert_eq!(threads(&history), [kept.clone(), last].into());
    assert!(matches!(history.restore_backup(&name), Err(StoreError::TooNew(_))), "it is kept for the later version");
    // Where that one has left no copy, the newest that can be read is one of ours.
    std::fs::remove_file(&own).unwrap();
    assert_eq!(newest_readable(&database), Some(folder(&database).join(format!("nexi-{}.db", made[WEEKS]))));
}

#[test]
fn what_is_deleted_for_good_is_in_no_copy() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    one_turn(&history);
    let secret = NewTurn { question: "Where is the marmalade-4711 kept?", ..question(None) };
    let (thread, turn) = history.begin_turn(&secret).unwrap();
    history.finish_turn(&turn, &nexi_core::protocol::Ending::failed("x", ""), &Default::default(), 1, &[]).unwrap();
    let path = history.back_up("2026-01-01").unwrap().unwrap();
    let holds = |path: &Path| std::fs::read(path).unwrap().windows(14).any(|window| window == b"marmalade-4711");
    assert!(holds(&path));
    history.delete(&thread, 5).unwrap();
    history.purge(6).unwrap();
    // A copy that cannot be read keeps no other one from being cleaned.
    let broken = folder(&database).join("nexi-2025-12-31.db");
    std::fs::write(&broken, [0x5A; 9000]).unwrap();
    history.back_up("2026-01-01").unwrap();
    assert!(!holds(&path));
    assert_eq!(backups(&database)[0].threads, 1);
    assert_eq!(forgotten(&history.connection()).unwrap(), [thread.to_string()], "the broken one is tried again");
    std::fs::remove_file(&broken).unwrap();
    history.back_up("2026-01-01").unwrap();
    assert!(forgotten(&history.connection()).unwrap().is_empty());
}

#[test]
fn what_is_deleted_for_good_is_not_restored() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    let (kept, _) = one_turn(&history);
    let (gone, _) = one_turn(&history);
    history.back_up("2026-01-01").unwrap().unwrap();
    history.delete(&gone, 5).unwrap();
    history.purge(6).unwrap();
    // In the same hour, before any copy was cleaned; one of them cannot be.
    std::fs::write(folder(&database).join("nexi-2025-12-31.db"), [0x5A; 9000]).unwrap();
    history.restore_backup("2026-01-01").unwrap();
    assert!(history.has_thread(&kept).unwrap() && !history.has_thread(&gone).unwrap());
    assert!(forgotten(&history.connection()).unwrap().contains(&gone.to_string()), "it is still known that copies may hold it");
    // The same from a library that is not open.
    drop(history);
    restore_unopened(&database, "2026-01-01").unwrap();
    let history = History::open(&database).unwrap();
    assert!(history.has_thread(&kept).unwrap() && !history.has_thread(&gone).unwrap());
}
