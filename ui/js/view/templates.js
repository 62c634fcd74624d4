// Questions that are asked often: a list behind `/`, fields that are filled in one after the other.

/** @import { Template } from "../protocol" */

import { byId, h, toast } from "../dom.js";
import { fuzzy } from "../fuzzy.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";
import { optionList } from "./options.js";
import { templateForm } from "./template-form.js";

const words = strings.templates;

/** Rows of the list. */
const MOST = 8;

/**
 * Offers templates while `/` and letters are typed at the beginning of a field.
 * @param {HTMLTextAreaElement} input
 */
export function templateList(input) {
  const list = optionList(input, {
    id: `${input.id}-templates`,
    kind: "templates",
    label: words.list,
    content: (/** @type {Template} */ one) => [h("b", {}, `/${one.name}`), h("span", { class: "label", dir: "auto" }, one.text)],
    take,
    closed: () => {
      look += 1;
      known = null;
    },
  });
  /** All of them, as long as a list is open. @type {Promise<Template[]> | null} */
  let known = null;
  let look = 0;
  /** The fields of the template that was taken and are not filled in. @type {string[]} */
  let open = [];

  async function typed() {
    open = open.filter((field) => input.value.includes(`{${field}}`));
    const typedName = /^\/([\p{L}\p{N}-]{0,40})$/u.exec(input.value);
    if (!typedName) {
      list.close();
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
    const found = fitting.slice(0, MOST).map(({ one }) => one);
    if (found.length === 0) list.close();
    else list.show(found);
  }

  /** @param {Template} one */
  function take(one) {
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
    if (list.onKey(event)) return true;
    if (event.key !== "Tab" || event.shiftKey || open.length === 0 || !next()) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  input.addEventListener("input", typed);

  return {
    menu: list.element,
    onKey,
    close: list.close,
    /** Selects a field that is not filled in yet and says so; false where all are. */
    missing() {
      const field = open
        .filter((name) => input.value.includes(`{${name}}`))
        .sort((a, b) => input.value.indexOf(`{${a}}`) - input.value.indexOf(`{${b}}`))[0];
      if (field === undefined) return false;
      input.setSelectionRange(0, 0);
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
  dialog(words.title, (close) => [
    templateForm({
      id: "",
      one: null,
      text: question,
      buttons: h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: close }, strings.window.cancel),
        h("button", { class: "go", type: "submit" }, words.keep),
      ),
      kept: ({ name }) => {
        close();
        toast(words.kept({ name }));
      },
    }),
  ]);
  byId("template-name").focus();
}
