// What a run did: one line of counts, and below it the steps.

/** @import { TurnModel } from "../reduce" */
/** @import { Page, Step } from "../reduce-steps" */
/** @import { DeepModel } from "../reduce-deep" */

import { h } from "../dom.js";
import { cost, seconds, thousands, tokens } from "../format.js";
import { percent } from "../reduce-deep.js";
import { counts, elapsed } from "../reduce.js";
import { contextLine, pagesRead, roundLine } from "../sentences.js";
import { strings } from "../strings.js";
import { callTag, callsTitle } from "./call.js";

const long = strings.summary;
const tools = strings.tools;

/**
 * The board of a deep run is not among it; whoever shows this shows that below.
 * @param {TurnModel} turn @param {boolean} open @param {() => void} toggle @returns {HTMLElement}
 */
export function steps(turn, open, toggle) {
  const parts = summary(turn);
  const time = seconds(elapsed(turn, performance.now()));
  const missing = unanswered(turn);
  const line = parts
    .slice(1)
    .flatMap((part) => [
      h("span", { class: "separator", "aria-hidden": "true" }, "·"),
      h("span", { class: part === missing ? "missing" : part !== time ? "" : turn.state === "running" ? "time live" : "time" }, part),
    ]);
  const hasSteps = turn.deep
    ? turn.deep.plan !== null || turn.steps.length > 0
    : turn.steps.some(
        (step) =>
          step.searches.length + step.pages.length + step.calls.length + step.notices.length + step.reasoning.length > 0 || step.compacted,
      );
  const head = h(
    "button",
    { class: "sum", type: "button", "aria-expanded": open && hasSteps ? "true" : "false", onclick: toggle },
    h("b", {}, parts[0]),
    ...line,
    hasSteps ? h("span", { class: "turner", "aria-hidden": "true" }, open ? "▾" : "▸") : null,
  );
  return h(
    "div",
    { class: "steps" },
    head,
    open && hasSteps && (!turn.deep || turn.steps.length > 0) ? timeline(turn.steps, turn.state === "running" && !turn.deep) : null,
  );
}

/** The words of the first line: what is going on, then the counts. @param {TurnModel} turn */
export function summary(turn) {
  const sums = counts(turn);
  const parts = [now(turn, sums)];
  if (turn.unanswered.length > 0) parts.push(unanswered(turn));
  if (turn.deep) parts.push(...far(turn.deep, turn.state === "running"));
  if (sums.pages > 0 && !sums.reading) parts.push(`${strings.window.read} ${pagesRead(sums.read, sums.pages)}`);
  if (sums.pages > 0 && sums.reading) parts.push(pagesRead(sums.read, sums.pages));
  if (sums.searches > 0) {
    const failed = sums.failedSearches > 0 ? ` (${strings.window.failedSearches({ count: sums.failedSearches })})` : "";
    parts.push(`${strings.window.searches({ count: sums.searches })}${failed}, ${strings.window.results({ count: sums.results })}`);
  }
  parts.push(seconds(elapsed(turn, performance.now())));
  if (turn.tokens > 0) parts.push(tokens(turn.tokens));
  if (turn.cost > 0) parts.push(cost(turn.cost));
  if (turn.state === "running" && turn.context > 0) parts.push(contextLine(turn.context, turn.maxContext));
  return parts;
}

/** The services that gave nothing: the others' results say nothing of it. @param {TurnModel} turn */
const unanswered = (turn) => strings.window.unanswered({ services: turn.unanswered.join(", ") });

/** @param {TurnModel} turn @param {ReturnType<typeof counts>} sums @returns {string} */
function now(turn, sums) {
  if (turn.state !== "running") return strings.window.states[turn.state];
  if (turn.indexing) return strings.window.indexing({ done: turn.indexing.done, total: turn.indexing.total });
  if (turn.summarising > 0) return long.summarising({ turns: turn.summarising });
  if (turn.checking > 0) return strings.window.checking({ count: turn.checking });
  if (turn.forms.length > 0 || turn.held.some((one) => one.waits)) return tools.waiting;
  if (turn.deep) return strings.deep.phases[turn.deep.phase];
  if (sums.reading) return strings.window.reading;
  if (sums.searching) return strings.window.searching;
  if (turn.steps.some((step) => step.calls.some((call) => call.state === "running"))) return tools.using;
  if (turn.blocks.length > 0) return strings.window.writing;
  return turn.steps.length === 0 ? strings.window.starting : strings.window.thinking;
}

/** How far a deep run is, and who is at work. @param {DeepModel} deep @param {boolean} running */
function far(deep, running) {
  const at = percent(deep);
  const out = [];
  if (running && deep.progress) out.push(deep.progress.exploring ? strings.deep.exploring : `${at} %`);
  if (deep.round > 0) out.push(roundLine(deep.round, deep.plan?.target_rounds ?? deep.round, running));
  if (deep.researchers.length > 0) out.push(strings.deep.researchers({ count: deep.researchers.length }));
  return out;
}

/** @param {Step[]} list @param {boolean} running */
export function timeline(list, running) {
  /** @type {HTMLElement[]} */
  const items = [];
  for (const step of list) items.push(...stepItems(step));
  const last = items[items.length - 1];
  if (running && last) last.classList.add("now");
  return h("ol", { class: "line", "aria-label": strings.window.stepsOf }, ...items);
}

/** @param {Step} step @returns {HTMLElement[]} */
function stepItems(step) {
  const out = [];
  if (step.reasoning.trim()) {
    out.push(
      h(
        "li",
        {},
        h(
          "details",
          { class: "reasoning", "data-step": String(step.step) },
          h("summary", {}, strings.window.reasoning),
          h("p", { dir: "auto" }, step.reasoning.trim()),
        ),
      ),
    );
  }
  if (step.searches.length > 0) {
    const done = step.searches.every((search) => search.done);
    const tools = [...new Set(step.searches.map((search) => search.tool))]
      .filter((tool) => tool !== "web")
      .map((tool) => strings.window.tools[tool]);
    out.push(
      h(
        "li",
        {},
        `${done ? strings.window.searched : strings.window.searching}${tools.length > 0 ? ` ${tools.join(", ")}` : ""}${step.range ? ` ${strings.window.ranges[step.range]}` : ""}`,
        h(
          "div",
          { class: "tags" },
          ...step.searches.map((search) =>
            h(
              "span",
              { class: search.error ? "tag failed" : "tag", title: search.error ?? search.backend },
              h("span", {}, search.done ? `${search.query} · ${search.count > 0 ? search.count : strings.window.noResults}` : search.query),
            ),
          ),
        ),
      ),
    );
  }
  if (step.pages.length > 0) {
    const read = step.pages.filter((page) => page.state === "read").length;
    const reading = step.pages.some((page) => page.state === "reading");
    const title =
      step.step === 0 && !reading
        ? strings.attach.given
        : `${reading ? strings.window.reading : strings.window.read} ${pagesRead(read, step.pages.length)}`;
    out.push(h("li", {}, title, h("div", { class: "tags" }, ...step.pages.map(page))));
  }
  if (step.calls.length > 0) out.push(h("li", {}, callsTitle(step.calls), h("div", { class: "tags" }, ...step.calls.map(callTag))));
  if (step.compacted)
    out.push(h("li", {}, strings.window.compacted({ before: thousands(step.compacted.before), after: thousands(step.compacted.after) })));
  for (const notice of step.notices) out.push(h("li", {}, notice));
  return out;
}

/** @param {Page} item */
function page(item) {
  const letter = [...(item.title || item.url)][0] ?? "?";
  return h(
    "span",
    {
      class: item.state === "failed" ? "tag failed" : "tag",
      title: item.reason ?? (item.extracted ? `${item.url} (${strings.window.extracted})` : item.url),
    },
    h("span", { class: "letter", "aria-hidden": "true" }, letter),
    h("span", {}, item.title),
  );
}
