// The words of a setting, by its path in the settings file.

import { strings } from "../strings.js";
import { schema } from "./schema.js";

/** A path as the name of a message: `deep.save_report` is `deepSaveReport`. @param {string} path */
const named = (path) => path.replace(/[._]([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Its label and a sentence of help. @param {string} path @returns {{ label: string, help: string }} */
export const fieldWords = (path) =>
  /** @type {Record<string, { label: string, help: string }>} */ (strings.fields)[named(path)] ?? { label: path, help: "" };

/**
 * What can be chosen, in order: the value and what it is called. What may be left out can be chosen empty.
 * @param {string} path @returns {[string, string][]}
 */
export function choicesOf(path) {
  const called = /** @type {Record<string, Record<string, string>>} */ (strings.choices)[named(path)];
  const { words = Object.keys(called), optional } = schema[path];
  return [
    ...(optional ? [/** @type {[string, string]} */ (["", called.default])] : []),
    ...words.map((word) => /** @type {[string, string]} */ ([word, called[word]])),
  ];
}
