// Asking a question, and what the person is asked first where it cannot simply begin.

/** @import { Begun } from "./protocol" */

import { attempt, h } from "./dom.js";
import * as host from "./host.js";
import { cost } from "./format.js";
import { strings } from "./strings.js";
import { dialog } from "./view/ask.js";

/**
 * Begins a run. Where a cost limit cannot be held because the price of the model is not known, or the monthly cost
 * limit is reached, the person decides. Null when nothing was begun; failures are thrown as sentences.
 * @param {host.Question} question @returns {Promise<Begun | null>}
 */
export async function begin(question) {
  const taken = await host.ask(question);
  if (taken.type === "begun") return taken;
  const isMonth = taken.type === "month_is_spent";
  const words = isMonth ? strings.window.month : strings.window.price;
  const text = isMonth
    ? strings.window.month.text({ spent: cost(taken.spent), limit: cost(taken.limit) })
    : strings.window.price.text({ model: taken.model });
  const choice = await decide(words, text);
  if (choice === "ask") return begin({ ...question, ...(isMonth ? { over_month: true } : { any_cost: true }) });
  if (choice === "settings") await attempt(host.openWindow("settings", isMonth ? "usage" : "models"));
  return null;
}

/** @param {{ title: string, give: string, ask: string }} words @param {string} text @returns {Promise<"ask" | "settings" | null>} */
function decide(words, text) {
  return new Promise((resolve) => {
    const made = dialog(words.title, (close) => {
      /** @param {"ask" | "settings"} choice */
      const choose = (choice) => () => {
        resolve(choice);
        close();
      };
      return [
        h("p", {}, text),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", onclick: close }, strings.window.cancel),
          h("button", { type: "button", class: "plain", id: "cost-settings", onclick: choose("settings") }, words.give),
          h("button", { type: "button", class: "go", id: "ask-anyway", onclick: choose("ask") }, words.ask),
        ),
      ];
    });
    made.addEventListener("close", () => resolve(null));
  });
}
