//! What may leave this computer, what may reach it, and what may not be lost.

use super::{Rule, rule};

const PRIVATE: &str = "private text";
const GUARD: &str = "network guard";

pub(super) const SAFETY: &[Rule] = &[
    rule(
        PRIVATE,
        "private text stays here: documents alone, beside the web, in follow-ups; the person may let things through",
        "tests/e2e/egress.rs::documents_alone_never_reach_the_web tests/e2e/egress.rs::beside_the_web_nothing_of_the_documents_leaves src-tauri/crates/core/tests/egress.rs::nothing_of_the_documents_gets_out tests/e2e/session.rs::what_is_held_back_is_asked_about_on_the_terminal tests/desktop/held.rs::a_person_decides_about_what_is_held_back_with_one_click",
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
];
