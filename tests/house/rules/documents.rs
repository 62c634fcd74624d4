//! The person's documents: what is read and found, what can be given along with a question, and how they are shown.

use super::{Rule, rule};

const FOUND: &str = "documents: what is found";
const GIVEN: &str = "what is given along with a question";
const SHOWN: &str = "looking at documents";

pub(super) const DOCUMENTS: &[Rule] = &[
    rule(
        FOUND,
        "patterns choose files of a folder and leave some out",
        "src-tauri/crates/engine/src/documents/rules.rs::patterns_choose_files_and_folders",
    ),
    rule(
        FOUND,
        "changes are heard while the app runs",
        "src-tauri/crates/engine/src/documents/watch.rs::changes_are_heard_and_reading_is_none",
    ),
    rule(
        FOUND,
        "a .bib file and Zotero's library say what a document is",
        "src-tauri/crates/engine/src/documents/bibliography.rs::entries_of_a_bib_file_belong_to_their_files src-tauri/crates/store/src/zotero.rs::files_get_what_their_work_is",
    ),
    rule(
        FOUND,
        "Thai, Lao, Khmer and Burmese are found by their own words",
        "src-tauri/crates/core/src/reading/rank/terms.rs::words_without_blanks_are_found",
    ),
    rule(
        FOUND,
        "a model reads lines or pages, at most 200 lines a call, with their numbers; grep in quick runs",
        "src-tauri/crates/core/src/research/run/range.rs::lines_pages_and_places_are_shown_by_their_numbers src-tauri/crates/core/tests/run.rs::a_range_of_a_document_is_read_with_its_numbers",
    ),
    rule(
        FOUND,
        "scanned pages and pictures are read once, by content, and cited with their page",
        "src-tauri/crates/store/src/documents/scans.rs::pages_are_read_once_for_a_content tests/e2e/documents.rs::documents_and_questions_of_somebody_else_are_found_and_cited",
    ),
    rule(
        FOUND,
        "hostile files, links, pipes and archives are named and keep no other from being read",
        "tests/e2e/hostile.rs::hostile_files_are_named_and_keep_no_other_from_being_read",
    ),
    rule(
        FOUND,
        "long text is found at its line; what is read in part is named",
        "tests/e2e/documents.rs::long_text_is_found_at_its_line_and_what_is_too_long_is_named",
    ),
    rule(
        FOUND,
        "text in UTF-16 and UTF-32, with and without a mark",
        "src-tauri/crates/formats/src/wide.rs::wide_text_is_read_with_and_without_a_mark",
    ),
    rule(
        FOUND,
        "the day of a file is not the day of what it says",
        "tests/e2e/documents.rs::the_day_of_a_file_is_not_the_day_of_what_it_says",
    ),
    rule(
        FOUND,
        "exact words are found in files whose bytes are no text",
        "src-tauri/crates/engine/src/documents/grep.rs::lines_are_found_in_documents_and_nowhere_else",
    ),
    rule(GIVEN, "pictures and addresses can be pasted and dropped", "tests/desktop/scans.rs::pictures_and_addresses_can_be_pasted"),
    rule(
        GIVEN,
        "a session completes names behind @",
        "src-tauri/crates/cli/src/session/editor.rs::commands_and_their_values_are_completed",
    ),
    rule(
        GIVEN,
        "attachments are read before the first step, in quick and deep runs, and are private text",
        "src-tauri/crates/core/tests/run.rs::attachments_are_read_first tests/e2e/attach.rs::a_model_reads_what_is_attached_before_its_first_step",
    ),
    rule(
        GIVEN,
        "files, piped text and earlier threads are sources and stay with the thread",
        "tests/e2e/attach.rs::files_and_piped_text_are_sources_and_stay_with_the_thread",
    ),
    rule(GIVEN, "an attached folder is searched alone", "tests/e2e/attach.rs::an_attached_folder_is_searched_alone"),
    rule(GIVEN, "what cannot be attached is named", "tests/e2e/attach.rs::what_cannot_be_attached_is_named"),
    rule(
        GIVEN,
        "@ offers documents and threads; a chip goes with one question",
        "tests/desktop/attach.rs::a_document_is_attached_by_its_name_and_read_beside_the_answer",
    ),
    rule(GIVEN, "a long text that is pasted becomes a chip", "tests/desktop/attach.rs::a_long_text_that_is_pasted_becomes_a_chip"),
    rule(GIVEN, "dropped exports are taken in, other files attached", "src-tauri/src/dropped.rs::exports_are_told_from_other_files"),
    rule(
        SHOWN,
        "scans are read in the background, and their pages shown with the passage marked",
        "tests/desktop/scans.rs::scanned_pages_are_read_in_the_background_and_shown_with_the_passage_marked",
    ),
    rule(
        SHOWN,
        "tables of spreadsheets are tables, a found file has all its passages, a long text its lines around one",
        "tests/desktop/scans.rs::tables_are_tables_and_a_found_file_has_all_its_passages src-tauri/crates/engine/src/render/sheet.rs::rows_are_tables_again",
    ),
    rule(
        SHOWN,
        "the place for documents: folders, what was skipped, search as one types, questions to one folder; nothing else can be read",
        "tests/desktop/attach.rs::the_place_for_documents_searches_as_one_types_and_asks_one_folder",
    ),
    rule(
        SHOWN,
        "pages of a PDF are pictures with the passage marked",
        "tests/desktop/attach.rs::pages_of_a_pdf_are_pictures_with_the_passage_marked src-tauri/crates/engine/src/documents/picture.rs::a_passage_is_marked_line_by_line",
    ),
    rule(
        SHOWN,
        "what is copied is on the clipboard of the desktop, as text and as HTML",
        "tests/desktop/attach.rs::an_answer_that_is_copied_is_on_the_clipboard_of_the_desktop",
    ),
];
