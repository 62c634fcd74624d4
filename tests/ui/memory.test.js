// Which lines are kept and which are asked.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = /** @type {any} */ ({});
const { memoryIn } = await import("../../ui/js/memory.js");

test("a short line that begins with a hash and a blank is kept", () => {
  assert.equal(memoryIn("# I work with PostgreSQL 16"), "I work with PostgreSQL 16");
  assert.equal(memoryIn("#  two blanks"), "two blanks");
});

test("everything else is asked", () => {
  for (const typed of [
    "#",
    "# ",
    "#tag what is it?",
    "What is C#?",
    "## Heading",
    "# Heading\n\nAnd a text to be summarised.",
    `# ${"x".repeat(400)}`,
  ])
    assert.equal(memoryIn(typed), null, typed);
});
