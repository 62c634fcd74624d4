// The settings window: parts left, fields right. What is right is saved at once.

/** @import { AppEvent } from "./protocol" */
/** @import { Form } from "./settings/form" */
/** @import { Section } from "./settings/sections" */

import { attempt, byId, h } from "./dom.js";
import * as host from "./host.js";
import { words } from "./strings-settings.js";
import { content, refreshState } from "./settings/sections.js";

const SECTIONS = /** @type {Section[]} */ (Object.keys(words.sections));

/** @type {Form} */
let form;
/** @type {Section} */
let shown = "models";

/** @param {Section} name */
function show(name) {
  shown = name;
  history.replaceState(null, "", `#${name}`);
  byId("sections").replaceChildren(h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), words.title),
    ...SECTIONS.map((section) => h("button", { type: "button", "data-section": section, "aria-current": String(section === name), onclick: () => {
      show(section);
      /** @type {HTMLElement | null} */ (byId("sections").querySelector('[aria-current="true"]'))?.focus();
    } }, words.sections[section])));
  byId("fields").replaceChildren(h("div", { class: "inner", "data-section": name }, ...trouble(), ...content(form, name)));
  byId("fields").scrollTop = 0;
}

/** What is wrong with the file as a whole. */
function trouble() {
  const { problems, warnings } = form.view;
  const list = (/** @type {string} */ title, /** @type {import("./protocol").Problem[]} */ items, /** @type {string} */ kind) => h("div", { class: `reason ${kind}`, role: "alert" }, title, h("ul", {}, ...items.map((problem) => h("li", {}, `${problem.field}: ${problem.message}`))));
  const open = h("p", {}, h("button", { type: "button", class: "pill", onclick: () => attempt(host.openSettingsFile()) }, words.openFile));
  return [...(problems.length > 0 ? [list(words.broken, problems, "bad"), open] : []), ...(warnings.length > 0 ? [list(words.ignored, warnings, "")] : [])];
}

/** @param {AppEvent} news */
function onNews(news) {
  if (news.type === "open_view") {
    const wanted = SECTIONS.find((section) => section === news.view);
    if (wanted) show(wanted);
  }
  else if (news.type === "settings_changed") changed();
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
  const wanted = /** @type {Section} */ (location.hash.slice(1));
  show(SECTIONS.includes(wanted) ? wanted : shown);
  await attempt(host.listen(onNews));
  document.documentElement.dataset.ready = "true";
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const buttons = /** @type {HTMLElement[]} */ ([...byId("sections").querySelectorAll("button")]);
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + (event.key === "ArrowDown" ? 1 : -1) + buttons.length) % buttons.length].focus();
});
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());

start();
