// What the line above an answer offers when something goes wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn } from "../../ui/js/reduce.js";
import { strings } from "../../ui/js/strings.js";
import { remedies } from "../../ui/js/view/incident.js";

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

test("a run that goes on by itself asks for nothing, and one that waits can be cut short", () => {
  const running = (/** @type {any} */ action) =>
    remedies(turn({ state: "running", incident: { kind: "rate_limited", service: "work", action } }));
  assert.deepEqual(running({ type: "next_model", model: "m" }), []);
  assert.deepEqual(running({ type: "retry", wait_ms: 9000 }), ["without_model", "stop"]);
  assert.deepEqual(remedies(turn({ state: "answered", answer: "a" })), []);
});
