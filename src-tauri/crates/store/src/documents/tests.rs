use super::*;

pub(super) fn document(path: &str, body: &str) -> NewDocument {
    NewDocument {
        path: path.into(),
        stamp: Stamp { modified_ns: 1, size: 2, hash: 3, reference: 0, recognised: 0 },
        title: "T".into(),
        date: None,
        passages: vec![NewPassage {
            heading: String::new(),
            body: body.into(),
            extra: String::new(),
            place: PassagePlace { from: 1, to: 2, place: None },
        }],
        scanned: Vec::new(),
        partly: None,
        skipped: None,
    }
}

fn paths(index: &DocumentIndex, roots: &[&str], words: &[&str]) -> Vec<String> {
    let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    index.search(&Scope::all(&own(roots)), &own(words), &[], 10).unwrap().into_iter().map(|passage| passage.path).collect()
}

#[cfg(unix)]
#[test]
fn passages_are_found_below_the_given_folders_only() {
    let folder = tempfile::tempdir().unwrap();
    let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
    index.put(&[document("/a/x.md", "bridges of steel"), document("/ab/y.md", "a bridge of stone"), document("/a/z.md", "cats")]).unwrap();
    assert_eq!(paths(&index, &["/a"], &["bridge"]), ["/a/x.md"]);
    assert_eq!(paths(&index, &["/a/", "/ab"], &["bridge", "steel"]), ["/a/x.md", "/ab/y.md"]);
    assert_eq!(paths(&index, &["/a"], &["\" OR cats NEAR("]), [] as [&str; 0]);
    assert_eq!(index.frequencies(&["bridge".into(), "cats".into(), "dogs".into()]).unwrap(), (3, vec![2, 1, 0]));
    index.put(&[document("/a/x.md", "changed")]).unwrap();
    assert_eq!(paths(&index, &["/a"], &["steel"]), [] as [&str; 0]);
    index.remove(&["/a/x.md".into()]).unwrap();
    index.touch(&[("/a/z.md".into(), 9)]).unwrap();
    assert_eq!(
        index.stamps("/a").unwrap(),
        HashMap::from([("/a/z.md".into(), Stamp { modified_ns: 9, size: 2, hash: 3, reference: 0, recognised: 0 })])
    );
    assert_eq!(index.size("/a").unwrap(), (1, 1));
}

#[test]
fn a_batch_of_documents_is_one_part_of_the_full_text_index() {
    let folder = tempfile::tempdir().unwrap();
    let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
    let batch: Vec<NewDocument> = (0..50).map(|at| document(&format!("/a/{at}.md"), &format!("word{at} of a bridge"))).collect();
    index.put(&batch).unwrap();
    let parts =
        || -> i64 { index.connection().query_row("SELECT count(DISTINCT segid) FROM passages_fts_idx", [], |row| row.get(0)).unwrap() };
    assert_eq!(parts(), 1);
    // Also where its documents were known before.
    index.put(&batch).unwrap();
    assert!(parts() <= 3, "{} parts", parts());
    assert_eq!(index.search(&Scope::all(&["/a".into()]), &["bridge".into()], &[], 100).unwrap().len(), 50);
    assert_eq!(index.search(&Scope::all(&["/a".into()]), &["word7".into()], &[], 100).unwrap().len(), 1);
}

#[test]
fn a_damaged_index_is_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.db");
    std::fs::write(&path, "junk".repeat(5000)).unwrap();
    assert_eq!(DocumentIndex::open(&path).unwrap().size("/").unwrap(), (0, 0));
}

#[test]
fn an_index_of_the_version_before_is_read_anew_and_closed_to_that_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.db");
    let mut old = Connection::open(&path).unwrap();
    Migrations::from_slice(&STEPS[..9]).to_latest(&mut old).unwrap();
    let put = |path: &str| {
        old.execute("INSERT INTO documents (path, modified_ns, size, hash, title, partly) VALUES (?1, 1, 2, 3, 'T', NULL)", [path])?;
        let sql = "INSERT INTO passages (document_id, title, heading, body, extra, start_line, end_line) VALUES (?1, 'T', '', 'an old bridge', '', 1, 1)";
        old.execute(sql, [old.last_insert_rowid()])
    };
    put("/a/x.md").unwrap();
    let index = DocumentIndex::open(&path).unwrap();
    assert_eq!(paths(&index, &["/a"], &["bridge"]), ["/a/x.md"]);
    assert_eq!(index.stamps("/a").unwrap()["/a/x.md"].size, -1, "it is to be read again");
    // That version may still run.
    assert!(put("/a/y.md").is_err());
    index.put(&[document("/a/x.md", "a new ferry")]).unwrap();
    assert_eq!((paths(&index, &["/a"], &["bridge"]).len(), paths(&index, &["/a"], &["ferry"]).len()), (0, 1));
}
