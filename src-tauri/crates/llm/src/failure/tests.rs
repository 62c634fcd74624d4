use super::*;

fn classify(status: u16, body: &str) -> ModelError {
    let about = About { provider: "p", model: "some-model", address: "https://e.org/v1" };
    HttpFailure { status, headers: HeaderMap::new(), body: body.into() }.classify(about)
}

fn provider() -> String {
    "p".into()
}

#[test]
fn overflows_of_every_family_are_recognised_with_their_sizes() {
    let full = |window, prompt| ModelError::ContextFull { provider: provider(), window, prompt };
    for (status, body, wanted) in [
        // llama.cpp, tools/server
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#,
            full(Some(8192), Some(9000)),
        ),
        // OpenAI and vLLM
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9500 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
            full(Some(8192), None),
        ),
        (
            400,
            r#"{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            full(None, None),
        ),
        // Anthropic
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            full(Some(200_000), Some(210_000)),
        ),
        // Gemini, as a list
        (
            400,
            r#"[{"error":{"code":400,"message":"The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
            full(Some(1_048_576), Some(1_100_000)),
        ),
        // LiteLLM's proxy
        (
            400,
            r#"{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - the request exceeds the available context size","type":null,"param":null,"code":"400"}}"#,
            full(None, None),
        ),
        // Cerebras
        (
            400,
            r#"{"message":"Please reduce the length. Current length is 8300 while limit is 8192","type":"invalid_request_error"}"#,
            full(Some(8192), Some(8300)),
        ),
        // Groq: more than its minute allows at all
        (
            413,
            r#"{"error":{"message":"Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7100, please reduce your message size","type":"tokens","code":"rate_limit_exceeded"}}"#,
            full(Some(6000), None),
        ),
    ] {
        assert_eq!(classify(status, body), wanted, "{body}");
    }
}

#[test]
fn a_refusal_that_says_more_than_not_found_is_shown() {
    for body in [
        r#"{"error":{"message":"No endpoints found matching your data policy. Configure it in your account's privacy settings.","code":404}}"#,
        r#"{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error"}}"#,
    ] {
        assert!(matches!(classify(404, body), ModelError::Rejected { status: 404, .. }), "{body}");
    }
    for body in ["", r#"{"detail":"Not Found"}"#, r#"{"error":{"message":"Invalid URL (POST /chat/completions)"}}"#, "404 page not found"] {
        assert!(matches!(classify(404, body), ModelError::WrongAddress { .. }), "{body}");
    }
}

#[test]
fn how_long_to_wait_is_read_from_the_words() {
    let body = r#"{"error":{"message":"Rate limit reached. Please try again in 1m20.5s.","code":"rate_limit_exceeded"}}"#;
    let ModelError::RateLimited { retry_after, said, .. } = classify(429, body) else { panic!("{body}") };
    assert_eq!(retry_after, Some(Duration::from_millis(80_500)));
    assert_eq!(said, "Rate limit reached. Please try again in 1m20.5s.");
}

#[test]
fn what_is_left_of_a_balance_is_asked_for() {
    let body = |left: u32| {
        format!(
            r#"{{"error":{{"message":"This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford {left}.","code":402}}}}"#
        )
    };
    assert!(matches!(classify(402, &body(6383)), ModelError::Rejected { status: 402, .. }));
    assert!(matches!(classify(402, &body(12)), ModelError::NoBalance { .. }));
}

#[test]
fn six_mistakes_are_six_different_sentences() {
    let sentences: Vec<String> = [
        classify(401, r#"{"error":{"message":"Incorrect API key provided"}}"#),
        classify(404, r#"{"detail":"Not Found"}"#),
        classify(404, r#"{"error":{"message":"The model `some-model` does not exist","code":"model_not_found"}}"#),
        classify(200, "<!doctype html><title>Router</title>"),
        classify(429, r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#),
        ModelError::Unreachable { provider: provider(), message: "connection refused".into() },
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    for (place, sentence) in sentences.iter().enumerate() {
        assert!(!sentences[..place].contains(sentence), "{sentence}");
        let way_out = ["Settings", "Add credit", "Is it running"].iter().any(|words| sentence.contains(words));
        assert!(way_out, "{sentence}");
    }
}

#[test]
fn services_say_the_same_in_many_ways() {
    let unknown = ModelError::UnknownModel { provider: provider(), model: "some-model".into() };
    let rejected = |status, message: &str| ModelError::Rejected { provider: provider(), status, message: message.into() };
    for (status, body, wanted) in [
        // Mistral: message is an object, or detail a list
        (
            422,
            r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","code":null}"#,
            rejected(422, "body.stream_options: Extra inputs are not permitted"),
        ),
        (422, r#"{"detail":[{"loc":["body","x"],"msg":"field required","type":"missing"}]}"#, rejected(422, "body.x: field required")),
        (400, r#"{"object":"error","message":"Invalid model: some-model","type":"invalid_model","code":"1500"}"#, unknown.clone()),
        // OpenRouter: the reason is what the service behind it said
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"tools.0.x: bad\"}}","provider_name":"Z"}}}"#,
            rejected(400, "tools.0.x: bad"),
        ),
        (400, r#"{"error":{"message":"some-model is not a valid model ID","code":400}}"#, unknown.clone()),
        // Anthropic, Ollama, DeepSeek
        (404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: some-model"}}"#, unknown.clone()),
        (404, r#"{"error":"model 'some-model' not found"}"#, unknown.clone()),
        (400, r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}"#, unknown),
        (
            402,
            r#"{"error":{"message":"Insufficient Balance"}}"#,
            ModelError::NoBalance { provider: provider(), said: "Insufficient Balance".into() },
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
            ModelError::NoBalance { provider: provider(), said: "Your credit balance is too low to access the Anthropic API.".into() },
        ),
        // xAI refuses keys with 400, Gemini too
        (
            400,
            r#"{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xx"}"#,
            ModelError::Unauthorized { provider: provider(), status: 400, said: "Incorrect API key provided: xx".into() },
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
            ModelError::Unauthorized { provider: provider(), status: 400, said: "API key not valid. Please pass a valid API key.".into() },
        ),
        (
            403,
            r#"{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}"#,
            rejected(403, "Country, region, or territory not supported"),
        ),
        // Gemini says so when the minute is over, too
        (
            429,
            r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}"#,
            ModelError::RateLimited {
                provider: provider(),
                retry_after: Some(Duration::from_secs(34)),
                said: "You exceeded your current quota, please check your plan.".into(),
            },
        ),
        // Groq: passing
        (
            400,
            r#"{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed"}}"#,
            ModelError::Malformed {
                provider: provider(),
                why: None,
                message: "Failed to call a function. Please adjust your prompt.".into(),
            },
        ),
        (502, "<html>bad gateway</html>", ModelError::Server { provider: provider(), status: 502, retry_after: None, said: String::new() }),
        (404, "<html>nothing</html>", ModelError::WrongAddress { provider: provider(), address: "https://e.org/v1".into() }),
    ] {
        assert_eq!(classify(status, body), wanted, "{body}");
    }
}

#[test]
fn errors_inside_a_stream_are_like_those_of_a_status() {
    let about = About { provider: "p", model: "m", address: "a" };
    let of = |json: &str| of_stream(about, &serde_json::from_str(json).unwrap());
    assert_eq!(
        of(r#"{"type":"overloaded_error","message":"Overloaded"}"#),
        ModelError::Server { provider: provider(), status: 503, retry_after: None, said: "Overloaded".into() }
    );
    assert_eq!(
        of(r#"{"code":429,"message":"slow"}"#),
        ModelError::RateLimited { provider: provider(), retry_after: None, said: "slow".into() }
    );
    assert!(matches!(of(r#"{"code":"context_length_exceeded","message":"too long"}"#), ModelError::ContextFull { .. }));
    // Ollama's own, where its runner ends in the middle of a reply
    let ended = of(r#"{"message":"llama runner process has terminated"}"#);
    assert!(ended.to_string().ends_with("It said: llama runner process has terminated."), "{ended}");
}

/// Journals from before there were reasons hold a sentence.
#[test]
fn failures_of_older_journals_are_read() {
    for (kind, said) in [("malformed", "it is empty"), ("runaway", "it never ends")] {
        let old: ModelError = serde_json::from_value(serde_json::json!({"kind": kind, "provider": "x", "message": said})).unwrap();
        assert!(old.to_string().ends_with(said) && old.said() == Some(said), "{old}");
    }
}
