// The one line that says what went wrong, or what is being waited for, with a countdown and ways out.

/** @import { Incident } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** Kinds that the settings mend. */
const MENDED_THERE = new Set(["key_refused", "no_balance", "unknown_model", "wrong_address", "rejected", "unreachable"]);

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
 * @param {TurnModel} turn
 * @param {{ openSettings?: () => void, withoutModel?: () => void, stop?: () => void }} ways what can be done about it here
 */
export function incidentLine(turn, ways) {
  const incident = current(turn);
  if (!incident) return null;
  const running = turn.state === "running";
  const left = countdown(turn, performance.now());
  const acts = [];
  if (ways.openSettings && MENDED_THERE.has(incident.kind)) acts.push(h("button", { type: "button", class: "mend", onclick: ways.openSettings }, strings.incident.openSettings));
  if (!running && ways.withoutModel && incident.action.type === "without_model") acts.push(h("button", { type: "button", class: "without", onclick: ways.withoutModel }, strings.incident.withoutModel));
  if (running && left !== null && ways.stop) acts.push(h("button", { type: "button", onclick: ways.stop }, strings.stop));
  // The reason of an ending says all of it, the way out included.
  if (!running && turn.reason) return h("div", { class: "incident", role: "status" }, h("p", {}, turn.reason), acts.length > 0 ? h("div", { class: "ways-out" }, ...acts) : null);
  return h("div", { class: "incident", role: "status" },
    h("p", {}, strings.incident.sentence(incident), " ", left === null ? strings.incident.after(incident) : h("span", { class: "left" }, strings.incident.again(left)), " ", strings.incident.said(incident)),
    acts.length > 0 ? h("div", { class: "ways-out" }, ...acts) : null);
}
