// Reading scanned pages and pictures: on or off, in which languages, and how far it is.

/** @import { OcrStatus } from "../protocol" */
/** @import { Form } from "./form" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { words } from "../strings-settings.js";
import { get, row, save } from "./form.js";

/** Milliseconds between two looks at work that goes on. */
const AGAIN = 1000;

/** @param {Form} form @returns {{ element: HTMLElement, refresh: () => Promise<void> }} */
export function ocrField(form) {
  const on = /** @type {HTMLInputElement} */ (h("input", { id: "f-ocr.enabled", type: "checkbox", role: "switch", class: "switch", checked: get(form.view.settings, "ocr.enabled") }));
  const languages = h("div", { class: "checks", role: "group", "aria-label": words.ocr.languages });
  const state = h("div", { class: "meaning-state", id: "ocr-state" });
  const { element, say } = row(words.ocr.title, words.ocr.help, h("div", {}, on, languages, state), { id: "ocr.enabled", wide: true });
  let timer = 0;
  on.addEventListener("change", async () => {
    const message = await save(form, ["ocr", "enabled"], on.checked);
    if (message !== null) on.checked = !on.checked;
    say(message);
    await refresh();
  });

  const refresh = async () => {
    clearTimeout(timer);
    const status = await attempt(host.ocr());
    if (!status) return;
    if (!languages.contains(document.activeElement)) choose(status);
    languages.hidden = !on.checked || status.installed.length === 0;
    state.replaceChildren(...stateOf(status));
    // It goes on by itself for as long as it is looked at.
    if (["running", "on_battery", "incomplete"].includes(status.state.kind)) {
      timer = window.setTimeout(() => {
        if (element.isConnected) refresh();
      }, status.state.kind === "on_battery" ? 10 * AGAIN : AGAIN);
    }
  };
  /** @param {OcrStatus} status */
  const choose = (status) => {
    const chosen = /** @type {string[]} */ (get(form.view.settings, "ocr.languages"));
    const all = [...new Set([...status.installed, ...chosen])];
    languages.replaceChildren(...all.map((language) => {
      const input = /** @type {HTMLInputElement} */ (h("input", { id: `f-ocr.languages-${language}`, type: "checkbox", value: language, checked: chosen.includes(language) }));
      input.addEventListener("change", async () => {
        const boxes = [...languages.querySelectorAll("input")].filter((one) => one.checked).map((one) => one.value);
        // The order counts: what was chosen first stays first.
        const kept = /** @type {string[]} */ (get(form.view.settings, "ocr.languages")).filter((one) => boxes.includes(one));
        const message = await save(form, ["ocr", "languages"], [...kept, ...boxes.filter((one) => !kept.includes(one))]);
        if (message !== null) input.checked = !input.checked;
        say(message);
        await refresh();
      });
      return h("label", {}, input, nameOf(language));
    }));
  };
  refresh();
  return { element, refresh };
}

/** What a language is called where the app runs. @param {string} language as Tesseract names it, such as `deu` or `chi_sim` */
function nameOf(language) {
  const [code = "", ...rest] = language.split("_");
  try {
    const name = new Intl.DisplayNames(undefined, { type: "language" }).of(code) ?? code;
    return name === code ? language : rest.length > 0 ? `${name} (${rest.join(" ")})` : name;
  } catch {
    return language;
  }
}

/** @param {OcrStatus} status @returns {HTMLElement[]} */
function stateOf({ state, pages, read, installed }) {
  /** @param {string} text @param {string} [kind] */
  const line = (text, kind = "help") => h("p", { class: kind }, text);
  const far = words.ocr.far(read, pages);
  switch (state.kind) {
    case "off":
      return pages > 0 ? [line(words.ocr.waiting(pages))] : [];
    case "not_installed":
      return [line(words.ocr.notInstalled(state.programs), "problem")];
    case "no_language":
      return [line(words.ocr.noLanguage(state.languages.map(nameOf), installed.map(nameOf)), "problem")];
    case "failed":
      return [line(state.message, "problem")];
    case "running":
      return [h("progress", { value: read, max: Math.max(pages, 1), "aria-label": words.ocr.title }), line(words.ocr.running(far))];
    case "on_battery":
      return [line(words.ocr.onBattery(far))];
    case "incomplete":
      return [line(far)];
    default:
      return [line(pages === 0 ? words.ocr.none : words.ocr.ready(far))];
  }
}
