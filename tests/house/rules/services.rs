//! What real services of models and of search want, and what happens when one makes trouble.

use super::{Rule, rule};

const MODELS: &str = "services of models";
const MONEY: &str = "prices and windows";
const TROUBLE: &str = "when something goes wrong";
const SEARCH: &str = "services of search";

pub(super) const SERVICES: &[Rule] = &[
    rule(
        MODELS,
        "reasoning, signatures and unknown fields come back to the service that sent them",
        "tests/e2e/zoo.rs::what_a_service_wants_back_comes_back src-tauri/crates/llm/src/openai/extras.rs::pieces_become_what_the_service_would_have_sent_whole",
    ),
    rule(MODELS, "and to no other", "tests/e2e/zoo.rs::what_one_service_said_is_not_shown_to_another"),
    rule(
        MODELS,
        "Responses stores nothing and is chosen where a model is nowhere else",
        "tests/e2e/zoo.rs::responses_keeps_its_reasoning_and_stores_nothing",
    ),
    rule(
        MODELS,
        "a refusal teaches one thing, which is kept for a while and tried again",
        "src-tauri/crates/llm/src/quirks.rs::refusals_teach_one_thing_each tests/e2e/zoo.rs::a_refused_field_is_left_out_from_then_on_and_remembered",
    ),
    rule(
        MODELS,
        "windows are read from what servers tell",
        "src-tauri/crates/llm/src/facts.rs::windows_and_prices_are_read_in_every_shape",
    ),
    rule(MODELS, "a full window is learned, and room is made", "tests/e2e/zoo.rs::a_window_that_is_full_is_learned_and_room_is_made"),
    rule(MODELS, "a reply cut off while thinking gets more room", "tests/e2e/zoo.rs::a_reply_cut_off_while_thinking_gets_more_room"),
    rule(MODELS, "chains name a provider and one of its models", "tests/e2e/zoo.rs::a_chain_names_a_provider_and_one_of_its_models"),
    rule(
        MODELS,
        "every model of a service can be searched, starred and asked; Think longer",
        "tests/desktop/models.rs::every_model_of_a_service_can_be_searched_starred_and_asked",
    ),
    rule(
        MONEY,
        "prices by exact name, none by its beginning",
        "src-tauri/crates/core/src/research/pricing.rs::models_are_found_by_their_exact_id_at_their_service",
    ),
    rule(
        MONEY,
        "the published table is found, as services and OpenRouter write it",
        "src-tauri/crates/core/src/research/pricing.rs::live_models_find_the_published_price",
    ),
    rule(
        MONEY,
        "caches and tiers are priced",
        "src-tauri/crates/core/src/research/pricing.rs::costs_are_rounded_up_and_know_caches_and_tiers",
    ),
    rule(
        MONEY,
        "a cost limit without a price asks first",
        "tests/e2e/zoo.rs::a_limit_of_money_without_a_price_asks_first tests/desktop/models.rs::a_cost_limit_without_a_price_asks_first",
    ),
    rule(TROUBLE, "six mistakes are six sentences, each with a way out", "tests/e2e/zoo.rs::six_mistakes_are_six_sentences_with_a_way_out"),
    rule(
        TROUBLE,
        "a model that fails for good leaves an answer of what was read",
        "tests/e2e/zoo.rs::a_model_that_fails_for_good_leaves_what_was_read",
    ),
    rule(TROUBLE, "a countdown, and the reason above the answer", "tests/desktop/models.rs::trouble_is_told_as_it_happens_with_a_way_out"),
    rule(SEARCH, "documents and the web are asked together", "tests/e2e/zoo.rs::documents_and_the_web_are_asked_together"),
];
