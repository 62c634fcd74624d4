// Each page names the modules that its script needs, so that they are read at once and not level by level. With NEXI_UPDATE=1
// the lists are written anew.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const UI = new URL("../../ui/", import.meta.url);

/** The modules that one imports, and those that they import, the nearest first. @param {string} script */
function needed(script) {
  const found = new Set([script]);
  for (const path of found) {
    const module = new URL(path, UI);
    const text = readFileSync(module, "utf8");
    for (const [, from, alone] of text.matchAll(/^(?:(?:import|export|\})[^;"]* from "(\.[^"]+)"|import "(\.[^"]+)")/gm))
      found.add(new URL(from ?? alone, module).href.slice(UI.href.length));
  }
  found.delete(script);
  return [...found];
}

for (const page of ["index.html", "popup.html", "settings.html", "setup.html"]) {
  test(`${page} preloads what it runs`, () => {
    const file = new URL(page, UI);
    const html = readFileSync(file, "utf8");
    // Before the last one there may be another that is read first.
    const script = [...html.matchAll(/<script type="module" src="([^"]+)">/g)].at(-1)?.[1];
    assert.ok(script);
    const links = needed(script).map((path) => `    <link rel="modulepreload" href="${path}">\n`);
    const listed = html.replaceAll(/ *<link rel="modulepreload"[^>]*>\n/g, "");
    const last = listed.lastIndexOf("    <script");
    const expected = listed.slice(0, last) + links.join("") + listed.slice(last);
    assert.ok(links.length > 5, "the imports are found");
    if (process.env.NEXI_UPDATE) writeFileSync(file, expected);
    else assert.equal(html, expected, "write the lists anew: cd tests/ui && NEXI_UPDATE=1 node --test pages.test.js");
  });
}
