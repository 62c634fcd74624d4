//! The rules of the specification that Nexi grew from, and the tests that show each. Where Nexi does
//! better, the row says how; the reasons are in ARCHITECTURE.md.

use crate::read;

struct Rule {
    group: &'static str,
    rule: &'static str,
    /// File and function, several separated by blanks.
    shown_by: &'static str,
}

const fn rule(group: &'static str, rule: &'static str, shown_by: &'static str) -> Rule {
    Rule { group, rule, shown_by }
}

mod deep;
mod documents;
mod safety;
mod services;

const LOOP: &str = "search loop: how it ends";
const CALLS: &str = "search loop: tool calls";
const CONTEXT: &str = "search loop: context";
const TOKENS: &str = "token counting";
const CITATIONS: &str = "citations";
const CONFIG: &str = "configuration";
const ERRORS: &str = "errors";
const FINDING: &str = "finding on the web";
const READING: &str = "reading the web";
const POPUP: &str = "popup";
const WINDOW: &str = "research window";
const LIBRARY: &str = "library";
const SETUP: &str = "setup wizard and settings";
const SAFETY: &str = "safety of the windows";
const TERMINAL: &str = "command line";
const MCP: &str = "MCP server";

const RULES: &[Rule] = &[
    rule(LOOP, "1 final_answer ends the run", "tests/e2e/ask.rs::a_model_searches_reads_and_cites"),
    rule(
        LOOP,
        "2 the time target ends it (softly first, then hard)",
        "tests/e2e/limits.rs::the_time_target_asks_for_the_answer_and_then_stops tests/e2e/resume.rs::the_time_target_asks_for_the_answer",
    ),
    rule(
        LOOP,
        "3 the largest number of steps ends it, with an answer",
        "tests/e2e/ask.rs::plain_content_is_an_answer_and_limits_lead_to_one",
    ),
    rule(
        LOOP,
        "4 a context that stays too full leads to the answer",
        "src-tauri/crates/core/tests/run.rs::a_window_that_stays_full_leads_to_the_answer",
    ),
    rule(
        LOOP,
        "5 a model that fails after all retries ends it, labelled",
        "tests/e2e/wire.rs::a_reset_in_the_middle_is_rerun_at_most_twice_and_nothing_is_doubled",
    ),
    rule(
        LOOP,
        "6 the person stops it; exit code 130, everything kept",
        "tests/e2e/resume.rs::ctrl_c_keeps_what_there_is tests/e2e/limits.rs::a_stopped_run_keeps_its_words_and_counts_their_price",
    ),
    rule(
        LOOP,
        "+ money, tokens and repetition end it, too",
        "tests/e2e/limits.rs::the_money_ceiling_is_reached_and_not_broken tests/e2e/limits.rs::the_token_ceiling_leads_to_an_answer_or_keeps_what_there_is tests/e2e/limits.rs::three_identical_calls_lead_to_the_answer",
    ),
    rule(
        CALLS,
        "1 web_search takes 1-5 queries, others are healed or refused",
        "src-tauri/crates/core/src/research/tools.rs::searches_are_healed src-tauri/crates/core/src/research/tools.rs::what_cannot_be_healed_is_explained",
    ),
    rule(CALLS, "1 it returns results with snippets", "tests/e2e/ask.rs::a_model_searches_reads_and_cites"),
    rule(
        CALLS,
        "1 improved: its results are guarded as well (every growth is)",
        "src-tauri/crates/core/tests/run.rs::search_results_alone_can_trigger_compaction",
    ),
    rule(CALLS, "1 titles are taken from results", "src-tauri/crates/core/tests/run.rs::titles_come_from_results_where_the_page_has_none"),
    rule(
        CALLS,
        "2 web_get takes 1-8 addresses, at the same time",
        "src-tauri/crates/core/tests/run.rs::at_most_eight_pages_are_read_at_once",
    ),
    rule(CALLS, "2 extracted content with instructions, by the model", "tests/e2e/engine.rs::pages_are_read_in_every_mode"),
    rule(
        CALLS,
        "2 reading triggers the check of the context",
        "src-tauri/crates/core/tests/run.rs::a_conversation_that_outgrows_the_window_is_summarised",
    ),
    rule(
        CALLS,
        "2 get_full, use_chunks, instructions",
        "tests/e2e/engine.rs::pages_are_read_in_every_mode src-tauri/crates/core/src/research/tools.rs::modes_are_read",
    ),
    rule(
        CALLS,
        "2 stable numbers (improved: only for pages that were really read)",
        "src-tauri/crates/core/tests/run.rs::every_call_has_one_result_in_order_and_failed_pages_have_no_number",
    ),
    rule(
        CALLS,
        "3 final_answer needs an answer; nothing follows it",
        "src-tauri/crates/core/src/research/tools.rs::answers_are_healed src-tauri/crates/core/tests/properties.rs::every_run_ends_well",
    ),
    rule(
        CALLS,
        "+ improved: all calls of a reply are carried out, one result each",
        "src-tauri/crates/core/tests/run.rs::every_call_has_one_result_in_order_and_failed_pages_have_no_number",
    ),
    rule(
        CONTEXT,
        "1 compaction begins at max_context * auto_compact_thresh",
        "src-tauri/crates/core/tests/run.rs::compaction_begins_at_the_threshold",
    ),
    rule(
        CONTEXT,
        "2 queries and addresses are kept, results and words summarised",
        "src-tauri/crates/core/tests/run.rs::a_conversation_that_outgrows_the_window_is_summarised",
    ),
    rule(
        CONTEXT,
        "2 system prompt, question and the last messages stay (improved: with their results)",
        "src-tauri/crates/core/src/research/run/conversation.rs::no_call_is_orphaned",
    ),
    rule(
        CONTEXT,
        "3 improved: without a summary the oldest results are cut to their passages",
        "src-tauri/crates/core/tests/run.rs::without_a_summary_old_results_become_passages",
    ),
    rule(
        CONTEXT,
        "3 still too full: the answer is asked for",
        "src-tauri/crates/core/tests/run.rs::a_window_that_stays_full_leads_to_the_answer",
    ),
    rule(CONTEXT, "+ a run many times the window completes", "tests/e2e/engine.rs::a_run_many_times_the_window_completes"),
    rule(
        TOKENS,
        "1 role, content, calls, ids, and three for each message",
        "src-tauri/crates/core/src/research/run/conversation.rs::a_message_is_counted_once_and_by_all_its_parts",
    ),
    rule(TOKENS, "2 by tiktoken, with the configured encoding", "src-tauri/crates/llm/src/tokens.rs::counts_are_those_of_tiktoken"),
    rule(TOKENS, "2 encodings are loaded once; no text can break them", "src-tauri/crates/llm/src/tokens.rs::endless_runs_do_no_harm"),
    rule(TOKENS, "2 pages are counted before they are added", "src-tauri/crates/core/tests/run.rs::compaction_begins_at_the_threshold"),
    rule(
        CITATIONS,
        "1 numbers are given once and stay",
        "src-tauri/crates/core/tests/properties.rs::every_run_ends_well tests/e2e/engine.rs::follow_ups_know_what_was_read_and_go_on_counting",
    ),
    rule(
        CITATIONS,
        "one place finds citations, and the window marks exactly those",
        "src-tauri/crates/core/src/reading/citations/find.rs::only_running_text_cites src-tauri/crates/engine/src/render/mod.rs::the_core_and_the_window_see_the_same_citations",
    ),
    rule(
        CITATIONS,
        "sources are numbered in the order of the text, while it streams too, and for good",
        "src-tauri/crates/core/src/reading/citations/number.rs::what_is_streamed_is_what_is_kept src-tauri/crates/core/src/reading/citations/number.rs::numbers_follow_the_text src-tauri/crates/store/src/history/tests.rs::sources_get_their_numbers_when_the_run_ends_and_only_then",
    ),
    rule(
        CITATIONS,
        "statements have a label, in every export",
        "src-tauri/crates/core/src/reading/citations/statements.rs::statements_keep_their_citations src-tauri/crates/engine/src/export/tests.rs::every_label_is_in_every_export",
    ),
    rule(
        CITATIONS,
        "what earlier versions kept is read with its places",
        "src-tauri/crates/store/src/history/tests.rs::what_earlier_versions_kept_is_read_with_its_places_and_statements",
    ),
    rule(CITATIONS, "1 [1], [1,2], [1][2], [1-3]", "src-tauri/crates/core/src/reading/citations.rs::all_forms_are_understood"),
    rule(
        CITATIONS,
        "2 titles are taken from results and shown with the sources",
        "src-tauri/crates/core/tests/run.rs::titles_come_from_results_where_the_page_has_none",
    ),
    rule(
        CITATIONS,
        "3 a list of sources, `[N] Title - URL` or `[N] URL`",
        "src-tauri/crates/engine/src/report/source_lines.rs::the_list_of_sources_names_what_is_cited",
    ),
    rule(
        CITATIONS,
        "3 sources are detected where numbers were forgotten",
        "src-tauri/crates/core/src/reading/citations/detect.rs::every_sign_is_recognised tests/e2e/engine.rs::a_model_that_forgets_its_numbers_is_helped",
    ),
    rule(
        CITATIONS,
        "+ thresholds hold on pairs they were not chosen on",
        "src-tauri/crates/core/tests/evidence.rs::thresholds_hold_on_pairs_they_were_not_chosen_on",
    ),
    rule(
        CITATIONS,
        "+ a second look adds nothing that no source says",
        "src-tauri/crates/core/tests/check.rs::nothing_is_added_that_no_source_says",
    ),
    rule(
        CITATIONS,
        "+ the answer survives whatever happens to its check",
        "src-tauri/crates/core/tests/check.rs::the_answer_is_kept_whatever_happens_to_its_check",
    ),
    rule(CITATIONS, "+ a second opinion from the same sources", "tests/e2e/check.rs::another_model_is_asked_with_the_same_sources"),
    rule(CITATIONS, "+ each is judged against its source", "src-tauri/crates/core/tests/evidence.rs::support_is_told_from_its_absence"),
    rule(
        CONFIG,
        "required: an address, a model; improved: a key only where the service wants one",
        "tests/e2e/ask.rs::mistakes_are_named_and_exit_with_2",
    ),
    rule(CONFIG, "optional fields have defaults", "src-tauri/crates/core/src/research/settings.rs::the_defaults_are_valid"),
    rule(
        CONFIG,
        "1 base_url begins with http:// or https://",
        "src-tauri/crates/core/src/research/settings.rs::every_problem_names_its_field",
    ),
    rule(CONFIG, "2, 4 improved: no keys in it", "src-tauri/crates/store/src/settings_file/tests.rs::mistakes_name_their_field"),
    rule(CONFIG, "3 a model is named", "src-tauri/crates/store/src/settings_file/tests.rs::mistakes_name_their_field"),
    rule(CONFIG, "5 default_effort is s, m or l", "src-tauri/crates/store/src/settings_file/tests.rs::mistakes_name_their_field"),
    rule(
        CONFIG,
        "6-10, 13, 14 numbers are whole, positive, within their range",
        "src-tauri/crates/core/src/research/settings.rs::every_problem_names_its_field",
    ),
    rule(CONFIG, "11 preserve_last_n_messages >= 0", "src-tauri/crates/store/src/settings_file/tests.rs::mistakes_name_their_field"),
    rule(
        CONFIG,
        "12 improved: the encoding is one that exists",
        "src-tauri/crates/core/src/research/settings.rs::every_problem_names_its_field",
    ),
    rule(ERRORS, "no settings: improved, works at once without set-up", "tests/e2e/ask.rs::a_fresh_install_answers_from_its_handbook"),
    rule(ERRORS, "settings that are not valid: every mistake named, exit code 2", "tests/e2e/ask.rs::mistakes_are_named_and_exit_with_2"),
    rule(ERRORS, "time target: partial answer with the reason", "tests/e2e/limits.rs::the_time_target_asks_for_the_answer_and_then_stops"),
    rule(ERRORS, "step limit: the answer is asked for", "tests/e2e/ask.rs::plain_content_is_an_answer_and_limits_lead_to_one"),
    rule(
        ERRORS,
        "context limit: partial answer with the reason",
        "src-tauri/crates/core/tests/run.rs::a_window_that_stays_full_leads_to_the_answer",
    ),
    rule(
        ERRORS,
        "model failures: retried with back-off, then a sentence with a way out",
        "tests/e2e/wire.rs::statuses_are_retried_or_not tests/e2e/faults.rs::final_failures_are_not_retried_and_say_what_to_do",
    ),
    rule(ERRORS, "Ctrl-C: exit code 130", "tests/e2e/resume.rs::ctrl_c_keeps_what_there_is"),
    rule(
        ERRORS,
        "HTTP and network errors of tools become results",
        "tests/e2e/reach.rs::search_backends_and_readers_that_misbehave_are_results",
    ),
    rule(
        ERRORS,
        "what cannot be parsed becomes a result",
        "tests/e2e/wire.rs::half_a_tool_call_is_never_carried_out tests/e2e/reach.rs::search_backends_and_readers_that_misbehave_are_results",
    ),
    rule(
        ERRORS,
        "a failed extraction falls back to the first 2,000 characters",
        "tests/e2e/engine.rs::pages_that_the_model_cannot_take_in_have_a_way_out",
    ),
    rule(
        ERRORS,
        "a failed choice of chunks falls back to the best five",
        "tests/e2e/engine.rs::pages_that_the_model_cannot_take_in_have_a_way_out",
    ),
    rule(
        ERRORS,
        "history: a damaged file is left alone and named (improved: a transactional database)",
        "src-tauri/crates/store/src/history/tests.rs::newer_and_damaged_files_are_left_alone",
    ),
    rule(
        ERRORS,
        "history: none yet is an empty list; what cannot be written is an error",
        "src-tauri/crates/store/src/history/tests.rs::a_turn_comes_back_as_it_was_kept tests/e2e/faults.rs::a_data_folder_that_cannot_be_written_is_named",
    ),
    rule(
        FINDING,
        "fourteen services and any other that answers with JSON, each in its own wire format",
        "src-tauri/crates/web/tests/contracts.rs::every_backend_finds_in_its_own_wire_format src-tauri/crates/web/tests/contracts.rs::options_are_told_each_service_in_its_own_words",
    ),
    rule(
        FINDING,
        "failures say what happened: no key, refused, no balance, too often, unreachable",
        "src-tauri/crates/web/tests/contracts.rs::failures_say_what_happened_and_never_show_the_key",
    ),
    rule(
        FINDING,
        "retries, several keys, pauses after limits, failover of what failed",
        "src-tauri/crates/web/tests/contracts.rs::passing_failures_are_tried_again_and_limits_respected src-tauri/crates/web/tests/contracts.rs::several_keys_take_turns src-tauri/crates/web/src/chain/tests.rs::the_chain_goes_on_after_failures_and_emptiness",
    ),
    rule(
        FINDING,
        "results of several queries and backends are one ranked list",
        "src-tauri/crates/core/src/reading/rank/fuse.rs::what_several_lists_have_stands_first src-tauri/crates/core/src/reading/rank/fuse.rs::near_duplicates_are_folded src-tauri/crates/core/src/reading/urls.rs::results_that_lead_to_one_page_have_one_key src-tauri/crates/web/src/chain/tests.rs::several_backends_are_merged_and_sites_chosen",
    ),
    rule(
        READING,
        "readers in order; walls count as failures",
        "src-tauri/crates/web/tests/contracts.rs::every_reader_reads_in_its_own_wire_format src-tauri/crates/web/src/chain/tests.rs::walls_and_failures_go_to_the_next_reader src-tauri/crates/web/src/read/wall.rs::walls_are_told_from_pages",
    ),
    rule(
        READING,
        "the main text, its structure and what the page says about itself",
        "src-tauri/crates/web/tests/pages.rs::an_article_becomes_clean_markdown src-tauri/crates/web/tests/pages.rs::pages_of_every_shape_keep_their_text src-tauri/crates/web/tests/pages.rs::what_a_page_says_about_itself_is_found_in_many_places src-tauri/crates/web/tests/pages.rs::the_text_of_real_pages_is_found",
    ),
    rule(
        READING,
        "encodings, feeds, JSON, PDF with page numbers",
        "src-tauri/crates/web/tests/pages.rs::sixteen_encodings_are_read_declared_or_not src-tauri/crates/web/src/read/feed.rs::entries_become_sections src-tauri/crates/web/src/read/format.rs::bodies_are_what_they_are src-tauri/crates/formats/src/pdf.rs::pages_are_kept_apart",
    ),
    rule(
        READING,
        "manners: four connections, robots.txt, conditional requests, HTTP/2",
        "src-tauri/crates/web/tests/politeness.rs::a_host_has_to_bear_four_connections_at_most src-tauri/crates/web/tests/politeness.rs::robots_txt_counts_for_what_nobody_asked_for src-tauri/crates/web/tests/politeness.rs::an_unchanged_page_is_not_sent_again src-tauri/crates/web/tests/way_out.rs::certificates_of_the_user_are_trusted_and_http2_is_offered",
    ),
    rule(
        READING,
        "pages are kept, renewed, limited in size and forgotten on demand",
        "src-tauri/crates/web/src/chain/tests.rs::pages_are_kept_renewed_and_outlive_their_site src-tauri/crates/store/src/pages.rs::the_pages_unused_for_longest_make_room src-tauri/crates/store/src/pages.rs::pages_come_back_as_they_were src-tauri/crates/web/src/freshness.rs::news_age_in_hours_and_archives_in_weeks",
    ),
    rule(
        POPUP,
        "1, 2, 4, 5, 7 the hotkey toggles it, Escape peels its layers, it answers in place and goes on in the window",
        "tests/desktop/popup.rs::the_hotkey_toggles_it_and_escape_peels_its_layers",
    ),
    rule(
        POPUP,
        "3 it hides with the focus unless it is pinned; it always stands within a display",
        "tests/desktop/popup.rs::it_hides_when_the_focus_goes_unless_it_is_pinned src-tauri/src/popup.rs::it_always_stands_within_the_display",
    ),
    rule(
        POPUP,
        "6 the clipboard is offered only where that is wanted",
        "tests/desktop/popup.rs::the_clipboard_is_offered_only_where_it_is_wanted",
    ),
    rule(
        POPUP,
        "8 a hotkey that cannot be had is named, and another one offered",
        "tests/desktop/popup.rs::a_hotkey_that_another_program_has_is_named_and_another_one_offered src-tauri/crates/core/src/research/settings/desktop.rs::hotkeys_that_would_get_in_the_way_are_refused",
    ),
    rule(
        WINDOW,
        "1 to 4, 6 steps with counts, streaming, chips, a reload loses nothing",
        "tests/desktop/research.rs::a_model_on_loopback_streams_and_a_reload_loses_nothing",
    ),
    rule(
        WINDOW,
        "5 stop keeps what there is; edit and branch",
        "tests/desktop/popup.rs::the_hotkey_toggles_it_and_escape_peels_its_layers tests/desktop/research.rs::questions_can_be_rewritten_and_threads_branched",
    ),
    rule(
        WINDOW,
        "9 a thread of 500 turns opens, and nothing jumps",
        "tests/desktop/library.rs::a_thread_of_five_hundred_turns_opens_at_its_end_and_nothing_jumps",
    ),
    rule(
        WINDOW,
        "10 everything by keyboard, without a serious fault for screen readers",
        "tests/desktop/access.rs::from_the_first_run_to_an_opened_source_by_keyboard_alone",
    ),
    rule(
        WINDOW,
        "other scripts, long words, 200 % text, 400 pixels",
        "tests/desktop/access.rs::other_scripts_long_words_and_large_text_fit",
    ),
    rule(
        WINDOW,
        "long runs behind other windows are announced",
        "tests/desktop/library.rs::a_long_run_that_ends_behind_other_windows_is_announced",
    ),
    rule(
        LIBRARY,
        "1 full text over 100,000 turns, snippets, filters",
        "tests/desktop/library.rs::a_large_library_is_searched_as_it_is_typed src-tauri/crates/store/src/history/tests.rs::the_library_finds_words_and_filters",
    ),
    rule(
        LIBRARY,
        "2 rename, pin, tag, delete with undo; every thread is reached",
        "tests/desktop/library.rs::threads_are_named_pinned_tagged_deleted_and_brought_back src-tauri/crates/store/src/history/tests.rs::every_thread_is_reached_page_by_page",
    ),
    rule(
        LIBRARY,
        "3 exports in four formats and three styles; imports without loss",
        "tests/desktop/library.rs::exports_hold_the_answer_and_come_back_without_loss src-tauri/crates/engine/src/export/tests.rs::three_styles_name_the_same_sources src-tauri/crates/engine/src/import.rs::lines_of_nexi_become_threads_once",
    ),
    rule(
        LIBRARY,
        "4 a private thread leaves nothing on disk until it is kept",
        "tests/desktop/safety.rs::a_private_thread_leaves_nothing_on_disk_until_it_is_kept",
    ),
    rule(SETUP, "1 one click is enough", "tests/desktop/setup.rs::one_click_is_enough"),
    rule(
        SETUP,
        "2 to 4 steps, live tests, the keyring, back loses nothing, progress survives closing",
        "tests/desktop/setup.rs::a_key_is_tested_kept_in_the_keyring_and_used tests/desktop/setup.rs::closed_early_it_comes_back_where_it_was",
    ),
    rule(
        SETUP,
        "settings are checked as they are typed, by the rules of the file",
        "tests/desktop/settings.rs::what_is_typed_is_checked_as_it_is_typed_and_saved_when_it_is_right src-tauri/crates/store/src/settings_file/change.rs::single_settings_change_and_everything_else_stays",
    ),
    rule(
        SETUP,
        "keys in the keyring, in a sealed file, never shown again",
        "tests/desktop/settings.rs::a_provider_is_added_tested_and_used_and_its_key_never_comes_back tests/desktop/settings.rs::keys_can_live_in_a_file_with_a_passphrase_and_the_file_is_asked_for src-tauri/crates/store/src/keys/file.rs::only_the_passphrase_opens_it",
    ),
    rule(
        SAFETY,
        "no payload acts in the stream, the history or an export",
        "tests/desktop/safety.rs::no_payload_acts_in_the_stream_the_history_or_an_export",
    ),
    rule(
        SAFETY,
        "every window may call its own commands and no other",
        "tests/desktop/safety.rs::every_window_may_call_its_own_commands_and_no_other tests/house/main.rs::every_command_is_listed_handled_and_allowed_to_some_window",
    ),
    rule(
        POPUP,
        "under Wayland the desktop's portal gives a key",
        "tests/desktop/portal.rs::the_desktop_gives_a_key_and_pressing_it_opens_the_popup",
    ),
    rule(
        SAFETY,
        "without bus, tray or keyring, and with broken settings, it starts or says why",
        "tests/desktop/bare.rs::without_a_session_bus_everything_else_works tests/desktop/settings.rs::a_file_with_mistakes_starts_nexi_all_the_same",
    ),
    rule(
        SETUP,
        "the wizard opened again takes nothing away; windows come back where they were, with what was written",
        "tests/desktop/bare.rs::the_wizard_takes_nothing_away tests/desktop/starts.rs::the_window_comes_back_where_it_was_with_what_was_written",
    ),
    rule(
        TERMINAL,
        "answers in four forms, streamed on a terminal, colours can be refused",
        "tests/e2e/commands.rs::an_answer_is_printed_in_four_forms tests/e2e/session.rs::answers_stream_and_colours_can_be_refused",
    ),
    rule(TERMINAL, "a session of questions; Ctrl+C stops the run", "tests/e2e/session.rs::one_question_follows_the_other"),
    rule(TERMINAL, "search and read without a model, in NEXI's shapes", "tests/e2e/commands.rs::searching_and_reading_need_no_model"),
    rule(
        TERMINAL,
        "history is listed, shown, found, exported, imported, cleared when meant",
        "tests/e2e/library.rs::past_research_is_listed_shown_and_found tests/e2e/library.rs::everything_goes_out_and_comes_in_again tests/e2e/library.rs::clearing_has_to_be_meant",
    ),
    rule(
        TERMINAL,
        "settings and keys; no key is an argument",
        "tests/e2e/commands.rs::settings_are_shown_changed_and_checked tests/e2e/commands.rs::keys_are_listed_and_never_arguments tests/e2e/session.rs::a_key_in_a_file_is_asked_for_and_never_shown",
    ),
    rule(TERMINAL, "sets of questions, side by side", "tests/e2e/check.rs::a_set_of_questions_is_measured"),
    rule(TERMINAL, "a doctor that says what to do", "tests/e2e/commands.rs::the_doctor_says_what_is_wrong_and_what_to_do"),
    rule(
        TERMINAL,
        "completions, manual page, closed pipes, homes that cannot be written, newer databases",
        "tests/e2e/commands.rs::shells_and_readers_are_served tests/e2e/commands.rs::what_cannot_be_written_or_read_is_told",
    ),
    rule(
        TERMINAL,
        "the window shows what the terminal asked; all write at once",
        "tests/desktop/terminal.rs::a_question_from_the_terminal_is_shown_in_the_window tests/desktop/terminal.rs::the_window_the_command_line_and_a_server_write_at_once",
    ),
    rule(MCP, "four tools with progress, results and resources", "tests/e2e/mcp.rs::programs_research_search_read_and_remember"),
    rule(MCP, "cancelling and hanging up stop a research", "tests/e2e/mcp.rs::a_research_ends_when_nobody_wants_it"),
    rule(
        MCP,
        "over HTTP: token, host, origin, sessions",
        "tests/e2e/mcp_http.rs::over_http_only_those_with_the_token_come_in tests/e2e/mcp_http.rs::the_token_can_be_chosen_and_is_not_shown_then",
    ),
];

/// Prints the table and fails where a test that it names does not exist.
#[test]
fn every_rule_of_the_specification_is_shown_by_a_test() {
    let mut group = "";
    let mut missing = Vec::new();
    for rule in RULES.iter().chain(safety::SAFETY).chain(deep::DEEP).chain(services::SERVICES).chain(documents::DOCUMENTS) {
        if rule.group != group {
            group = rule.group;
            println!("\n{group}");
        }
        println!("  {}", rule.rule);
        for place in rule.shown_by.split(' ') {
            println!("      {place}");
            let (file, name) = place.split_once("::").expect("file::test");
            let text = read(file);
            let at = text.find(&format!("fn {name}("));
            let is_test = at.is_some_and(|at| {
                let before = &text[at.saturating_sub(120)..at];
                before.contains("test]") || before.contains("test(flavor") || text.contains("proptest! {")
            });
            if !is_test {
                missing.push(place);
            }
        }
    }
    println!("\n{} rules", RULES.len() + safety::SAFETY.len() + deep::DEEP.len() + services::SERVICES.len() + documents::DOCUMENTS.len());
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
}
