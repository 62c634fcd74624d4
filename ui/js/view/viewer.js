// The viewer: a document's text with the passages marked, opened at one of them.

/** @import { Passage, SourceText } from "../protocol" */

import { byId, h } from "../dom.js";
import { fetchedLine } from "../sentences.js";
import { strings } from "../strings.js";
import { place } from "./sources.js";

/** @param {SourceText} source @param {number | null} passage */
export function showViewer(source, passage) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("viewer"));
  const { nodes, marks } = marked(source.text, source.passages);
  const body = h("div", { class: "text", tabIndex: 0 }, ...nodes);
  const first = source.passages[passage ?? 0];
  const isFile = source.url.startsWith("file:");
  const fetched = isFile ? "" : fetchedLine(Date.now() - source.fetched_ms);
  const where = [isFile ? path(source.url) : source.url, place(first), fetched].filter(Boolean).join(" · ");
  dialog.replaceChildren(
    h(
      "header",
      {},
      h("div", {}, h("h2", { id: "viewer-title" }, source.title), h("p", { class: "meta" }, where)),
      h("button", { type: "button", onclick: () => dialog.close() }, strings.window.close),
    ),
    body,
  );
  dialog.showModal();
  body.focus();
  const target = marks[passage ?? 0];
  if (target) {
    target.id = "passage";
    target.scrollIntoView({ block: "center" });
  }
}

/** The path of a document. @param {string} url */
function path(url) {
  try {
    return decodeURI(url.replace(/^file:\/\//, ""));
  } catch {
    return url;
  }
}

/**
 * The text cut into plain and marked pieces. Offsets count bytes of UTF-8.
 * @param {string} text @param {Passage[]} passages
 */
export function marked(text, passages) {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  /** @type {Record<number, HTMLElement>} */
  const marks = {};
  /** @type {Node[]} */
  const nodes = [];
  let at = 0;
  const order = passages.map((passage, index) => ({ passage, index })).sort((a, b) => a.passage.start - b.passage.start);
  let last = -1;
  for (const { passage, index } of order) {
    const start = Math.max(at, Math.min(passage.start, bytes.length));
    const end = Math.max(start, Math.min(passage.end, bytes.length));
    if (end === start) {
      if (last >= 0) marks[index] = marks[last];
      continue;
    }
    nodes.push(document.createTextNode(decoder.decode(bytes.subarray(at, start))));
    marks[index] = h("mark", {}, decoder.decode(bytes.subarray(start, end)));
    nodes.push(marks[index]);
    at = end;
    last = index;
  }
  nodes.push(document.createTextNode(decoder.decode(bytes.subarray(at))));
  return { nodes, marks };
}
