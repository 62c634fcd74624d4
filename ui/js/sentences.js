// Sentences that several messages make together, and messages that depend on more than a number.

/** @import { Backup, Cause, EndReason, ModelError, Notice, Reasons, BrokenLines, CheckOutcome, Delivery, Imported, Incident, LocalModel, Method, PassagePlace, Place, RemoteFolder, Schedule, ToolCause, TurnState } from "./protocol" */

import { clock, dollars, listed, megabytes, roughDollars, thousands } from "./format.js";
import { strings } from "./strings.js";

const said = strings.window;

/** What turns are kept under that no model answered. */
const BUILTIN = "Built-in researcher";

/** A model as people read it. @param {string} label as turns keep it */
export const modelName = (label) => (label === BUILTIN ? strings.window.builtinName : label);

/** The name that commands have in place of a tool server's. */
export const COMMANDS = "command";

/** Why a command did nothing: a code of ours with what belongs to it, or what Tauri itself says. @param {unknown} refusal @returns {string} */
export function refusalLine(refusal) {
  const { code, params } = /** @type {{ code?: string, params?: object }} */ (refusal ?? {});
  return code === undefined ? String(refusal) : coded(strings.refusals.why, { code, ...params });
}

/** Why there is no new version to be had. @param {import("./protocol").UpdateFailure} failure @returns {string} */
export const updateFailureLine = (failure) => {
  const { code, params } = /** @type {{ code: string, params?: object }} */ (failure);
  return coded(strings.updates.why, { code, ...params });
};

/** A message by its code: the fields of what has the code are filled in. @param {object} messages @param {{ code: string, [field: string]: unknown }} fields @returns {string} */
function coded(messages, fields) {
  const message = /** @type {Record<string, string | ((given: any) => string)>} */ (messages)[fields.code];
  return typeof message === "function" ? message(fields) : (message ?? fields.code);
}

/** A time that a service takes or wants. @param {number} seconds */
function waitingTime(seconds) {
  const words = strings.failures.time;
  if (seconds <= 180) return words.seconds({ count: Math.max(seconds, 1) });
  if (seconds <= 7200) return words.minutes({ count: Math.ceil(seconds / 60) });
  return seconds <= 172_800 ? words.hours({ count: Math.ceil(seconds / 3600) }) : words.days;
}

/** A service's words as a sentence. @param {string} words */
const ended = (words) => words.trimEnd().replace(/[^.!?…:"”]$/u, "$&.");

/** What went wrong with a model, and what to do about it. @param {ModelError} error */
export function modelErrorLine(error) {
  const fields = /** @type {Record<string, any>} */ (error);
  const wait = fields.retry_after ?? fields.after;
  const told = coded(strings.failures.model, {
    ...fields,
    code: error.kind,
    window: fields.window ?? 0,
    message: fields.why ? coded(strings.failures.reply, { code: fields.why }) : ended(fields.message ?? ""),
    waits: Boolean(wait),
    time: wait ? waitingTime(wait.secs) : "",
  });
  return fields.said ? `${told} ${strings.incident.itSaid({ words: ended(fields.said) })}` : told;
}

/** @param {EndReason} reason */
function reasonSentence(reason) {
  switch (reason.code) {
    case "model_failed":
      return reason.error ? modelErrorLine(reason.error) : reason.message;
    case "cost_limit":
      return strings.reasons.why.cost_limit({ cost: roughDollars(reason.millionths) });
    case "unread_attachments":
      if (!reason.causes?.length)
        return strings.reasons.why.unread_attachments({ count: reason.names.length, names: listed(reason.names) });
      return [...reason.causes.map((cause) => ended(causeLine(cause))), strings.reasons.notRestingOn({ count: reason.causes.length })].join(
        " ",
      );
    case "taken_over":
      return strings.reasons.why.taken_over({
        why: reason.error ? modelErrorLine(reason.error) : reason.why,
        model: modelName(reason.model),
      });
    default:
      return coded(strings.reasons.why, reason);
  }
}

/** Why a run ended as it did; empty where there is nothing to tell. @param {Reasons | undefined} reasons */
export const reasonLine = (reasons) => (reasons ?? []).map(reasonSentence).filter(Boolean).join(" ");

/** What has to be known although a run goes on. @param {Notice} notice */
export const noticeLine = (notice) =>
  notice.code === "next_model"
    ? strings.notices.what.next_model({ why: notice.why, model: modelName(notice.model) })
    : coded(strings.notices.what, notice);

/** Why something of the web failed. @param {Cause} cause @returns {string} */
export function causeLine(cause) {
  const messages = strings.causes.what;
  switch (cause.code) {
    case "all":
      return cause.causes.map((one) => ended(causeLine(one))).join(" ");
    case "saying":
      return `${causeLine(cause.cause)} ${strings.incident.itSaid({ words: cause.said })}`;
    case "again_in": {
      const { seconds } = cause;
      const words = strings.causes.time;
      const time = seconds < 100 ? words.seconds({ count: seconds }) : words.minutes({ count: Math.ceil(seconds / 60) });
      return messages.again_in({ cause: causeLine(cause.cause), time });
    }
    case "of_service":
    case "file_unfetched":
    case "unread":
      return coded(messages, { ...cause, cause: causeLine(cause.cause) });
    case "tool":
      return toolLine(cause.why);
    case "sign_in":
      return coded(strings.causes.signIn, cause.why);
    case "container":
      return coded(strings.causes.container, cause.why);
    case "own":
      return coded(strings.causes.own, cause.why);
    case "database":
      return coded(strings.causes.database, cause.why);
    case "limited":
      return cause.seconds === null ? coded(messages, cause) : messages.limited_for({ service: cause.service, seconds: cause.seconds });
    default:
      return coded(messages, cause);
  }
}

/** Why a tool could not be called. @param {ToolCause} why @returns {string} */
function toolLine(why) {
  const filled = "seconds" in why ? { ...why, time: strings.causes.seconds({ count: why.seconds }) } : why;
  return coded(strings.causes.tool, "exit" in filled ? { ...filled, exit: String(filled.exit) } : filled);
}

/** Why a page or a search failed: facts, or the sentence of an earlier version. @param {Cause | undefined} cause @param {string | undefined} sentence */
export const failureLine = (cause, sentence) => (cause ? causeLine(cause) : (sentence ?? null));

/** What went wrong. @param {Incident} incident */
export function incidentSentence({ kind, service, status, amount }) {
  return strings.incident.what[kind]({ service: service || strings.incident.theModel, status: status ?? 0, amount: amount ?? 0 });
}

/** What is done about it. @param {Incident} incident */
export function incidentAction({ action }) {
  switch (action.type) {
    case "retry":
      return strings.incident.again({ seconds: Math.ceil(action.wait_ms / 1000) });
    case "next_model":
      return strings.incident.action.next_model({ model: modelName(action.model) });
    case "shorten":
    case "more_output":
    case "without_model":
      return strings.incident.action[action.type];
    default:
      return "";
  }
}

/** The service's own words, as a sentence. @param {Incident} incident */
export function incidentWords({ kind, said: own, cause }) {
  if (kind === "search_failed" && cause) return ended(causeLine(cause));
  const words = own && ended(own);
  switch (words ? kind : "") {
    case "rejected":
    case "search_failed":
      return words ?? "";
    case "unreachable":
      return strings.incident.reason({ words: words ?? "" });
    case "rate_limited":
    case "server_error":
    case "key_refused":
    case "no_balance":
      return strings.incident.itSaid({ words: words ?? "" });
    default:
      return "";
  }
}

/** All of an incident. @param {Incident} incident */
export const incidentLine = (incident) =>
  [incidentSentence(incident), incidentAction(incident), incidentWords(incident)].filter(Boolean).join(" ");

/** How many statements are supported. @param {number} supported @param {number} all */
export function checkedLine(supported, all) {
  if (all === 1) return supported === 1 ? said.checked.oneSupported : said.checked.oneDoubtful;
  return supported === all ? said.checked.allSupported({ all }) : said.checked.some({ supported, all });
}

/** Parts of a list, each with how often it is, those that are not at all left out. @param {[(given: { count: number }) => string, number][]} parts */
const counted = (parts) => listed(parts.map(([part, count]) => count > 0 && part({ count })));

/** What is wrong with an answer. @param {{ partly: number, notSupported: number, contradicted: number, uncited: number, unknown: number }} found */
export const doubtfulLine = ({ partly, notSupported, contradicted, uncited, unknown }) =>
  counted([
    [said.doubtful.contradicted, contradicted],
    [said.doubtful.not_supported, notSupported],
    [said.doubtful.partly_supported, partly],
    [said.doubtful.uncited, uncited],
    [said.doubtful.unknown, unknown],
  ]);

/** What the second look changed. @param {{ corrected: number, recited: number, struck: number, confirmed: number }} found */
export const secondLookLine = ({ corrected, recited, struck, confirmed }) =>
  counted([
    [said.secondLook.corrected, corrected],
    [said.secondLook.recited, recited],
    [said.secondLook.struck, struck],
    [said.secondLook.confirmed, confirmed],
  ]);

/** How two answers compare. @param {Record<import("./protocol").Agreement, number>} found */
export function opinionLine(found) {
  const words = strings.opinion.counts;
  return `${counted([
    [words.agrees, found.agrees],
    [words.similar, found.similar],
    [words.differs, found.differs],
    [words.only_first, found.only_first],
    [words.only_second, found.only_second],
  ])}.`;
}

/** A doubtful statement among all of them. @param {number} at @param {number} all @param {string} label @param {string[]} missing */
export const doubtLine = (at, all, label, missing) =>
  missing.length > 0 ? said.doubt.missing({ at, all, label, words: listed(missing) }) : said.doubt.at({ at, all, label });

/** How old the newest source of an answer is. @param {string} date @param {number} days */
export function newestLine(date, days) {
  if (days < 2) return said.newest.today({ date });
  if (days < 61) return said.newest.days({ date, count: days });
  return days < 731
    ? said.newest.months({ date, count: Math.floor(days / 30) })
    : said.newest.years({ date, count: Math.floor(days / 365) });
}

/** How long ago a page was fetched. @param {number} ms */
export function fetchedLine(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return said.fetched.now;
  if (minutes < 60) return said.fetched.minutes({ count: minutes });
  return minutes < 48 * 60
    ? said.fetched.hours({ count: Math.floor(minutes / 60) })
    : said.fetched.days({ count: Math.floor(minutes / (24 * 60)) });
}

/** The name of the corpus that a document at this address is part of; null for others. @param {string} url @returns {string | null} */
export const corpusOf = (url) => {
  const found = /^nexi:\/\/corpus\/([^/]*)\//.exec(url);
  try {
    return found ? decodeURIComponent(found[1]) : null;
  } catch {
    return null;
  }
};

/** What a source is recognised by: its site, or what it is where it has none. @param {{ url: string, site: string }} source @returns {string} */
export function siteOf({ url, site }) {
  const own = strings.places.own;
  if (url.startsWith("nexi://text/")) return own.text;
  if (/^nexi:\/\/(private-)?thread\//.test(url)) return own.thread;
  const corpus = corpusOf(url);
  if (corpus !== null) return own.corpus({ file: site, corpus });
  const tool = /^nexi:\/\/(?:public-)?tool\/([^/]*)/.exec(url);
  return tool ? own.tool({ server: decodeURIComponent(tool[1]) }) : site;
}

/** Where in a document something stands. @param {Place} at @returns {string} */
export function placeName(at) {
  const where = strings.places.where;
  switch (at.type) {
    case "page":
    case "slide":
    case "paragraph":
    case "cell":
      return where[at.type]({ number: String(at.number) });
    case "section":
    case "chapter":
      return where.name({ name: at.name });
    case "row":
      return at.sheet === "" ? at.cells : `${at.sheet}!${at.cells}`;
    case "message":
      return at.name;
    case "time":
      return at.at;
  }
}

/** What part of a document a passage fills. @param {PassagePlace} at @returns {string} */
export function passagePlace({ from, to, place }) {
  const where = strings.places.where;
  if (!place) return from === to ? where.line({ number: String(from) }) : where.lines({ range: `${from}-${to}` });
  if (from === to) return placeName(place);
  switch (place.type) {
    case "page":
    case "slide":
    case "paragraph":
    case "cell":
      return where[/** @type {"pages"} */ (`${place.type}s`)]({ range: `${place.number}-${place.number + to - from}` });
    case "row":
      return where.from({ place: placeName(place) });
    default:
      return placeName(place);
  }
}

/** How many of the pages that were asked for were read. @param {number} read @param {number} count */
export const pagesRead = (read, count) => (read === count ? said.pages.all({ count }) : said.pages.some({ read, count }));

/** How full the context window is. @param {number} used @param {number} most */
export const contextLine = (used, most) => said.context({ used: Math.max(1, thousands(used)), most: thousands(most) });

/** Where a deep run is. @param {number} round @param {number} target @param {boolean} running */
export const roundLine = (round, target, running) =>
  running ? strings.deep.roundRunning({ round, target: Math.max(round, target) }) : strings.deep.rounds({ count: round });

/** How a report was made. @param {Method} method */
export const methodLine = ({ rounds, researchers, searches, pages, unread }) =>
  listed([
    strings.deep.rounds({ count: rounds }),
    strings.deep.researchers({ count: researchers }),
    strings.deep.searches({ count: searches }),
    strings.deep.pagesRead({ count: pages }),
    unread > 0 && strings.deep.unread({ count: unread }),
  ]);

/** Said aloud by screen readers. @param {TurnState} state */
export const endedLine = (state) => (state === "running" ? "" : said.ended[state]);

/** @param {Imported} done */
export const importedLine = ({ threads, items, known, broken }) =>
  listed([
    said.imported.threads({ count: threads }),
    items > 0 && said.imported.items({ count: items }),
    known > 0 && said.imported.known({ count: known }),
    broken > 0 && said.imported.broken({ count: broken }),
  ]);

/** @param {BrokenLines} refused */
export const importRefusedLine = ({ line, why, broken }) => said.importRefused({ line: String(line), why, broken });

/** How many threads and questions a backup holds. @param {Backup} backup */
export const backupLine = ({ name, threads, turns, bytes }) =>
  [
    name,
    listed([strings.settings.backupSize.threads({ count: threads }), strings.settings.backupSize.questions({ count: turns })]),
    megabytes(bytes, 1),
  ].join(" · ");

/** What folders hold that is not read. @param {number} hidden @param {number} ignored */
export const leftOutLine = (hidden, ignored) =>
  strings.settings.leftOut({
    files: counted([
      [strings.settings.leftOutFiles.hidden, hidden],
      [strings.settings.leftOutFiles.ignored, ignored],
    ]),
  });

/** How documents are found. @param {boolean} meaning @param {boolean} scans @param {number} waiting scanned pages */
export const documentsLine = (meaning, scans, waiting) =>
  [
    strings.documents.settings.meaning({ on: meaning }),
    strings.documents.settings.scans({ on: scans }),
    ...(waiting > 0 ? [strings.documents.settings.waiting({ count: waiting })] : []),
  ].join(" · ");

/** A model that finds by meaning on this computer. @param {LocalModel} model */
export const localModel = ({ name, multilingual, size }) =>
  strings.meaning.known({ name: name.slice("local/".length), multilingual, size: megabytes(size) });

/** What a folder would send to a service. @param {RemoteFolder} folder */
export const remoteSize = ({ passages, tokens, cost }) =>
  listed([strings.meaning.size({ passages, tokens }), cost !== null && strings.meaning.cost({ cost: dollars(cost, 2) })]);

/** The paces that are offered for a question, each as a schedule writes it. @type {[string, string][]} */
export const SCHEDULES = [
  ["6h", strings.watched.schedules.hours6],
  ["1d", strings.watched.schedules.day],
  ["1w", strings.watched.schedules.week],
  ["4w", strings.watched.schedules.weeks4],
];

/** How often a question is asked again. @param {Schedule} schedule */
export function paceLine({ minutes, at }) {
  const { hours, days, weeks, at: atTime } = strings.watched.pace;
  const count = minutes / 1440;
  const pace = minutes % 1440 !== 0 ? hours({ count: minutes / 60 }) : count % 7 === 0 ? weeks({ count: count / 7 }) : days({ count });
  return at === undefined ? pace : atTime({ pace, time: clock(at) });
}

/** What the last check of a watched question found. @param {CheckOutcome | null} outcome @param {string} when */
export function checkLine(outcome, when) {
  const words = strings.watched.last;
  switch (outcome?.type) {
    case undefined:
      return words.never;
    case "first":
      return words.first({ when });
    case "unchanged":
      return words.unchanged({ when });
    case "changed":
      return words.changed({ when, count: outcome.statements });
    case "not_checked":
      return words.failed({ when, message: outcome.message });
  }
}

/** What came of a delivery. @param {Delivery} delivery @param {(ms: number) => string} moment */
export function deliveryLine({ outcome }, moment) {
  const words = strings.hooks;
  if (!outcome) return "";
  if (outcome.type === "delivered") return words.delivered;
  if (outcome.type === "gone") return words.gone;
  return outcome.again_ms === null
    ? words.failed({ message: outcome.message })
    : words.again({ message: outcome.message, when: moment(outcome.again_ms) });
}

/** A tool of a plan. @param {import("./protocol").PlannedTool} tool */
export const plannedTool = ({ tool, server, calls }) =>
  server === COMMANDS ? strings.tools.plan.command({ tool, calls }) : strings.tools.plan.tool({ tool, server, calls });

/** What a number in a form may be. @param {number | undefined} least @param {number | undefined} most */
export function rangeLine(least, most) {
  const words = strings.tools.form;
  if (least !== undefined && most !== undefined) return words.fromTo({ least: String(least), most: String(most) });
  if (least !== undefined) return words.atLeast({ least: String(least) });
  return most === undefined ? "" : words.atMost({ most: String(most) });
}
