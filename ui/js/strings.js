// Every sentence that a window shows, in the language of the program. The sentences are in src-tauri/locales.

import * as en from "./messages/en.js";

/** The language that the program gave to this page; none in tests. @type {string} */
const wanted = /** @type {any} */ (globalThis).nexiLanguage ?? en.language;

/** @type {typeof en} */
const chosen = wanted === en.language ? en : await import(`./messages/${wanted}.js`);

export const { language } = chosen;

/** What numbers and dates are written by: the person's own country, where it speaks the language of the program. */
export const locale = globalThis.navigator?.languages?.find((tag) => tag.split("-")[0] === language.split("-")[0]) ?? language;

export const strings = chosen.messages;

/** What a page names in an attribute: the message of `reader.label` is `strings.reader.label`. @param {string} name @returns {string} */
function named(name) {
  const text = name.split(".").reduce((part, key) => part?.[key], /** @type {any} */ (strings));
  if (typeof text !== "string") throw new Error(`The catalogue has no message ${name}.`);
  return text;
}

if (globalThis.document) {
  // What reads a page aloud goes by it.
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll("[data-label]"))
    one.setAttribute("aria-label", named(/** @type {HTMLElement} */ (one).dataset.label ?? ""));
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = named(/** @type {HTMLElement} */ (one).dataset.text ?? "");
}
