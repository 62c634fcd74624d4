// Finds passages in a page that was rendered from their text: marks, blanks and line breaks are other ones there, letters
// and digits are the same.

import { h } from "../dom.js";

/** The letters and digits of a text, small. @param {string} text */
export function lettersOf(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Marks passages below an element; the marks of each, in their order. What is not found has none.
 * @param {HTMLElement} root @param {string[]} quotes @returns {HTMLElement[][]}
 */
export function findQuotes(root, quotes) {
  const { letters, nodes } = collect(root);
  /** @type {{ quote: number, start: number, end: number }[]} */
  const found = [];
  quotes.forEach((text, quote) => {
    const wanted = lettersOf(text);
    const start = wanted === "" ? -1 : position(letters, wanted);
    if (start >= 0) found.push({ quote, start, end: Math.min(start + wanted.length, letters.length) });
  });
  /** @type {HTMLElement[][]} */
  const out = quotes.map(() => []);
  for (const node of nodes) {
    const within = found.filter(({ start, end }) => start < node.end && end > node.start);
    if (within.length > 0) wrap(node, within, out);
  }
  // A passage within another one has its marks.
  found.forEach(({ quote, start }) => {
    if (out[quote].length === 0)
      out[quote] = out[found.find((other) => other.start <= start && other.end > start && out[other.quote].length > 0)?.quote ?? quote];
  });
  return out;
}

/** Where a passage begins, or its beginning does, where the end is another one. @param {string} letters @param {string} wanted */
function position(letters, wanted) {
  const whole = letters.indexOf(wanted);
  return whole >= 0 || wanted.length < 40 ? whole : letters.indexOf(wanted.slice(0, 40));
}

/**
 * The text nodes below an element, and where each stands among the letters of all.
 * @param {HTMLElement} root @returns {{ letters: string, nodes: { node: Text, start: number, end: number }[] }}
 */
function collect(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {{ node: Text, start: number, end: number }[]} */
  const nodes = [];
  let letters = "";
  for (let next = walker.nextNode(); next; next = walker.nextNode()) {
    const node = /** @type {Text} */ (next);
    const own = lettersOf(node.data);
    if (own === "") continue;
    nodes.push({ node, start: letters.length, end: letters.length + own.length });
    letters += own;
  }
  return { letters, nodes };
}

/**
 * Puts marks around the parts of a text node that belong to passages.
 * @param {{ node: Text, start: number, end: number }} place @param {{ quote: number, start: number, end: number }[]} within @param {HTMLElement[][]} out
 */
function wrap({ node, start }, within, out) {
  // The place of each letter among the characters of the node.
  /** @type {number[]} */
  const at = [];
  let offset = 0;
  for (const char of node.data) {
    for (let count = lettersOf(char).length; count > 0; count -= 1) at.push(offset);
    offset += char.length;
  }
  at.push(node.data.length);
  /** @type {Node[]} */
  const parts = [];
  let from = 0;
  for (const { quote, start: first, end } of within.sort((a, b) => a.start - b.start)) {
    const begin = Math.max(from, at[Math.max(first - start, 0)]);
    // The stop behind the last letter belongs to it.
    const last = at[Math.min(end - start, at.length - 1)];
    const stop = Math.min(node.data.length, last);
    if (stop <= begin) continue;
    parts.push(document.createTextNode(node.data.slice(from, begin)));
    const mark = h("mark", {}, node.data.slice(begin, stop));
    out[quote].push(mark);
    parts.push(mark);
    from = stop;
  }
  if (parts.length === 0) return;
  parts.push(document.createTextNode(node.data.slice(from)));
  node.replaceWith(...parts);
}
