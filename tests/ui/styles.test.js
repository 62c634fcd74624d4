// What style sheets may not say.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../ui/css/", import.meta.url);

test("no size is taken from the viewport", () => {
  // WebKitGTK 2.50 stops evaluating media queries in a page that has viewport units and container queries.
  const found = readdirSync(FOLDER).flatMap((name) => {
    const lines = readFileSync(new URL(name, FOLDER), "utf8").split("\n");
    return lines.flatMap((line, at) => (/\d[sld]?v(?:[hwib]|min|max)\b/.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : []));
  });
  assert.deepEqual(found, [], "percentages of the page or of a fixed place do the same");
});
