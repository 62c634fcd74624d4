// The words about questions that are asked again by themselves.

/** @import { CheckOutcome, Schedule } from "./protocol" */

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** A minute of the day as a schedule writes it. @param {number} minute */
export const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

export const watched = {
  watch: "Watch this question…",
  watchNote: "Ask it again automatically and tell you when the answer changes",
  title: "Watch a question",
  question: "Question",
  standsAlone: "Write it so that it can be understood without the rest of the thread.",
  every: "How often",
  time: "At",
  start: "Watch",
  started: "Watching. You are told when the answer changes.",
  withoutLimit: "Watch without a cost limit",
  stop: "Stop watching", stopped: "No longer watched",
  sign: "Watched",
  schedules: { "6h": "Every 6 hours", "1d": "Every day", "1w": "Every week", "4w": "Every 4 weeks" },
  /** @param {Schedule} schedule @returns {string} */
  pace: ({ minutes, at }) => {
    const days = minutes / 1440;
    const often = minutes % 1440 !== 0 ? (minutes === 60 ? "Every hour" : `Every ${minutes / 60} hours`)
      : days === 1 ? "Every day" : days === 7 ? "Every week" : days % 7 === 0 ? `Every ${days / 7} weeks` : `Every ${days} days`;
    return at === undefined ? often : `${often} at ${clock(at)}`;
  },
  /** @param {string} day */
  changedSince: (day) => `Changed since ${day}`,
  before: "Before:",
  /** @param {string} question */
  changed: (question) => `The answer changed: ${question}`,
  /** @param {string} question @param {number} others */
  changedMore: (question, others) => `The answer changed: ${question} (and ${counted(others, "other answer", "other answers")})`,
  show: "Show",
  // In the settings.
  all: "Watched questions", none: "No question is watched. To watch one, choose “Watch this question…” in the menu below its answer.",
  pause: "Pause", resume: "Resume", paused: "Paused", check: "Check now", checking: "Checking…", remove: "Stop watching", open: "Open the thread",
  feed: "Feed", feedHelp: "All changes as an Atom file for feed readers. nexi watch feed --out FILE writes it again, for example each hour.", saveFeed: "Save feed",
  /** @param {string} path */
  feedSaved: (path) => `Saved as ${path}`,
  /** @param {CheckOutcome | null} outcome @param {string} when */
  last: (outcome, when) => {
    if (!outcome) return "Not checked yet";
    if (outcome.type === "first") return `${when}: first answer`;
    if (outcome.type === "unchanged") return `${when}: nothing new`;
    if (outcome.type === "changed") return `${when}: ${counted(outcome.statements, "statement", "statements")} changed`;
    return `${when}: could not be checked. ${outcome.message}`;
  },
  /** @param {number} changes @param {number} checks @param {string} spent */
  sum: (changes, checks, spent) => `${counted(checks, "check", "checks")}, ${counted(changes, "change", "changes")}${spent ? `, ${spent}` : ""}`,
  /** @param {string} when */
  next: (when) => `Next check: ${when}`,
};
