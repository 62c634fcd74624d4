//! The rules of deep research.

use super::{Rule, rule};

const STATES: &str = "deep runs: states";
const PLANS: &str = "deep runs: plans";
const RESEARCHERS: &str = "deep runs: researchers";
const SHARING: &str = "deep runs: sharing";
const JUDGING: &str = "deep runs: evaluation and report";
const TOOLS: &str = "deep runs: tools";
const CONTAINER: &str = "a SearXNG of one's own";
const SHOWN: &str = "deep runs: what is shown";

const CORE: &str = "deep runs: limits and crashes";

pub(super) const DEEP: &[Rule] = &[
    rule(
        STATES,
        "every input leads where the table says, in every state",
        "src-tauri/crates/core/tests/deep/table.rs::every_input_leads_where_the_table_says",
    ),
    rule(
        STATES,
        "any order of what happens to three researchers ends well, and the journal alone gives the same end",
        "src-tauri/crates/core/tests/deep/properties.rs::every_deep_run_ends_well",
    ),
    rule(
        STATES,
        "at most so many researchers at once, named by round and number",
        "src-tauri/crates/core/tests/deep/course.rs::only_so_many_work_at_once",
    ),
    rule(
        PLANS,
        "a plan is mended, asked for three times, then of one task",
        "src-tauri/crates/core/tests/deep/course.rs::plans_are_asked_for_three_times src-tauri/crates/core/src/research/run/deep/plan.rs::plans_are_read_however_they_are_written",
    ),
    rule(
        PLANS,
        "it can be looked at, edited and approved",
        "src-tauri/crates/core/tests/deep/course.rs::a_plan_waits_for_the_person_and_is_carried_out_as_edited tests/desktop/deep.rs::from_the_plan_to_the_saved_report tests/e2e/session.rs::a_plan_is_shown_and_edited_before_it_is_carried_out",
    ),
    rule(
        RESEARCHERS,
        "four gathering calls, a handshake, batches of three, two and three pages",
        "src-tauri/crates/core/tests/deep/course.rs::budgets_end_and_tools_with_them",
    ),
    rule(
        RESEARCHERS,
        "no batch is read when the window is more than 55% full",
        "src-tauri/crates/core/tests/deep/course.rs::a_full_window_ends_the_reading",
    ),
    rule(
        SHARING,
        "a page is fetched once and has one number",
        "src-tauri/crates/core/tests/deep/course.rs::a_run_of_two_rounds_from_plan_to_report tests/e2e/deep.rs::a_deep_run_plans_delegates_once_and_reports",
    ),
    rule(
        SHARING,
        "reports reach those who are at work and those who come later",
        "src-tauri/crates/core/tests/deep/course.rs::findings_reach_those_who_are_at_work",
    ),
    rule(
        JUDGING,
        "another round or the report; an unclear reply is asked for once more",
        "src-tauri/crates/core/tests/deep/endings.rs::an_unclear_evaluation_is_asked_for_once_more src-tauri/crates/core/src/research/run/deep/evaluation.rs::evaluations_are_understood",
    ),
    rule(JUDGING, "two rounds more than planned at most", "src-tauri/crates/core/tests/deep/endings.rs::rounds_have_a_hard_limit"),
    rule(
        JUDGING,
        "when all fail the run stops with what there is",
        "src-tauri/crates/core/tests/deep/endings.rs::when_all_fail_the_run_stops_with_what_there_is",
    ),
    rule(
        JUDGING,
        "the report as a file: folder, name, labels, method",
        "src-tauri/crates/engine/src/export/saved_report.rs::a_report_goes_where_such_things_are src-tauri/crates/engine/src/export/saved_report.rs::a_taken_name_gets_another_hash tests/e2e/deep.rs::the_report_is_saved_with_labels_and_method",
    ),
    rule(
        TOOLS,
        "Stack Exchange, databases of vulnerabilities, exact words",
        "tests/e2e/deep.rs::researchers_have_tools_of_their_own src-tauri/crates/web/tests/security.rs::all_databases_are_asked_what_they_understand src-tauri/crates/engine/src/documents/grep.rs::lines_are_found_in_documents_and_nowhere_else",
    ),
    rule(
        TOOLS,
        "one that fails or wants to be left alone does not stand in the way",
        "src-tauri/crates/web/tests/security.rs::one_that_fails_does_not_stand_in_the_way",
    ),
    rule(
        CONTAINER,
        "one container for all processes, stopped by the last",
        "tests/e2e/searxng.rs::one_container_for_all_and_none_afterwards tests/e2e/searxng.rs::a_process_that_was_killed_counts_no_more",
    ),
    rule(
        CONTAINER,
        "clear words where there is no Docker and no Podman",
        "tests/e2e/searxng.rs::without_docker_and_podman_the_way_out_is_named",
    ),
    rule(SHOWN, "percentage, board, steps and reports of researchers", "tests/desktop/deep.rs::from_the_plan_to_the_saved_report"),
    rule(SHOWN, "stop one, finish now", "tests/desktop/deep.rs::one_can_be_stopped_and_the_rest_finished_now"),
    rule(CORE, "ceilings over all researchers lead to a report", "tests/e2e/deep.rs::a_ceiling_leads_to_a_report"),
    rule(CORE, "kill -9 in every phase costs nothing twice", "tests/e2e/deep.rs::kill_9_in_any_phase_costs_nothing_twice"),
    rule(
        CORE,
        "the built-in researcher does deep runs, too",
        "tests/e2e/deep.rs::without_a_model_every_question_has_a_researcher tests/desktop/deep.rs::the_popup_researches_deeply_without_a_model",
    ),
];
