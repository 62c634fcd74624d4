// A deep run as it goes on: how far it is, the plan, and a board of its researchers.

/** @import { Plan, ResearcherId, TurnId } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @import { Researcher } from "../reduce-deep" */

import { cleanedNodes, h } from "../dom.js";
import { counts } from "../reduce.js";
import { percent } from "../reduce-deep.js";
import { strings } from "../strings.js";
import { planEditor } from "./plan.js";
import { timeline } from "./steps.js";

/**
 * @typedef {{
 *   finishNow: (turn: TurnId) => void, stopResearcher: (turn: TurnId, researcher: ResearcherId) => void, stop: () => void,
 *   approve: (turn: TurnId, plan: Plan) => Promise<boolean>, report: (turn: TurnId, researcher: ResearcherId) => Promise<string | null>,
 * }} BoardActions
 */

const words = strings.deep;

/** Reports that were fetched, by turn and researcher: a board is drawn anew while it is read. @type {Map<string, string>} */
const reports = new Map();

/** @param {TurnModel} turn @param {BoardActions | null} actions @returns {HTMLElement} */
export function board(turn, actions) {
  const deep = turn.deep;
  if (!deep) return h("div");
  const running = turn.state === "running";
  const rounds = [...new Set(deep.researchers.map((researcher) => Number(researcher.id.split(".")[0])))];
  return h("div", { class: "board" },
    running && deep.progress ? bar(turn) : null,
    deep.waits && deep.plan && actions && running ? planEditor(turn.id, deep.plan, actions) : null,
    ...rounds.flatMap((round) => [
      rounds.length > 1 ? h("p", { class: "round" }, words.roundTitle(round)) : null,
      h("ul", { class: "cards" }, ...deep.researchers.filter((researcher) => researcher.id.startsWith(`${round}.`)).map((researcher) => card(turn, researcher, actions))),
    ]),
    ...deep.notices.map((notice) => h("p", { class: "said-by-run" }, notice)),
    running && actions && deep.researchers.length > 0 && deep.phase !== "synthesizing"
      ? h("div", { class: "board-acts" }, h("button", { type: "button", class: "pill finish", title: words.finishTitle, onclick: () => actions.finishNow(turn.id) }, words.finish))
      : null);
}

/** @param {TurnModel} turn */
function bar(turn) {
  const at = turn.deep && percent(turn.deep);
  const fill = h("span", { class: at === null ? "fill unknown" : "fill" });
  if (at !== null) fill.style.inlineSize = `${at}%`;
  return h("div", { class: "bar-of", role: "progressbar", "aria-label": words.progress, "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": at === null ? undefined : String(at) }, fill);
}

/** @param {TurnModel} turn @param {Researcher} researcher @param {BoardActions | null} actions */
function card(turn, researcher, actions) {
  const running = researcher.state === "running" && turn.state === "running";
  const sums = counts(researcher);
  const facts = [
    sums.searches > 0 ? strings.searches(sums.searches) : "",
    sums.pages > 0 ? strings.pages(sums.read, sums.pages) : "",
    researcher.tokens > 0 ? strings.tokens(researcher.tokens) : "",
    researcher.heard.length > 0 ? words.heard(researcher.heard) : "",
  ].filter(Boolean);
  const hasSteps = researcher.steps.some((step) => step.searches.length + step.pages.length > 0);
  return h("li", { class: running ? "researcher now" : `researcher ${researcher.state}`, "data-researcher": researcher.id },
    h("div", { class: "who" }, h("span", { class: "id", "aria-hidden": "true" }, researcher.id), h("b", { dir: "auto" }, researcher.task.title),
      running && actions ? h("button", { type: "button", class: "stop-one", "aria-label": `${strings.stop}: ${researcher.task.title}`, title: words.stopOne, onclick: () => actions.stopResearcher(turn.id, researcher.id) }, "×") : null),
    h("p", { class: "doing" }, doing(researcher, running)),
    facts.length > 0 ? h("p", { class: "facts" }, facts.join(" · ")) : null,
    researcher.reason && researcher.state !== "answered" ? h("p", { class: "why" }, sentence(researcher.reason)) : null,
    h("details", { "data-step": `goal-${researcher.id}` }, h("summary", {}, words.details),
      h("p", { class: "goal", dir: "auto" }, researcher.task.goal),
      hasSteps ? timeline(researcher.steps, running) : null,
      researcher.hasReport && actions ? report(turn.id, researcher.id, actions) : null));
}

/** The report of a researcher, fetched when it is wanted. @param {TurnId} turn @param {ResearcherId} id @param {BoardActions} actions */
function report(turn, id, actions) {
  const body = h("div", { class: "answer report", dir: "auto" });
  const key = `${turn} ${id}`;
  const show = () => body.replaceChildren(...cleanedNodes(reports.get(key) ?? "", () => {}));
  const element = /** @type {HTMLDetailsElement} */ (h("details", { "data-step": `report-${id}` }, h("summary", {}, words.report), body));
  element.addEventListener("toggle", async () => {
    if (!element.open || reports.has(key)) return;
    const html = await actions.report(turn, id);
    if (html === null) return;
    reports.set(key, html);
    show();
  });
  if (reports.has(key)) show();
  return element;
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What a researcher does now, in a few words. @param {Researcher} researcher @param {boolean} running */
function doing(researcher, running) {
  if (!running) return words.states[researcher.state];
  const step = researcher.steps[researcher.steps.length - 1];
  const search = step?.searches.find((candidate) => !candidate.done);
  if (search) return `${strings.searching}: ${search.query}`;
  const page = step?.pages.find((candidate) => candidate.state === "reading");
  if (page) return `${strings.reading}: ${page.title}`;
  return researcher.steps.length > 0 ? strings.thinking : strings.starting;
}
