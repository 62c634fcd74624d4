// New versions of Nexi: looked for here, installed when somebody says so, and the way back.

/** @import { UpdateView } from "../protocol" */

import { attempt, cleanedNodes, h, rewrite } from "../dom.js";
import { megabytes } from "../format.js";
import * as host from "../host.js";
import { updateFailureLine } from "../sentences.js";
import { strings } from "../strings.js";
import { row } from "./form.js";

const words = strings.updates;

/** Milliseconds between two looks at work that goes on. */
const AGAIN = 500;

/** @param {HTMLElement} daily the switch of the daily look, which is hidden where nothing can be looked for @returns {HTMLElement} */
export function updatesField(daily) {
  const facts = h("div", { class: "update-facts" });
  // One line at a time is read aloud, and the progress is not.
  const said = h("p", { id: "update-said", role: "status" });
  const more = h("div", { class: "update-more" });
  const buttons = h("div", { class: "update-buttons" });
  const back = h("p", { class: "help", hidden: true }, words.goBackHelp);
  const control = h("div", { class: "updates", id: "updates-state" }, facts, said, more, buttons, back);
  const { element } = row(words.title, "", control, { id: "updates", wide: true });
  let timer = 0;
  let latest = 0;

  const draw = async () => {
    clearTimeout(timer);
    const own = ++latest;
    const view = await attempt(host.updates());
    if (!view || own !== latest) return;
    daily.hidden = !view.can_look;
    facts.replaceChildren(h("p", { class: "value" }, words.version({ version: view.version })), ...factsOf(view));
    const { text, kind } = saidOf(view);
    rewrite(said, text);
    said.className = kind;
    said.hidden = text === "";
    // Unfolded notes stay unfolded.
    if (more.dataset.of !== view.state.type || view.state.type === "downloading") more.replaceChildren(...moreOf(view));
    more.dataset.of = view.state.type;
    const wanted = buttonsOf(view, draw);
    back.hidden = !wanted.some((one) => one.id === "go-back");
    // One that is under the pointer stays the same as long as it does the same.
    const ids = wanted.map((one) => one.id).join(" ");
    if ([...buttons.children].map((one) => one.id).join(" ") !== ids) buttons.replaceChildren(...wanted);
    if (isUnderWay(view))
      timer = window.setTimeout(() => {
        if (element.isConnected) draw();
      }, AGAIN);
  };
  draw();
  return element;
}

/** @param {UpdateView} view */
const isUnderWay = ({ state }) => ["checking", "downloading", "installing"].includes(state.type);

/** How this copy comes to a new version, where it does not by itself. @param {UpdateView} view @returns {HTMLElement[]} */
function factsOf({ means, can_look }) {
  const line = (/** @type {string} */ text) => [h("p", { class: "help" }, text)];
  if (means.type === "package") return line(words.package[means.manager]);
  if (!can_look) return line(words.unknown);
  return means.type === "by_hand" ? line(words.byHand) : [];
}

/** @param {UpdateView} view @returns {{ text: string, kind: string }} */
function saidOf({ state }) {
  switch (state.type) {
    case "checking":
      return { text: words.checking, kind: "help" };
    case "current":
      return { text: words.current, kind: "help" };
    case "available":
      return { text: words.available({ version: state.release.version }), kind: "found" };
    case "downloading":
      return { text: words.downloading({ version: state.version }), kind: "help" };
    case "installing":
      return { text: words.installing, kind: "help" };
    case "ready":
      return { text: words.ready({ version: state.version }), kind: "found" };
    case "failed":
      return { text: updateFailureLine(state.failure), kind: "problem" };
    default:
      return { text: "", kind: "help" };
  }
}

/** What is new, or how far it is. @param {UpdateView} view @returns {HTMLElement[]} */
function moreOf({ state }) {
  if (state.type === "available") return notesOf(state.release.notes);
  if (state.type !== "downloading") return [];
  const { done, total } = state;
  const far =
    total === null ? words.downloaded({ done: megabytes(done, 1) }) : words.far({ done: megabytes(done, 1), total: megabytes(total, 1) });
  const bar = h("progress", { ...(total === null ? {} : { value: done, max: Math.max(total, 1) }), "aria-label": words.title });
  return [bar, h("p", { class: "help" }, far)];
}

/** What is new, to be unfolded; its links are on the page of the release. @param {string} html @returns {HTMLElement[]} */
function notesOf(html) {
  const unlink = (/** @type {DocumentFragment} */ fragment) => {
    for (const link of fragment.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    // They are no headings of this page.
    for (const one of fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) one.replaceWith(h("p", { class: "heading" }, ...one.childNodes));
  };
  if (html.trim() === "") return [];
  return [h("details", { class: "notes" }, h("summary", {}, words.notes), h("div", { tabIndex: 0 }, ...cleanedNodes(html, unlink)))];
}

/** @param {UpdateView} view @param {() => Promise<void>} draw @returns {HTMLElement[]} */
function buttonsOf(view, draw) {
  /** @param {string} id @param {string} label @param {() => Promise<unknown>} work */
  const button = (id, label, work) =>
    h(
      "button",
      {
        type: "button",
        class: "plain",
        id,
        onclick: async () => {
          const done = attempt(work());
          // What takes long is shown from its first moment on.
          await draw();
          await done;
          await draw();
        },
      },
      label,
    );
  const { means, can_look, ends, state, previous } = view;
  if (isUnderWay(view)) return [];
  if (state.type === "ready") return [button("restart", words.restart, () => host.restart())];
  const all = [];
  const release = state.type === "available" || state.type === "failed" ? state.release : null;
  if (release && means.type === "itself")
    all.push(button("install-update", ends ? words.installAndEnd : words.install, () => host.installUpdate()));
  if (release && release.page !== null) all.push(button("release-page", words.page, () => host.openReleasePage()));
  if (can_look) all.push(button("check-updates", words.check, () => host.checkForUpdates()));
  if (previous !== null) all.push(goBack(previous, draw));
  return all;
}

/** The version before; the second press means it. @param {string} version @param {() => Promise<void>} draw */
function goBack(version, draw) {
  const button = /** @type {HTMLButtonElement} */ (
    h("button", { type: "button", class: "plain", id: "go-back" }, words.goBack({ version }))
  );
  button.addEventListener("click", async () => {
    if (!button.dataset.asked) {
      button.dataset.asked = "true";
      button.textContent = words.goBackSure({ version });
      return;
    }
    await attempt(host.goBack());
    await draw();
  });
  return button;
}
