// What the window knows of turns: a pure fold over the protocol's events. The same event files are
// folded by the tests of this module and come from the Rust side.

/** @import { DeepModel } from "./reduce-deep" */
/** @import { Page, Step } from "./reduce-steps" */
/** @import { AnswerChange, Citation, Effort, Ending, Event, EventEnvelope, EarlierSummary, Form, HeldId, Incident, Mode, Outgoing, ResearcherId, SecondLook, SecondOpinion, Source, Statement, TurnId, TurnOutline, TurnState, TurnView, WatchMessage } from "./protocol" */

import { endDeep, newDeep, reduceDeep } from "./reduce-deep.js";
import { withStep } from "./reduce-steps.js";
import { incidentLine, noticeLine, reasonLine } from "./sentences.js";

/**
 * @typedef {{ id: number, form: Form }} OpenForm a form that a call waits for
 * @typedef {{ id: HeldId, what: Outgoing, waits: boolean }} Held what is held back because it could carry private text away, or calls a tool
 * @typedef {{
 *   id: TurnId, question: string, model: string, state: TurnState, reason: string | null, reasons: string[],
 *   steps: Step[], sources: Source[], citations: Citation[], statements: Statement[], checking: number, check: SecondLook | null, second: SecondOpinion | null, secondHtml: string, change: AnswerChange | null, blocks: string[], answer: string,
 *   elapsedMs: number, askedMs: number, seq: number, tokens: number, cost: number, context: number, maxContext: number, indexing: { done: number, total: number } | null, maxSteps: number,
 *   followUps: string[], clock: number | null, effort: Effort | null, unread: number | null, mode: Mode, deep: DeepModel | null,
 *   incident: Incident | null, incidentAt: number, unanswered: string[], ended: Incident | null,
 *   held: Held[], forms: OpenForm[], memories: string[],
 *   summary: EarlierSummary | null, summarising: number, summarised: boolean, filling: number,
 * }} TurnModel
 */

/** @param {TurnId} id @param {string} question @returns {TurnModel} */
export function newTurn(id, question) {
  return {
    id,
    question,
    model: "",
    state: "running",
    reason: null,
    reasons: [],
    steps: [],
    sources: [],
    citations: [],
    statements: [],
    checking: 0,
    check: null,
    second: null,
    secondHtml: "",
    change: null,
    blocks: [],
    answer: "",
    elapsedMs: 0,
    askedMs: 0,
    seq: -1,
    tokens: 0,
    cost: 0,
    context: 0,
    maxContext: 0,
    indexing: null,
    maxSteps: 0,
    followUps: [],
    clock: null,
    effort: null,
    unread: null,
    mode: "quick",
    deep: null,
    incident: null,
    incidentAt: 0,
    unanswered: [],
    ended: null,
    held: [],
    forms: [],
    memories: [],
    summary: null,
    summarising: 0,
    summarised: false,
    filling: 0,
  };
}

/** A turn of which only the question is known yet; `unread` is the length of its answer. @param {TurnOutline} outline @returns {TurnModel} */
export function fromOutline(outline) {
  return { ...newTurn(outline.id, outline.question), state: outline.state, unread: outline.length };
}

/** A turn as it was kept. @param {TurnView} view @returns {TurnModel} */
export function fromView({ turn, html, second_html }) {
  const model = turn.events.reduce(reduce, newTurn(turn.id, turn.question));
  return {
    ...withEnding(model, turn.ending),
    model: turn.model || model.model,
    blocks: html ? [html] : [],
    second: turn.second ?? null,
    secondHtml: second_html ?? "",
    change: turn.change ?? null,
    elapsedMs: turn.duration_ms,
    askedMs: turn.asked_ms,
    effort: turn.effort,
    mode: turn.mode,
  };
}

/** @param {TurnModel} turn @param {EventEnvelope} envelope @returns {TurnModel} */
export function reduce(turn, envelope) {
  // Two watchers of the same run bring every event twice.
  if (envelope.seq <= turn.seq) return turn;
  return { ...apply(turn, envelope), elapsedMs: envelope.elapsed_ms, seq: envelope.seq };
}

/**
 * Takes in what a watched run says. `now` is the reading of any clock that goes on in milliseconds.
 * @param {TurnModel} turn @param {WatchMessage} message @param {number} now @returns {TurnModel}
 */
export function take(turn, message, now) {
  const next = message.events.reduce(reduce, turn);
  return {
    ...next,
    blocks: message.answer ? [...next.blocks.slice(0, message.answer.keep), ...message.answer.blocks] : next.blocks,
    elapsedMs: Math.max(next.elapsedMs, message.elapsed_ms),
    clock: now - message.elapsed_ms,
  };
}

/** How long the run has been going on. @param {TurnModel} turn @param {number} now the same clock */
export function elapsed(turn, now) {
  return turn.state === "running" && turn.clock !== null ? Math.max(turn.elapsedMs, now - turn.clock) : turn.elapsedMs;
}

/** @param {TurnModel} turn @param {EventEnvelope} envelope @returns {TurnModel} */
function apply(turn, { event, elapsed_ms }) {
  // What was waited for is over as soon as anything else happens.
  if (turn.incident?.action.type === "retry" && event.type !== "incident")
    return apply({ ...turn, incident: null }, /** @type {EventEnvelope} */ ({ event, elapsed_ms }));
  // A service that fails or limits one researcher concerns the whole run.
  if (event.type === "researcher" && event.event.type === "incident")
    return apply(turn, /** @type {EventEnvelope} */ ({ event: event.event, elapsed_ms }));
  const changed = changeHeld(turn.held, event, null);
  if (changed !== turn.held) turn = { ...turn, held: changed };
  switch (event.type) {
    case "incident": {
      const { action, service } = event.incident;
      const failed = action.type === "others" && service && !turn.unanswered.includes(service);
      const unanswered = failed ? [...turn.unanswered, service] : turn.unanswered;
      const next = { ...turn, incident: event.incident, incidentAt: elapsed_ms, unanswered };
      const text = incidentLine(event.incident);
      if (turn.deep) return { ...next, deep: { ...turn.deep, notices: [...turn.deep.notices, text] } };
      return withStep(next, { type: "notice", notice: { code: "told", text } });
    }
    case "started": {
      const mode = event.mode ?? "quick";
      return {
        ...turn,
        question: event.question,
        model: event.model,
        maxSteps: event.max_steps,
        effort: event.effort,
        mode,
        memories: event.memories ?? [],
        deep: mode === "deep" ? newDeep() : null,
      };
    }
    case "indexing":
      return { ...turn, indexing: event.done < event.total ? { done: event.done, total: event.total } : null };
    case "step_started":
      return { ...withStep(turn, event), indexing: null, summarising: 0 };
    case "notice":
      return turn.deep
        ? { ...turn, deep: { ...turn.deep, notices: [...turn.deep.notices, noticeLine(event.notice)] } }
        : withStep(turn, event);
    case "sources":
      return { ...turn, sources: event.sources };
    case "usage":
      return {
        ...turn,
        tokens: event.usage.prompt + event.usage.completion,
        cost: event.usage.cost,
        context: event.context || turn.context,
        maxContext: event.max_context,
      };
    case "form_asked":
      return { ...turn, forms: [...turn.forms, { id: event.id, form: event.form }] };
    case "form_closed":
      return { ...turn, forms: turn.forms.filter((one) => one.id !== event.id) };
    case "summarising":
      return { ...turn, summarising: event.turns };
    case "summarised":
      return { ...turn, summarising: 0, summarised: true };
    case "thread_filling":
      return { ...turn, filling: event.percent };
    case "checking":
      return { ...turn, checking: event.statements };
    case "ended":
      return withEnding(turn, event.ending);
    default:
      // What was attached is read before there is a plan.
      if (turn.deep && "step" in event && event.step === 0) return withStep(turn, event);
      return turn.deep ? { ...turn, indexing: null, deep: reduceDeep(turn.deep, event) } : withStep(turn, event);
  }
}

/**
 * What is held back after this event, of whichever researcher; the list itself where that is the same.
 * @param {Held[]} held @param {Event} event @param {ResearcherId | null} researcher @returns {Held[]}
 */
function changeHeld(held, event, researcher) {
  if (event.type === "researcher") return changeHeld(held, event.event, event.researcher);
  if (event.type !== "held" && event.type !== "released") return held;
  const id = { ...(researcher ? { researcher } : {}), step: event.step, call: event.call, part: event.part };
  if (event.type === "held") return [...held, { id, what: event.what, waits: event.waits }];
  const same = (/** @type {Held} */ { id: one }) =>
    one.researcher === id.researcher && one.step === id.step && one.call === id.call && one.part === id.part;
  // What was let through is a search or a page like any other.
  return event.allowed ? held.filter((one) => !same(one)) : held.map((one) => (same(one) ? { ...one, waits: false } : one));
}

/** @param {TurnModel} turn @param {Ending} ending @returns {TurnModel} */
function withEnding(turn, ending) {
  return {
    ...turn,
    state: ending.state,
    forms: [],
    held: turn.held.some((one) => one.waits) ? turn.held.map((one) => ({ ...one, waits: false })) : turn.held,
    incident: null,
    ended: ending.incident ?? null,
    reason: reasonLine(ending.reason) || null,
    reasons: (ending.reason ?? []).map(({ code }) => code),
    answer: ending.answer,
    indexing: null,
    checking: 0,
    check: ending.check ?? null,
    sources: ending.sources,
    citations: ending.citations,
    statements: ending.statements ?? [],
    tokens: ending.usage.prompt + ending.usage.completion,
    cost: ending.usage.cost,
    model: ending.model ?? turn.model,
    followUps: ending.follow_ups ?? [],
    summary: ending.summary ?? null,
    summarising: 0,
    deep: turn.deep && endDeep(turn.deep, ending.method ?? null, ending.state),
  };
}

/**
 * How the statements were judged, and how new the newest cited source is.
 * @param {TurnModel} turn
 */
export function evidence(turn) {
  const known = turn.citations.filter((citation) => citation.known);
  /** @param {import("./protocol").Support} support */
  const count = (support) => turn.statements.filter((statement) => statement.support === support).length;
  const dates = turn.sources.filter((source) => source.cited && source.date).map((source) => /** @type {string} */ (source.date));
  return {
    all: turn.statements.length,
    supported: count("supported"),
    partly: count("partly_supported"),
    notSupported: count("not_supported"),
    contradicted: count("contradicted"),
    uncited: count("uncited"),
    secondLook: secondLook(turn),
    unknown: turn.citations.length - known.length,
    detected: known.filter((citation) => citation.detected).length,
    newest: dates.sort().at(-1) ?? null,
  };
}

/**
 * The statements that are not supported, or cite a source that does not exist, in the order of the answer.
 * @param {TurnModel} turn @returns {number[]}
 */
export function doubtful(turn) {
  return turn.statements.flatMap((statement, index) =>
    statement.support === "supported" && citationsOf(turn, statement).every((citation) => citation.known) ? [] : [index],
  );
}

/** The citations of a statement. @param {TurnModel} turn @param {import("./protocol").Statement} statement */
export function citationsOf(turn, statement) {
  return turn.citations.filter((citation) => citation.start >= statement.start && citation.start < statement.end);
}

/**
 * How far an answer can be trusted: `bad` where a source says otherwise or does not exist, `poor` where less than half of
 * the statements have support, `doubt` where some lack it, `good` where none does.
 * @param {ReturnType<typeof evidence>} found @returns {"bad" | "poor" | "doubt" | "good"}
 */
export function trustLevel(found) {
  if (found.contradicted + found.unknown > 0) return "bad";
  if (2 * (found.supported + found.partly) < found.all) return "poor";
  return found.supported < found.all ? "doubt" : "good";
}

/** How many statements a second look changed, by what it did. @param {TurnModel} turn */
function secondLook(turn) {
  /** @param {import("./protocol").CorrectionKind} kind */
  const count = (kind) => turn.check?.corrections.filter((correction) => correction.kind === kind).length ?? 0;
  return {
    corrected: count("corrected"),
    recited: count("recited"),
    struck: count("struck"),
    confirmed: turn.check?.confirmed ?? 0,
    failed: turn.check?.failed ?? false,
  };
}

/** One of each address, read if anybody could read it. @param {Page[]} pages @returns {Page[]} */
function unique(pages) {
  /** @type {Map<string, Page>} */
  const known = new Map();
  for (const page of pages) if (known.get(page.url)?.state !== "read") known.set(page.url, page);
  return [...known.values()];
}

/** Sums over all steps, of researchers too. @param {Pick<TurnModel, "steps"> & Partial<Pick<TurnModel, "deep">>} turn */
export function counts(turn) {
  const steps = [...turn.steps, ...(turn.deep?.researchers.flatMap((researcher) => researcher.steps) ?? [])];
  const searches = steps.flatMap((step) => step.searches);
  // What two researchers read is one page.
  const pages = turn.deep ? unique(steps.flatMap((step) => step.pages)) : steps.flatMap((step) => step.pages);
  return {
    searches: searches.length,
    failedSearches: searches.filter((search) => search.error).length,
    results: searches.reduce((sum, search) => sum + search.count, 0),
    pages: pages.length,
    read: pages.filter((page) => page.state === "read").length,
    failed: pages.filter((page) => page.state === "failed").length,
    reading: pages.some((page) => page.state === "reading"),
    searching: searches.some((search) => !search.done),
  };
}

/** Waits until a run that was stopped is over, or no longer shown. @param {() => TurnModel | null | undefined} turn */
export async function ended(turn) {
  const id = turn()?.id;
  while (turn()?.id === id && turn()?.state === "running") await new Promise((resolve) => setTimeout(resolve, 30));
}
