// Numbers, sizes, amounts and names of files as people read them.

import { locale, strings } from "./strings.js";

/** A number as people read it. @param {number} value @param {Intl.NumberFormatOptions} [options] */
export const number = (value, options) => value.toLocaleString(locale, options);

/** Keys by what stands on them, where people of this language have other words on theirs. @param {string} keys */
export const keyNames = (keys) =>
  keys.replace(
    /Ctrl|Shift|Alt|Enter|Esc|Tab|Space/g,
    (name) => /** @type {Record<string, string>} */ (strings.window.keyNames)[name.toLowerCase()],
  );

/** Parts of a sentence with commas between them, or with an "and" before the last; empty ones are left out. @param {(string | number | false)[]} parts @param {"unit" | "conjunction"} [type] */
export const listed = (parts, type = "unit") =>
  new Intl.ListFormat(locale, { style: type === "unit" ? "short" : "long", type }).format(
    parts.filter((part) => part !== "" && part !== false).map(String),
  );

/** @param {number} ms */
export const seconds = (ms) =>
  strings.window.seconds({
    amount:
      ms < 10_000
        ? number(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
        : number(Math.round(ms / 1000), { useGrouping: false }),
  });

/** A longer time. @param {number} ms */
export function duration(ms) {
  if (ms < 60_000) return strings.window.seconds({ amount: Math.round(ms / 1000) });
  if (ms < 3_600_000) return strings.usage.duration.minutes({ amount: Math.round(ms / 60_000) });
  return strings.usage.duration.hours({ amount: number(ms / 3_600_000, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
}

/** A minute of the day as a schedule writes it. @param {number} minute */
export const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Thousands, rounded. @param {number} count */
export const thousands = (count) => Math.round(count / 1000);

/** @param {number} count */
export const tokens = (count) =>
  count < 1000 ? strings.window.tokens.exact({ count }) : strings.window.tokens.thousands({ count: thousands(count) });

/** The context window of a model. @param {number} count */
export const windowSize = (count) =>
  count >= 1_000_000
    ? strings.models.window.millions({ count: number(count / 1_000_000, { maximumFractionDigits: 1 }) })
    : strings.models.window.thousands({ count: thousands(count) });

/** US dollars with a number of digits. @param {number} amount @param {number} digits */
export const dollars = (amount, digits) =>
  number(amount, { style: "currency", currency: "USD", minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A limit as it was set: with no more digits than it has. @param {number} millionths of a dollar */
export const roughDollars = (millionths) =>
  number(millionths / 1e6, { style: "currency", currency: "USD", minimumFractionDigits: 0, maximumFractionDigits: 6 });

/** What something cost; small amounts with more digits. @param {number} millionths of a dollar */
export const cost = (millionths) => dollars(millionths / 1e6, millionths > 0 && millionths < 10_000 ? 4 : 2);

/** @param {number} bytes @param {number} [digits] */
export const megabytes = (bytes, digits = 0) =>
  `${number(bytes / 1e6, { minimumFractionDigits: digits, maximumFractionDigits: digits })} MB`;

/** @param {string} path */
export const fileName = (path) => path.split(/[\\/]/).at(-1) ?? path;

/** The folder that holds a file. @param {string} path */
export const folderName = (path) => path.split(/[\\/]/).at(-2) ?? "";
