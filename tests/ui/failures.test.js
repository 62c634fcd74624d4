// What went wrong with a model, in words. Rust tells the same from the same messages (engine/src/sentences.rs).

import assert from "node:assert/strict";
import { test } from "node:test";

import { modelErrorLine, reasonLine } from "../../ui/js/sentences.js";

test("an error of a model is told with its fields, the time to wait, and the service's words", () => {
  assert.equal(
    modelErrorLine({ kind: "rate_limited", provider: "openai", retry_after: { secs: 200, nanos: 0 }, said: "slow down" }),
    "openai is rate limiting requests; try again in 4 minutes. It said: slow down.",
  );
  assert.equal(
    modelErrorLine({ kind: "silent", provider: "openai", after: { secs: 1, nanos: 0 } }),
    "openai sent nothing for 1 s. Allow more time with model_timeout in Settings.",
  );
  assert.match(modelErrorLine({ kind: "context_full", provider: "openai", window: null, prompt: null }), /window of openai\. Ask/);
});

test("a reason of an earlier version has its sentence alone", () => {
  assert.equal(reasonLine([{ code: "model_failed", message: "It broke." }]), "It broke.");
  assert.equal(
    reasonLine([{ code: "taken_over", why: "It broke.", model: "m", error: { kind: "broken", provider: "openai" } }]),
    "The connection to openai broke in the middle of a reply. m answered.",
  );
});
