//! What may leave this computer, what may reach it, and what may not be lost.

use super::{Rule, rule};

const PRIVATE: &str = "private text";
const GUARD: &str = "network guard";
const KEPT: &str = "nothing is lost";
const BOUNDS: &str = "bounds";

pub(super) const SAFETY: &[Rule] = &[
    rule(
        PRIVATE,
        "private text stays here: documents alone, beside the web, in follow-ups; the person may let things through",
        "tests/e2e/egress.rs::documents_alone_never_reach_the_web tests/e2e/egress.rs::beside_the_web_nothing_of_the_documents_leaves src-tauri/crates/core/tests/egress.rs::nothing_of_the_documents_gets_out tests/e2e/session.rs::what_is_held_back_is_asked_about_on_the_terminal tests/desktop/held.rs::a_person_decides_about_what_is_held_back_with_one_click",
    ),
    rule(
        PRIVATE,
        "an embedding service elsewhere gets the folders that the person allows, and no other text",
        "tests/e2e/meaning.rs::nothing_is_sent_to_another_computer_before_the_person_allows_it tests/desktop/meaning.rs::a_service_elsewhere_gets_the_folders_that_are_switched_on",
    ),
    rule(
        PRIVATE,
        "a fetched embedding model is the very file that is known",
        "src-tauri/crates/web/tests/embedding.rs::another_file_than_the_known_one_is_thrown_away tests/e2e/meaning.rs::a_model_is_fetched_as_published_or_not_at_all",
    ),
    rule(GUARD, "no form of an address leads to this machine", "src-tauri/crates/web/tests/ssrf.rs::nothing_leads_to_this_machine"),
    rule(
        GUARD,
        "bombs and hostile pages stay within their limits",
        "tests/e2e/bombs.rs::bombs_do_not_go_off src-tauri/crates/web/tests/pages.rs::hostile_pages_cost_no_more_than_honest_ones",
    ),
    rule(
        GUARD,
        "proxies and certificates of the user",
        "src-tauri/crates/web/tests/way_out.rs::pages_and_services_go_through_the_proxy src-tauri/crates/web/tests/way_out.rs::this_machine_is_reached_without_the_proxy src-tauri/crates/web/tests/way_out.rs::certificates_of_the_user_are_trusted_and_http2_is_offered",
    ),
    rule(
        GUARD,
        "neither a proxy nor a reader service is handed a name of the local network",
        "src-tauri/crates/web/src/guard.rs::no_other_is_asked_for_a_name_with_a_private_address src-tauri/crates/web/tests/way_out.rs::pages_and_services_go_through_the_proxy",
    ),
    rule(
        PRIVATE,
        "no address of an answer is live where it leaves Nexi, and links show their host",
        "src-tauri/crates/core/src/reading/markdown.rs::no_address_is_live_in_what_leaves src-tauri/crates/core/src/reading/markdown.rs::what_leaves_shows_hosts_and_holds_no_live_address src-tauri/crates/engine/src/export/tests.rs::nothing_leaves_with_a_live_address",
    ),
    rule(
        KEPT,
        "settings and keys have one writer at a time, over processes",
        "src-tauri/crates/store/tests/writers.rs::eight_processes_lose_no_setting src-tauri/crates/store/tests/writers.rs::eight_processes_lose_no_key",
    ),
    rule(
        KEPT,
        "a process that is suspended in the middle of a change is named at once",
        "src-tauri/crates/store/tests/suspended.rs::others_are_told_at_once_and_go_on_when_it_does",
    ),
    rule(
        KEPT,
        "a full disk and a read-only folder are named, and cost nothing that was there",
        "tests/e2e/room.rs::a_full_disk_is_named_and_costs_nothing_that_was_there tests/e2e/room.rs::a_folder_that_cannot_be_written_is_named_with_the_way_out",
    ),
    rule(KEPT, "an import is whole or not there", "tests/e2e/library.rs::an_import_is_whole_or_not_there"),
    rule(KEPT, "a settings file with mistakes starts Nexi", "tests/desktop/settings.rs::a_file_with_mistakes_starts_nexi_all_the_same"),
    rule(
        BOUNDS,
        "MCP over HTTP: sessions, unfinished requests",
        "tests/e2e/mcp_http.rs::who_never_finishes_a_request_keeps_nobody_waiting",
    ),
    rule(BOUNDS, "tool calls in linear time", "tests/e2e/wire.rs::a_hundred_thousand_calls_cost_no_more_than_reading_them"),
];
