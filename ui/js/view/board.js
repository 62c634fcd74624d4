// A deep run as it goes on: how far it is, the plan, and a board of its researchers.

/** @import { Plan, ResearcherId, TurnId } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @import { Researcher } from "../reduce-deep" */

import { changes } from "../changes.js";
import { cleanedNodes, h, place, rewrite } from "../dom.js";
import { cost, listed, tokens } from "../format.js";
import { percent } from "../reduce-deep.js";
import { counts } from "../reduce.js";
import { pagesRead } from "../sentences.js";
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

/**
 * The board is made once and brought up to date in place: a button stays the same button while it is
 * pressed, and keeps the focus.
 * @param {BoardActions | null} actions what can be done; null where it is only shown
 */
export function boardView(actions) {
  const fill = h("span", { class: "fill" });
  const bar = h(
    "div",
    { class: "bar-of", role: "progressbar", "aria-label": words.progress, "aria-valuemin": "0", "aria-valuemax": "100" },
    fill,
  );
  const plan = h("div", { class: "plan-place" });
  const cards = h("ul", { class: "cards" });
  const notices = h("div", { class: "notices" });
  /** @type {TurnId} */
  let id = "";
  const finish = h(
    "button",
    { type: "button", class: "pill finish", title: words.finishTitle, onclick: () => actions?.finishNow(id) },
    words.finish,
  );
  const acts = h("div", { class: "board-acts" }, finish);
  const element = h("div", { class: "board" }, bar, plan, cards, notices, acts);
  /** @type {Map<string, ReturnType<typeof cardView>>} */
  const known = new Map();
  const planChanged = changes();

  /** @param {TurnModel} turn @param {boolean} open */
  function update(turn, open) {
    const deep = turn.deep;
    element.hidden = !open || !deep?.plan;
    if (!deep || element.hidden) return;
    id = turn.id;
    const running = turn.state === "running";
    const at = percent(deep);
    bar.hidden = !running || !deep.progress;
    fill.classList.toggle("unknown", at === null);
    fill.style.inlineSize = at === null ? "" : `${at}%`;
    if (at === null) bar.removeAttribute("aria-valuenow");
    else bar.setAttribute("aria-valuenow", String(at));
    const asked = deep.waits && running ? deep.plan : null;
    if (planChanged(asked)) plan.replaceChildren(...(asked && actions ? [planEditor(turn.id, asked, actions)] : []));
    const rounds = new Set(deep.researchers.map((researcher) => researcher.id.split(".")[0]));
    let round = "";
    /** @type {Node[]} */
    const wanted = [];
    for (const researcher of deep.researchers) {
      const own = researcher.id.split(".")[0];
      if (own !== round && rounds.size > 1) wanted.push(roundTitle(own));
      round = own;
      const card = known.get(researcher.id) ?? cardView(turn.id, researcher.id, actions);
      known.set(researcher.id, card);
      card.update(researcher, running);
      wanted.push(card.element);
    }
    place(cards, wanted);
    if (notices.childElementCount !== deep.notices.length)
      notices.replaceChildren(...deep.notices.map((notice) => h("p", { class: "said-by-run" }, notice)));
    acts.hidden = !(running && actions && deep.researchers.length > 0 && deep.phase !== "synthesizing");
  }

  /** @param {string} round */
  function roundTitle(round) {
    return (
      cards.querySelector(`[data-round="${round}"]`) ??
      h("li", { class: "round", "data-round": round }, words.roundTitle({ round: Number(round) }))
    );
  }

  return { element, update };
}

/** One researcher. @param {TurnId} turn @param {ResearcherId} id @param {BoardActions | null} actions */
function cardView(turn, id, actions) {
  const title = h("b", { dir: "auto" });
  const stop = h(
    "button",
    { type: "button", class: "stop-one", title: words.stopOne, onclick: () => actions?.stopResearcher(turn, id) },
    "×",
  );
  const doing = h("p", { class: "doing" });
  const facts = h("p", { class: "facts" });
  const why = h("p", { class: "why" });
  const goal = h("p", { class: "goal", dir: "auto" });
  const steps = h("div", {});
  const body = h("div", { class: "answer report", dir: "auto" });
  const report = /** @type {HTMLDetailsElement} */ (h("details", { hidden: true }, h("summary", {}, words.report), body));
  report.addEventListener("toggle", async () => {
    if (!report.open || body.hasChildNodes() || !actions) return;
    const html = await actions.report(turn, id);
    if (html !== null) body.replaceChildren(...cleanedNodes(html, () => {}));
  });
  const details = /** @type {HTMLDetailsElement} */ (h("details", {}, h("summary", {}, words.details), goal, steps, report));
  const element = h(
    "li",
    { "data-researcher": id },
    h("div", { class: "who" }, h("span", { class: "id", "aria-hidden": "true" }, id), title, stop),
    doing,
    facts,
    why,
    details,
  );
  /** @type {Researcher | null} */
  let latest = null;
  let live = false;
  const stepsChanged = changes();

  /** The steps are drawn when somebody looks at them. */
  function draw() {
    if (!latest || !details.open) return;
    if (!stepsChanged(latest.steps, live)) return;
    const unfolded = new Set([...steps.querySelectorAll("details[open]")].map((inner) => /** @type {HTMLElement} */ (inner).dataset.step));
    const any = latest.steps.some((step) => step.searches.length + step.pages.length > 0 || step.reasoning.trim() !== "");
    steps.replaceChildren(...(any ? [timeline(latest.steps, live)] : []));
    for (const inner of steps.querySelectorAll("details")) inner.open = unfolded.has(inner.dataset.step);
  }
  details.addEventListener("toggle", draw);

  /** @param {Researcher} researcher @param {boolean} turnRuns */
  function update(researcher, turnRuns) {
    latest = researcher;
    live = researcher.state === "running" && turnRuns;
    element.className = live ? "researcher now" : `researcher ${researcher.state}`;
    title.textContent = researcher.task.title;
    goal.textContent = researcher.task.goal;
    stop.hidden = !live || !actions;
    stop.setAttribute("aria-label", `${strings.window.stop}: ${researcher.task.title}`);
    say(doing, whatItDoes(researcher, live));
    say(facts, figures(researcher));
    say(why, researcher.reason && researcher.state !== "answered" ? sentence(researcher.reason) : "");
    report.hidden = !researcher.hasReport || !actions;
    draw();
  }

  return { element, update };
}

/** @param {HTMLElement} element @param {string} text */
function say(element, text) {
  rewrite(element, text);
  element.hidden = text === "";
}

/** @param {Researcher} researcher */
function figures(researcher) {
  const sums = counts(researcher);
  return [
    sums.searches > 0 ? strings.window.searches({ count: sums.searches }) : "",
    sums.pages > 0 ? pagesRead(sums.read, sums.pages) : "",
    researcher.tokens > 0 ? tokens(researcher.tokens) : "",
    researcher.cost > 0 ? cost(researcher.cost) : "",
    researcher.heard.length > 0 ? words.heard({ reports: listed(researcher.heard) }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What a researcher does now, in a few words. @param {Researcher} researcher @param {boolean} running */
function whatItDoes(researcher, running) {
  if (!running) return words.states[researcher.state];
  const step = researcher.steps[researcher.steps.length - 1];
  const search = step?.searches.find((candidate) => !candidate.done);
  if (search) return `${strings.window.searching}: ${search.query}`;
  const page = step?.pages.find((candidate) => candidate.state === "reading");
  if (page) return `${strings.window.reading}: ${page.title}`;
  return researcher.steps.length > 0 ? strings.window.thinking : strings.window.starting;
}
