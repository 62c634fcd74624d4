"""Scenarios of models: what each family really sends, in the types of its own package.

Every scenario is one question. The model searches, reads the page it finds, and answers.
"""

import json

from anthropic.types.message_create_params import MessageCreateParamsStreaming
from google.genai import types as genai
from mistralai.client.models import ChatCompletionStreamRequest
from ollama._types import ChatRequest, ChatResponse
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses import Response
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming, ResponseCreateParamsStreaming

from judges import by_model, by_type
from world import ANSWER, Reply, error, ndjson, sse

SCENARIOS = []
SEARCH = {"queries": ["orvik lighthouse"]}


def calls(page):
    """The two calls before the answer."""
    return [("web_search", SEARCH), ("web_get", {"urls": [page]})]


class Scenario:
    def __init__(self, name, package, kind, path, model, script, judge, provider="", state="answered", most=3, check=None, others=None, settings="", says=""):
        self.__dict__.update(locals())
        SCENARIOS.append(self)


# ---------------------------------------------------------------- chat completions

CHAT = "openai 2.54.0"
chat_body = by_type(CompletionCreateParamsStreaming)


def judge_chat(body, free=()):
    body = dict(body)
    extras = {name: body.pop(name) for name in list(body) if name in free}
    messages = []
    for message in body["messages"]:
        message = dict(message)
        for name in free:
            message.pop(name, None)
        if message.get("tool_calls"):
            message["tool_calls"] = [{k: v for k, v in call.items() if k not in free} for call in message["tool_calls"]]
        messages.append(message)
    return chat_body({**body, "messages": messages})


def chat_judge(*free):
    return lambda path, query, headers, body: judge_chat(body, free)


def chunk(delta, finish=None, usage=None, **more):
    """A chunk that the SDK's own type accepts."""
    event = {
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}], **more,
    }
    if usage:
        event["usage"] = usage
    ChatCompletionChunk.model_validate({**event, "choices": [{**event["choices"][0], "delta": {k: v for k, v in delta.items() if k != "content" or isinstance(v, (str, type(None)))}}]})
    return event


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def chat_calls(name, arguments, before=(), call_extra=None, call_id="call_1", finish="tool_calls", whole=False):
    text = json.dumps(arguments)
    call = {"index": 0, "id": call_id, "type": "function", "function": {"name": name, "arguments": text if whole else ""}, **(call_extra or {})}
    events = [chunk({"role": "assistant", "content": None})] + list(before) + [chunk({"tool_calls": [call]})]
    if not whole:
        events += [chunk({"tool_calls": [{"index": 0, "function": {"arguments": text[i : i + 9]}}]}) for i in range(0, len(text), 9)]
    events += [chunk({}, finish), {**chunk({}), "choices": [], "usage": USAGE}]
    return sse(events)


def chat_text(text=ANSWER, before=(), finish="stop", usage=USAGE):
    events = [chunk({"role": "assistant", "content": ""})] + list(before) + [chunk({"content": word + " "}) for word in text.split(" ")]
    return sse(events + [chunk({}, finish), {**chunk({}), "choices": [], "usage": usage}])


def chat_run(page, before=(), **more):
    (a, x), (b, y) = calls(page)
    return [chat_calls(a, x, before, call_id="call_1", **more), chat_calls(b, y, before, call_id="call_2", **more), chat_text(before=before)]


def assistants(body):
    return [message for message in body["messages"] if message["role"] == "assistant"]


def chat(name, script, judge=None, **more):
    more.setdefault("package", CHAT)
    Scenario(name, more.pop("package"), "openai_compatible", "/v1", more.pop("model", "test-model"), script, judge or chat_judge(), **more)


chat("chat: a plain run", lambda page: chat_run(page))
chat("chat: calls that come whole, finish says stop", lambda page: chat_run(page, finish="stop", whole=True))
chat(
    "chat: usage with cached tokens",
    lambda page: chat_run(page)[:2] + [chat_text(usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 60, "audio_tokens": 0}})],
    check=lambda report, service: [] if report["tokens"].get("cached") == 60 else [f"cached tokens: {report['tokens']}"],
)


def echoed(field, value):
    def check(report, service):
        said = assistants(service.requests[-1][3])
        return [] if len(said) == 2 and all(message.get(field) == value for message in said) else [f"{field} was not sent back: {said}"]

    return check


THOUGHT = [chunk({"reasoning_content": "I should "}), chunk({"reasoning_content": "search."})]
chat(
    "deepseek: reasoning_content comes back with every tool turn", lambda page: chat_run(page, THOUGHT),
    judge=chat_judge("reasoning_content"), provider='preset = "deepseek"', package="litellm 1.106.2 (deepseek)", check=echoed("reasoning_content", "I should search."),
)
chat(
    "deepseek: a message that has no reasoning gets a blank one", lambda page: chat_run(page),
    judge=chat_judge("reasoning_content"), provider='preset = "deepseek"', package="litellm 1.106.2 (deepseek)", check=echoed("reasoning_content", " "),
)
chat(
    "moonshot: reasoning_content comes back with calls", lambda page: chat_run(page, THOUGHT),
    judge=chat_judge("reasoning_content"), provider='preset = "moonshot"', package="litellm 1.106.2 (moonshot)", check=echoed("reasoning_content", "I should search."),
)
chat(
    "moonshot: usage inside the choice", lambda page: chat_run(page)[:2] + [sse([chunk({"content": ANSWER}), {**chunk({}, "stop"), "choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": USAGE}]}])],
    judge=chat_judge("reasoning_content"), provider='preset = "moonshot"', package="litellm 1.106.2 (moonshot)",
)
chat(
    "z.ai: thinking is switched", lambda page: chat_run(page, THOUGHT), judge=chat_judge("thinking", "reasoning_content"),
    provider='preset = "zai"\nthinking = "high"', package="litellm 1.106.2 (zai)",
    check=lambda report, service: [] if service.requests[0][3].get("thinking") == {"type": "enabled"} else ["thinking was not switched on"],
)

SIGNED = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
chat(
    "gemini 3 behind an OpenAI-compatible address: signatures of calls come back", lambda page: chat_run(page, call_extra=SIGNED, whole=True),
    judge=chat_judge("extra_content"), package="litellm 1.106.2 (gemini)",
    check=lambda report, service: [] if all(m["tool_calls"][0].get("extra_content") == SIGNED["extra_content"] for m in assistants(service.requests[-1][3])) else ["a signature is missing"],
)
DETAILS = [
    chunk({"reasoning": "Hm", "reasoning_details": [{"type": "reasoning.text", "index": 0, "format": "anthropic-claude-v1", "text": "Hm"}]}),
    chunk({"reasoning": ".", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": ".", "signature": "sig"}]}),
]
chat(
    "openrouter: reasoning_details come back, usage.cost is believed", lambda page: chat_run(page, DETAILS)[:2] + [chat_text(usage={**USAGE, "cost": 0.0123})],
    judge=chat_judge("reasoning_details", "reasoning", "usage"), provider='preset = "openrouter"', package="openai 2.54.0 (extra fields)",
    check=lambda report, service: ([] if assistants(service.requests[-1][3])[0].get("reasoning_details") == [{"type": "reasoning.text", "index": 0, "format": "anthropic-claude-v1", "text": "Hm.", "signature": "sig"}] else [f"reasoning_details: {assistants(service.requests[-1][3])[0]}"])
    + ([] if abs(report.get("cost", 0) - 0.0123) < 1e-6 else [f"cost: {report.get('cost')}"]),
)
chat(
    "openrouter: what the service behind it said is shown", lambda page: [error(400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": json.dumps({"error": {"message": "no such tool schema"}}), "provider_name": "X"}}})],
    judge=chat_judge("usage"), provider='preset = "openrouter"', package="openai 2.54.0", state="failed", most=1, says="no such tool schema",
)
chat("xai: reasoning stands beside the completion", lambda page: chat_run(page)[:2] + [chat_text(usage={"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 120, "completion_tokens_details": {"reasoning_tokens": 15}})],
     package="litellm 1.106.2 (xai)", check=lambda report, service: [] if report["tokens"]["completion"] == 60 else [f"{report['tokens']}"])
chat("groq: a failed call is asked for again", lambda page: [error(400, {"error": {"message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": "<function=web_search>"}})] + chat_run(page),
     provider='preset = "groq"', package="litellm 1.106.2 (groq)", most=4)
chat("groq: reasoning that it does not take back is left out", lambda page: chat_run(page, [chunk({"reasoning": "Hm."})])[:1] + [error(400, {"error": {"message": "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported)]", "type": "invalid_request_error"}})] + chat_run(page)[1:],
     provider='preset = "groq"', judge=chat_judge("reasoning"), package="litellm 1.106.2 (groq)", most=4)

# ---------------------------------------------------------------- servers of one's own

OVERFLOW = {"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 5200, "n_ctx": 4096}}
chat("llama.cpp: the window is read from /props", lambda page: chat_run(page), provider='preset = "llamacpp"', package="xllamacpp 0.2 (server)",
     others={"/props": Reply(json.dumps({"default_generation_settings": {"n_ctx": 4096}})), "/models": Reply(json.dumps({"data": [{"id": "test-model"}]}))},
     check=lambda report, service: [] if service.requests[0][3].get("max_tokens") == 1024 else [f"max_tokens {service.requests[0][3].get('max_tokens')}"])
chat("llama.cpp: an overflow is answered by making room", lambda page: chat_run(page)[:2] + [error(400, OVERFLOW), chat_text("The lighthouse was first lit on 3 October 1877 [1]."), chat_text(), chat_text()],
     package="xllamacpp 0.2 (server)", state=("answered", "partial"), most=6)
chat("litellm: ContextWindowExceededError is an overflow", lambda page: chat_run(page)[:2] + [error(400, {"error": {"message": "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 4096 tokens.", "type": None, "param": None, "code": "400"}}), chat_text("Notes: lit on 3 October 1877 [1]."), chat_text(), chat_text()],
     package="litellm 1.106.2 (proxy)", state=("answered", "partial"), most=6)
chat("vllm: max_model_len is the window", lambda page: chat_run(page), provider='preset = "vllm"', package="litellm 1.106.2 (openai_like)",
     others={"/models": Reply(json.dumps({"object": "list", "data": [{"id": "test-model", "object": "model", "max_model_len": 8192}]}))},
     check=lambda report, service: [] if service.requests[0][3].get("max_tokens") == 2048 else [f"max_tokens {service.requests[0][3].get('max_tokens')}"])
chat("vllm: an output limit that is refused is learned", lambda page: [error(400, {"object": "error", "message": "max_tokens must be at most 4096, got 32000", "type": "BadRequestError", "code": 400})] + chat_run(page), package="litellm 1.106.2 (hosted_vllm)", most=4)

# ---------------------------------------------------------------- Mistral

mistral_body = by_model(ChatCompletionStreamRequest)


def judge_mistral(path, query, headers, body):
    problems = list(mistral_body(body))
    for before, message in zip(body["messages"], body["messages"][1:]):
        if before["role"] == "tool" and message["role"] == "user":
            problems.append("a user message follows a tool's result (3230)")
    for message in body["messages"]:
        for known in ([c["id"] for c in message.get("tool_calls", [])] + ([message["tool_call_id"]] if message["role"] == "tool" else [])):
            if len(known) != 9 or not known.isalnum():
                problems.append(f"the id {known!r} is not nine letters or digits")
    return problems


MISTRAL = "mistralai 3.7.0"
THINKING = [chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]})]
mistral = lambda name, script, **more: chat(name, script, judge=judge_mistral, provider='preset = "mistral"', package=MISTRAL, **more)
mistral("mistral: no stream_options, short ids", lambda page: chat_run(page, whole=True))
mistral("mistral: content as a list of chunks comes back", lambda page: chat_run(page, THINKING, whole=True),
        check=lambda report, service: [] if isinstance(assistants(service.requests[-1][3])[0].get("content"), list) else ["the chunks were not sent back"])
mistral("mistral: a limit of steps does not put a user behind a tool", lambda page: chat_run(page, whole=True)[:1] + [chat_text()], settings="max_steps = 1", state=("answered", "partial"), most=2)
chat("mistral behind an address that nobody knows: a 422 teaches", lambda page: [error(422, {"object": "error", "message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted", "input": {"include_usage": True}}]}, "type": "invalid_request_error", "param": None, "code": None})] + chat_run(page), package=MISTRAL, most=4,
     check=lambda report, service: [] if all("stream_options" not in request[3] for request in service.requests[1:]) else ["stream_options was sent again"])

# ---------------------------------------------------------------- Responses

RESPONSES = "openai 2.54.0 (responses)"
responses_streamed = by_type(ResponseCreateParamsStreaming)
responses_whole = by_type(ResponseCreateParamsNonStreaming)


def responses_body(body):
    return responses_streamed(body) if body.get("stream") else responses_whole(body)


def response_of(output, status="completed", reason=None):
    value = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "status": status, "incomplete_details": {"reason": reason} if reason else None, "error": None, "instructions": None, "metadata": {}, "temperature": 1, "top_p": 1,
        "usage": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120, "input_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 10}},
    }
    Response.model_validate(value)
    return value


REASONING = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "I search."}], "encrypted_content": "Z0FBQUFB", "status": None}


def responses_stream(items, status="completed", reason=None):
    events = [{"type": "response.created", "sequence_number": 0, "response": response_of([], "in_progress")}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": index, "sequence_number": 1, "item": {**item, "arguments": "", "content": []} if item["type"] != "reasoning" else item})
        if item["type"] == "reasoning":
            events.append({"type": "response.reasoning_summary_text.delta", "item_id": item["id"], "output_index": index, "summary_index": 0, "delta": "I search.", "sequence_number": 2})
        elif item["type"] == "function_call":
            text = item["arguments"]
            events += [{"type": "response.function_call_arguments.delta", "item_id": item["id"], "output_index": index, "delta": text[i : i + 8], "sequence_number": 3} for i in range(0, len(text), 8)]
        else:
            events += [{"type": "response.output_text.delta", "item_id": item["id"], "output_index": index, "content_index": 0, "delta": word + " ", "logprobs": [], "sequence_number": 3} for word in item["content"][0]["text"].split(" ")]
        events.append({"type": "response.output_item.done", "output_index": index, "sequence_number": 4, "item": item})
    end = {"completed": "response.completed", "incomplete": "response.incomplete"}[status]
    events.append({"type": end, "sequence_number": 9, "response": response_of(items, status, reason)})
    return sse([(event["type"], event) for event in events], done=False)


def fn(name, arguments, call):
    return {"id": f"fc_{call}", "type": "function_call", "call_id": f"call_{call}", "name": name, "arguments": json.dumps(arguments), "status": "completed"}


def said(text=ANSWER):
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]}


def judge_responses(path, query, headers, body):
    problems = list(responses_body({**body, "input": [{k: v for k, v in item.items()} for item in body["input"]]}))
    if path != "/v1/responses":
        problems.append(f"asked at {path}")
    if body.get("store") is not False:
        problems.append("something would be stored at the service")
    for item in body["input"]:
        if item.get("type") == "reasoning" and "status" in item:
            problems.append("a reasoning item with a status is refused")
    return problems


def responses_check(report, service):
    items = [item for item in service.requests[-1][3]["input"] if item.get("type") == "reasoning"]
    good = len(items) == 2 and all(item["encrypted_content"] == "Z0FBQUFB" and item["id"] == "rs_1" for item in items)
    return ([] if good else [f"reasoning was not carried along: {items}"]) + ([] if report["tokens"].get("cached") == 120 else [f"cached: {report['tokens']}"])


responses = lambda name, script, **more: Scenario(name, RESPONSES, "openai_compatible", "/v1", "test-model", script, judge_responses, provider=more.pop("provider", 'api = "responses"'), **more)
responses("responses: encrypted reasoning travels along", lambda page: [responses_stream([REASONING, fn(*calls(page)[0], 1)]), responses_stream([REASONING, fn(*calls(page)[1], 2)]), responses_stream([REASONING, said()])], check=responses_check)
responses("responses: a reply that came whole", lambda page: [Reply(json.dumps(response_of([fn(*calls(page)[0], 1)]))), Reply(json.dumps(response_of([fn(*calls(page)[1], 2)]))), Reply(json.dumps(response_of([said()])))])
responses("responses: cut off while thinking, asked again with more", lambda page: [responses_stream([REASONING], "incomplete", "max_output_tokens"), responses_stream([fn(*calls(page)[0], 1)]), responses_stream([fn(*calls(page)[1], 2)]), responses_stream([said()])], most=4,
          check=lambda report, service: [] if service.requests[1][3]["max_output_tokens"] > service.requests[0][3]["max_output_tokens"] else ["no more room was given"])
responses("responses: an unverified organisation may not stream", lambda page: [error(400, {"error": {"message": "Your organization must be verified to stream this model.", "type": "invalid_request_error", "param": "stream", "code": "unsupported_value"}}), Reply(json.dumps(response_of([fn(*calls(page)[0], 1)]))), Reply(json.dumps(response_of([fn(*calls(page)[1], 2)]))), Reply(json.dumps(response_of([said()])))], most=4,
          check=lambda report, service: [] if [request[3]["stream"] for request in service.requests] == [True, False, False, False] else ["it was streamed again"])
responses("responses: encrypted content of another key is dropped", lambda page: [responses_stream([REASONING, fn(*calls(page)[0], 1)]), error(400, {"error": {"message": "The encrypted content could not be verified.", "type": "invalid_request_error", "param": None, "code": "invalid_encrypted_content"}}), responses_stream([fn(*calls(page)[1], 2)]), responses_stream([said()])], most=4)
Scenario("chat: a model that is at /responses only is asked there", RESPONSES, "openai_compatible", "/v1", "test-model",
         lambda page: [error(404, {"error": {"message": "This model is only supported in v1/responses and not in v1/chat/completions.", "type": "invalid_request_error", "param": "model", "code": None}}), responses_stream([fn(*calls(page)[0], 1)]), responses_stream([fn(*calls(page)[1], 2)]), responses_stream([said()])],
         lambda path, query, headers, body: judge_responses(path, query, headers, body) if "input" in body else judge_chat(body), most=4)

# ---------------------------------------------------------------- Anthropic

ANTHROPIC = "anthropic 2.12.0"
anthropic_body = by_type(MessageCreateParamsStreaming)
AUSAGE = {"input_tokens": 10, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 10, "output_tokens": 20}


def claude(blocks, stop="tool_use"):
    events = [("message_start", {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {**AUSAGE, "output_tokens": 1}}})]
    for index, block in enumerate(blocks):
        start = {"thinking": {"type": "thinking", "thinking": "", "signature": ""}, "text": {"type": "text", "text": ""}, "tool_use": {**block, "input": {}}}.get(block["type"], block)
        events.append(("content_block_start", {"type": "content_block_start", "index": index, "content_block": start}))
        deltas = []
        if block["type"] == "thinking":
            deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}, {"type": "signature_delta", "signature": block["signature"]}]
        elif block["type"] == "text":
            deltas = [{"type": "text_delta", "text": word + " "} for word in block["text"].split(" ")]
        elif block["type"] == "tool_use":
            text = json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": text[i : i + 8]} for i in range(0, len(text), 8)]
        events += [("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas]
        events.append(("content_block_stop", {"type": "content_block_stop", "index": index}))
    events += [("ping", {"type": "ping"}), ("message_delta", {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 20}}), ("message_stop", {"type": "message_stop"})]
    return sse(events, done=False)


THINK = {"type": "thinking", "thinking": "I should search.", "signature": "EuYBCkQ"}
REDACTED = {"type": "redacted_thinking", "data": "EmwKAhgB"}


def use(name, arguments, call):
    return {"type": "tool_use", "id": f"toolu_{call}", "name": name, "input": arguments}


def judge_anthropic(path, query, headers, body):
    problems = list(anthropic_body(body))
    if headers.get("anthropic-version") != "2023-06-01":
        problems.append("no version")
    return problems


def anthropic_check(report, service):
    turns = [message["content"] for message in service.requests[-1][3]["messages"] if message["role"] == "assistant"]
    good = [turn[:2] == [THINK, REDACTED] for turn in turns]
    return ([] if good == [True, True] else [f"thinking was not sent back as it was: {turns}"]) + ([] if report["tokens"].get("cached") == 240 else [f"{report['tokens']}"])


anthropic = lambda name, script, **more: Scenario(name, ANTHROPIC, "anthropic", "", more.pop("model", "claude-x-5"), script, judge_anthropic, **more)
anthropic("anthropic: thinking blocks come back with their signatures", lambda page: [claude([THINK, REDACTED, use(*calls(page)[0], 1)]), claude([THINK, REDACTED, use(*calls(page)[1], 2)]), claude([THINK, {"type": "text", "text": ANSWER}], "end_turn")], check=anthropic_check)
anthropic("anthropic: prompts are cached", lambda page: [claude([use(*calls(page)[0], 1)]), claude([use(*calls(page)[1], 2)]), claude([{"type": "text", "text": ANSWER}], "end_turn")],
          check=lambda report, service: [] if all(request[3].get("cache_control") == {"type": "ephemeral"} for request in service.requests) else ["no cache_control"])
anthropic("anthropic: thinking by effort where the model decides itself", lambda page: [claude([use(*calls(page)[0], 1)]), claude([use(*calls(page)[1], 2)]), claude([{"type": "text", "text": ANSWER}], "end_turn")], provider='thinking = "high"',
          check=lambda report, service: [] if service.requests[0][3].get("output_config") == {"effort": "high"} and service.requests[0][3]["thinking"]["type"] == "adaptive" else [f"{service.requests[0][3].get('thinking')}"])
anthropic("anthropic: thinking by tokens for older models", lambda page: [claude([use(*calls(page)[0], 1)]), claude([use(*calls(page)[1], 2)]), claude([{"type": "text", "text": ANSWER}], "end_turn")], model="claude-sonnet-4-5", provider='thinking = "low"',
          check=lambda report, service: [] if service.requests[0][3].get("thinking") == {"type": "enabled", "budget_tokens": 2048} else [f"{service.requests[0][3].get('thinking')}"])
anthropic("anthropic: a signature that is refused is left out", lambda page: [claude([THINK, use(*calls(page)[0], 1)]), error(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "messages.1.content.0: Invalid `signature` in `thinking` block"}, "request_id": "r"}), claude([use(*calls(page)[1], 2)]), claude([{"type": "text", "text": ANSWER}], "end_turn")], most=4)
anthropic("anthropic: overloaded in the stream", lambda page: [sse([("message_start", {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": AUSAGE}}), ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})], done=False), claude([use(*calls(page)[0], 1)]), claude([use(*calls(page)[1], 2)]), claude([{"type": "text", "text": ANSWER}], "end_turn")], most=4)
anthropic("anthropic: prompt is too long", lambda page: [claude([use(*calls(page)[0], 1)]), claude([use(*calls(page)[1], 2)]), error(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}}), claude([{"type": "text", "text": "Notes: 3 October 1877 [1]."}], "end_turn"), claude([{"type": "text", "text": ANSWER}], "end_turn"), claude([{"type": "text", "text": ANSWER}], "end_turn")], state=("answered", "partial"), most=6)
anthropic("anthropic: no balance", lambda page: [error(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API."}})], state="failed", most=1, says="no balance left")

# ---------------------------------------------------------------- Gemini

GEMINI = "google-genai 3.4.0"


def judge_gemini(path, query, headers, body):
    problems = []
    known = {"contents", "systemInstruction", "generationConfig", "tools"}
    problems += [f"{name} is not known" for name in body if name not in known]
    try:
        for content in body["contents"]:
            genai.Content.model_validate(content)
        genai.GenerationConfig.model_validate(body["generationConfig"])
        for tool in body.get("tools", []):
            genai.Tool.model_validate(tool)
        if "systemInstruction" in body:
            genai.Content.model_validate(body["systemInstruction"])
    except Exception as wrong:  # noqa: BLE001
        problems.append(str(wrong)[:400])
    return problems


def part_stream(parts, finish="STOP", **more):
    event = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0, **more}], "usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 30, "candidatesTokenCount": 10, "thoughtsTokenCount": 10, "totalTokenCount": 120}}
    genai.GenerateContentResponse.model_validate(event)
    return sse([event], done=False)


def gcall(name, arguments, **more):
    return {"functionCall": {"name": name, "args": arguments, **more}}


def gemini_check(report, service):
    turns = [c["parts"] for c in service.requests[-1][3]["contents"] if c["role"] == "model"]
    signed = [part.get("thoughtSignature") for turn in turns for part in turn if "functionCall" in part]
    ids = [part["functionCall"].get("id") for turn in turns for part in turn if "functionCall" in part]
    answers = [part["functionResponse"].get("id") for c in service.requests[-1][3]["contents"] for part in c["parts"] if "functionResponse" in part]
    return [] if signed == ["c2ln", "c2ln"] and ids == answers == ["g1", "g2"] else [f"{signed} {ids} {answers}"]


gemini = lambda name, script, **more: Scenario(name, GEMINI, "gemini", "", more.pop("model", "gemini-3-pro"), script, judge_gemini, **more)
gemini("gemini: signatures and ids come back", lambda page: [part_stream([{"text": "Hm", "thought": True}, {**gcall(*calls(page)[0], id="g1"), "thoughtSignature": "c2ln"}]), part_stream([{**gcall(*calls(page)[1], id="g2"), "thoughtSignature": "c2ln"}]), part_stream([{"text": ANSWER}])], check=gemini_check)
gemini("gemini: MALFORMED_FUNCTION_CALL is asked for again", lambda page: [part_stream([], "MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: print("), part_stream([gcall(*calls(page)[0])]), part_stream([gcall(*calls(page)[1])]), part_stream([{"text": ANSWER}])], most=4)
gemini("gemini: a level of thinking from the third generation on", lambda page: [part_stream([gcall(*calls(page)[0])]), part_stream([gcall(*calls(page)[1])]), part_stream([{"text": ANSWER}])], provider='thinking = "low"',
       check=lambda report, service: [] if service.requests[0][3]["generationConfig"]["thinkingConfig"]["thinkingLevel"] == "low" else ["no level"])
gemini("gemini: a number of tokens before", lambda page: [part_stream([gcall(*calls(page)[0])]), part_stream([gcall(*calls(page)[1])]), part_stream([{"text": ANSWER}])], model="gemini-2.5-flash", provider='thinking = "off"',
       check=lambda report, service: [] if service.requests[0][3]["generationConfig"]["thinkingConfig"]["thinkingBudget"] == 0 else ["no budget"])
gemini("gemini: a call without a signature is marked as one", lambda page: [part_stream([gcall(*calls(page)[0])]), part_stream([gcall(*calls(page)[1])]), part_stream([{"text": ANSWER}])],
       check=lambda report, service: [] if all(p.get("thoughtSignature") for c in service.requests[-1][3]["contents"] if c["role"] == "model" for p in c["parts"][:1]) else ["a call has none"])
gemini("gemini: a wrong key", lambda page: [error(400, {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT", "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]}})], state="failed", most=1, says="refused the API key")
gemini("gemini: slow down for as long as it says", lambda page: [error(429, {"error": {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}]}}), part_stream([gcall(*calls(page)[0])]), part_stream([gcall(*calls(page)[1])]), part_stream([{"text": ANSWER}])], most=4)

# ---------------------------------------------------------------- Ollama

OLLAMA = "ollama 0.6.3"
ollama_body = by_model(ChatRequest)


def judge_ollama(path, query, headers, body):
    problems = list(ollama_body(body))
    for message in body["messages"]:
        for call in message.get("tool_calls", []):
            if not isinstance(call["function"]["arguments"], dict):
                problems.append("arguments are an object there")
    return problems


def o(message, done=False, **more):
    event = {"model": "m", "created_at": "2026-11-23T00:00:00Z", "message": {"role": "assistant", "content": "", **message}, "done": done, **more}
    ChatResponse.model_validate(event)
    return event


END = dict(done=True, done_reason="stop", prompt_eval_count=100, eval_count=20)
SHOW = Reply(json.dumps({"capabilities": ["completion", "tools", "thinking"], "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 16384}}))


def o_run(page, thought=""):
    turns = [ndjson(([o({"thinking": thought})] if thought else []) + [o({"tool_calls": [{"function": {"name": name, "arguments": arguments}}]}), o({}, **END)]) for name, arguments in calls(page)]
    return turns + [ndjson([o({"content": word + " "}) for word in ANSWER.split(" ")] + [o({}, **END)])]


ollama = lambda name, script, **more: Scenario(name, OLLAMA, "ollama", "", "qwen3:8b", script, judge_ollama, others={"/api/show": SHOW}, **more)
ollama("ollama: the window is what the model was made for", lambda page: o_run(page), check=lambda report, service: [] if service.requests[0][3]["options"]["num_ctx"] == 16384 else [f"{service.requests[0][3]['options']}"])
ollama("ollama: thoughts come back", lambda page: o_run(page, "Hm."), check=lambda report, service: [] if all(m.get("thinking") == "Hm." for m in service.requests[-1][3]["messages"] if m["role"] == "assistant") else ["thoughts are missing"])
ollama("ollama: a model that does not think", lambda page: [error(400, {"error": '"qwen3:8b" does not support thinking'})] + o_run(page), provider='thinking = "high"', most=4,
       check=lambda report, service: [] if service.requests[0][3].get("think") is True and "think" not in service.requests[1][3] else ["think was sent again"])
ollama("ollama: a model that is not there", lambda page: [error(404, {"error": "model 'qwen3:8b' not found"})], state="failed", most=1, says="has no model")

# ---------------------------------------------------------------- what every service may do

chat("any: a wrong key", lambda page: [error(401, {"error": {"message": "Incorrect API key provided: x", "type": "invalid_request_error", "code": "invalid_api_key"}})], state="failed", most=1, says="refused the API key")
chat("any: a model that does not exist", lambda page: [error(404, {"error": {"message": "The model `test-model` does not exist or you do not have access to it.", "type": "invalid_request_error", "code": "model_not_found"}})], state="failed", most=1, says="has no model")
chat("any: an address that is not the API", lambda page: [error(404, {"detail": "Not Found"})], state="failed", most=1, says="has nothing at")
chat("any: a web page", lambda page: [Reply("<!doctype html><title>Login</title>", kind="text/html")], state="failed", most=1, says="web page")
chat("any: an empty balance", lambda page: [error(429, {"error": {"message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "code": "insufficient_quota"}})], state="failed", most=1, says="no balance")
chat("any: it fails for good after a page was read", lambda page: chat_run(page)[:2] + [error(401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}})], state="partial", most=3, says="put together from the sources",
     check=lambda report, service: [] if "1877" in report["answer"] and report["incident"]["action"]["type"] == "without_model" else [report["answer"]])
chat("any: asked too often, once", lambda page: [error(429, {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, {"retry-after": "1"})] + chat_run(page), most=4)
chat("any: a server error, once", lambda page: [error(503, "<html>down</html>")] + chat_run(page), most=4)
chat("any: tools are refused, so they are described in words", lambda page: [error(400, {"error": {"message": "test-model does not support tools", "type": "invalid_request_error"}}), chat_text(json.dumps({"tool": "web_search", **SEARCH})), chat_text(json.dumps({"tool": "web_get", "urls": [page]})), chat_text(json.dumps({"tool": "final_answer", "answer": ANSWER}))], most=4)
chat("any: a limit for reasoning effort that is refused", lambda page: [error(400, {"error": {"message": "Unsupported value: 'reasoning_effort' does not support 'high' with this model.", "type": "invalid_request_error", "param": "reasoning_effort", "code": "unsupported_value"}})] + chat_run(page), provider='thinking = "high"', most=4)
