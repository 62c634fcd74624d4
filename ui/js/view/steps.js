// What a run did: one line of counts, and below it the steps.

/** @import { Page, Step, TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { counts, elapsed } from "../reduce.js";
import { strings } from "../strings.js";

/** @param {TurnModel} turn @param {boolean} open @param {() => void} toggle @returns {HTMLElement} */
export function steps(turn, open, toggle) {
  const parts = summary(turn);
  const time = strings.seconds(elapsed(turn, performance.now()));
  const line = parts.slice(1).flatMap((part) => [h("span", { class: "separator", "aria-hidden": "true" }, "·"), h("span", { class: part === time ? "time" : "" }, part)]);
  const hasSteps = turn.steps.some((step) => step.searches.length + step.pages.length + step.notices.length + step.reasoning.length > 0 || step.compacted);
  const head = h("button", { class: "sum", type: "button", "aria-expanded": open && hasSteps ? "true" : "false", onclick: toggle },
    h("b", {}, parts[0]), ...line, hasSteps ? h("span", { class: "turner", "aria-hidden": "true" }, open ? "▾" : "▸") : null);
  return h("div", { class: "steps" }, head, open && hasSteps ? timeline(turn) : null);
}

/** The words of the first line: what is going on, then the counts. @param {TurnModel} turn */
export function summary(turn) {
  const sums = counts(turn);
  const parts = [now(turn, sums)];
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
  if (sums.reading) return strings.reading;
  if (sums.searching) return strings.searching;
  if (turn.html) return strings.writing;
  return turn.steps.length === 0 ? strings.starting : strings.thinking;
}

/** @param {TurnModel} turn */
function timeline(turn) {
  /** @type {HTMLElement[]} */
  const items = [];
  for (const step of turn.steps) items.push(...stepItems(step));
  const last = items[items.length - 1];
  if (turn.state === "running" && last) last.classList.add("now");
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
    out.push(h("li", {}, `${done ? strings.searched : strings.searching}${step.range ? ` ${strings.ranges[step.range]}` : ""}`, h("div", { class: "tags" },
      ...step.searches.map((search) => h("span", { class: search.error ? "tag failed" : "tag", title: search.error ?? search.backend },
        h("span", {}, search.done ? `${search.query} · ${search.count > 0 ? search.count : strings.noResults}` : search.query))))));
  }
  if (step.pages.length > 0) {
    const read = step.pages.filter((page) => page.state === "read").length;
    const reading = step.pages.some((page) => page.state === "reading");
    out.push(h("li", {}, `${reading ? strings.reading : strings.read} ${strings.pages(read, step.pages.length)}`,
      h("div", { class: "tags" }, ...step.pages.map(page))));
  }
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
