// Where questions are written, and what changes how they are answered.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { Effort, Focus, Mode } from "../protocol" */

import { changes } from "../changes.js";
import { grow, h, segments, sends, toast } from "../dom.js";
import { keep, memoryIn } from "../memory.js";
import { modelName } from "../sentences.js";
import { strings } from "../strings.js";
import { attachments } from "./attach.js";
import { askedBefore } from "./before.js";
import { toggleMenu } from "./menu.js";
import { askedIn } from "./spaces.js";
import { templateList } from "./templates.js";

const documents = strings.documents;
const spaces = strings.spaces;

/** @type {Effort[]} */
export const EFFORTS = ["s", "m", "l"];
/** @type {Mode[]} */
const MODES = ["quick", "deep"];
/** @type {Focus[]} */
export const FOCUSES = ["both", "web", "documents"];

/**
 * Builds the composer once; `update` follows the state without touching what is being written.
 * @param {Actions} actions
 */
export function composer(actions) {
  const input = /** @type {HTMLTextAreaElement} */ (
    h("textarea", {
      id: "composer",
      rows: 1,
      "aria-label": strings.window.askFirst,
      spellcheck: true,
      dir: "auto",
      oninput: () => {
        grow(input);
        go.disabled = go.dataset.running !== "true" && input.value.trim() === "";
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (asking.onKey(event) || given.onKey(event)) return;
        if (sends(event)) {
          event.preventDefault();
          send();
        }
      },
    })
  );
  const given = attachments(input, () => {});
  const asking = templateList(input);
  const modes = h("span", {});
  const efforts = h("span", {});
  const focus = picker("focus");
  const model = picker("model");
  const thinking = h(
    "button",
    { class: "pill", type: "button", id: "thinking", title: strings.window.thinkLongerHelp, onclick: () => actions.setThinking() },
    strings.window.thinkLonger,
  );
  const privacy = h(
    "button",
    { class: "pill", type: "button", id: "private", title: strings.window.privateHelp, onclick: () => actions.setPrivate() },
    strings.window.private,
  );
  const go = /** @type {HTMLButtonElement} */ (
    h("button", { class: "go", type: "button", id: "go", onclick: () => (go.dataset.running === "true" ? actions.stop() : send()) })
  );
  const help = h("p", { class: "hint", id: "composer-hint" });
  // It stands in the place of the hint, so that nothing moves.
  const before = askedBefore(input, {
    isWanted: () => !isPrivate,
    besides: () => thread,
    open: (found) => void actions.openThread(found.thread, found.turn),
    leave: () => {
      const typed = input.value;
      input.value = "";
      actions.startWith(typed);
    },
    changed: () => {
      help.hidden = !before.element.hidden;
    },
  });
  const element = h(
    "div",
    { class: "dock-inner" },
    h(
      "div",
      { class: "box" },
      asking.menu,
      given.menu,
      given.row,
      given.hint,
      h("div", { class: "ask-line" }, input, go),
      h("div", { class: "bar" }, given.button, modes, efforts, focus, model, thinking, privacy),
    ),
    help,
    before.element,
  );

  let sending = false;
  /** Whether what is asked here is kept nowhere. */
  let isPrivate = false;
  /** What is remembered here is remembered there. @type {import("../protocol").Space | null} */
  let space = null;
  /** @type {import("../protocol").ThreadId | null} The thread that is open. */
  let thread = null;

  async function send() {
    const question = input.value.trim();
    const memory = memoryIn(question);
    if (question !== "" && go.dataset.running === "true" && memory === null) toast(strings.window.waitOrStop);
    if (question === "" || (go.dataset.running === "true" && memory === null) || sending) return;
    if (memory === null && asking.missing()) return;
    sending = true;
    const [written, attached] = [input.value, given.ids()];
    const taken = memory === null ? await actions.ask(question, attached) : await keep(memory, isPrivate, space);
    sending = false;
    if (taken) {
      // What was written and attached meanwhile belongs to the next question.
      if (input.value.startsWith(written)) input.value = input.value.slice(written.length);
      asking.clear();
      grow(input);
      before.typed();
      if (memory === null) given.clear(attached);
      go.disabled = go.dataset.running !== "true";
    }
  }

  const choicesChanged = changes();

  /** @param {State} state @param {boolean} running */
  function update(state, running) {
    const was = `${isPrivate} ${thread}`;
    isPrivate = state.thread?.private ?? state.private;
    thread = state.thread?.id ?? null;
    if (was !== `${isPrivate} ${thread}`) before.typed();
    input.placeholder =
      state.view === "documents" ? documents.ask : state.turns.length > 0 ? strings.window.askMore : strings.window.askFirst;
    go.textContent = running ? strings.window.stop : strings.window.ask;
    // As wide as both, so that the field stays as it is.
    go.dataset.other = running ? strings.window.ask : strings.window.stop;
    go.dataset.running = String(running);
    go.disabled = !running && input.value.trim() === "";
    privacy.hidden = state.thread !== null;
    // What is asked where documents are looked at is asked of them alone.
    focus.hidden = state.view === "documents";
    privacy.setAttribute("aria-pressed", String(state.private));
    privacy.classList.toggle("on", state.private);
    const models = state.overview?.models ?? [];
    // A space may have a model of its own, which is asked unless another one is chosen.
    space = askedIn(state) ?? null;
    const own = space?.model ?? null;
    const asked = state.provider ?? own;
    const chosen = models.find((candidate) => candidate.name === asked);
    // The built-in researcher has no thoughts.
    thinking.hidden = (asked ?? models[0]?.name ?? "builtin") === "builtin";
    thinking.setAttribute("aria-pressed", String(state.thinking !== null));
    thinking.classList.toggle("on", state.thinking !== null);
    if (!choicesChanged(state.mode, state.effort, state.focus, state.provider, state.overview?.models, state.overview?.has_web, own))
      return;
    const names = state.mode === "deep" ? strings.window.deepEfforts : strings.window.efforts;
    redraw(modes, state.mode, () =>
      segments({
        label: strings.window.mode,
        value: state.mode,
        onchange: actions.setMode,
        options: MODES.map((mode) => ({ value: mode, text: strings.window.modeNames[mode], title: strings.window.modes[mode] })),
      }),
    );
    redraw(efforts, `${state.mode} ${state.effort}`, () =>
      segments({
        label: strings.window.effort,
        value: state.effort,
        onchange: actions.setEffort,
        options: EFFORTS.map((effort) => ({ value: effort, text: effort.toUpperCase(), title: names[effort] })),
      }),
    );
    help.textContent = names[state.effort];
    const at = state.provider ? (chosen?.name ?? state.provider) : own ? null : models[0]?.name;
    set(model, modelName(chosen?.label ?? (asked ? named(asked) : models[0]?.label) ?? ""), strings.window.model, () => [
      ...(own ? [{ label: spaces.ofSpace, note: named(own), checked: state.provider === null, run: () => actions.setProvider(null) }] : []),
      ...models.map((candidate) => ({
        label: modelName(candidate.label),
        note: candidate.name === "builtin" ? strings.window.builtinNote : undefined,
        checked: candidate.name === at,
        run: () => actions.setProvider(candidate.name),
      })),
      { label: strings.window.allModels, note: strings.window.allModelsNote, checked: false, run: () => actions.chooseModel() },
    ]);
    const web = state.overview?.has_web ?? true;
    set(focus, strings.window.focuses[web ? state.focus : "documents"], strings.window.focus, () =>
      FOCUSES.filter((value) => web || value !== "both").map((value) => ({
        label: strings.window.focuses[value],
        note: value === "web" && !web ? strings.window.noWeb : strings.window.focusNotes[value],
        checked: web ? value === state.focus : value === "documents",
        // Without a web search, choosing it leads to where one is set up.
        run: () => (value === "web" && !web ? actions.openSettings("search") : actions.setFocus(value)),
      })),
    );
  }

  return {
    element,
    input,
    update,
    given,
    /** What is written and not sent, of another thread. @param {string} text */
    draft(text) {
      input.value = text;
      grow(input);
      before.typed();
      go.disabled = go.dataset.running !== "true" && text.trim() === "";
    },
  };
}

/** Draws a choice anew where it has changed, and leaves the focus where it was. @param {HTMLElement} place @param {string} key @param {() => HTMLElement} make */
function redraw(place, key, make) {
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const focused = place.contains(document.activeElement);
  place.replaceChildren(make());
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector('[aria-checked="true"]'))?.focus();
}

/** `gpt-x · openai` for `openai/gpt-x`. @param {string} name */
function named(name) {
  const at = name.indexOf("/");
  return at < 0 ? name : `${name.slice(at + 1)} · ${name.slice(0, at)}`;
}

/** @param {string} id */
function picker(id) {
  return h("button", { class: "pill", type: "button", id, "aria-haspopup": "menu", "aria-expanded": "false" });
}

/** @param {HTMLElement} button @param {string} text @param {string} label @param {() => import("./menu").Item[]} items */
function set(button, text, label, items) {
  button.replaceChildren(h("span", {}, text), h("span", { "aria-hidden": "true" }, " ▾"));
  button.title = text;
  button.setAttribute("aria-label", `${label}: ${text}`);
  button.onclick = () => toggleMenu(button, label, items());
}
