// A second opinion: what another model says from the same sources, statement by statement.

/** @import { Agreement, Compared, TurnView } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { attempt, cleanedNodes, h } from "../dom.js";
import { listed } from "../format.js";
import * as host from "../host.js";
import { opinionLine } from "../sentences.js";
import { strings } from "../strings.js";
import { chooseModel } from "./models.js";

const words = strings.opinion;

/**
 * Lets the person choose a model and asks it; `changed` is called when it begins and when it has ended.
 * @param {TurnModel} turn @param {(waiting: string | null, view: TurnView | null) => void} changed @param {() => void} connect
 */
export function askSecond(turn, changed, connect) {
  chooseModel(
    null,
    async (model) => {
      changed(model, null);
      changed(null, await attempt(host.secondOpinion(turn.id, model)));
    },
    connect,
    { builtin: false },
  );
}

/** That another model is being asked. @param {string} model */
export const waitingView = (model) => h("p", { class: "opinion-waiting", role: "status" }, words.asking({ model }));

/** What came of it. @param {TurnModel} turn @returns {HTMLElement | null} */
export function opinionView(turn) {
  const opinion = turn.second;
  if (!opinion) return null;
  /** @param {Agreement} agreement */
  const count = (agreement) => opinion.compared.filter((one) => one.agreement === agreement).length;
  const counts = opinionLine({
    agrees: count("agrees"),
    similar: count("similar"),
    differs: count("differs"),
    only_first: count("only_first"),
    only_second: count("only_second"),
  });
  const whole = h("details", { class: "whole" }, h("summary", {}, words.whole), h("div", { class: "answer", dir: "auto" }));
  /** @type {HTMLElement} */ (whole.lastElementChild).replaceChildren(...cleanedNodes(turn.secondHtml, plainNumbers));
  return h(
    "section",
    { class: "opinion", "aria-label": words.title },
    h("p", { class: "opinion-head" }, h("b", {}, words.by({ model: opinion.model })), ` ${counts}`),
    h("ol", { class: "compared" }, ...opinion.compared.map(row)),
    whole,
  );
}

/** @param {Compared} one */
function row({ agreement, first, second, missing }) {
  const differs = agreement === "differs" || agreement === "similar";
  return h(
    "li",
    { class: agreement },
    h("span", { class: "verdict" }, words.agreement[agreement]),
    first ? h("p", { dir: "auto" }, first) : null,
    second && (differs || !first) ? h("p", { class: "other", dir: "auto" }, second) : null,
    differs && (missing ?? []).length > 0 ? h("p", { class: "lacking" }, words.missing({ words: listed(missing ?? []) })) : null,
  );
}

/** Its numbers are those of the sources below; they are not judged here. @param {DocumentFragment | HTMLElement} fragment */
function plainNumbers(fragment) {
  for (const mark of fragment.querySelectorAll("sup.cite")) mark.className = "number";
  for (const link of fragment.querySelectorAll("a[href]")) link.replaceWith(...link.childNodes);
}
