// Calls of the person's own tools: the question whether one may be made, and how it is shown afterwards.

/** @import { GrantScope, Outgoing } from "../protocol" */
/** @import { Held, TurnModel } from "../reduce" */
/** @import { Call } from "../reduce-steps" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { COMMANDS } from "../sentences.js";
import { strings } from "../strings.js";

const tools = strings.tools;

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

/** The name of a tool with where it is from. @param {string} tool @param {string} server */
const named = (tool, server) => (server === COMMANDS ? [h("b", {}, tool)] : [h("b", {}, tool), words.from, h("b", {}, server)]);

/** @param {TurnModel} turn @param {Held} held @param {Extract<Outgoing, { type: "call" }>} call */
export function callQuestion(turn, held, call) {
  /** @param {boolean} allowed @param {GrantScope} scope */
  const decide = (allowed, scope) => async (/** @type {MouseEvent} */ event) => {
    // The second click of a double click was meant for the question before.
    if (event.detail > 1) return;
    for (const button of buttons) button.disabled = true;
    await attempt(host.permit(turn.id, held.id, allowed, scope));
  };
  // What changes things, or may carry private text away, is asked about each time.
  const further = call.reads && !call.private;
  /** @param {string} kind @param {string} label @param {(event: MouseEvent) => void} onclick */
  const button = (kind, label, onclick) =>
    /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: `pill ${kind}`, onclick }, label));
  const buttons = [
    button("refuse", words.refuse, decide(false, "once")),
    button("keep let", words.once, decide(true, "once")),
    ...(further
      ? [
          button("let-research", words.research, decide(true, "research")),
          ...(call.lasting ? [button("let-always", words.always, decide(true, "always"))] : []),
        ]
      : []),
  ];
  const given = call.arguments;
  const waiting = turn.held.filter((one) => one.waits).length;
  const isCommand = call.server === COMMANDS;
  return h(
    "section",
    { class: "held-ask call-ask", role: "alert", "aria-label": words.title },
    h(
      "p",
      {},
      words.wants({ command: isCommand }),
      ...named(call.tool, call.server),
      ".",
      waiting > 1 ? h("span", { class: "help" }, ` ${words.position({ at: 1, all: waiting })}`) : null,
    ),
    call.about ? h("details", { class: "call-about" }, h("summary", {}, words.about), h("p", { dir: "auto" }, call.about)) : null,
    given.length === 0
      ? h("p", { class: "help" }, words.noArguments)
      : h(
          "dl",
          { class: "call-arguments" },
          ...given.flatMap(({ name, value }) => [
            h("dt", { dir: "auto" }, name),
            h("dd", {}, h("code", { class: "outgoing", dir: "auto", tabIndex: 0 }, value)),
          ]),
        ),
    call.private ? h("p", { class: "caution" }, words.private({ server: call.server, command: isCommand })) : null,
    call.reads ? null : h("p", { class: "caution" }, words.changes),
    h("div", { class: "held-acts" }, ...buttons),
    h("p", { class: "help" }, words.patience),
  );
}

/** @typedef {"waiting" | "running" | "done" | "refused" | "failed"} CallState */

/** How the calls of a step are doing: what matters most of them. @param {Call[]} calls @returns {string} */
export function callsTitle(calls) {
  const order = /** @type {CallState[]} */ (["waiting", "running", "done", "failed", "refused"]);
  const state = order.find((one) => calls.some((call) => call.state === one)) ?? "done";
  const who = [...new Set(calls.map((call) => (call.server === COMMANDS ? tools.commands : call.server)))].join(", ");
  return tools.states[state]({ who });
}

/** A call among the steps. @param {Call} call */
export function callTag(call) {
  const far =
    call.state === "running" && call.progress
      ? `${call.progress.done}${call.progress.total ? ` / ${call.progress.total}` : ""}${call.progress.message ? ` ${call.progress.message}` : ""}`
      : "";
  const bad = call.state === "refused" ? tools.refused : call.state === "failed" ? tools.failed : "";
  const given = argumentsOf(call.arguments)
    .map(([name, value]) => (name ? `${name}: ${value}` : value))
    .join("\n");
  return h(
    "span",
    { class: bad ? "tag failed" : "tag", title: [given, call.error].filter(Boolean).join("\n") },
    h("span", { dir: "auto" }, [call.tool, far, bad].filter(Boolean).join(" · ")),
  );
}
