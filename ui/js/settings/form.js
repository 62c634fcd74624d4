// Rows of a form: words left, control right. What is typed is checked as it is typed, by the rules
// of the settings file, and saved when it is right.

/** @import { Change, ProblemView, Settings, SettingsView } from "../protocol" */

import { attempt, h, segments } from "../dom.js";
import * as host from "../host.js";
import { pathView } from "../paths.js";
import { strings } from "../strings.js";
import { schema } from "./schema.js";
import { choicesOf, fieldWords } from "./words.js";

const words = strings.settings;

/** Milliseconds after the last key until what was typed is checked. */
const PAUSE = 200;

/** @typedef {{ view: SettingsView, changed: () => void }} Form */

/** @param {any} settings @param {string} path names with dots between them */
export function get(settings, path) {
  return path.split(".").reduce((value, name) => value?.[name], settings);
}

/** Which service a name in a chain stands for. @param {Settings} settings @param {string} name @returns {string} */
export const kindOf = (settings, name) => settings.providers[name]?.type ?? name;

/**
 * Saves one field. Returns what is wrong with it; nothing has changed then.
 * @param {Form} form @param {string[]} path @param {unknown} value @returns {Promise<string | null>}
 */
export async function save(form, path, value) {
  const problems = await attempt(host.changeSettings([{ path, value }]));
  if (problems === null) return "";
  if (problems.length > 0) return first(problems, path.join("."));
  form.view = (await attempt(host.settings())) ?? form.view;
  form.changed();
  return null;
}

/** The problem of this field, or the first one there is. @param {ProblemView[]} problems @param {string} field */
export function first(problems, field) {
  const own = problems.find((problem) => problem.field.startsWith(field)) ?? problems[0];
  return own ? (own.field.startsWith(field) ? own.message : `${own.field}: ${own.message}`) : "";
}

/**
 * @param {string} label @param {string} help @param {Node} control @param {{ id?: string, wide?: boolean }} [more]
 */
export function row(label, help, control, more = {}) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const element = h(
    "div",
    { class: more.wide ? "field wide" : "field", "data-field": more.id ?? "" },
    h(
      "div",
      { class: "about" },
      h("label", { for: more.id ? `f-${more.id}` : undefined, class: "name" }, label),
      h("p", { class: "help" }, help),
    ),
    h("div", { class: "control" }, control, problem),
  );
  /** @param {string | null} message */
  const say = (message) => {
    problem.hidden = !message;
    problem.textContent = message ?? "";
    element.classList.toggle("wrong", Boolean(message));
    const input = element.querySelector("input, textarea, select");
    if (message) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  };
  return { element, say };
}

/**
 * A text or number that is checked while it is typed and saved when it is left.
 * @param {Form} form @param {string} path @param {{ placeholder?: string }} [options]
 */
export function textField(form, path, { placeholder = "" } = {}) {
  const { kind, optional } = schema[path];
  const { label, help } = fieldWords(path);
  const value = get(form.view.settings, path);
  const standard = get(form.view.defaults, path);
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      id: `f-${path}`,
      type: "text",
      value: value ?? "",
      inputMode: kind === "text" ? "text" : "decimal",
      spellcheck: false,
      autocomplete: "off",
      placeholder: placeholder || (standard === null || standard === undefined ? words.noLimit : String(standard)),
      class: kind === "text" ? "" : "short",
    })
  );
  const { element, say } = row(label, help, input, { id: path });
  /** @returns {unknown} */
  const read = () => {
    const text = input.value.trim();
    if (text === "") return optional || kind !== "text" ? null : text === String(standard ?? "") ? null : text;
    const number = Number(text.replace(",", "."));
    return kind === "text" || Number.isNaN(number) ? text : number;
  };
  whileTyped(form, input, path.split("."), read, say);
  return element;
}

/**
 * Checks what is typed while it is typed, and saves it when it is left.
 * @param {Form} form @param {HTMLElement} input @param {string[]} path @param {() => unknown} read @param {(message: string | null) => void} say
 */
export function whileTyped(form, input, path, read, say) {
  let timer = 0;
  let latest = 0;
  // What was found out about an earlier text must not be said of a later one.
  /** @param {Promise<string | null>} work */
  const tell = async (work) => {
    const own = ++latest;
    const message = await work;
    if (own === latest) say(message);
  };
  const check = async () => {
    const problems = await attempt(host.checkSettings([{ path, value: read() }]));
    return problems?.length ? first(problems, path.join(".")) : null;
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => tell(check()), PAUSE);
  });
  input.addEventListener("change", () => {
    clearTimeout(timer);
    tell(save(form, path, read()));
  });
}

/** @param {Form} form @param {string} path */
export function toggleField(form, path) {
  const { label, help } = fieldWords(path);
  const input = /** @type {HTMLInputElement} */ (
    h("input", { id: `f-${path}`, type: "checkbox", role: "switch", checked: Boolean(get(form.view.settings, path)), class: "switch" })
  );
  const { element, say } = row(label, help, input, { id: path });
  input.addEventListener("change", async () => {
    const message = await save(form, path.split("."), input.checked);
    if (message !== null) input.checked = !input.checked;
    say(message);
  });
  return element;
}

/**
 * Which of these are on; each is saved as it is pressed. Values that are not among them stay.
 * @param {Form} form @param {string} path
 */
export function checksField(form, path) {
  const { label, help } = fieldWords(path);
  const box = h("div", { class: "checks", role: "group", "aria-label": label });
  const { element, say } = row(label, help, box, { id: path });
  for (const [value, text] of choicesOf(path)) {
    const input = /** @type {HTMLInputElement} */ (
      h("input", { id: `f-${path}-${value}`, type: "checkbox", value, checked: (get(form.view.settings, path) ?? []).includes(value) })
    );
    input.addEventListener("change", async () => {
      // As the boxes stand now: what was pressed a moment ago may not be saved yet.
      const unknown = /** @type {string[]} */ (get(form.view.settings, path) ?? []).filter(
        (one) => !choicesOf(path).some(([value]) => value === one),
      );
      const on = [...box.querySelectorAll("input")].filter((one) => one.checked).map((one) => one.value);
      const message = await save(form, path.split("."), [...unknown, ...on]);
      if (message !== null) input.checked = !input.checked;
      say(message);
    });
    box.append(h("label", {}, input, text));
  }
  return element;
}

/** One of a few values; an empty one takes the setting out of the file. @param {Form} form @param {string} path */
export function choiceField(form, path) {
  const { label, help } = fieldWords(path);
  const options = choicesOf(path).map(([value, text]) => ({ value, text }));
  const control = segments({
    label,
    options,
    value: String(get(form.view.settings, path) ?? ""),
    onchange: async (value) => say(await save(form, path.split("."), value || null)),
  });
  const { element, say } = row(label, help, control, { id: path });
  return element;
}

/**
 * A list of texts, one a line.
 * @param {Form} form @param {string} path @param {{ add?: () => Promise<string | null>, addLabel?: string, placeholder?: string, onsaved?: () => void }} [options]
 */
export function listField(form, path, { add, addLabel = words.add, placeholder = "", onsaved } = {}) {
  const { label, help } = fieldWords(path);
  const box = h("div", { class: "list" });
  const { element, say } = row(label, help, box, { id: path });
  /** @type {string[]} */
  let items = [...(get(form.view.settings, path) ?? [])];
  /** @param {string[]} next */
  const store = async (next) => {
    const message = await save(form, path.split("."), next);
    if (message === null) {
      items = next;
      draw();
      onsaved?.();
    }
    say(message);
    return message === null;
  };
  const draw = () => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        id: `f-${path}`,
        type: "text",
        placeholder,
        spellcheck: false,
        autocomplete: "off",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter") take();
        },
        oninput: () => say(null),
      })
    );
    const take = async () => {
      const text = input.value.trim();
      if (text !== "" && (await store([...items, text]))) /** @type {HTMLElement | null} */ (box.querySelector("input"))?.focus();
    };
    box.replaceChildren(
      ...items.map((item, index) =>
        h(
          "div",
          { class: "item" },
          pathView(item),
          h(
            "button",
            {
              type: "button",
              "aria-label": `${words.remove}: ${item}`,
              title: words.remove,
              onclick: () => store(items.filter((_, at) => at !== index)),
            },
            "×",
          ),
        ),
      ),
      h("div", { class: "item new-item" }, input, h("button", { type: "button", onclick: take }, words.add)),
      ...(add
        ? [
            h(
              "button",
              {
                type: "button",
                class: "plain",
                onclick: async () => {
                  const chosen = await add();
                  if (chosen) store([...items, chosen]);
                },
              },
              addLabel,
            ),
          ]
        : []),
    );
  };
  draw();
  return element;
}

/** A line to fill in, for forms that are sent as a whole. @param {string} id @param {string} placeholder */
export const plainInput = (id, placeholder) =>
  /** @type {HTMLInputElement} */ (h("input", { id, type: "text", placeholder, autocomplete: "off", spellcheck: false }));

/** It with its label above and its help below. @param {HTMLElement} control @param {string} label @param {string} help */
export const formField = (control, label, help) =>
  h("div", { class: "form-field" }, h("label", { for: control.id }, label), control, h("span", { class: "help" }, help));

/** @param {string} title @param {string} intro @param {(Node | null)[]} children */
export function section(title, intro, children) {
  return [h("h1", {}, title), ...(intro ? [h("p", { class: "intro" }, intro)] : []), ...children.filter((child) => child !== null)];
}

/** Changes that set a provider's fields. @param {string} name @param {Record<string, unknown>} fields @returns {Change[]} */
export function providerChanges(name, fields) {
  return Object.entries(fields).map(([field, value]) => ({ path: ["providers", name, field], value: value === "" ? null : value }));
}
