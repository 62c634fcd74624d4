// Every word that the window shows. A translation is another file with the same names.

/** @import { Detection, Support, TimeRange } from "./protocol" */

export const strings = {
  newQuestion: "New question",
  threads: "Threads",
  today: "Today",
  yesterday: "Yesterday",
  thisWeek: "This week",
  earlier: "Earlier",
  running: "running",
  interrupted: "interrupted",
  noThreads: "Your questions will be listed here.",
  ask: "Ask",
  stop: "Stop",
  askFirst: "What do you want to know?",
  askMore: "Ask a follow-up…",
  effort: "Effort",
  /** @type {Record<string, string>} */
  efforts: { s: "Small: at most 8 steps", m: "Medium: at most 16 steps", l: "Large: at most 32 steps" },
  builtin: "Built-in researcher: quotes sources, uses no AI",
  builtinName: "Built-in researcher",
  welcomeTitle: "Answers you can check, from sources that were really read.",
  welcomeText: "Ask a question. Nexi searches, reads, and answers with citations that open the very passage they rest on. Your history and your settings stay on this computer.",
  welcomeButton: "Start without an account",
  welcomeSmall: "This uses the built-in researcher: it quotes sources and uses no AI, no key and no account. Models can be added in the settings file later.",
  emptyTitle: "What do you want to know?",
  emptyText: "The handbook is among the documents from the start. Try one of these, or ask your own.",
  examples: ["Where does Nexi keep my keys?", "How do I add a folder of documents?", "What leaves this computer when I ask a question?"],
  sources: "Sources",
  /** @param {number} read @param {number} failed */
  sourceCount: (read, failed) => (failed > 0 ? `${read} read, ${failed} failed` : `${read} read`),
  /** @type {Record<Support, string>} */
  support: { supported: "supported", weak: "weakly supported", not_found: "not found in the source" },
  /** @type {Record<Support, string>} */
  supportLong: {
    supported: "Supported: this passage says it",
    weak: "Weak: not everything in the sentence is in this passage",
    not_found: "Not found: no passage of this source says it",
  },
  /** @type {Record<Detection, string>} */
  detected: {
    url: "Nexi put this number here: the sentence names the address",
    path: "Nexi put this number here: the sentence names the site and the page",
    host: "Nexi put this number here: the sentence names the site",
    quote: "Nexi put this number here: the sentence quotes the source",
  },
  /** @param {number} supported @param {number} all */
  checked: (supported, all) => (all === 1 ? (supported === 1 ? "The citation is supported by its source" : "The citation could not be confirmed") : `${supported} of ${all} citations are supported by their sources`),
  /** @param {number} weak @param {number} missing @param {number} unknown */
  doubtful: (weak, missing, unknown) => [weak > 0 ? `${weak} weak` : "", missing > 0 ? `${missing} not found` : "", unknown > 0 ? `${unknown} of no source` : ""].filter(Boolean).join(", "),
  /** @param {number} count */
  addedNumbers: (count) => (count === 1 ? "1 number was put in by Nexi" : `${count} numbers were put in by Nexi`),
  /** @param {string} date @param {number} days */
  newest: (date, days) => `newest source: ${date}${days < 2 ? "" : days < 61 ? `, ${days} days old` : days < 731 ? `, ${Math.floor(days / 30)} months old` : `, ${Math.floor(days / 365)} years old`}`,
  /** @param {number} count */
  passages: (count) => (count === 1 ? "1 passage cited" : `${count} passages cited`),
  notCited: "read, not cited",
  unknownNumber: "No source has this number",
  opensBrowser: "opens at the passage in your browser ↗",
  opensViewer: "opens at the passage",
  opensSource: "opens the source",
  /** @param {number} ms since it was fetched */
  fetched: (ms) => {
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 1) return "fetched just now";
    if (minutes < 60) return `fetched ${minutes} min ago`;
    if (minutes < 48 * 60) return `fetched ${Math.floor(minutes / 60)} h ago`;
    return `fetched ${Math.floor(minutes / (24 * 60))} days ago`;
  },
  keptText: "Show the text as it was read",
  /** @param {number} page */
  page: (page) => `p. ${page}`,
  /** @param {number} line */
  line: (line) => `line ${line}`,
  thinking: "Thinking",
  starting: "Starting",
  writing: "Writing",
  searched: "Searched",
  searching: "Searching",
  reading: "Reading",
  read: "Read",
  /** @param {number} done @param {number} total */
  indexing: (done, total) => `Indexing documents, ${done} of ${total}`,
  /** @param {number} count */
  searches: (count) => (count === 1 ? "1 search" : `${count} searches`),
  /** @param {number} count */
  results: (count) => (count === 1 ? "1 result" : `${count} results`),
  /** @param {number} read @param {number} asked */
  pages: (read, asked) => (read === asked ? (asked === 1 ? "1 page" : `${asked} pages`) : `${read} of ${asked} pages`),
  /** @param {number} ms */
  seconds: (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`),
  /** @param {number} count */
  tokens: (count) => (count < 1000 ? `${count} tokens` : `${Math.round(count / 1000)}k tokens`),
  answered: "Answered",
  partial: "Answered in part",
  cancelled: "Stopped",
  failed: "Failed",
  noResults: "no results",
  copy: "Copy",
  copied: "Copied with sources",
  askAgain: "Ask again",
  edit: "Edit",
  editTitle: "Change the question and ask it in a thread of its own; this one stays as it is",
  branch: "Branch",
  branchTitle: "Go on from here in a thread of its own; this one stays as it is",
  branched: "This is a new thread; the first one is as it was",
  cancel: "Cancel",
  reasoning: "Reasoning",
  /** @type {Record<TimeRange, string>} */
  ranges: { day: "results of the past day", week: "results of the past week", month: "results of the past month", year: "results of the past year" },
  extracted: "taken in by the model",
  /** @param {number} before @param {number} after */
  compacted: (before, after) => `Summarised to make room: ${Math.round(before / 1000)}k tokens became ${Math.round(after / 1000)}k`,
  /** @param {number} millionths */
  cost: (millionths) => (millionths < 10_000 ? `$${(millionths / 1e6).toFixed(4)}` : `$${(millionths / 1e6).toFixed(2)}`),
  /** @param {number} used @param {number} most */
  context: (used, most) => `context ${Math.max(1, Math.round(used / 1000))}k of ${Math.round(most / 1000)}k`,
  resume: "Resume",
  close: "Close",
  menu: "Threads",
  stepsOf: "Steps of the run",
  untitled: "Untitled",
};
