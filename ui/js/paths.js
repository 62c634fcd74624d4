// Paths of files as people read them.

import { h } from "./dom.js";

/** The home folder, as the program gave it to this page; none in tests. @type {string} */
const given = /** @type {any} */ (globalThis).nexiHome ?? "";
const home = given.replace(/[/\\]$/, "");

/** With `~` for the home folder. @param {string} path */
export function shortPath(path) {
  const isBelow = home !== "" && path.startsWith(home) && ["", "/", "\\"].includes(path.charAt(home.length));
  return isBelow ? `~${path.slice(home.length)}` : path;
}

/** A path that breaks between its folders, and only there where there is room. @param {string} path @param {string} [kind] its class */
export function pathView(path, kind = "") {
  const parts = shortPath(path).match(/[^/\\]*[/\\]?/g) ?? [];
  return h(
    "span",
    { class: `${kind} folders`.trim(), dir: "ltr", title: path },
    ...parts.filter(Boolean).map((part) => h("span", {}, part)),
  );
}
