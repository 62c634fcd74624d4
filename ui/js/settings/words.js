// The words of a setting, by its path in the settings file.

import { strings } from "../strings.js";

/** A path as the name of a message: `deep.save_report` is `deepSaveReport`. @param {string} path */
const named = (path) => path.replace(/[._]([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Its label and a sentence of help. @param {string} path @returns {{ label: string, help: string }} */
export const fieldWords = (path) => /** @type {Record<string, { label: string, help: string }>} */ (strings.fields)[named(path)] ?? { label: path, help: "" };

/** What can be chosen, in order: the value and what it is called. An empty value is `default` in the catalogue. @param {string} path @returns {[string, string][]} */
export const choicesOf = (path) => Object.entries(/** @type {Record<string, Record<string, string>>} */ (strings.choices)[named(path)]).map(([value, text]) => [value === "default" ? "" : value, text]);
