// What a few letters mean in the command palette.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fuzzy } from "../../ui/js/fuzzy.js";

/** @param {string} typed @param {string[]} names */
const best = (typed, names) =>
  names
    .map((name) => ({ name, match: fuzzy(typed, name) }))
    .filter(({ match }) => match)
    .sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
    .map(({ name }) => name);

test("beginnings of words come before what stands inside them", () => {
  assert.deepEqual(best("harb", ["Storms over Pearl Harbour", "Harbour wall: who paid?", "Sharbat recipes", "Libraries"]), [
    "Harbour wall: who paid?",
    "Storms over Pearl Harbour",
    "Sharbat recipes",
  ]);
});

test("every word has to be meant, in any order", () => {
  assert.deepEqual(best("wall harb", ["Harbour wall: who paid?", "Harbour dues"]), ["Harbour wall: who paid?"]);
});

test("letters in their order are enough, if they stand near each other", () => {
  assert.deepEqual(best("expt", ["Export the thread…", "Every other person thinks"]), ["Export the thread…"]);
  assert.equal(fuzzy("zq", "A quiz zone"), null);
});

test("accents and capitals do not matter, and the letters that are meant are told", () => {
  const match = fuzzy("cafe", "Le CAFE du port");
  assert.deepEqual(match?.at, [3, 4, 5, 6]);
  assert.ok(fuzzy("cafe", "Le Café du port"));
  assert.ok(fuzzy("strasse", "Hauptstraße") === null);
  assert.deepEqual(fuzzy("", "anything"), { score: 0, at: [] });
});
