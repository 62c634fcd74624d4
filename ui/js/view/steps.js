// What a run did: one line of counts, and below it the steps.

/** @import { TurnModel } from "../reduce" */
/** @import { Page, Step } from "../reduce-steps" */
/** @import { DeepModel } from "../reduce-deep" */

import { h } from "../dom.js";
import { counts, elapsed } from "../reduce.js";
import { percent } from "../reduce-deep.js";
import { strings } from "../strings.js";
import { long } from "../strings-thread.js";
import { tools } from "../strings-tools.js";
import { callTag, callsTitle } from "./call.js";

/**
 * The board of a deep run is not among it; whoever shows this shows that below.
 * @param {TurnModel} turn @param {boolean} open @param {() => void} toggle @returns {HTMLElement}
 */
export function steps(turn, open, toggle) {
  const parts = summary(turn);
  const time = strings.seconds(elapsed(turn, performance.now()));
  const line = parts.slice(1).flatMap((part) => [h("span", { class: "separator", "aria-hidden": "true" }, "·"), h("span", { class: part !== time ? "" : turn.state === "running" ? "time live" : "time" }, part)]);
  const hasSteps = turn.deep ? turn.deep.plan !== null || turn.steps.length > 0 : turn.steps.some((step) => step.searches.length + step.pages.length + step.calls.length + step.notices.length + step.reasoning.length > 0 || step.compacted);
  const head = h("button", { class: "sum", type: "button", "aria-expanded": open && hasSteps ? "true" : "false", onclick: toggle },
    h("b", {}, parts[0]), ...line, hasSteps ? h("span", { class: "turner", "aria-hidden": "true" }, open ? "▾" : "▸") : null);
  return h("div", { class: "steps" }, head, open && hasSteps && (!turn.deep || turn.steps.length > 0) ? timeline(turn.steps, turn.state === "running" && !turn.deep) : null);
}

/** The words of the first line: what is going on, then the counts. @param {TurnModel} turn */
export function summary(turn) {
  const sums = counts(turn);
  const parts = [now(turn, sums)];
  if (turn.deep) parts.push(...far(turn.deep, turn.state === "running"));
  if (sums.pages > 0 && !sums.reading) parts.push(`${strings.read} ${strings.pages(sums.read, sums.pages)}`);
  if (sums.pages > 0 && sums.reading) parts.push(strings.pages(sums.read, sums.pages));
  if (sums.searches > 0) parts.push(`${strings.searches(sums.searches)}, ${strings.results(sums.results)}`);
  parts.push(strings.seconds(elapsed(turn, performance.now())));
  if (turn.tokens > 0) parts.push(strings.tokens(turn.tokens));
  if (turn.cost > 0) parts.push(strings.cost(turn.cost));
  if (turn.state === "running" && turn.context > 0) parts.push(strings.context(turn.context, turn.maxContext));
  return parts;
}

/** @param {TurnModel} turn @param {ReturnType<typeof counts>} sums @returns {string} */
function now(turn, sums) {
  if (turn.state !== "running") return strings[turn.state];
  if (turn.indexing) return strings.indexing(turn.indexing.done, turn.indexing.total);
  if (turn.summarising > 0) return long.summarising(turn.summarising);
  if (turn.checking > 0) return strings.checking(turn.checking);
  if (turn.forms.length > 0 || turn.held.some((one) => one.waits)) return tools.waiting;
  if (turn.deep) return strings.deep.phases[turn.deep.phase];
  if (sums.reading) return strings.reading;
  if (sums.searching) return strings.searching;
  if (turn.steps.some((step) => step.calls.some((call) => call.state === "running"))) return tools.using;
  if (turn.html) return strings.writing;
  return turn.steps.length === 0 ? strings.starting : strings.thinking;
}

/** How far a deep run is, and who is at work. @param {DeepModel} deep @param {boolean} running */
function far(deep, running) {
  const at = percent(deep);
  const out = [];
  if (running && deep.progress) out.push(deep.progress.exploring ? strings.deep.exploring : `${at} %`);
  if (deep.round > 0) out.push(strings.deep.round(deep.round, deep.plan?.target_rounds ?? deep.round, running));
  if (deep.researchers.length > 0) out.push(strings.deep.researchers(deep.researchers.length));
  return out;
}

/** @param {Step[]} list @param {boolean} running */
export function timeline(list, running) {
  /** @type {HTMLElement[]} */
  const items = [];
  for (const step of list) items.push(...stepItems(step));
  const last = items[items.length - 1];
  if (running && last) last.classList.add("now");
  return h("ol", { class: "line", "aria-label": strings.stepsOf }, ...items);
}

/** @param {Step} step @returns {HTMLElement[]} */
function stepItems(step) {
  const out = [];
  if (step.reasoning.trim()) {
    out.push(h("li", {}, h("details", { class: "reasoning", "data-step": String(step.step) }, h("summary", {}, strings.reasoning), h("p", { dir: "auto" }, step.reasoning.trim()))));
  }
  if (step.searches.length > 0) {
    const done = step.searches.every((search) => search.done);
    const tools = [...new Set(step.searches.map((search) => search.tool))].filter((tool) => tool !== "web").map((tool) => strings.tools[tool]);
    out.push(h("li", {}, `${done ? strings.searched : strings.searching}${tools.length > 0 ? ` ${tools.join(", ")}` : ""}${step.range ? ` ${strings.ranges[step.range]}` : ""}`, h("div", { class: "tags" },
      ...step.searches.map((search) => h("span", { class: search.error ? "tag failed" : "tag", title: search.error ?? search.backend },
        h("span", {}, search.done ? `${search.query} · ${search.count > 0 ? search.count : strings.noResults}` : search.query))))));
  }
  if (step.pages.length > 0) {
    const read = step.pages.filter((page) => page.state === "read").length;
    const reading = step.pages.some((page) => page.state === "reading");
    const title = step.step === 0 && !reading ? strings.attach.given : `${reading ? strings.reading : strings.read} ${strings.pages(read, step.pages.length)}`;
    out.push(h("li", {}, title,
      h("div", { class: "tags" }, ...step.pages.map(page))));
  }
  if (step.calls.length > 0) out.push(h("li", {}, callsTitle(step.calls), h("div", { class: "tags" }, ...step.calls.map(callTag))));
  if (step.compacted) out.push(h("li", {}, strings.compacted(step.compacted.before, step.compacted.after)));
  for (const notice of step.notices) out.push(h("li", {}, notice));
  return out;
}

/** @param {Page} item */
function page(item) {
  const letter = [...(item.title || item.url)][0] ?? "?";
  return h("span", { class: item.state === "failed" ? "tag failed" : "tag", title: item.reason ?? (item.extracted ? `${item.url} (${strings.extracted})` : item.url) },
    h("span", { class: "letter", "aria-hidden": "true" }, letter), h("span", {}, item.title));
}
