//! What the library holds besides threads, as lines of an exported library.

use nexi_core::{
    ids::ThreadId,
    protocol::{SavedSearch, Schedule, Space, WatchedHow},
};
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};

use super::{History, memories, searches, spaces, templates, watched};
use crate::StoreError;

/// One thing besides threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "nexi_item", rename_all = "snake_case")]
pub enum LibraryItem {
    Space {
        name: String,
        #[serde(default)]
        instructions: String,
        /// Listed so that a person can enter them again. An import ignores them: a file must not decide which folders are
        /// searched.
        #[serde(default)]
        folders: Vec<String>,
        #[serde(default)]
        model: Option<String>,
    },
    Memory {
        text: String,
        /// The name of the space in which it is told; none is everywhere.
        #[serde(default)]
        space: Option<String>,
        created_ms: i64,
    },
    Template {
        name: String,
        text: String,
    },
    Search {
        #[serde(flatten)]
        search: SavedSearch,
    },
    /// A watched question; it is paused when it is taken in, since checks cost something.
    Watched {
        thread: ThreadId,
        question: String,
        how: WatchedHow,
        schedule: Schedule,
        created_ms: i64,
    },
}

impl History {
    /// Everything besides threads.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn items(&self) -> Result<Vec<LibraryItem>, StoreError> {
        let spaces = self.spaces()?;
        let name = |id: &String| spaces.iter().find(|space| space.id == *id).map(|space| space.name.clone());
        // Before the memories that are told in them.
        let as_item = |space: &Space| LibraryItem::Space {
            name: space.name.clone(),
            instructions: space.instructions.clone(),
            folders: space.folders.clone(),
            model: space.model.clone(),
        };
        let mut out: Vec<LibraryItem> = spaces.iter().map(as_item).collect();
        // The oldest first, so that they are taken in in their order; one whose space has gone meanwhile belongs nowhere.
        for memory in self.memories()?.into_iter().rev() {
            let space = match &memory.space {
                Some(id) => match name(id) {
                    Some(name) => Some(name),
                    None => continue,
                },
                None => None,
            };
            out.push(LibraryItem::Memory { text: memory.text, space, created_ms: memory.created_ms });
        }
        let templates = self.templates()?.into_iter().rev();
        out.extend(templates.map(|template| LibraryItem::Template { name: template.name, text: template.text }));
        out.extend(self.saved_searches()?.into_iter().map(|search| LibraryItem::Search { search }));
        out.extend(self.watched()?.into_iter().rev().map(|watched| LibraryItem::Watched {
            thread: watched.thread,
            question: watched.question,
            how: watched.how,
            schedule: watched.schedule,
            created_ms: watched.created_ms,
        }));
        Ok(out)
    }
}

/// Takes one in, and tells whether it is new. What is there already stays as it is; a space without anything of its own is
/// filled in.
pub(super) fn add(transaction: &Transaction<'_>, item: &LibraryItem, now_ms: i64) -> Result<bool, StoreError> {
    match item {
        LibraryItem::Space { name, instructions, model, .. } => spaces::fill(transaction, name, instructions, model.as_deref(), now_ms),
        LibraryItem::Memory { text, space, created_ms } => {
            let space = match space {
                // A memory of a space that cannot be must not be told everywhere.
                Some(name) => match spaces::named(transaction, name, now_ms)? {
                    Some(id) => Some(id),
                    None => return Ok(false),
                },
                None => None,
            };
            memories::add(transaction, text, space.as_deref(), *created_ms)
        }
        LibraryItem::Template { name, text } => templates::add(transaction, name, text),
        LibraryItem::Search { search } => searches::add(transaction, search),
        LibraryItem::Watched { thread, question, how, schedule, created_ms } => {
            let there = "SELECT EXISTS (SELECT 1 FROM threads WHERE id = ?1 AND deleted_ms IS NULL)";
            if !transaction.query_row(there, params![thread.as_str()], |row| row.get(0))? {
                return Ok(false);
            }
            let new = watched::NewWatched {
                thread,
                question,
                how,
                schedule: *schedule,
                now_ms: *created_ms,
                next_ms: now_ms,
                compared_with: None,
            };
            watched::add_paused(transaction, &new)
        }
    }
}

#[cfg(test)]
mod tests {
    use nexi_core::protocol::SpaceDraft;

    use super::*;

    #[test]
    fn everything_besides_threads_goes_from_library_to_library() {
        let folder = tempfile::tempdir().unwrap();
        let one = History::open(&folder.path().join("one.db")).unwrap();
        let (thread, _) = super::super::tests::one_turn(&one);
        let draft = SpaceDraft {
            name: "House".into(),
            instructions: "Prices in euros.".into(),
            folders: vec!["~/house".into()],
            model: Some("local".into()),
        };
        let space = one.keep_space(None, &draft, 1).unwrap();
        one.remember("I work with PostgreSQL 16", None, 2).unwrap();
        one.remember("The roof was mended in 2019", Some(&space.id), 3).unwrap();
        one.keep_template(None, "compare", "Compare {a} and {b}", 4).unwrap();
        one.save_search(&SavedSearch { name: "Bridges".into(), text: "arch".into(), ..SavedSearch::default() }).unwrap();
        let how = WatchedHow { sites: vec!["example.org".into()], ..WatchedHow::default() };
        let schedule: Schedule = "1d at 08:00".parse().unwrap();
        let new = watched::NewWatched {
            thread: &thread,
            question: "What is new?",
            how: &how,
            schedule,
            now_ms: 5,
            next_ms: 6,
            compared_with: None,
        };
        one.watch(&new).unwrap();
        let lines: Vec<String> = one.items().unwrap().iter().map(|item| serde_json::to_string(item).unwrap()).collect();
        let items: Vec<LibraryItem> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(items, one.items().unwrap());
        assert_eq!(items.len(), 6);

        let other = History::open(&folder.path().join("other/nexi.db")).unwrap();
        let file = one.export(&thread).unwrap();
        assert_eq!(other.import(&[file]).unwrap(), [true]);
        assert_eq!(other.import_is_whole(&[], &items, 9).unwrap(), 6);
        let found = &other.spaces().unwrap()[0];
        assert_eq!((found.instructions.as_str(), found.model.as_deref(), found.folders.len()), ("Prices in euros.", Some("local"), 0));
        assert_eq!(other.memories().unwrap().len(), 2);
        assert_eq!((&other.templates().unwrap()[0].name[..], &other.saved_searches().unwrap()[0].text[..]), ("compare", "arch"));
        let watched = &other.watched().unwrap()[0];
        assert!(watched.paused && watched.how == how && watched.schedule == schedule, "{watched:?}");
        // Nothing twice, and nothing that the person has written is changed.
        other.keep_space(Some(&found.id), &SpaceDraft { instructions: "Mine.".into(), ..draft }, 9).unwrap();
        assert_eq!(other.import_is_whole(&[], &items, 9).unwrap(), 0);
        assert_eq!((other.spaces().unwrap()[0].instructions.as_str(), other.memories().unwrap().len()), ("Mine.", 2));
        // A wrong value takes nothing in.
        let wrong = [
            LibraryItem::Template { name: "new".into(), text: "x".into() },
            LibraryItem::Memory { text: String::new(), space: None, created_ms: 1 },
        ];
        assert!(other.import_is_whole(&[], &wrong, 9).is_err());
        assert_eq!(other.templates().unwrap().len(), 1);
    }
}
