//! The handbook in the words of people who have not read it: `handbook/asked` has a file for each chapter with the questions
//! that its passages answer.

use std::sync::LazyLock;

use nexi_core::rank::guide::{Found, Guide, Page};

use super::{CHAPTERS, Chapter};

static GUIDE: LazyLock<Guide> = LazyLock::new(|| Guide::new(&CHAPTERS.iter().map(page).collect::<Vec<_>>()));

/// The passages whose questions are most like this one, best first.
pub fn answering(question: &str, most: usize) -> Vec<Found> {
    GUIDE.answering(question, most)
}

fn page(&Chapter { name, text, asked }: &Chapter) -> Page {
    Page { name, text, asked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_belongs_to_one_passage() {
        for chapter in CHAPTERS {
            let entries: Vec<&str> = chapter.asked.split("\n\n").map(str::trim).filter(|entry| !entry.is_empty()).collect();
            for entry in &entries {
                let (first, questions) = entry.split_once('\n').unwrap_or((entry, ""));
                let begins = first.strip_prefix("> ").unwrap_or_else(|| panic!("{}: {first:?} should begin with >", chapter.name));
                assert_eq!(chapter.text.matches(begins).count(), 1, "{}: {begins:?}", chapter.name);
                assert!(
                    !questions.is_empty() && !questions.lines().any(|line| line.starts_with('>')),
                    "{}: who asks for {begins:?}?",
                    chapter.name
                );
            }
            assert_eq!(Guide::new(&[page(chapter)]).passages(), entries.len(), "{}", chapter.name);
        }
    }

    #[test]
    fn passages_are_found_in_other_words() {
        for (question, begins) in [
            ("where are the preferences", "The settings window opens"),
            ("how can i get rid of an old converstaion", "Open the menu with the three dots"),
        ] {
            let found = answering(question, 1);
            assert!(found[0].passage.starts_with(begins), "{question}: {found:?}");
        }
        assert!(answering("What do penguins eat?", 3).iter().all(|found| found.fit < 0.3));
    }
}
