//! Documents that are there to do harm.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::documents::{folder, name_of, settings};
use crate::support::{Place, json as parsed, stderr};

/// An archive with these entries; what is long is written as so many blanks.
fn archive(path: &Path, entries: &[(&str, &str)], blanks: usize) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
        let chunk = vec![b' '; 1024 * 1024];
        for _ in 0..blanks {
            zip.write_all(&chunk).unwrap();
        }
    }
    zip.finish().unwrap();
}

/// For two processes that read at the same time, and the one that has them read.
const HOSTILE_MEMORY_MB: u64 = 600;

#[test]
fn hostile_files_are_named_and_keep_no_other_from_being_read() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    let file = |name: &str| docs.join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(file(name), bytes).unwrap();
    // What each of them has to be called.
    let mut wanted: BTreeMap<&str, &[&str]> = BTreeMap::new();
    archive(&file("bomb.docx"), &[("word/document.xml", "<w:document>")], 80);
    wanted.insert("bomb.docx", &["too_complex"]);
    archive(&file("bombs.epub"), &[("META-INF/container.xml", "<a><rootfile full-path=\"a.opf\"/></a>"), ("a.opf", "<p>")], 70);
    wanted.insert("bombs.epub", &["too_complex"]);
    archive(&file("deep.docx"), &[("word/document.xml", &"<a>".repeat(200_000))], 0);
    wanted.insert("deep.docx", &["too_complex"]);
    let laughs = "<!DOCTYPE a [<!ENTITY b \"haha\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]><w:document><w:p><w:r><w:t>&c;</w:t></w:r></w:p></w:document>";
    archive(&file("laughs.docx"), &[("word/document.xml", laughs)], 0);
    wanted.insert("laughs.docx", &[]);
    archive(
        &file("corners.xlsx"),
        &[
            ("[Content_Types].xml", "<Types/>"),
            ("xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row></sheetData></worksheet>",
            ),
        ],
        0,
    );
    wanted.insert("corners.xlsx", &["too_complex", "damaged", "no_text"]);
    write("password.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 EncryptedPackage");
    wanted.insert("password.xlsx", &["encrypted", "damaged"]);
    write("password.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 EncryptedPackage");
    wanted.insert("password.docx", &["encrypted"]);
    write("words.docx", b"just words");
    wanted.insert("words.docx", &["damaged"]);
    write("empty.odt", b"");
    wanted.insert("empty.odt", &["damaged"]);
    write("half.pdf", &std::fs::read(folder().join("files/manual.pdf")).unwrap()[..9000]);
    wanted.insert("half.pdf", &["damaged"]);
    let looped = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>\nendobj\nxref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \ntrailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n128\n%%EOF";
    write("loop.pdf", looped.as_bytes());
    wanted.insert("loop.pdf", &["no_text", "damaged", "too_complex", "too_slow"]);
    std::fs::File::create(file("sparse.txt")).unwrap().set_len(10 * 1024 * 1024 * 1024).unwrap();
    wanted.insert("sparse.txt", &["too_large"]);
    // A document in a document in a document: what is embedded is not opened.
    let mut inner = Vec::from(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 innermost");
    for _ in 0..50 {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in [
            ("word/document.xml", &b"<w:document><w:p><w:r><w:t>Outer</w:t></w:r></w:p></w:document>"[..]),
            ("word/embeddings/oleObject1.bin", &inner),
        ] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        inner = zip.finish().unwrap().into_inner();
    }
    write("nested.docx", &inner);
    wanted.insert("nested.docx", &[]);
    // A table of a million cells is read as far as that makes sense.
    let row = "1234567,".repeat(100);
    write("million.csv", format!("{row}\n").repeat(10_000).as_bytes());
    wanted.insert("million.csv", &[]);
    std::fs::File::create(file("sparse.pdf")).unwrap().set_len(2 * 1024 * 1024 * 1024).unwrap();
    wanted.insert("sparse.pdf", &["too_large"]);
    write("cells.ipynb", b"{\"cells\": 7}");
    wanted.insert("cells.ipynb", &["damaged"]);
    write("box.mbox", b"\x00\x01\x02");
    wanted.insert("box.mbox", &["damaged"]);
    write("groups.rtf", format!("{{\\rtf1 {}", "{".repeat(100_000)).as_bytes());
    wanted.insert("groups.rtf", &["too_complex"]);
    write("long.rtf", b"{\\rtf1\\bin99999999999 x}");
    wanted.insert("long.rtf", &["no_text", "damaged"]);
    write("talk.srt", b"no times at all");
    wanted.insert("talk.srt", &["damaged"]);
    write("zeros.md", b"# A\0B");
    wanted.insert("zeros.md", &["not_text"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", file("link.txt")).unwrap();
        wanted.insert("link.txt", &["link"]);
        assert!(std::process::Command::new("mkfifo").arg(file("pipe.pdf")).status().unwrap().success());
        wanted.insert("pipe.pdf", &["no_file"]);
        let closed = file("closed");
        std::fs::create_dir(&closed).unwrap();
        std::fs::write(closed.join("a.md"), "x").unwrap();
        std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
        // Root can look into it all the same.
        if std::fs::read_dir(&closed).is_err() {
            wanted.insert("closed", &["unreadable"]);
        } else {
            std::fs::remove_dir_all(&closed).unwrap();
        }
        // Others refuse the name.
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
            std::fs::write(docs.join(name), "coffee").unwrap();
            wanted.insert("caf\u{fffd}.md", &["bad_name"]);
        }
    }
    archive(&file("attic.zip"), &[("a.md", "x")], 0);
    wanted.insert("attic.zip", &["archive"]);
    // A letter with a bomb attached is read, and says so.
    let bomb = data_encoding::BASE64.encode(&std::fs::read(file("bomb.docx")).unwrap());
    let letter = format!(
        "From: ann@e.org\r\nSubject: Berths\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
         --x\r\nContent-Type: text/plain\r\n\r\nThe berths are numbered.\r\n\
         --x\r\nContent-Type: application/msword; name=bomb.docx\r\nContent-Disposition: attachment; filename=bomb.docx\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{bomb}\r\n--x--\r\n"
    );
    write("letter.eml", letter.as_bytes());
    wanted.insert("letter.eml", &[]);
    write("good.md", b"# Good\n\nThe harbour has a red gate.\n");
    std::fs::copy(folder().join("files/fees.docx"), file("fees.docx")).unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();

    let began = Instant::now();
    let mut child = place.nexi(&["docs", "status", "--json"]).spawn().unwrap();
    let memory = crate::bombs::watch(&mut child) / 1024;
    let output = child.wait_with_output().unwrap();
    println!(
        "{} hostile files: {:.1} s, {memory} MB at most with all processes that read them",
        wanted.len(),
        began.elapsed().as_secs_f64()
    );
    assert!(memory < HOSTILE_MEMORY_MB, "{memory} MB");
    let status = parsed(&output);
    let skipped: BTreeMap<String, String> = status["folders"][0]["skipped"]
        .as_array()
        .unwrap_or_else(|| panic!("{status} {}", stderr(&output)))
        .iter()
        .map(|file| (name_of(&file["path"]), file["reason"]["type"].as_str().unwrap().to_owned()))
        .collect();
    for (name, reasons) in &wanted {
        match skipped.get(*name) {
            Some(reason) => assert!(reasons.contains(&reason.as_str()), "{name}: {reason}"),
            None => assert!(reasons.is_empty(), "{name} counts as read"),
        }
    }
    assert_eq!(status["folders"][0]["files"], 6, "the good ones and those that are read for what they are: {status}");
    let partly: Vec<String> = status["folders"][0]["partly"].as_array().unwrap().iter().map(|file| name_of(&file["path"])).collect();
    assert_eq!(partly, ["letter.eml", "million.csv"]);
    let report = parsed(&place.run(&["ask", "What colour is the gate of the harbour?", "--json"]));
    assert!(report["answer"].as_str().unwrap().contains("red gate"), "{report}");
    // What could not be read is not tried again until it changes, and names what can be done.
    let again = place.run(&["docs", "status"]);
    let text = crate::support::stdout(&again);
    assert!(
        text.contains("password.docx: it is protected by a password") && text.contains("sparse.txt: it is larger than 1024 MiB; split it"),
        "{text}"
    );
    let doctor = crate::support::stdout(&place.run(&["doctor"]));
    assert!(doctor.contains("could not be read") && doctor.contains("password.docx: it is protected by a password"), "{doctor}");
}
