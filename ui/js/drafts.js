// What is written and not sent, by thread; it is still there after a restart.

/** @import { ThreadId } from "./protocol" */

/** Drafts that are kept, the last ones written. */
const MOST = 10;
/** Letters of one that is kept: the browser holds a few millions in all. */
const LONGEST = 100_000;
/** Milliseconds after the last key. */
const PAUSE = 400;

/** `open` is the thread in whose field there is one; by name of the thread, the last one written last. @type {{ open: string | null, texts: Record<string, string> }} */
const kept = { open: null, texts: {}, ...stored() };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** What was written down; nothing where that cannot be read. */
function stored() {
  try {
    return JSON.parse(localStorage.getItem("drafts") ?? "{}");
  } catch {
    return {};
  }
}

function write() {
  clearTimeout(waiting);
  for (const key of Object.keys(kept.texts).slice(0, -MOST)) delete kept.texts[key];
  // The longest stay in memory alone.
  const texts = Object.fromEntries(Object.entries(kept.texts).filter(([, text]) => text.length <= LONGEST));
  localStorage.setItem("drafts", JSON.stringify({ ...kept, texts }));
}

/** What was written for a thread, or for a new one. @param {ThreadId | null} thread */
export const draftOf = (thread) => kept.texts[thread ?? ""] ?? "";

/** The thread in which somebody was writing; none where that was a new one, or nothing was written. @returns {ThreadId | null} */
export const writtenIn = () => kept.open || null;

/** Keeps what is written in the thread that is open; of a private one, nothing. @param {ThreadId | null} thread @param {string} text @param {boolean} isPrivate */
export function keepDraft(thread, text, isPrivate) {
  const key = thread ?? "";
  if (isPrivate) {
    // What was written elsewhere stays.
    kept.open = null;
    write();
    return;
  }
  const isKept = text.trim() !== "";
  delete kept.texts[key];
  if (isKept) kept.texts[key] = text;
  kept.open = isKept ? key : null;
  write();
}

/** The same once nothing more is typed: an app may be ended without a word. @param {() => void} keep */
export function keepSoon(keep) {
  clearTimeout(waiting);
  waiting = setTimeout(keep, PAUSE);
}

/** Its thread is deleted. @param {ThreadId} thread */
export function forgetDraft(thread) {
  delete kept.texts[thread];
  if (kept.open === thread) kept.open = null;
  write();
}
