// Words marked in a text.

import { h } from "../dom.js";

/** A word for a pattern. @param {string} word */
export const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text with every place of these words marked. @param {string} text @param {string[]} words @returns {(Node | string)[]} */
export function marked(text, words) {
  const wanted = words.filter(Boolean).map(escaped);
  if (wanted.length === 0) return [text];
  return text
    .split(new RegExp(`(${wanted.join("|")})`, "giu"))
    .map((part, index) => (index % 2 === 1 ? h("mark", {}, part) : part))
    .filter((part) => part !== "");
}
