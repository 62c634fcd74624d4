// Asking a question, and what the person is asked first where it cannot simply begin.

/** @import { Begun } from "./protocol" */

import { attempt, h } from "./dom.js";
import * as host from "./host.js";
import { strings } from "./strings.js";
import { dialog } from "./view/ask.js";

/**
 * Begins a run. Where a cost limit cannot be held because the price of the model is not known, the
 * person decides. Null when nothing was begun; failures are thrown as sentences.
 * @param {host.Question} question @returns {Promise<Begun | null>}
 */
export async function begin(question) {
  const taken = await host.ask(question);
  if (taken.type === "begun") return taken;
  const choice = await askAboutPrice(taken.model);
  if (choice === "ask") return begin({ ...question, any_cost: true });
  if (choice === "settings") await attempt(host.openWindow("settings", "models"));
  return null;
}

/** @param {string} model @returns {Promise<"ask" | "settings" | null>} */
function askAboutPrice(model) {
  return new Promise((resolve) => {
    const made = dialog(strings.price.title, (close) => {
      /** @param {"ask" | "settings"} choice */
      const choose = (choice) => () => {
        resolve(choice);
        close();
      };
      return [
        h("p", {}, strings.price.text(model)),
        h("div", { class: "buttons" },
          h("button", { type: "button", onclick: close }, strings.cancel),
          h("button", { type: "button", class: "plain", id: "give-price", onclick: choose("settings") }, strings.price.give),
          h("button", { type: "button", class: "go", id: "any-cost", onclick: choose("ask") }, strings.price.ask)),
      ];
    });
    made.addEventListener("close", () => resolve(null));
  });
}
