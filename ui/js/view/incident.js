// The one line that says what went wrong, or what is being waited for, with a countdown and two ways out.

/** @import { Incident } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { incidentAction, incidentSentence, incidentWords } from "../sentences.js";
import { strings } from "../strings.js";

/** @typedef {"settings" | "other_model" | "without_model" | "retry" | "stop"} WayOut */

/** Kinds that the settings mend. */
const FIXABLE_IN_SETTINGS = new Set(["key_refused", "no_balance", "unknown_model", "wrong_address", "rejected", "unreachable"]);

/** Reasons that come from a limit of the settings. @type {Set<string>} */
export const LIMITS = new Set([
  "cost_limit",
  "token_limit",
  "limit_near",
  "step_limit",
  "reply_cut_off",
  "thoughts_cut_off",
  "nothing_left_for_answer",
  "answer_cut_off",
  "report_cut_off",
]);
/** Reasons that another try, or another model, may get past. @type {Set<string>} */
export const OF_THE_MODEL = new Set([
  "same_calls",
  "context_full",
  "refused",
  "report_refused",
  "no_report",
  "nothing_sent",
  "model_failed",
  "researchers_failed",
  "no_researcher_found_anything",
  "no_answer_written",
  "no_answer_and_no_page",
  "no_complete_answer",
  "broke_down",
  "journal_unreadable",
  "report_without_sources",
  "own_knowledge",
]);

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
 * What a person can do about how a turn goes or ended: two things, or none where the run goes on by itself or ended as it
 * was meant to.
 * @param {TurnModel} turn @returns {WayOut[]}
 */
export function remedies(turn) {
  const incident = current(turn);
  if (turn.state === "running") return incident?.action.type === "retry" ? ["without_model", "stop"] : [];
  if (incident) return [FIXABLE_IN_SETTINGS.has(incident.kind) ? "settings" : "retry", turn.answer ? "other_model" : "without_model"];
  if (isLimited(turn)) return ["settings", "retry"];
  return turn.reasons.some((code) => OF_THE_MODEL.has(code)) ? ["retry", "other_model"] : [];
}

/** Whether a limit of the settings ended it. @param {TurnModel} turn */
const isLimited = (turn) => turn.reasons.some((code) => LIMITS.has(code));

/** The part of the settings that has what ended a turn. @param {TurnModel} turn @returns {import("../protocol").Part} */
export const settingsOf = (turn) => (!current(turn) && isLimited(turn) ? "effort" : "models");

/**
 * The buttons for what can be done; null where there is nothing.
 * @param {TurnModel} turn @param {Partial<Record<WayOut, () => void>>} ways
 */
function waysOut(turn, ways) {
  const acts = remedies(turn)
    .filter((way) => ways[way])
    .map((way) => h("button", { type: "button", "data-way": way, onclick: ways[way] }, strings.incident.ways[way]));
  return acts.length > 0 ? h("div", { class: "ways-out" }, ...acts) : null;
}

/**
 * Why a turn ended as it did, where no incident says so already; null where it simply ended.
 * @param {TurnModel} turn @param {Partial<Record<WayOut, () => void>>} ways what can be done about it here
 */
export function reasonView(turn, ways) {
  if (!turn.reason || turn.ended) return null;
  return h(
    "div",
    { class: turn.state === "failed" ? "reason bad" : "reason", role: "status" },
    h("p", {}, turn.reason),
    waysOut(turn, ways),
  );
}

/**
 * @param {TurnModel} turn
 * @param {Partial<Record<WayOut, () => void>>} ways what can be done about it here
 */
export function incidentLine(turn, ways) {
  const incident = current(turn);
  if (!incident) return null;
  const left = countdown(turn, performance.now());
  const beside = waysOut(turn, ways);
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
