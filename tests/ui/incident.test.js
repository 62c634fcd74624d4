// What the line above an answer offers when something goes wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn } from "../../ui/js/reduce.js";
import { strings } from "../../ui/js/strings.js";
import { LIMITS, OF_THE_MODEL, remedies } from "../../ui/js/view/incident.js";

/** @param {any} facts */
const turn = (facts) => ({ ...newTurn("turn", "q"), ...facts });
const kinds = [
  "rate_limited",
  "own_limit",
  "server_error",
  "unreachable",
  "timed_out",
  "broken_reply",
  "key_refused",
  "no_balance",
  "unknown_model",
  "wrong_address",
  "rejected",
  "context_full",
  "cut_off_thinking",
];

test("every incident that decided an answer has two ways out", () => {
  for (const kind of kinds) {
    for (const answer of ["", "An answer."]) {
      const ways = remedies(
        turn({ state: answer ? "partial" : "failed", answer, ended: { kind, service: "work", action: { type: "none" } } }),
      );
      assert.equal(new Set(ways).size, 2, kind);
      for (const way of ways) assert.ok(strings.incident.ways[way], way);
      assert.equal(ways[1], answer ? "other_model" : "without_model");
    }
  }
});

test("an ending that no incident caused has two ways out, unless it was meant", () => {
  const ended = (/** @type {string[]} */ reasons) => remedies(turn({ state: "partial", reason: "Why.", reasons }));
  assert.deepEqual(ended(["step_limit", "answer_uses_what_was_found"]), ["settings", "retry"]);
  assert.deepEqual(ended(["nothing_sent"]), ["retry", "other_model"]);
  assert.deepEqual(ended(["broke_down"]), ["retry", "other_model"]);
  for (const meant of ["cancelled", "stopped_by_person", "answer_wanted", "time_target", "nothing_answers"]) {
    assert.deepEqual(ended([meant]), [], meant);
  }
});

test("reasons that have ways out are reasons of the core", () => {
  const known = Object.keys(strings.reasons.why);
  for (const code of [...LIMITS, ...OF_THE_MODEL]) assert.ok(known.includes(code), code);
});

test("a run that goes on by itself asks for nothing, and one that waits can be cut short", () => {
  const running = (/** @type {any} */ action) =>
    remedies(turn({ state: "running", incident: { kind: "rate_limited", service: "work", action } }));
  assert.deepEqual(running({ type: "next_model", model: "m" }), []);
  assert.deepEqual(running({ type: "retry", wait_ms: 9000 }), ["without_model", "stop"]);
  assert.deepEqual(remedies(turn({ state: "answered", answer: "a" })), []);
});
