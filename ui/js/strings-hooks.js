// The words about webhooks and commands that run after research.

/** @import { Delivery, HookEvent } from "./protocol" */

export const hooks = {
  all: "Webhooks and commands", none: "There are none yet.",
  /** @type {Record<HookEvent, string>} */
  events: { answered: "After each answer", failed: "When there is no answer", changed: "When the answer to a watched question changed" },
  add: "Add a webhook or command", addHelp: "A webhook gets the answer with its sources as JSON. A command reads the same from its standard input. That includes quotations from your documents, but never private threads.",
  name: "Name", nameHelp: "Lowercase letters, digits and hyphens.",
  target: "Address or program", targetHelp: "For example https://n8n.example.org/webhook/nexi, or notify-send Nexi \"{question}\"",
  when: "Call it", signed: "Sign requests", signedHelp: "Addresses only. The receiver can then check that requests come from this Nexi (Standard Webhooks).",
  submit: "Add", added: "Added",
  enabled: "Call it", test: "Send test", testing: "Sending…", remove: "Remove", removeTitle: "Remove this hook?", removeHelp: "This also deletes its secret and waiting deliveries.",
  copySecret: "Copy signing secret", secretCopied: "Copied. Paste it where requests are received.", renew: "New secret", renewTitle: "Make a new secret?", renewHelp: "Requests signed with the new secret are refused until you enter it at the receiver.", renewed: "New secret made",
  never: "Nothing delivered yet",
  delivered: "Delivered",
  gone: "The address is gone, so this was turned off.",
  /** @param {string} message */
  failed: (message) => `Not delivered: ${message}`,
  /** @param {string} message @param {string} when */
  again: (message, when) => `Not delivered: ${message}. Next try: ${when}`,
  /** @param {number} count */
  waiting: (count) => (count === 1 ? "1 delivery waiting" : `${count} deliveries waiting`),
  /** @param {string} hook @param {string} why */
  trouble: (hook, why) => `${hook} was not called: ${why}`,
};

/** What came of a delivery. @param {Delivery} delivery @param {(ms: number) => string} moment */
export function said(delivery, moment) {
  const { outcome } = delivery;
  if (!outcome) return "";
  if (outcome.type === "delivered") return hooks.delivered;
  if (outcome.type === "gone") return hooks.gone;
  return outcome.again_ms === null ? hooks.failed(outcome.message) : hooks.again(outcome.message, moment(outcome.again_ms));
}
