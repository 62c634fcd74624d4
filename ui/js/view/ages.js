// How long ago something was, in words.

/** @import { LibraryRow } from "../protocol" */

import { day } from "../dom.js";
import { locale, strings } from "../strings.js";

const DAY = 86_400_000;

/** The day a row stands below. @param {LibraryRow} row */
export function dayOf(row) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (row.updated_ms >= midnight) return strings.window.today;
  // Not all days have 24 hours.
  if (row.updated_ms >= new Date(midnight - DAY / 2).setHours(0, 0, 0, 0)) return strings.window.yesterday;
  return day(row.updated_ms, { weekday: "long" });
}

/** @param {number} ms Unix time */
export function age(ms) {
  const minutes = Math.floor((Date.now() - ms) / 60_000);
  if (minutes < 1) return strings.window.justNow;
  if (minutes < 60) return strings.window.minutesAgo({ minutes });
  if (minutes < 24 * 60) return strings.window.hoursAgo({ hours: Math.floor(minutes / 60) });
  if (minutes < 7 * 24 * 60) return strings.window.daysAgo({ days: Math.floor(minutes / (24 * 60)) });
  return new Date(ms).toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
}
