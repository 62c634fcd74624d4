// Paths of files as people read them.

import { h } from "./dom.js";

let home = "";

/** Tells which folder is shown as `~`. @param {string} folder */
export function setHome(folder) {
  home = folder.replace(/[/\\]$/, "");
}

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
