// Every word that the window shows. A translation is another file with the same names.

/** @import { CopyForm, DeepPhase, Detection, Effort, Focus, Format, BrokenLines, Imported, Incident, Method, Mode, ResearcherId, SearchTool, Support, TimeRange, TurnState } from "./protocol" */

export const strings = {
  newQuestion: "New question",
  openPalette: "Search or do anything",
  openPaletteShort: "Search",
  settings: "Settings",
  pinned: "Pinned",
  today: "Today", yesterday: "Yesterday",
  thisWeek: "This week", earlier: "Earlier",
  running: "running",
  interrupted: "interrupted", askedOpen: "Open the answer",
  /** @param {string} day @param {boolean} same */
  askedOn: (day, same) => `You asked ${same ? "this" : "something similar"} on ${day}:`,
  noThreads: "Your questions will be listed here.",
  ask: "Ask",
  stop: "Stop",
  askFirst: "What do you want to know?",
  askMore: "Ask a follow-up, or type @ to attach",
  attach: {
    help: "Attach files, folders, past research or web pages", attached: "Attached", suggestions: "What to attach", files: "Files…", folder: "Folder…", folderNote: "The question is then asked of this folder only",
    byName: "By name…", byNameNote: "Or type @ anywhere in your question", none: "Type a name: documents, folders, past questions, or a site such as example.org",
    dropHere: "Drop to attach", tooMany: (/** @type {number} */ most) => `At most ${most} things can be attached. Attach their folder instead.`,
    remove: (/** @type {string} */ label) => `Remove ${label}`,
    /** @type {Record<import("./protocol").AttachKind, string>} */
    marks: { file: "FILE", folder: "DIR", text: "TXT", address: "WEB", thread: "@", site: "SITE" },
    given: "Attached",
  },
  effort: "Effort",
  /** @type {Record<Effort, string>} */
  effortNames: { s: "small", m: "medium", l: "large" },
  /** @type {Record<Effort, string>} */
  efforts: { s: "Small: a quick look, at most 8 steps", m: "Medium: a few searches and pages, at most 16 steps", l: "Large: thorough, at most 32 steps" },
  mode: "How to research",
  /** @type {Record<Mode, string>} */
  modeNames: { quick: "Quick", deep: "Deep" },
  /** @type {Record<Mode, string>} */
  modes: { quick: "Quick: one researcher, an answer in seconds", deep: "Deep: a plan, several researchers at once and a long report, in minutes" },
  /** @type {Record<Effort, string>} */
  deepEfforts: { s: "Deep, small: up to 2 researchers and about 2 rounds", m: "Deep, medium: up to 3 researchers and about 3 rounds", l: "Deep, large: up to 5 researchers and about 5 rounds" },
  /** @type {Record<SearchTool, string>} */
  tools: { web: "", stackexchange: "Stack Exchange", security: "security databases", grep: "words in documents", library: "your past research" },
  deep: {
    /** @type {Record<DeepPhase, string>} */
    phases: { planning: "Making a plan", approving: "Waiting for you", researching: "Researching", evaluating: "Checking what was found", synthesizing: "Writing the report" },
    exploring: "exploring further",
    /** @param {number} round @param {number} target @param {boolean} running */
    round: (round, target, running) => (running ? `round ${round} of about ${Math.max(round, target)}` : round === 1 ? "1 round" : `${round} rounds`),
    /** @param {number} round */
    roundTitle: (round) => `Round ${round}`,
    /** @param {number} count */
    researchers: (count) => (count === 1 ? "1 researcher" : `${count} researchers`),
    /** @param {ResearcherId[]} from */
    heard: (from) => `has read report ${from.join(", ")}`,
    /** @type {Record<TurnState, string>} */
    states: { running: "Waiting", answered: "Done", partial: "Done, at a limit", nothing_found: "Found nothing", cancelled: "Stopped", failed: "Failed", interrupted: "Interrupted" },
    progress: "Research progress", details: "Task and steps", report: "Report", finish: "Finish now", finishTitle: "Write the report now, with what has been found", stopOne: "Stop this researcher. What it has read is kept.",
    plan: "The plan", planHelp: "edit anything, then start.", begin: "Start", addTask: "Add a task", taskTitle: "Short title",
    /** @param {number} n */
    titleOf: (n) => `Title of task ${n}`,
    /** @param {number} n */
    goalOf: (n) => `What to find out in task ${n}`,
    /** @param {number} n */
    removeTask: (n) => `Remove task ${n}`,
    saveReport: "Save report", saveReportTitle: "Save the report as a file, with its sources and labels",
    /** @param {string} path */
    saved: (path) => `Saved as ${path}`,
    method: "How this was researched", open: "Not established", contents: "Contents", foldAll: "Fold all", unfoldAll: "Unfold all",
    /** @param {Method} method */
    methodLine: (method) => [
      method.rounds === 1 ? "1 round" : `${method.rounds} rounds`, method.researchers === 1 ? "1 researcher" : `${method.researchers} researchers`,
      method.searches === 1 ? "1 search" : `${method.searches} searches`, method.pages === 1 ? "1 page read" : `${method.pages} pages read`,
      method.unread > 0 ? `${method.unread} could not be read` : "",
    ].filter(Boolean).join(", "),
  },
  builtin: "Built-in researcher: quotes sources, uses no AI",
  builtinName: "Built-in researcher",
  emptyTitle: "What do you want to know?",
  emptyText: "Nexi comes with its handbook, so you can try one of these right away, or ask your own question.",
  examples: ["Where does Nexi keep my keys?", "How do I add a folder of documents?", "What leaves this computer when I ask a question?"],
  offers: {
    title: "Also here", documents: "Add your documents", documentsNote: "PDF, office files, notes, mail; they stay on this computer", search: "Search services", searchNote: "Wikipedia and DuckDuckGo need no key; others find more",
    shortcut: "Ask from any program", shortcutNote: (/** @type {string} */ keys) => `${keys} opens a small window`, noShortcut: "Choose a shortcut for the popup", privacy: "What leaves this computer", privacyNote: "and where keys are kept",
  },
  sources: "Sources",
  /** @param {number} count */
  supportedCount: (count) => `${count} supported`,
  /** @param {number} count */
  partlyCount: (count) => `${count} partly supported`,
  /** @param {number} count */
  notSupportedCount: (count) => `${count} not supported`,
  /** @param {number} count */
  contradictedCount: (count) => `${count} contradicted`,
  /** @param {number} read @param {number} failed */
  sourceCount: (read, failed) => (failed > 0 ? `${read} read, ${failed} failed` : `${read} read`),
  /** @type {Record<Support, string>} */
  support: { supported: "supported", partly_supported: "partly supported", not_supported: "not supported", contradicted: "contradicted", uncited: "no citation" },
  /** @type {Record<Support, string>} */
  supportLong: {
    supported: "Supported: this passage says it",
    partly_supported: "Partly supported: this passage doesn't say all of it",
    not_supported: "Not supported: nothing like it was found in this source",
    contradicted: "Contradicted: this passage says otherwise",
    uncited: "No citation: this statement names no source",
  },
  /** @type {Record<Detection, string>} */
  detected: {
    url: "Citation added by Nexi: the sentence names this address",
    path: "Citation added by Nexi: the sentence names this site and page",
    host: "Citation added by Nexi: the sentence names this site",
    quote: "Citation added by Nexi: the sentence quotes this source",
  },
  /** @param {number} supported @param {number} all */
  checked: (supported, all) => (all === 1 ? (supported === 1 ? "The statement is supported by its source" : "The statement is not fully supported") : supported === all ? `All ${all} statements are supported by their sources` : `${supported} of ${all} statements supported`),
  /** @param {{ partly: number, notSupported: number, contradicted: number, uncited: number, unknown: number }} found */
  doubtful: ({ partly, notSupported, contradicted, uncited, unknown }) => [
    contradicted > 0 ? `${contradicted} contradicted` : "", notSupported > 0 ? `${notSupported} not supported` : "", partly > 0 ? `${partly} partly supported` : "",
    uncited > 0 ? `${uncited} without a citation` : "", unknown > 0 ? (unknown === 1 ? "1 citation has no source" : `${unknown} citations have no source`) : "",
  ].filter(Boolean).join(", "),
  /** @param {number} count */
  checking: (count) => `Checking again: ${count === 1 ? "1 statement" : `${count} statements`}`,
  /** @param {{ corrected: number, recited: number, struck: number, confirmed: number }} found */
  secondLook: ({ corrected, recited, struck, confirmed }) => [
    corrected > 0 ? `${corrected} ${corrected === 1 ? "was" : "were"} corrected` : "", recited > 0 ? `${recited} ${recited === 1 ? "now cites" : "now cite"} another source` : "",
    struck > 0 ? `${struck} ${struck === 1 ? "was" : "were"} struck out` : "", confirmed > 0 ? `${confirmed} ${confirmed === 1 ? "was" : "were"} confirmed` : "",
  ].filter(Boolean).join(", "),
  afterSecondLook: "After a second look: ",
  /** @type {Record<import("./protocol").CorrectionKind, string>} */
  correction: { corrected: "corrected", recited: "other source", struck: "no source says this" },
  /** @param {string} before */
  readBefore: (before) => `Before: ${before}`,
  opinion: {
    title: "Second opinion",
    ask: "Second opinion",
    askTitle: "Ask another model with the same sources, and compare",
    /** @param {string} model */
    asking: (model) => `Asking ${model} with the same sources…`,
    /** @param {string} model */
    by: (model) => `Second opinion by ${model}:`,
    /** @param {{ agrees: number, similar: number, differs: number, first: number, second: number }} found */
    counts: ({ agrees, similar, differs, first, second }) => `${[
      agrees > 0 ? `${agrees} the same` : "", similar > 0 ? `${similar} similar` : "", differs > 0 ? `${differs} different` : "",
      first > 0 ? `${first} only in the first answer` : "", second > 0 ? `${second} only in the second` : "",
    ].filter(Boolean).join(", ")}.`,
    /** @type {Record<import("./protocol").Agreement, string>} */
    agreement: { agrees: "Same", similar: "Similar", differs: "Different", only_first: "Only the first", only_second: "Only the second" },
    /** @param {string[]} missing */
    missing: (missing) => `Not in the second: ${missing.join(", ")}`,
    whole: "The second answer",
  },
  nextDoubt: "Next to check",
  previousDoubt: "Previous to check",
  /** @param {number} at @param {number} all @param {string} label @param {string[]} missing */
  doubtAt: (at, all, label, missing) => `${at} of ${all}: ${label}${missing.length > 0 ? `, not in the source: ${missing.join(", ")}` : ""}`,
  /** @param {string[]} missing */
  notInPassage: (missing) => `Not in this passage: ${missing.join(", ")}`,
  uncitedMark: "This statement has no citation",
  showUncited: "Underline uncited",
  sourcesOfAnswer: "The sources of an answer appear here.",
  sourcesToCome: "Sources appear here as they are read.",
  noSources: "This answer has no sources.",
  /** @param {number} count */
  addedNumbers: (count) => (count === 1 ? "1 citation added by Nexi" : `${count} citations added by Nexi`),
  /** @param {string} date @param {number} days */
  newest: (date, days) => `newest source: ${date}${days < 2 ? "" : days < 61 ? `, ${days} days old` : days < 731 ? `, ${Math.floor(days / 30)} months old` : `, ${Math.floor(days / 365)} years old`}`,
  notCited: "read, not cited",
  unknownNumber: "No source has this number",
  opens: { browser: "Click to open at this passage in your browser ↗", viewer: "Click to open at this passage", source: "Click to open the source", thread: "Click to open the earlier answer" },
  /** @param {number} ms since it was fetched */
  fetched: (ms) => {
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 1) return "fetched just now";
    if (minutes < 60) return `fetched ${minutes} min ago`;
    if (minutes < 48 * 60) return `fetched ${Math.floor(minutes / 60)} h ago`;
    return `fetched ${Math.floor(minutes / (24 * 60))} days ago`;
  },
  keptText: "Show the saved text",
  /** @param {number} page */
  page: (page) => `p. ${page}`,
  /** @param {import("./protocol").Place} at */
  place: (at) => {
    switch (at.type) {
      case "page": return strings.page(at.number);
      case "slide": return `slide ${at.number}`;
      case "paragraph": return `paragraph ${at.number}`;
      case "section": case "chapter": return `“${at.name}”`;
      case "row": return at.sheet === "" ? at.cells : `${at.sheet}!${at.cells}`;
      case "cell": return `cell ${at.number}`;
      case "message": return at.name;
      case "time": return at.at;
    }
  },
  /** @param {number} line */
  line: (line) => `line ${line}`,
  /** @param {import("./protocol").PassagePlace} at */
  passagePlace: (at) => {
    const range = `${at.from}-${at.to}`;
    if (!at.place) return at.from === at.to ? strings.line(at.from) : `lines ${range}`;
    if (at.from !== at.to && at.place.type === "page") return `pp. ${range}`;
    return strings.place(at.place);
  },
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
  nothing_found: "Nothing found",
  cancelled: "Stopped",
  failed: "Failed",
  noResults: "no results",
  copy: "Copy",
  /** @type {Record<CopyForm, string>} */
  copied: { with_sources: "Copied with sources", markdown: "Copied as Markdown", plain: "Copied as plain text" },
  copyAs: "Copy as…",
  copyWithSources: "With sources",
  copyMarkdown: "Markdown",
  copyPlain: "Plain text",
  copiedCode: "Code copied",
  export: "Export",
  retry: "Retry",
  followUps: "Follow-up questions",
  /** @param {number} lines */
  allLines: (lines) => `Show all ${lines} lines`,
  fold: "Show less",
  table: "Table",
  edit: "Edit",
  editTitle: "Edit the question and ask it in a new thread. This one stays unchanged.",
  branch: "Branch",
  branchTitle: "Continue in a new thread. This one stays unchanged.",
  branched: "Branched. The original is unchanged.",
  cancel: "Cancel",
  reasoning: "Reasoning",
  /** @type {Record<TimeRange, string>} */
  ranges: { day: "results of the past day", week: "results of the past week", month: "results of the past month", year: "results of the past year" },
  extracted: "extracted by the model",
  /** @param {number} before @param {number} after */
  compacted: (before, after) => `Summarised to make room: ${Math.round(before / 1000)}k tokens became ${Math.round(after / 1000)}k`,
  /** @param {number} millionths */
  cost: (millionths) => (millionths > 0 && millionths < 10_000 ? `$${(millionths / 1e6).toFixed(4)}` : `$${(millionths / 1e6).toFixed(2)}`),
  /** @param {number} used @param {number} most */
  context: (used, most) => `context ${Math.max(1, Math.round(used / 1000))}k of ${Math.round(most / 1000)}k`,
  resume: "Resume",
  close: "Close",
  save: "Save",
  more: "More",
  model: "Model",
  builtinNote: "quotes sources, uses no AI",
  focus: "Where to look",
  /** @type {Record<Focus, string>} */
  focuses: { both: "Web + documents", web: "Web", documents: "Documents" },
  /** @type {Record<Focus, string>} */
  focusNotes: { both: "everything enabled in Settings", web: "not your own files", documents: "only what the model is sent leaves this computer" },
  noWeb: "no web search is set up; opens Settings",
  waitOrStop: "This thread is still being answered. Wait for it or stop it; your text stays here.",
  private: "Private",
  privateHelp: "Private threads are kept in memory only. They are gone when you close Nexi, unless you keep them.",
  privateTitle: "A private thread",
  privateText: "Questions, answers and pages of this thread are kept in memory only. They are gone when you close Nexi, unless you keep the thread.",
  addModel: "Add a model",
  allModels: "All models…",
  allModelsNote: "with context window and price",
  thinkLonger: "Think longer",
  thinkLongerHelp: "The model reasons more before it answers; slower and more expensive",
  price: {
    title: "The price of this model is unknown",
    /** @param {string} model */
    text: (model) => `A cost limit is set, but the price of ${model} is unknown, so the limit cannot be enforced. Enter its price or a token limit in Settings, or ask this question without a cost limit.`,
    give: "Open Settings", ask: "Ask without a limit",
  },
  month: { title: "Monthly cost limit reached", give: "Open Settings", ask: "Ask anyway", text: (/** @type {string} */ spent, /** @type {string} */ limit) => `This month's questions have cost ${spent}; your limit is ${limit}.` },
  record: { save: "Save a record of this run", note: "Every request, search, address, decision and cost, as a file", done: (/** @type {string} */ path) => `Saved as ${path}` },
  models: {
    title: "Choose a model", search: "Search models", loading: "Asking the connected services…", none: "No service is connected yet.", noMatch: "No matches. Use fewer words.", connect: "Connect a service…", free: "free, on this computer", noPrice: "price unknown",
    /** @param {number} tokens */
    window: (tokens) => (tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1).replace(".0", "")}M tokens` : `${Math.round(tokens / 1000)}k tokens`),
    /** @param {number} input @param {number} output */
    price: (input, output) => `$${input} in, $${output} out per million`,
    /** @param {string} id */
    favourite: (id) => `Favourite: ${id}`,
    favourites: "Favourites",
  },
  memory: {
    /** @param {string} text */
    kept: (text) => `Remembered: ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`,
    private: "A private thread keeps nothing. Write this in another thread.",
    this: "Remember something…", thisNote: "For all later questions",
    help: "A model is told of it with every question, except in private threads. You find all of it in Settings, Memory.",
    /** @param {number} count */
    told: (count) => (count === 1 ? "Used 1 memory" : `Used ${count} memories`),
  },
  mistakes: { title: "The settings file has mistakes in these settings:", open: "Open the file" },
  held: {
    title: "Nexi is holding something back",
    address: "Private text (your documents or earlier answers) is part of this conversation, and the model wants to open an address that came neither from search results or pages nor from you. It may carry some of that text.",
    query: "The model wants to search the web for numbers or wording found only in your documents or earlier answers.",
    open: "Open it", send: "Send the search", keep: "Keep it back",
    /** @param {number} count */
    kept: (count) => `${count === 1 ? "1 request was" : `${count} requests were`} held back to keep your text private:`,
  },
  incident: {
    /** @type {Record<import("./view/incident").WayOut, string>} */
    ways: { settings: "Open Settings", other_model: "Use another model", without_model: "Answer without a model", retry: "Try again", stop: "Stop" },
    /** @param {number} seconds */
    again: (seconds) => `Trying again in ${seconds} s.`,
    /** What went wrong. @param {Incident} incident */
    sentence: ({ kind, service, status, amount }) => {
      const who = service || "The model";
      switch (kind) {
        case "rate_limited": return `${who} is asking for fewer requests.`;
        case "own_limit": return `${who} is limited to ${amount ?? ""} requests a minute by your settings.`;
        case "server_error": return status ? `${who} had a server error (${status}).` : `${who} had a server error.`;
        case "unreachable": return `${who} could not be reached.`;
        case "timed_out": return `${who} took too long.`;
        case "broken_reply": return `${who}'s reply was cut off.`;
        case "key_refused": return `${who} refused the API key, or none is set.`;
        case "no_balance": return `The account at ${who} has no balance left.`;
        case "unknown_model": return `${who} does not know this model.`;
        case "wrong_address": return `${who}'s base URL does not lead to an API.`;
        case "rejected": return `${who} did not accept the request.`;
        case "context_full": return amount ? `The conversation is longer than the context window of ${who} (${amount} tokens).` : `The conversation is longer than the context window of ${who}.`;
        case "cut_off_thinking": return amount ? `The model used all ${amount} tokens of its reply for thinking.` : "The model used its whole reply for thinking.";
        case "tools_in_text": return `${who} has no tool calling; its tools are described in words.`;
        case "turns_left_out": return amount === 1 ? "The oldest turn of this thread does not fit the model's context window and is left out." : `The oldest ${amount ?? ""} turns of this thread do not fit the model's context window and are left out.`;
        case "search_failed": return `Search with ${who} failed.`;
      }
    },
    /** What is done about it. @param {Incident} incident */
    after: ({ action }) => {
      switch (action.type) {
        case "retry": return strings.incident.again(Math.ceil(action.wait_ms / 1000));
        case "next_model": return `${action.model} takes over.`;
        case "shorten": return "The conversation was shortened. Trying again.";
        case "more_output": return "Trying again with more room.";
        case "without_model": return "The answer is put together from the sources, without the model.";
        default: return "";
      }
    },
    /** The service's own words, as a sentence. @param {Incident} incident */
    said: ({ kind, said }) => {
      const words = said && /[\p{L}\p{N})]$/u.test(said) ? `${said}.` : said;
      switch (words ? kind : "") {
        case "rejected": case "search_failed": case "unreachable": return words;
        case "rate_limited": case "server_error": case "key_refused": case "no_balance": return `It said: ${words}`;
        default: return "";
      }
    },
    /** All of it. @param {Incident} incident */
    line: (incident) => [strings.incident.sentence(incident), strings.incident.after(incident), strings.incident.said(incident)].filter(Boolean).join(" "),
  },
  keysLocked: "The key file is locked.",
  unlock: "Enter its passphrase",
  justNow: "just now",
  /** @param {number} minutes */
  minutesAgo: (minutes) => `${minutes} min ago`,
  /** @param {number} hours */
  hoursAgo: (hours) => (hours === 1 ? "1 hour ago" : `${hours} hours ago`),
  /** @param {number} days */
  daysAgo: (days) => (days === 1 ? "yesterday" : `${days} days ago`),
  /** Said aloud by screen readers. @param {TurnState} state */
  ended: (state) => ({ running: "", answered: "The answer is ready.", partial: "A partial answer is ready.", nothing_found: "Nothing was found.", cancelled: "Stopped.", failed: "This question could not be answered.", interrupted: "Interrupted." })[state],
  /** @param {Imported} done */
  imported: (done) => [`${done.threads} ${done.threads === 1 ? "thread" : "threads"} imported`, done.items > 0 ? `${done.items} other ${done.items === 1 ? "item" : "items"}` : "", done.known > 0 ? `${done.known} already present` : "", done.broken > 0 ? `${done.broken} broken ${done.broken === 1 ? "line" : "lines"} skipped` : ""].filter(Boolean).join(", "),
  /** @param {BrokenLines} refused */
  importRefused: ({ line, why, broken }) => `Line ${line} ${why}${broken > 1 ? ` (${broken} lines are broken in all)` : ""}. Nothing was imported.`,
  /** @param {number} others */
  importOthers: (others) => (others === 1 ? "Import the other thread" : `Import the other ${others} threads`),
  offered: "This question came with a link. Press Enter to ask it.",
  turn: { delete: "Delete this answer", deleted: "Answer deleted" },
  thread: {
    pin: "Pin", unpin: "Unpin", tags: "Tags", tagsHelp: "Separate tags with commas, for example: work, batteries",
    rename: "Rename", renameHelp: "Renames the thread in lists only.", export: "Export…", copyLink: "Copy link", copiedLink: "Link copied", delete: "Delete", deleted: "Thread deleted", undo: "Undo",
    keep: "Keep this thread", kept: "This thread is now kept in the library",
  },
  exporting: {
    title: "Export", go: "Export", format: "Format", style: "Citations", scope: "What", turn: "This answer", thread: "Whole thread", show: "Show",
    /** @type {Record<import("./protocol").CitationStyle, string>} */
    styles: { numbered: "Numbered: [1]", footnotes: "Footnotes", author_date: "Author and date: (Miller 2024)", apa: "APA", mla: "MLA", chicago: "Chicago" },
    /** @type {Record<Format, string>} */
    formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", docx: "Word", json: "JSON", bibtex: "BibTeX", ris: "RIS", csl_json: "CSL-JSON" },
    /** @type {Record<Format, string>} */
    help: { markdown: "Text with simple formatting, for notes and editors.", html: "One page for any browser, with the passages that support the answer.", pdf: "The same page in A4.", docx: "For Word and LibreOffice, with real headings, lists and footnotes.", json: "Everything, including the texts of sources. Nexi can import it again.", bibtex: "The cited sources, for LaTeX.", ris: "The cited sources, for EndNote, Mendeley and Zotero.", csl_json: "The cited sources, for Zotero and Pandoc." },
    /** @param {number} count @param {string} path */
    doneAll: (count, path) => `${count} files saved in ${path.split(/[\\/]/).at(-2)}`,
    /** @param {string} path */
    done: (path) => `Saved as ${path.split(/[\\/]/).at(-1)} in ${path.split(/[\\/]/).at(-2)}`,
  },
  selection: {
    title: "Chosen threads", export: "Export…", tag: "Tag…", delete: "Delete", none: "Clear", tagHelp: "Separated by commas. Tags that are there stay.",
    /** @param {number} count */ count: (count) => `${count} chosen`,
    /** @param {number} count */ tagTitle: (count) => (count === 1 ? "Tag 1 thread" : `Tag ${count} threads`),
    /** @param {number} count */ deleted: (count) => (count === 1 ? "1 thread deleted" : `${count} threads deleted`),
    /** @param {string} title */ choose: (title) => `Choose: ${title}`,
  },
  library: {
    title: "Library", placeholder: "Search questions, answers and sources", site: "site, e.g. nature.com", when: "When",
    anyTime: "Any time", today: "Today", week: "Past 7 days", month: "Past month", year: "Past year", anyEffort: "Any effort", anyMode: "Quick and deep", anyTag: "Any tag", tags: "Tags", pinned: "Pinned",
    saved: {
      title: "Saved searches", save: "Save this search", help: "The name it is kept under.", removed: "Search removed",
      /** @param {string} name */ remove: (name) => `Remove the search ${name}`,
    },
    nothing: "No matches. Use fewer words or remove a filter.", empty: "Nothing here yet. The questions you ask are kept here.",
    /** @param {number} count */
    found: (count) => (count === 1 ? "1 thread" : `${count} threads`),
    /** @param {number} count */
    firstOf: (count) => `The first ${count} threads; scroll for more`,
    /** @param {number} count */
    sources: (count) => (count === 1 ? "1 source" : `${count} sources`),
    /** @param {number} count */
    turns: (count) => (count === 1 ? "1 question" : `${count} questions`),
    deleted: {
      title: "Recently deleted", about: "Gone for good after 30 days.", none: "Nothing was deleted in the last 30 days.", answer: "a single answer", restore: "Restore", open: "Open",
      forget: "Delete for good", keep: "Keep", sure: "This cannot be undone",
      forgetAll: (/** @type {number} */ count) => `Delete all ${count} for good`,
      left: (/** @type {number} */ days) => (days === 1 ? "1 day left" : `${days} days left`),
      restored: (/** @type {string} */ title) => `“${title}” is back`,
    },
  },
  help: {
    title: "Help", chapters: "Chapters of the handbook",
    /** @type {Record<string, string>} */
    pictures: { research: "The research window with an answer and its sources", popup: "The popup with an answer", library: "The library with a search" },
  },
  palette: {
    title: "Search or do anything", placeholder: "Search threads and documents, or type a command", nothing: "Nothing found. Press Ctrl Enter to ask it as a question.",
    groups: { threads: "Threads", documents: "Documents", actions: "Actions", models: "Models", settings: "Settings" },
    askFile: "Ask about it", useModel: "Use this model", inText: "in the text", ofAnswer: "this answer", ofThread: "this thread",
    /** @param {string} question */
    ask: (question) => `Ask “${question}” in a new thread`,
    newQuestion: "New question", newPrivate: "New private thread", library: "Library", documents: "Documents", help: "Help", shortcuts: "Shortcuts", model: "Choose a model…", setup: "Connect a model…",
    settings: "Settings", copy: "Copy the answer with its sources", export: "Export the answer…", exportThread: "Export the thread…", retry: "Ask the last question again", stop: "Stop", deep: "Switch to deep research", quick: "Switch to a quick answer", first: "Go to the first citation",
  },
  keysTitle: "Shortcuts",
  /** @param {string} hotkey @returns {[string, string][]} */
  shortcuts: (hotkey) => [
    [hotkey, "Open or close the popup from any program"],
    ["/", "Go to the question field"],
    ["Enter", "Ask"],
    ["Shift Enter", "New line"],
    ["Ctrl N", "New question"],
    ["Ctrl Shift N", "New private thread"],
    ["Ctrl K", "Search threads, documents, actions and models"],
    ["Ctrl L", "Library"],
    ["Ctrl D", "Documents"],
    ["Ctrl M", "Choose a model"],
    ["Ctrl Shift M", "Connect a model"],
    ["Ctrl Shift D", "Deep research or a quick answer"],
    ["Ctrl .", "Stop"],
    ["Esc", "From the question field to the answer; then:"],
    ["J, K", "Next and previous question"],
    ["F", "First citation of the answer; Alt F from anywhere"],
    ["C", "Copy the answer with its sources"],
    ["E", "Export the answer; Shift E exports the thread"],
    ["R", "Ask the last question again"],
    ["Alt 1…9", "Open a source by its number"],
    ["#", "Remember what follows, instead of asking"],
    ["@", "Attach a document, folder, past question or site"],
    ["N, P", "Next and previous passage in the reader"],
    ["Ctrl ,", "Settings"],
    ["Tab", "Go to the next citation, source or button"],
    ["Enter", "On a citation or source: open it at its passage"],
    ["Esc", "Close"],
    ["F1", "Help"],
    ["?", "This list"],
  ],
  popup: {
    placeholder: "Ask anything", keyEnter: "Ask", keyDeep: "Deep", keyExpand: "Open in window", keyCopy: "Copy with sources", keySource: "Open source", keyStop: "Stop", keyClear: "Clear", keyHide: "Close", pin: "Keep open", pinHelp: "Keep the popup open while you use other windows",
    clipboard: "From the clipboard", remove: "Remove", use: "Sent with your question",
    /** @param {string} question @param {string} material */
    withMaterial: (question, material) => `${question}\n\n${material}`,
  },
  menu: "Threads",
  stepsOf: "Steps of the run",
  untitled: "Untitled",
};
