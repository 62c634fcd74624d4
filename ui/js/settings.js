// The settings window: parts left, fields right. What is right is saved at once.

/** @import { AppEvent } from "./protocol" */
/** @import { Form } from "./settings/form" */
/** @import { Section } from "./settings/sections" */

import "./context-menu.js";
import { closesByKey } from "./closing.js";
import { attempt, byId, h } from "./dom.js";
import * as host from "./host.js";
import { strings } from "./strings.js";
import { content, refreshHooks, refreshState, refreshWatched } from "./settings/sections.js";

const words = strings.settings;

const SECTIONS = /** @type {Section[]} */ (Object.keys(words.sections));

/** @type {Form} */
let form;
/** @type {Section} */
let shown = "models";

/** @param {Section} name */
function show(name) {
  shown = name;
  history.replaceState(null, "", `#${name}`);
  search.value = "";
  found = null;
  sections(name);
  byId("fields").replaceChildren(h("div", { class: "inner", "data-section": name }, ...trouble(), ...content(form, name)));
  byId("fields").scrollTop = 0;
}

/** @param {Section | null} name the one that is shown */
function sections(name) {
  const list = byId("section-list");
  list.replaceChildren(
    ...SECTIONS.map((section) =>
      h(
        "button",
        {
          type: "button",
          "data-section": section,
          "aria-current": String(section === name),
          onclick: () => {
            show(section);
            /** @type {HTMLElement | null} */ (list.querySelector('[aria-current="true"]'))?.focus();
          },
        },
        words.sections[section],
      ),
    ),
  );
  showCurrent();
}

/** In a narrow window the parts are one line that scrolls. */
function showCurrent() {
  byId("section-list").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
}

addEventListener("resize", showCurrent);

const search = /** @type {HTMLInputElement} */ (
  h("input", {
    type: "search",
    id: "settings-search",
    placeholder: words.search,
    "aria-label": words.search,
    autocomplete: "off",
    spellcheck: false,
    oninput: find,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || search.value === "") return;
      event.stopPropagation();
      show(shown);
    },
  })
);
/** The fields of all parts, made when somebody begins to search. @type {{ section: Section, fields: HTMLElement[] }[] | null} */
let found = null;

/** Shows the fields that hold what is typed, as they are: they can be changed where they are found. */
function find() {
  const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) {
    show(shown);
    return;
  }
  found ??= SECTIONS.map((section) => ({ section, fields: content(form, section).flatMap(fieldsOf) }));
  const groups = found
    .map(({ section, fields }) => ({ section, fields: fields.filter((field) => holds(field, section, wanted)) }))
    .filter(({ fields }) => fields.length > 0);
  sections(null);
  byId("fields").replaceChildren(
    h(
      "div",
      { class: "inner", "data-section": "found" },
      h("h1", {}, words.found({ count: groups.reduce((sum, { fields }) => sum + fields.length, 0) })),
      ...groups.flatMap(({ section, fields }) => [h("h2", { class: "found-in" }, words.sections[section]), ...fields]),
    ),
  );
}

/** The fields of a node, those within it among them. @param {Node} node @returns {HTMLElement[]} */
function fieldsOf(node) {
  if (!(node instanceof HTMLElement)) return [];
  return node.classList.contains("field")
    ? [node]
    : [.../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".field"))].filter(
        (field) => !field.parentElement?.closest(".field"),
      );
}

/** @param {HTMLElement} field @param {Section} section @param {string[]} wanted */
function holds(field, section, wanted) {
  const text =
    `${words.sections[section]} ${field.querySelector(".about")?.textContent ?? ""} ${field.dataset.field} ${field.querySelector(".segments, select")?.textContent ?? ""}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}

/** What is wrong with the file as a whole. */
function trouble() {
  const { problems, warnings } = form.view;
  const list = (/** @type {string} */ title, /** @type {import("./protocol").ProblemView[]} */ items, /** @type {string} */ kind) =>
    h(
      "div",
      { class: `reason ${kind}`, role: "alert" },
      title,
      h("ul", {}, ...items.map((problem) => h("li", {}, `${problem.field}: ${problem.message}`))),
    );
  const open = h("p", {}, h("button", { type: "button", class: "pill", onclick: () => attempt(host.openSettingsFile()) }, words.openFile));
  return [
    ...(problems.length > 0 ? [list(words.broken, problems, "bad"), open] : []),
    ...(warnings.length > 0 ? [list(words.ignored, warnings, "")] : []),
  ];
}

/** @param {AppEvent} news */
function onAppEvent(news) {
  if (news.type === "open_view") {
    const wanted = SECTIONS.find((section) => section === news.view);
    if (wanted) show(wanted);
  } else if (news.type === "find_setting") {
    search.value = news.text;
    find();
  } else if (news.type === "settings_changed") changed();
  else if (news.type === "checked") refreshWatched();
  else if (news.type === "delivered") refreshHooks();
}

/** Settings were changed, here or elsewhere. */
async function changed() {
  form.view = (await attempt(host.settings())) ?? form.view;
  refreshState();
  // What is being typed here stays; what another window has done is shown.
  const typing = byId("fields").contains(document.activeElement) || byId("fields").querySelector(".wrong") !== null;
  if (!document.hasFocus() && !typing) show(shown);
}

async function start() {
  const view = await attempt(host.settings());
  if (!view) return;
  form = { view, changed: () => {} };
  byId("sections").replaceChildren(
    h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), words.title),
    search,
    h("div", { id: "section-list", class: "section-list" }),
  );
  const wanted = /** @type {Section} */ (location.hash.slice(1));
  show(SECTIONS.includes(wanted) ? wanted : shown);
  await attempt(host.listen(onAppEvent));
  document.documentElement.dataset.ready = "true";
}

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if ((event.key === "/" && !typing) || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f")) {
    event.preventDefault();
    search.focus();
    search.select();
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const buttons = /** @type {HTMLElement[]} */ ([...byId("sections").querySelectorAll("button")]);
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + (event.key === "ArrowDown" ? 1 : -1) + buttons.length) % buttons.length].focus();
});
closesByKey(true);
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());

start();
