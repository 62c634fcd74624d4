// Questions that are asked often: a list behind `/`, fields that are filled in one after the other.

/** @import { Template } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import { fuzzy } from "../fuzzy.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";

const words = strings.templates;

/** Rows of the list. */
const MOST = 8;

/**
 * Offers templates while `/` and letters are typed at the beginning of a field.
 * @param {HTMLTextAreaElement} input
 */
export function templateList(input) {
  const menu = h("div", {
    class: "at-list templates",
    role: "listbox",
    id: `${input.id}-templates`,
    "aria-label": words.list,
    hidden: true,
  });
  /** @type {{ found: Template[], chosen: number } | null} */
  let list = null;
  /** All of them, as long as a list is open. @type {Promise<Template[]> | null} */
  let known = null;
  let look = 0;
  /** The fields of the template that was taken and are not filled in. @type {string[]} */
  let open = [];

  function close() {
    look += 1;
    list = null;
    known = null;
    if (menu.hidden) return;
    menu.hidden = true;
    menu.replaceChildren();
    input.removeAttribute("aria-activedescendant");
    input.removeAttribute("aria-controls");
  }

  async function typed() {
    open = open.filter((field) => input.value.includes(`{${field}}`));
    const typedName = /^\/([\p{L}\p{N}-]{0,40})$/u.exec(input.value);
    if (!typedName) {
      close();
      return;
    }
    look += 1;
    const mine = look;
    known ??= host.templates().catch(() => []);
    const all = await known;
    // Something else was typed meanwhile.
    if (mine !== look) return;
    const wanted = typedName[1].toLowerCase();
    const fitting = all.map((one) => ({ one, score: fuzzy(wanted, one.name)?.score ?? -1 })).filter(({ score }) => score >= 0);
    // As they were used, until letters tell which one is meant.
    if (wanted !== "") fitting.sort((a, b) => b.score - a.score);
    list = { found: fitting.slice(0, MOST).map(({ one }) => one), chosen: 0 };
    if (list.found.length === 0) close();
    else draw();
  }

  function draw() {
    if (!list) return;
    const { found, chosen } = list;
    menu.hidden = false;
    input.setAttribute("aria-controls", menu.id);
    input.setAttribute("aria-activedescendant", `${menu.id}-${chosen}`);
    menu.replaceChildren(
      ...found.map((one, index) =>
        h(
          "button",
          {
            type: "button",
            role: "option",
            id: `${menu.id}-${index}`,
            tabIndex: -1,
            "aria-selected": index === chosen ? "true" : "false",
            onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
            onclick: () => take(one),
          },
          h("b", {}, `/${one.name}`),
          h("span", { class: "label", dir: "auto" }, one.text),
        ),
      ),
    );
    menu.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Template} one */
  function take(one) {
    close();
    open = [...one.fields];
    input.setRangeText(one.text, 0, input.value.length, "end");
    input.focus();
    input.dispatchEvent(new Event("input"));
    next();
    void host.useTemplate(one.id).catch(() => {});
  }

  /** Selects the next field that is not filled in; whether there is one. */
  function next() {
    const places = open
      .map((field) => ({ field, at: input.value.indexOf(`{${field}}`) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at);
    const behind =
      places.find(({ at }) => at >= input.selectionStart && !(at === input.selectionStart && input.selectionEnd > at)) ?? places[0];
    if (!behind) return false;
    input.focus();
    input.setSelectionRange(behind.at, behind.at + behind.field.length + 2);
    return true;
  }

  /** Whether the list, or a field, took the key. @param {KeyboardEvent} event */
  function onKey(event) {
    if (list) {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by) {
        list.chosen = (list.chosen + by + list.found.length) % list.found.length;
        draw();
      } else if ((event.key === "Enter" || event.key === "Tab") && !event.isComposing) take(list.found[list.chosen]);
      else if (event.key === "Escape") close();
      else return false;
    } else if (event.key !== "Tab" || event.shiftKey || open.length === 0 || !next()) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  input.addEventListener("input", typed);
  input.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement !== input) close();
    }, 100),
  );

  return {
    menu,
    onKey,
    close,
    /** Selects a field that is not filled in yet and says so; false where all are. */
    missing() {
      const field = open.find((name) => input.value.includes(`{${name}}`));
      if (field === undefined) return false;
      next();
      toast(words.fillIn({ field }));
      return true;
    },
    /** What was asked is gone. */
    clear() {
      open = [];
    },
  };
}

/** Saves a question under a name. @param {string} question */
export function saveTemplate(question) {
  const name = /** @type {HTMLInputElement} */ (
    h("input", { id: "template-name", type: "text", maxLength: 41, autocomplete: "off", spellcheck: false })
  );
  const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "template-text", rows: 4, dir: "auto" }));
  text.value = question;
  dialog(words.title, (close) => [
    h(
      "form",
      {
        method: "dialog",
        class: "form-column",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const kept = await attempt(host.keepTemplate(null, name.value, text.value));
          if (!kept) return;
          close();
          toast(words.kept({ name: kept.name }));
        },
      },
      h("label", { htmlFor: name.id }, words.name),
      name,
      h("p", { class: "help" }, words.nameHelp),
      h("label", { htmlFor: text.id }, words.text),
      text,
      h("p", { class: "help" }, words.textHelp),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: close }, strings.window.cancel),
        h("button", { class: "go", type: "submit" }, words.keep),
      ),
    ),
  ]);
  name.focus();
}
