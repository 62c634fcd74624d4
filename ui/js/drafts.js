// What is written and not sent, by thread; it survives loading the window again.

/** @import { ThreadId } from "./protocol" */

/** @type {Record<string, string>} */
const drafts = JSON.parse(sessionStorage.getItem("drafts") ?? "{}");

/** What was written for a thread, or for a new one. @param {ThreadId | null} thread */
export const draftOf = (thread) => drafts[thread ?? ""] ?? "";

/** Keeps what is written; what is private stays in memory. @param {ThreadId | null} thread @param {string} text @param {boolean} isPrivate */
export function keepDraft(thread, text, isPrivate) {
  const key = thread ?? "";
  if (text.trim() === "") delete drafts[key];
  else if (!isPrivate) drafts[key] = text;
  sessionStorage.setItem("drafts", JSON.stringify(drafts));
}
