//! What a bibliography says of documents: a `.bib` file among them, or the library of Zotero that they belong to.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use biblatex::{ChunksExt, DateValue, ParseError, ParseErrorKind, PermissiveType};
use nexi_core::text;
use nexi_store::zotero;
use nexi_web::read::decode;

use super::{Rules, latex, walk_to};

/// Bytes of a `.bib` file that is read.
const MAX_BIB: u64 = 32 * 1024 * 1024;
/// Folders below a folder of documents in which `.bib` files are looked for.
const DEPTH: usize = 3;
/// Names that a `.bib` file uses and does not define.
const MAX_UNDEFINED: usize = 64;

/// The database of a library of Zotero.
const ZOTERO: &str = "zotero.sqlite";

/// What is known of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Reference {
    pub title: Option<String>,
    pub authors: Vec<String>,
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    pub date: Option<String>,
    pub doi: Option<String>,
}

/// The documents of a folder that a bibliography knows.
#[derive(Debug, Default)]
pub struct Bibliography {
    by_path: HashMap<PathBuf, Reference>,
    /// For entries that name a file which lies elsewhere now: by its name, where only one has it.
    by_name: HashMap<String, Option<Reference>>,
}

/// Files with the time of their last change: what tells whether a bibliography is still right.
type Sources = Vec<(PathBuf, Option<SystemTime>)>;

type ByFolder = HashMap<PathBuf, (Sources, Arc<Bibliography>)>;

/// Bibliographies that were read, by folder.
static KNOWN: LazyLock<Mutex<ByFolder>> = LazyLock::new(Mutex::default);

impl Bibliography {
    /// What is known of the documents below a folder. Read again only when one of its files has changed. Blocks.
    pub fn of(root: &Path, rules: &Rules) -> Arc<Self> {
        let sources = sources(root, rules);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, bibliography)) = known.get(root)
            && *before == sources
        {
            return bibliography.clone();
        }
        let mut out = Self::default();
        for (path, _) in &sources {
            out.read(path);
        }
        let out = Arc::new(out);
        known.insert(root.to_owned(), (sources, out.clone()));
        out
    }

    /// What is known of this document.
    pub fn get(&self, path: &Path) -> Option<&Reference> {
        let name = path.file_name()?.to_string_lossy();
        self.by_path.get(path).or_else(|| self.by_name.get(name.as_ref())?.as_ref())
    }

    /// A number that changes when what is known of a document does; 0 where that is nothing.
    pub fn mark(&self, path: &Path) -> i64 {
        let Some(reference) = self.get(path) else { return 0 };
        let mut hasher = DefaultHasher::new();
        reference.hash(&mut hasher);
        hasher.finish().cast_signed() | 1
    }

    fn read(&mut self, path: &Path) {
        if path.extension().is_some_and(|end| end == "sqlite") {
            let folder = path.parent().unwrap_or(path);
            match zotero::files(folder) {
                Ok(files) => {
                    for file in files {
                        let reference = Reference { title: file.title, authors: file.authors, date: file.date, doi: file.doi };
                        self.by_path.insert(file.path, reference);
                    }
                }
                Err(error) => tracing::info!(%error, path = %path.display(), "a Zotero library could not be read"),
            }
            return;
        }
        if !std::fs::metadata(path).is_ok_and(|metadata| metadata.len() <= MAX_BIB) {
            return;
        }
        let Ok(bytes) = std::fs::read(path) else { return };
        // Old ones are not always UTF-8.
        let text = latex::with_accents(&decode(&bytes, ""));
        for entry in entries(&text) {
            self.add(path, &entry);
        }
    }

    fn add(&mut self, bib: &Path, entry: &biblatex::Entry) {
        let plain = |chunks: &[biblatex::Spanned<biblatex::Chunk>]| {
            Some(text::fold_space(&chunks.format_verbatim())).filter(|text| !text.is_empty())
        };
        let person = |person: &biblatex::Person| {
            text::fold_space(&format!("{} {} {} {}", person.given_name, person.prefix, person.name, person.suffix))
        };
        let reference = Reference {
            title: entry.title().ok().and_then(plain),
            authors: entry.author().unwrap_or_default().iter().map(person).filter(|name| !name.is_empty()).collect(),
            date: date(entry),
            doi: entry.doi().ok().filter(|doi| !doi.trim().is_empty()),
        };
        if reference == Reference::default() {
            return;
        }
        let Some(field) = entry.get("file") else { return };
        let field = field.format_verbatim();
        // `\o` may be a letter or a folder.
        let named: BTreeSet<PathBuf> = named_files(&field).into_iter().chain(named_files(&latex::with_letters(&field))).collect();
        for named in named {
            let path = tidy(&bib.parent().unwrap_or(bib).join(&named));
            if let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) {
                let same = self.by_name.get(&name).is_none_or(|known| known.as_ref() == Some(&reference));
                self.by_name.insert(name, same.then(|| reference.clone()));
            }
            self.by_path.insert(path, reference.clone());
        }
    }
}

/// The files that a bibliography of a folder is read from.
fn sources(root: &Path, rules: &Rules) -> Sources {
    let changed = |path: &Path| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let is_source = |entry: &ignore::DirEntry| {
        let is_one = entry.path().extension().is_some_and(|end| end == "bib") || entry.file_name() == ZOTERO;
        is_one && entry.file_type().is_some_and(|kind| kind.is_file())
    };
    let mut out: Vec<PathBuf> = walk_to(root, rules, Some(DEPTH)).filter(is_source).map(ignore::DirEntry::into_path).collect();
    // The folder of Zotero, or its `storage`, or what lies in there.
    out.extend(root.ancestors().take(3).map(|folder| folder.join(ZOTERO)).find(|database| database.is_file()));
    out.sort();
    out.dedup();
    out.into_iter().map(|path| (path.clone(), changed(&path))).collect()
}

/// The entries of a `.bib` file; one that is broken does not take the others with it.
fn entries(full: &str) -> Vec<biblatex::Entry> {
    // Names of journals that are defined in a style, and not in this file, stand for themselves.
    let mut defined = String::new();
    for _ in 0..MAX_UNDEFINED {
        match biblatex::Bibliography::parse(&format!("{defined}{full}")) {
            Ok(all) => return all.into_iter().collect(),
            Err(ParseError { kind: ParseErrorKind::UnknownAbbreviation(name), .. }) => {
                defined.push_str(&format!("@string{{{name} = {{{name}}}}}\n"));
            }
            Err(_) => break,
        }
    }
    let starts: Vec<usize> = full.match_indices("\n@").map(|(at, _)| at + 1).collect();
    let single: Vec<String> = std::iter::once(0)
        .chain(starts.iter().copied())
        .enumerate()
        .filter_map(|(index, start)| full.get(start..starts.get(index).copied().unwrap_or(full.len())))
        .map(tolerated)
        .collect();
    // What each of them may refer to.
    for entry in &single {
        if entry.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("@string{")) && biblatex::Bibliography::parse(entry).is_ok() {
            defined.push_str(entry);
            defined.push('\n');
        }
    }
    let mut out = Vec::new();
    for entry in single {
        // Each undefined name takes another attempt.
        for _ in 0..MAX_UNDEFINED {
            match biblatex::Bibliography::parse(&format!("{defined}{entry}")) {
                Ok(one) => out.extend(one),
                Err(ParseError { kind: ParseErrorKind::UnknownAbbreviation(name), .. }) => {
                    defined.push_str(&format!("@string{{{name} = {{{name}}}}}\n"));
                    continue;
                }
                Err(_) => {}
            }
            break;
        }
    }
    out
}

/// An entry as the parser wants it: in braces, and its key without blanks.
fn tolerated(entry: &str) -> String {
    let entry = entry.trim();
    let Some(open) = entry.find(['{', '(']) else { return entry.to_owned() };
    let (kind, rest) = entry.split_at(open);
    let mut rest = rest.to_owned();
    if rest.starts_with('(')
        && let Some(end) = rest.rfind(')')
    {
        rest.replace_range(end..=end, "}");
        rest.replace_range(..1, "{");
    }
    if let Some(end) = rest.find(',').filter(|end| !rest[..*end].contains('=')) {
        let key = rest[1..end].split_whitespace().collect::<Vec<_>>().join("_");
        rest.replace_range(1..end, &key);
    }
    format!("{kind}{rest}")
}

fn date(entry: &biblatex::Entry) -> Option<String> {
    let PermissiveType::Typed(date) = entry.date().ok()? else { return None };
    let (DateValue::At(day) | DateValue::After(day) | DateValue::Before(day) | DateValue::Between(day, _)) = date.value;
    let month = day.month.map(|month| format!("-{:02}", month + 1)).unwrap_or_default();
    let of_month = day.day.filter(|_| day.month.is_some()).map(|day| format!("-{:02}", day + 1)).unwrap_or_default();
    (1000..=9999).contains(&day.year).then(|| format!("{}{month}{of_month}", day.year))
}

/// The files of a `file` field: `a.pdf`, `Description:a.pdf:PDF`, several with semicolons between them.
fn named_files(field: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for part in unescaped(field).split(END) {
        let pieces: Vec<&str> = part.trim().split(BREAK).filter(|piece| !piece.is_empty()).collect();
        let is_file = |piece: &&&str| Path::new(piece).extension().is_some() && !piece.contains("application/");
        if let Some(piece) = pieces.iter().rev().find(is_file) {
            out.push(PathBuf::from(piece));
        }
    }
    out
}

/// Ends a file in an [`unescaped`] field, and a part of what is said of one.
const END: char = '\u{1}';
const BREAK: char = '\u{2}';

/// The field with [`END`] and [`BREAK`] in place of its semicolons and colons, and escaped signs as they are. A backslash
/// before anything else divides folders.
fn unescaped(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut signs = field.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            ';' => out.push(END),
            ':' => out.push(BREAK),
            '\\' => match signs.next_if(|next| "\\;:_&%#$@{}~^, ".contains(*next)) {
                Some('\\') | None => out.push('/'),
                Some(escaped) => out.push(escaped),
            },
            sign => out.push(sign),
        }
    }
    out
}

/// A path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_zotero_may_lie_in_a_folder_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("research/Zotero");
        std::fs::create_dir_all(below.join("storage/ABCD2345")).unwrap();
        std::fs::write(below.join(ZOTERO), "").unwrap();
        let found = |root: &Path| sources(root, &Rules::default()).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        assert_eq!(found(folder.path()), [below.join(ZOTERO)]);
        assert_eq!(found(&below.join("storage/ABCD2345")), [below.join(ZOTERO)], "and above the folder that was chosen");
    }

    #[test]
    fn files_are_named_in_many_ways() {
        for (field, wanted) in [
            ("a.pdf", "a.pdf"),
            ("Full Text:files/12/a.pdf:application/pdf", "files/12/a.pdf"),
            ("a.pdf:a.pdf:PDF;Notes:notes/b.html:text/html", "a.pdf notes/b.html"),
            ("C\\:\\\\papers\\\\a.pdf", "C:/papers/a.pdf"),
            (":papers\\a.pdf:PDF", "papers/a.pdf"),
            ("the\\_tide\\&more.pdf", "the_tide&more.pdf"),
            ("one\\;two.pdf", "one;two.pdf"),
        ] {
            let files: Vec<String> = named_files(field).iter().map(|path| path.display().to_string()).collect();
            assert_eq!(files.join(" "), wanted, "{field}");
        }
    }

    #[test]
    fn an_odd_entry_costs_no_other() {
        let odd = [
            "@Article(par, title = {In (round) brackets}, file = {a.txt})",
            "@article{Smith 2016, title = {A blank}, file = {b.txt}}",
            "@article{open, title = {Never closed, file = {c.txt}}",
        ];
        let bib = format!(
            "@string{{jcp = \"Physics\"}}\n{}\n@article{{good, title = {{Good}}, journal = jcp, file = {{d.txt}}}}\n",
            odd.join("\n")
        );
        let titles: Vec<String> = entries(&bib).iter().map(|entry| entry.title().unwrap().format_verbatim()).collect();
        assert_eq!(titles, ["In (round) brackets", "A blank", "Good"]);
    }

    #[test]
    fn names_that_a_style_defines_lose_no_entry() {
        let bib = "@article{a, title = {Lamps}, journal = jn, file = {a.txt}}\n@string{known = \"J\"}\n@article{b, title = {Walls}, journal = known # \" X\", publisher = pub, file = {b.txt}}\n";
        let titles: Vec<String> = entries(bib).iter().map(|entry| entry.title().unwrap().format_verbatim()).collect();
        assert_eq!(titles, ["Lamps", "Walls"]);
    }

    #[test]
    fn entries_of_a_bib_file_belong_to_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        let bib = "@article{brandt1931, author = {Brandt, Ada and {Harbour Office}}, title = {The {H}arbour Wall}, date = {1931-05-12}, doi = {10.1000/wall}, file = {Full Text:papers/wall.pdf:application/pdf}}\n\
            @book{broken, title = {Never closed\n\
            @misc{moved, title = {Floods of the Wend}, year = 1999, author = {M{\\\"u}ller, Jo}, file = {C\\:\\\\papers\\\\floods.pdf;notes.txt}}\n";
        std::fs::create_dir(root.join("papers")).unwrap();
        std::fs::write(root.join("library.bib"), bib).unwrap();
        let found = Bibliography::of(&root, &Rules::default());
        let wall = found.get(&root.join("papers/wall.pdf")).unwrap();
        assert_eq!(
            (wall.title.as_deref(), wall.date.as_deref(), wall.doi.as_deref()),
            (Some("The Harbour Wall"), Some("1931-05-12"), Some("10.1000/wall"))
        );
        assert_eq!(wall.authors, ["Ada Brandt", "Harbour Office"]);
        // The file lies elsewhere on this computer.
        let floods = found.get(&root.join("other/floods.pdf")).unwrap();
        assert_eq!(
            (floods.title.as_deref(), floods.date.as_deref(), floods.authors.first().map(String::as_str)),
            (Some("Floods of the Wend"), Some("1999"), Some("Jo Müller"))
        );
        assert_eq!(found.get(&root.join("other.pdf")), None);
        let before = found.mark(&root.join("papers/wall.pdf"));
        assert!(before != 0 && found.mark(&root.join("other.pdf")) == 0);
        // What is written into it later counts.
        std::fs::write(root.join("library.bib"), bib.replace("1931-05-12", "1932")).unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
        std::fs::File::options().append(true).open(root.join("library.bib")).unwrap().set_modified(later).unwrap();
        assert_ne!(Bibliography::of(&root, &Rules::default()).mark(&root.join("papers/wall.pdf")), before);
    }
}
