// Calls of the person's own tools: the question whether one may be made, and how it is shown afterwards.

/** @import { GrantScope, Outgoing } from "../protocol" */
/** @import { Held, TurnModel } from "../reduce" */
/** @import { Call } from "../reduce-steps" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { tools } from "../strings-tools.js";

const words = tools.ask;

/** The arguments, by name; one without a name where they are no object. @param {string} text @returns {[string, string][]} */
export function argumentsOf(text) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [["", text]];
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) return [["", text]];
  return Object.entries(parsed).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

/** @param {TurnModel} turn @param {Held} held @param {Extract<Outgoing, { type: "call" }>} call */
export function callQuestion(turn, held, call) {
  /** @param {boolean} allowed @param {GrantScope} scope */
  const decide = (allowed, scope) => async () => {
    for (const button of buttons) button.disabled = true;
    await attempt(host.permit(turn.id, held.id, allowed, scope));
  };
  // What changes things, or may carry private text away, is asked about each time.
  const further = call.reads && !call.private;
  /** @param {string} kind @param {string} label @param {() => void} onclick */
  const button = (kind, label, onclick) => /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: `pill ${kind}`, onclick }, label));
  const buttons = [
    button("keep", words.refuse, decide(false, "once")), button("let", words.once, decide(true, "once")),
    ...(further ? [button("let-research", words.research, decide(true, "research")), button("let-always", words.always, decide(true, "always"))] : []),
  ];
  const given = argumentsOf(call.arguments);
  return h("section", { class: "held-ask call-ask", role: "alert", "aria-label": words.title },
    h("p", {}, words.wants(call.tool, call.server)),
    given.length === 0 ? h("p", { class: "help" }, words.noArguments) : h("dl", { class: "call-arguments" },
      ...given.flatMap(([name, value]) => [h("dt", { dir: "auto" }, name), h("dd", {}, h("code", { class: "outgoing", dir: "auto", tabIndex: 0 }, value))])),
    call.private ? h("p", { class: "caution" }, words.private) : null,
    call.reads ? null : h("p", { class: "caution" }, words.changes),
    h("div", { class: "held-acts" }, ...buttons));
}

/** A call among the steps. @param {Call} call */
export function callTag(call) {
  const far = call.progress ? `${call.progress.done}${call.progress.total ? ` / ${call.progress.total}` : ""}${call.progress.message ? ` ${call.progress.message}` : ""}` : "";
  const given = argumentsOf(call.arguments).map(([name, value]) => (name ? `${name}: ${value}` : value)).join("\n");
  return h("span", { class: call.state === "failed" ? "tag failed" : "tag", title: [given, call.error].filter(Boolean).join("\n") },
    h("span", { dir: "auto" }, `${call.tool}${far && call.state === "running" ? ` · ${far}` : ""}`));
}
