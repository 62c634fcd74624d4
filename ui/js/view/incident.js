// The one line that says what went wrong, or what is being waited for, with a countdown and two ways out.

/** @import { Incident } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { incidentAction, incidentSentence, incidentWords } from "../sentences.js";
import { strings } from "../strings.js";

/** @typedef {"settings" | "other_model" | "without_model" | "retry" | "stop"} WayOut */

/** Kinds that the settings mend. */
const FIXABLE_IN_SETTINGS = new Set(["key_refused", "no_balance", "unknown_model", "wrong_address", "rejected", "unreachable"]);

/**
 * The incident that matters now: of a run the last one, of an answer the one that decided who gave it.
 * @param {TurnModel} turn @returns {Incident | null}
 */
export function current(turn) {
  if (turn.state === "running") return turn.incident;
  return turn.ended;
}

/** Seconds until a service is asked again; null where nothing is waited for. @param {TurnModel} turn @param {number} now */
export function countdown(turn, now) {
  const action = turn.incident?.action;
  if (turn.state !== "running" || action?.type !== "retry" || turn.clock === null) return null;
  const left = turn.incidentAt + action.wait_ms - (now - turn.clock);
  return left > 0 ? Math.ceil(left / 1000) : 0;
}

/**
 * What a person can do about the incident of a turn: two things, or none where the run goes on by itself.
 * @param {TurnModel} turn @returns {WayOut[]}
 */
export function remedies(turn) {
  const incident = current(turn);
  if (!incident) return [];
  if (turn.state === "running") return incident.action.type === "retry" ? ["without_model", "stop"] : [];
  return [FIXABLE_IN_SETTINGS.has(incident.kind) ? "settings" : "retry", turn.answer ? "other_model" : "without_model"];
}

/**
 * @param {TurnModel} turn
 * @param {Partial<Record<WayOut, () => void>>} ways what can be done about it here
 */
export function incidentLine(turn, ways) {
  const incident = current(turn);
  if (!incident) return null;
  const left = countdown(turn, performance.now());
  const acts = remedies(turn)
    .filter((way) => ways[way])
    .map((way) => h("button", { type: "button", "data-way": way, onclick: ways[way] }, strings.incident.ways[way]));
  const beside = acts.length > 0 ? h("div", { class: "ways-out" }, ...acts) : null;
  // The reason of an ending says all of it, the way out included.
  if (turn.state !== "running" && turn.reason) return h("div", { class: "incident", role: "status" }, h("p", {}, turn.reason), beside);
  return h(
    "div",
    { class: "incident", role: "status" },
    h(
      "p",
      {},
      incidentSentence(incident),
      " ",
      left === null ? incidentAction(incident) : h("span", { class: "left" }, strings.incident.again({ seconds: left })),
      " ",
      incidentWords(incident),
    ),
    beside,
  );
}
