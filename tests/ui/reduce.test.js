// The window's fold over the same events that the Rust side makes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { counts, doubtful, elapsed, evidence, fromOutline, fromView, newTurn, reduce, take } from "../../ui/js/reduce.js";
import { endDeep, percent } from "../../ui/js/reduce-deep.js";

const events = JSON.parse(readFileSync(new URL("../golden/quick-run.events.json", import.meta.url), "utf8"));
const fold = (/** @type {any[]} */ list) => list.reduce(reduce, newTurn("turn", ""));

test("a whole run folds to what happened", () => {
  const turn = fold(events);
  assert.equal(turn.state, "answered");
  assert.equal(turn.question, "When was the Aldermoor bridge opened?");
  assert.equal(turn.answer, "It was opened in 1931 [1], says nobody [4].");
  assert.deepEqual(counts(turn), {
    searches: 2,
    failedSearches: 1,
    results: 1,
    pages: 2,
    read: 1,
    failed: 1,
    reading: false,
    searching: false,
  });
  assert.deepEqual(
    turn.steps.map((/** @type {any} */ step) => step.step),
    [1, 2],
  );
  assert.deepEqual(
    turn.citations.map((/** @type {any} */ citation) => citation.known),
    [true, false],
  );
  assert.equal(turn.sources[0].passages[0].quote, "The Aldermoor bridge was opened in 1931.");
  assert.equal(turn.elapsedMs, 800);
  assert.equal(turn.tokens, 30);
});

test("services that gave nothing are named once, whatever the others found", () => {
  const failed = (/** @type {string} */ service, /** @type {any} */ action) => ({
    event: { type: "incident", incident: { kind: "unreachable", service, action } },
    elapsed_ms: 5,
  });
  const others = { type: "others" };
  const list = [
    failed("Wikipedia", others),
    failed("OpenAI", { type: "retry", wait_ms: 9 }),
    failed("Wikipedia", others),
    failed("Exa", others),
  ];
  assert.deepEqual(fold([events[0], ...list]).unanswered, ["Wikipedia", "Exa"]);
});

test("every beginning of a run is a state that can be shown", () => {
  for (let end = 0; end <= events.length; end += 1) {
    const turn = fold(events.slice(0, end));
    assert.ok(["running", "answered"].includes(turn.state));
    assert.ok(counts(turn).read + counts(turn).failed <= counts(turn).pages);
  }
});

test("the fold changes nothing that it was given", () => {
  const turn = Object.freeze(newTurn("turn", "q"));
  const next = reduce(turn, events[0]);
  assert.notEqual(next, turn);
  assert.equal(turn.model, "");
});

test("a kept turn looks as it did when it ended", () => {
  const ending = events.at(-1).event.ending;
  const kept = events.filter((/** @type {any} */ envelope) => !["answer_delta", "ended", "sources"].includes(envelope.event.type));
  const view = {
    turn: {
      id: "turn",
      thread: "t",
      question: "When was the Aldermoor bridge opened?",
      effort: "s",
      mode: "quick",
      model: "test",
      asked_ms: 0,
      duration_ms: 800,
      ending,
      events: kept,
    },
    html: "<p>x</p>",
  };
  assert.deepEqual(fromView(/** @type {any} */ (view)), { ...fold(events), blocks: ["<p>x</p>"], seq: events.at(-2).seq });
});

test("an event that comes twice counts once", () => {
  assert.deepEqual(fold(events.flatMap((/** @type {any} */ event) => [event, event])), fold(events));
  assert.deepEqual(fold([...events, ...events]), fold(events));
});

test("events of steps that are not known do no harm", () => {
  const stray = { turn: "t", seq: 0, elapsed_ms: 1, event: { type: "page_read", step: 9, url: "x", title: "x", number: 1, words: 1 } };
  assert.deepEqual(counts(reduce(newTurn("t", "q"), /** @type {any} */ (stray))).pages, 0);
});

test("statements are counted by how they were judged", () => {
  const turn = fold(events);
  const found = evidence(turn);
  assert.deepEqual([found.all, found.supported, found.unknown, found.newest], [1, 0, 1, null]);
});

test("a supported statement with a number that no source has is doubtful, too", () => {
  const statement = (/** @type {number} */ start, /** @type {string} */ support) => ({ start, end: start + 10, support });
  const citation = (/** @type {number} */ start, known = true) => ({ start, end: start + 3, known });
  const turn = {
    ...newTurn("t", "q"),
    statements: [statement(0, "supported"), statement(10, "supported"), statement(20, "uncited")],
    citations: [citation(7), citation(14), citation(17, false)],
  };
  assert.deepEqual(doubtful(/** @type {any} */ (turn)), [1, 2]);
});

test("reasoning, extraction and compaction belong to their step", () => {
  const wrap = (/** @type {any} */ event, /** @type {number} */ seq) => ({ turn: "t", seq, elapsed_ms: 1, event });
  const turn = [
    { type: "step_started", step: 1 },
    { type: "reasoning", step: 1, text: "Hm, " },
    { type: "reasoning", step: 1, text: "so." },
    { type: "searching", step: 1, queries: ["a"], range: "week" },
    { type: "reading", step: 1, url: "u", title: "U" },
    { type: "page_read", step: 1, url: "u", title: "U", number: 3, words: 9 },
    { type: "extracting", step: 1, url: "u", number: 3 },
    { type: "compacted", step: 1, before: 9000, after: 2000 },
    { type: "usage", usage: { prompt: 5, completion: 2, cost: 70, estimated: false }, context: 7, max_context: 100 },
  ]
    .map(wrap)
    .reduce(reduce, newTurn("t", "q"));
  const step = turn.steps[0];
  assert.deepEqual(
    [step.reasoning, step.range, step.pages[0].extracted, step.compacted],
    ["Hm, so.", "week", true, { before: 9000, after: 2000 }],
  );
  assert.deepEqual([turn.tokens, turn.cost, turn.context, turn.maxContext], [7, 70, 7, 100]);
});

test("a watched run is folded with its clock", () => {
  const turn = take(newTurn("turn", ""), { elapsed_ms: 400, events: events.slice(0, 3), answer: { keep: 0, blocks: ["<p>a</p>"] } }, 1000);
  assert.deepEqual(turn.blocks, ["<p>a</p>"]);
  assert.equal(elapsed(turn, 1000), 400);
  assert.equal(elapsed(turn, 1600), 1000);
  const later = take(turn, { elapsed_ms: 900, events: [] }, 1700);
  assert.equal(later.blocks, turn.blocks, "what has not changed stays");
  const more = take(later, { elapsed_ms: 900, events: [], answer: { keep: 1, blocks: ["<p>b</p>"] } }, 1500);
  assert.deepEqual(more.blocks, ["<p>a</p>", "<p>b</p>"]);
  assert.deepEqual(take(more, { elapsed_ms: 950, events: [], answer: { keep: 0, blocks: [] } }, 1600).blocks, []);
  assert.equal(elapsed({ ...later, state: "answered" }, 9000), later.elapsedMs, "an ended run stands still");
});

test("a turn that is not read yet says how long it is", () => {
  const turn = fromOutline({ id: "t", question: "q", state: "answered", length: 1234 });
  assert.deepEqual([turn.unread, turn.state, turn.blocks.length], [1234, "answered", 0]);
  assert.equal(newTurn("t", "q").unread, null);
});

const deepEvents = JSON.parse(readFileSync(new URL("../golden/deep-run.events.json", import.meta.url), "utf8"));

test("a deep run folds to its plan, its researchers and its report", () => {
  const turn = fold(deepEvents);
  assert.deepEqual([turn.mode, turn.state, turn.steps.length], ["deep", "answered", 0]);
  const deep = /** @type {any} */ (turn.deep);
  assert.deepEqual(
    deep.researchers.map((/** @type {any} */ one) => [one.id, one.state, one.hasReport]),
    [
      ["1.1", "answered", true],
      ["1.2", "answered", true],
      ["1.3", "answered", true],
      ["2.1", "answered", true],
    ],
  );
  assert.deepEqual(
    deep.decisions.map((/** @type {any} */ one) => one.decision),
    ["delegate", "synthesize"],
  );
  assert.deepEqual([deep.plan.tasks.length, deep.round, deep.method.pages, deep.progress], [3, 2, 1, null]);
  assert.deepEqual(deep.researchers[3].heard, ["1.1", "1.2", "1.3"]);
  assert.deepEqual(counts(turn), {
    searches: 3,
    failedSearches: 0,
    results: 3,
    pages: 1,
    read: 1,
    failed: 0,
    reading: false,
    searching: false,
  });
});

test("a deep run is never past its end, and its board can always be shown", () => {
  let last = -1;
  for (let end = 1; end <= deepEvents.length; end += 1) {
    const turn = fold(deepEvents.slice(0, end));
    const at = turn.deep ? percent(turn.deep) : null;
    assert.ok(at === null || (at >= 0 && at <= 100), String(at));
    if (turn.deep?.researchers.length === 3 && at !== null) {
      assert.ok(at >= last, "it does not go back within a round");
      last = at;
    }
  }
  assert.ok(last > 50);
});

test("a deep run that was interrupted has nobody at work", () => {
  const some = fold(deepEvents.slice(0, 8));
  assert.ok(some.deep?.researchers.some((one) => one.state === "running"));
  assert.ok(endDeep(/** @type {any} */ (some.deep), null, "interrupted").researchers.every((one) => one.state !== "running"));
});

test("what is held back waits until it is let through, kept back, or the run is over", () => {
  const envelope = (/** @type {number} */ seq, /** @type {any} */ event) => ({ turn: "turn", seq, elapsed_ms: seq, event });
  const held = (/** @type {number} */ part) => ({
    type: "held",
    step: 2,
    call: 0,
    part,
    what: { type: "query", text: `q${part}` },
    waits: true,
  });
  const researcher = { round: 1, number: 2 };
  const all = [
    envelope(0, held(0)),
    envelope(1, held(1)),
    envelope(2, { type: "researcher", researcher, event: held(0) }),
    envelope(3, { type: "released", step: 2, call: 0, part: 0, allowed: true }),
    envelope(4, { type: "researcher", researcher, event: { type: "released", step: 2, call: 0, part: 0, allowed: false } }),
  ];
  const state = (/** @type {number} */ end) =>
    fold(all.slice(0, end)).held.map((/** @type {any} */ one) => [one.id.researcher?.number ?? 0, one.what.text, one.waits]);
  assert.deepEqual(state(3), [
    [0, "q0", true],
    [0, "q1", true],
    [2, "q0", true],
  ]);
  assert.deepEqual(state(4), [
    [0, "q1", true],
    [2, "q0", true],
  ]);
  assert.deepEqual(state(5), [
    [0, "q1", true],
    [2, "q0", false],
  ]);
  const ended = reduce(
    fold(all),
    envelope(5, {
      type: "ended",
      ending: { state: "answered", answer: "", sources: [], citations: [], steps: 1, usage: { prompt: 0, completion: 0 } },
    }),
  );
  assert.ok(ended.held.every((/** @type {any} */ one) => !one.waits));
});
