// The handbook, and the sheet of keys.

import { attempt, cleanedNodes, h } from "../dom.js";
import { keyNames } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";

/** Pictures of the handbook, by the beginning of a page's name. */
const PICTURES = /** @type {Record<string, string>} */ ({ "02": "research", 14: "popup", 15: "library" });

/** @param {() => void} showShortcuts */
export function helpView(showShortcuts) {
  const list = h("nav", { class: "chapters", "aria-label": strings.help.chapters });
  const page = h("article", { class: "answer chapter", tabIndex: -1 });
  const element = h(
    "section",
    { class: "help", "aria-label": strings.help.title },
    h("h1", { class: "page-title" }, strings.help.title),
    h(
      "button",
      { type: "button", class: "plain", id: "show-shortcuts", onclick: showShortcuts },
      strings.window.keysTitle,
      " ",
      h("kbd", {}, "?"),
    ),
    h("div", { class: "book" }, list, page),
  );
  /** @type {import("../protocol").Chapter[]} */
  let chapters = [];

  /** @param {string} name */
  function open(name) {
    const chapter = chapters.find((candidate) => candidate.name === name);
    if (!chapter) return;
    for (const button of list.querySelectorAll("button")) button.setAttribute("aria-current", String(button.dataset.chapter === name));
    page.replaceChildren(
      ...cleanedNodes(chapter.html, (fragment) => {
        const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (fragment.querySelectorAll("a[href]"));
        links.forEach((link, place) => {
          link.addEventListener("click", (event) => {
            event.preventDefault();
            attempt(host.openHandbookLink(name, place));
          });
        });
      }),
    );
    const picture = PICTURES[name.slice(0, 2)];
    if (picture)
      page.querySelector("h1, h2")?.after(
        h("img", {
          src: `pictures/${picture}.png`,
          alt: strings.help.pictures[/** @type {keyof typeof strings.help.pictures} */ (picture)] ?? "",
          class: "picture",
        }),
      );
    if (element.parentElement) element.parentElement.scrollTop = 0;
  }

  return {
    element,
    /** @param {string | null} [name] the chapter; the one that was open, or the first, if none is named */
    async show(name = null) {
      if (chapters.length === 0) {
        chapters = (await attempt(host.handbook())) ?? [];
        list.replaceChildren(
          ...chapters.map((chapter) =>
            h("button", { type: "button", "data-chapter": chapter.name, onclick: () => open(chapter.name) }, chapter.title),
          ),
        );
        if (chapters.length > 0) open(chapters[0].name);
      }
      if (name) open(name);
      /** @type {HTMLElement | null} */ (list.querySelector('[aria-current="true"]'))?.focus({ preventScroll: true });
    },
  };
}

/** The shortcuts and what each does. @param {string} hotkey @returns {[string, string][]} */
function shortcutRows(hotkey) {
  const words = strings.window.shortcuts;
  return [
    [hotkey.replaceAll("+", " "), words.popup],
    ["Alt Enter", words.popupDeep],
    ["Ctrl Enter", words.popupWindow],
    ["/", words.field],
    ["Enter", words.ask],
    ["Shift Enter", words.line],
    ["Ctrl N", words.new],
    ["Ctrl Shift N", words.private],
    ["Ctrl K", words.palette],
    ["Ctrl Enter", words.paletteAsk],
    ["Ctrl L", words.library],
    ["Ctrl D", words.documents],
    ["Ctrl M", words.model],
    ["Ctrl Shift M", words.connect],
    ["Ctrl Shift D", words.deep],
    ["Ctrl .", words.stop],
    ["Esc", words.answer],
    ["J, K", words.turns],
    ["F", words.first],
    ["D", words.doubt],
    ["C", words.copy],
    ["E", words.export],
    ["R", words.retry],
    ["Alt 1…9", words.source],
    ["#", words.remember],
    ["@", words.attach],
    ["N, P", words.passages],
    ["Ctrl ,", words.settings],
    ["Tab", words.tab],
    ["Enter", words.open],
    ["Esc", words.close],
    ["Ctrl W", words.closeWindow],
    ["F1", words.help],
    ["?", words.list],
  ];
}

/** The sheet of keys. @param {string} hotkey */
export function showKeys(hotkey) {
  if (document.querySelector("dialog.ask")) return;
  const rows = shortcutRows(hotkey || "–");
  const made = dialog(strings.window.keysTitle, (close) => [
    h(
      "dl",
      { class: "keys" },
      ...rows.flatMap(([keys, what]) => [h("dt", {}, ...keys.split(/,? /).map((key) => h("kbd", {}, keyNames(key)))), h("dd", {}, what)]),
    ),
    h("div", { class: "buttons" }, h("button", { class: "go", type: "button", onclick: close }, strings.window.close)),
  ]);
  made.classList.add("large");
  // What has the focus is at the end of a list that may be longer than the window.
  made.scrollTop = 0;
}
