// What the settings window shows is what the settings' types say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { schema } from "../../ui/js/settings/schema.js";
import { choicesOf, fieldWords } from "../../ui/js/settings/words.js";
import { strings } from "../../ui/js/strings.js";

const source = readFileSync(new URL("../../ui/js/settings/sections.js", import.meta.url), "utf8");
const shown = [...source.matchAll(/(\w+)Field\(form, "([\w.]+)"/g)].map(([, field, path]) => ({ field, path }));

/** Which field shows which kinds. @type {Record<string, string[]>} */
const FITS = {
  text: ["text", "whole", "decimal"],
  toggle: ["switch"],
  choice: ["word"],
  list: ["texts"],
  checks: ["words", "texts"],
  chain: ["texts"],
};

test("every field is a setting of a kind that it can show, and has words", () => {
  assert.ok(shown.length > 45, String(shown.length));
  for (const { field, path } of shown) {
    assert.ok(path in schema, path);
    assert.ok(FITS[field].includes(schema[path].kind), `${field} shows no ${schema[path].kind}: ${path}`);
    assert.notEqual(fieldWords(path).label, path, `${path} has no label`);
  }
});

test("every value that a setting knows can be chosen by its name", () => {
  for (const { path } of shown.filter(({ field }) => field === "choice" || field === "checks")) {
    for (const [value, text] of choicesOf(path)) assert.ok(text, `${path} = ${value} has no name`);
    const { words = [], optional } = schema[path];
    assert.ok(words.length === 0 || choicesOf(path).length === words.length + Number(optional), path);
  }
  // And nothing is called that no setting knows.
  const known = new Map(Object.keys(schema).map((path) => [path.replace(/[._]([a-z0-9])/g, (_, letter) => letter.toUpperCase()), path]));
  for (const [name, called] of Object.entries(strings.choices)) {
    const path = known.get(name);
    assert.ok(path, name);
    if (schema[path].words)
      assert.deepEqual(
        Object.keys(called)
          .filter((word) => word !== "default")
          .sort(),
        [...schema[path].words].sort(),
        path,
      );
  }
});
