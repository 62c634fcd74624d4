// Reading scanned pages and pictures: on or off, in which languages, and how far it is.

/** @import { OcrStatus } from "../protocol" */
/** @import { Form } from "./form" */

import { attempt, h } from "../dom.js";
import { listed } from "../format.js";
import * as host from "../host.js";
import { locale, strings } from "../strings.js";
import { get, row, save } from "./form.js";

/** Milliseconds between two looks at work that goes on. */
const AGAIN = 1000;

/** @param {Form} form @returns {{ element: HTMLElement, refresh: () => Promise<void> }} */
export function ocrField(form) {
  const on = /** @type {HTMLInputElement} */ (
    h("input", { id: "f-ocr.enabled", type: "checkbox", role: "switch", class: "switch", checked: get(form.view.settings, "ocr.enabled") })
  );
  const languages = h("div", { class: "checks", role: "group", "aria-label": strings.scans.languages });
  const state = h("div", { class: "meaning-state", id: "ocr-state" });
  const { element, say } = row(strings.scans.title, strings.scans.help, h("div", {}, on, languages, state), {
    id: "ocr.enabled",
    wide: true,
  });
  let timer = 0;
  on.addEventListener("change", async () => {
    const message = await save(form, ["ocr", "enabled"], on.checked);
    if (message !== null) on.checked = !on.checked;
    say(message);
    await refresh();
  });

  let asked = 0;
  const refresh = async () => {
    clearTimeout(timer);
    asked += 1;
    const mine = asked;
    const status = await attempt(host.ocr());
    // On a busy computer an answer may come after that to a later question, and knows less.
    if (!status || mine !== asked) return;
    if (!languages.contains(document.activeElement)) choose(status);
    languages.hidden = !on.checked || status.installed.length === 0;
    state.replaceChildren(...stateOf(status));
    // It goes on by itself for as long as it is looked at.
    if (["running", "on_battery", "incomplete"].includes(status.state.kind)) {
      timer = window.setTimeout(
        () => {
          if (element.isConnected) refresh();
        },
        status.state.kind === "on_battery" ? 10 * AGAIN : AGAIN,
      );
    }
  };
  /** @param {OcrStatus} status */
  const choose = (status) => {
    const chosen = /** @type {string[]} */ (get(form.view.settings, "ocr.languages"));
    const all = [...new Set([...status.installed, ...chosen])];
    languages.replaceChildren(
      ...all.map((language) => {
        const input = /** @type {HTMLInputElement} */ (
          h("input", { id: `f-ocr.languages-${language}`, type: "checkbox", value: language, checked: chosen.includes(language) })
        );
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
      }),
    );
  };
  refresh();
  return { element, refresh };
}

/** What a language is called where the app runs. @param {string} language as Tesseract names it, such as `deu` or `chi_sim` */
function nameOf(language) {
  const [code = "", ...rest] = language.split("_");
  try {
    const name = new Intl.DisplayNames(locale, { type: "language" }).of(code) ?? code;
    return name === code ? language : rest.length > 0 ? `${name} (${rest.join(" ")})` : name;
  } catch {
    return language;
  }
}

/** @param {OcrStatus} status @returns {HTMLElement[]} */
function stateOf({ state, pages, read, installed }) {
  /** @param {string} text @param {string} [kind] */
  const line = (text, kind = "help") => h("p", { class: kind }, text);
  const far = strings.scans.far({ read, pages });
  switch (state.kind) {
    case "off":
      return pages > 0 ? [line(strings.scans.waiting({ pages }))] : [];
    case "not_installed":
      return [line(strings.scans.notInstalled({ programs: listed(state.programs, "conjunction") }), "problem")];
    case "no_language":
      return [
        line(
          strings.scans.noLanguage({ languages: listed(state.languages.map(nameOf)), installed: listed(installed.map(nameOf)) }),
          "problem",
        ),
      ];
    case "failed":
      return [line(state.message, "problem")];
    case "running":
      return [
        h("progress", { value: read, max: Math.max(pages, 1), "aria-label": strings.scans.title }),
        line(strings.scans.running({ far })),
      ];
    case "on_battery":
      return [line(strings.scans.onBattery({ far }))];
    case "incomplete":
      return [line(far)];
    default:
      return [line(pages === 0 ? strings.scans.none : strings.scans.ready({ far }))];
  }
}
