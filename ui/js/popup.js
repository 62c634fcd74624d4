// The popup: one line that grows. Its last line always says which keys work now.

/** @import { AppEvent, ThreadId, TurnId } from "./protocol" */
/** @import { TurnModel } from "./reduce" */

import "./context-menu.js";
import { changes } from "./changes.js";
import { begin } from "./begin.js";
import { clock } from "./clock.js";
import { altDigit, attempt, byId, closesOnOutsideClick, grow, h, onceAFrame, rewrite, sends } from "./dom.js";
import { keyNames, seconds } from "./format.js";
import * as host from "./host.js";
import { keep, memoryIn, toldView } from "./memory.js";
import { keepSize, measure } from "./popup/size.js";
import { elapsed, ended, fromView, newTurn, take } from "./reduce.js";
import { endedLine, modelName, siteOf } from "./sentences.js";
import { strings } from "./strings.js";
import { answerChanged, copyAnswer, listen, updateAnswer } from "./view/answer.js";
import { attachments } from "./view/attach.js";
import { askedBefore } from "./view/before.js";
import { boardView } from "./view/board.js";
import { cardFollows, hideCard, leaveCard, showCard } from "./view/card.js";
import { heldView } from "./view/held.js";
import { countdown, incidentLine, reasonView, settingsOf } from "./view/incident.js";
import { chooseModel } from "./view/models.js";
import { isHere, openNumber, place } from "./view/sources.js";
import { steps } from "./view/steps.js";
import { templateList } from "./view/templates.js";
import { toolFormView } from "./view/tool-form.js";
import { trustLine } from "./view/trust.js";
import { showViewer } from "./view/viewer.js";

/** @type {{ thread: ThreadId | null, turn: TurnModel | null, asking: boolean, given: string | null, pinned: boolean, open: boolean }} */
const state = { thread: null, turn: null, asking: false, given: null, pinned: false, open: false };

const words = strings.popup;
const input = /** @type {HTMLTextAreaElement} */ (
  h("textarea", {
    id: "question",
    rows: 1,
    placeholder: words.placeholder,
    "aria-label": words.placeholder,
    dir: "auto",
    spellcheck: true,
    oninput: () => {
      grow(input);
      render();
    },
  })
);
const given = attachments(input, () => render());
const asking = templateList(input);
const before = askedBefore(input, {
  isWanted: () => state.turn?.state !== "running",
  besides: () => state.thread,
  changed: () => measure(),
  leave: () => startAnew(),
  // What was typed stays: it may still be asked.
  open: (found) => void attempt(host.popupExpand(found.thread, found.turn)),
});
const pin = h(
  "button",
  {
    type: "button",
    id: "pin",
    class: "pin-button",
    title: words.pinHelp,
    "aria-label": words.pin,
    "aria-pressed": "false",
    onclick: async () => {
      state.pinned = (await attempt(host.popupPin(!state.pinned))) ?? state.pinned;
      render();
    },
  },
  "◆",
);
const logo = h("span", {
  class: "logo handle",
  "aria-hidden": "true",
  onpointerdown: (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    attempt(host.popupDrag());
  },
});
const progress = h("div");
/** What a deep run can be told here. @type {import("./view/board").BoardActions} */
const boardActions = {
  finishNow: (turn) => void attempt(host.finishNow(turn)),
  stopResearcher: (turn, researcher) => void attempt(host.stopResearcher(turn, researcher)),
  stop: () => {
    if (state.turn) attempt(host.stop(state.turn.id));
  },
  approve: async (turn, plan) => (await attempt(host.approvePlan(turn, plan).then(() => true))) ?? false,
  report: (turn, researcher) => attempt(host.researcherReport(turn, researcher)),
};
/** Of the turn that is shown; each has its own. */
let board = boardView(boardActions);
/** @type {TurnId | null} */
let boardOf = null;
const boardPlace = h("div", {});
const held = heldView();
const toolForm = toolFormView();
const answer = h("div", { class: "answer", dir: "auto" });
const trouble = h("div", { class: "trouble" });
const reason = h("div");
const asked = h("h2", { class: "asked", dir: "auto" });
const skeleton = h("div", { class: "skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("span"));
const checked = h("div", { class: "trust" });
const model = h("span", { class: "model" });
const list = h("ul", { class: "cited", "aria-label": strings.window.sources });

const openers = {
  /** @param {TurnId} turn @param {number} place */
  openAnswerLink: (turn, place) => attempt(host.openAnswerLink(turn, place)),
  /** @param {TurnId} turn @param {number} number @param {number | null} passage */
  async openSource(turn, number, passage) {
    const known = state.turn?.sources.find((source) => source.number === number);
    if (!isHere(known?.url ?? "")) {
      await attempt(host.openSource(turn, number, passage));
      return;
    }
    const text = await attempt(host.source(turn, number));
    hideCard();
    if (text) showViewer(text, passage);
  },
  showCard,
  leaveCard,
};

/** Begins a run in the thread of the popup and follows it. @param {Omit<host.Question, "thread" | "effort">} asked @returns {Promise<boolean>} */
async function start(asked) {
  const begun = await attempt(begin({ thread: state.thread, effort: "s", ...asked }));
  if (!begun) return false;
  state.thread = begun.thread;
  state.turn = newTurn(begun.turn, asked.question);
  follow(begun.turn);
  render();
  return true;
}

/** Asks the same once more, with another model if one is named, and not before the run that is going on has stopped. @param {string | null} provider */
async function again(provider) {
  const { turn } = state;
  if (!turn) return;
  if (turn.state === "running") {
    await attempt(host.stop(turn.id));
    await ended(() => state.turn);
  }
  await start({ question: turn.question, mode: turn.deep ? "deep" : "quick", provider, instead_of: turn.id });
}

/** Takes what was sent out of the field, or everything; what was written meanwhile belongs to the next question. @param {string} [sent] */
function clearField(sent = input.value) {
  if (input.value.startsWith(sent)) input.value = input.value.slice(sent.length);
  asking.clear();
  grow(input);
  before.typed();
  render();
}

/** @param {"quick" | "deep"} [mode] */
async function ask(mode = "quick") {
  const field = input.value;
  const written = field.trim();
  const memory = memoryIn(written);
  if (memory !== null) {
    if (await keep(memory, false)) clearField(field);
    return false;
  }
  if (written === "" || state.asking || state.turn?.state === "running" || asking.missing()) return false;
  const question = state.given ? `${written}\n\n${state.given}` : written;
  state.asking = true;
  const attached = given.ids();
  const begun = await start({ question, mode, attached });
  state.asking = false;
  if (!begun) return false;
  state.given = null;
  given.clear(attached);
  clearField(field);
  return true;
}

/** @param {TurnId} id */
async function follow(id) {
  const going = await attempt(
    host.watch(id, (message) => {
      if (state.turn?.id !== id) return;
      state.turn = take(state.turn, message, performance.now());
      if (state.turn.state !== "running") byId("said").textContent = endedLine(state.turn.state);
      schedule();
    }),
  );
  if (going === false) {
    const kept = (await attempt(host.turnViews([id])))?.[0];
    if (kept && state.turn?.id === id) state.turn = fromView(kept);
    schedule();
  }
}

function reset() {
  state.thread = null;
  state.turn = null;
  state.open = false;
  hideCard();
  render();
}

/** Opens the thread in the research window; what was typed is asked first. */
async function expand() {
  if (input.value.trim() !== "" && state.turn?.state !== "running" && !(await ask())) return;
  await attempt(host.popupExpand(state.thread));
  reset();
}

/** Takes what is being typed into a new thread. */
function startAnew() {
  reset();
  before.typed();
  input.focus();
}

async function copy() {
  if (state.turn) await copyAnswer(state.turn, "with_sources");
}

/** One layer back: stop, clear what was typed, clear the answer, hide. */
function back() {
  if (state.turn?.state === "running") attempt(host.stop(state.turn.id));
  else if (input.value !== "") clearField();
  else if (state.given) {
    state.given = null;
    render();
  } else if (given.has()) given.clear();
  else if (state.turn) reset();
  else attempt(host.popupHide());
}

/** The keys that work now. @returns {[string, string, () => void, boolean?][]} */
function keys() {
  const running = state.turn?.state === "running";
  const typed = input.value.trim() !== "";
  /** @type {[string, string, () => void, boolean?][]} */
  const out = [];
  if (typed && !running) out.push(["Enter", words.keyEnter, () => ask()], ["Alt ⏎", words.keyDeep, () => ask("deep")]);
  out.push(["Ctrl ⏎", words.keyExpand, expand]);
  if (state.turn && !running && state.turn.answer) out.push(["Ctrl C", words.keyCopy, copy]);
  const first = running ? undefined : state.turn?.sources.find((source) => source.cited && source.number <= 9);
  if (first) out.push([`Alt ${first.number}`, words.keySource, () => openNumber(state.turn, first.number, openers)]);
  out.push(["Esc", running ? words.keyStop : typed || state.turn || state.given ? words.keyClear : words.keyHide, back, true]);
  return out;
}

const schedule = onceAFrame(() => render());
// The time of a run goes on while nothing else happens.
const goOn = clock(schedule);

const stepsChanged = changes();
const incidentChanged = changes();
let keysShown = "";
/** @type {TurnModel | null} */
let shown = null;

function render() {
  const { turn } = state;
  const running = turn?.state === "running";
  goOn(running);
  byId("given").hidden = !state.given;
  byId("given").replaceChildren(
    ...(state.given
      ? [
          h("span", { class: "label" }, words.clipboard),
          h("span", { class: "text", title: words.use, dir: "auto" }, state.given.slice(0, 160)),
          h(
            "button",
            {
              type: "button",
              "aria-label": words.remove,
              onclick: () => {
                state.given = null;
                render();
                input.focus();
              },
            },
            "×",
          ),
        ]
      : []),
  );
  byId("body").hidden = !turn;
  input.placeholder = turn ? strings.window.askMore : words.placeholder;
  if (turn) {
    rewrite(asked, turn.question);
    const { deep } = turn;
    const stepsNew = stepsChanged(
      turn.id,
      turn.state,
      turn.steps,
      deep?.plan,
      deep?.phase,
      deep?.progress,
      deep?.researchers.length,
      turn.sources.length,
      turn.tokens,
      turn.blocks.length > 0,
      state.open,
      turn.held,
      turn.forms,
    );
    const time = progress.querySelector(".sum .time");
    if (time) rewrite(time, seconds(elapsed(turn, performance.now())));
    if (stepsNew || !time) {
      const focused = progress.contains(document.activeElement);
      progress.replaceChildren(
        steps(turn, state.open, () => {
          state.open = !state.open;
          render();
        }),
      );
      if (focused) /** @type {HTMLElement | null} */ (progress.querySelector("button"))?.focus();
    }
    if (boardOf !== turn.id) {
      boardOf = turn.id;
      board = boardView(boardActions);
      boardPlace.replaceChildren(board.element);
    }
    // A plan that waits is what has to be done now.
    board.update(turn, state.open || Boolean(turn.deep?.waits));
    held.update(turn);
    toolForm.update(turn);
    if (answerChanged(shown, turn)) updateAnswer(answer, turn);
    answer.setAttribute("aria-busy", String(running));
    // The report of a deep run is minutes away; its place is shown when it is written.
    skeleton.hidden = !running || turn.blocks.length > 0 || (turn.deep !== null && turn.deep.phase !== "synthesizing");
    const ways = {
      settings: () => attempt(host.openWindow("settings", settingsOf(turn))),
      other_model: () => chooseModel(null, again, () => attempt(host.openWindow("settings", "models"))),
      without_model: () => again("builtin"),
      retry: () => again(null),
      stop: back,
    };
    if (incidentChanged(turn.id, running, turn.incident, turn.ended)) {
      trouble.replaceChildren(...[incidentLine(turn, ways)].filter((line) => line !== null));
      reason.replaceChildren(...[running ? null : reasonView(turn, ways)].filter((view) => view !== null));
    }
    const left = trouble.querySelector(".left");
    const remaining = countdown(turn, performance.now());
    if (left && remaining !== null) rewrite(left, strings.incident.again({ seconds: remaining }));
    const cited = turn.sources.filter((source) => source.cited);
    // Drawn once it is over, so that a click finds what it was meant for.
    if (shown !== turn && (shown?.state !== turn.state || shown?.id !== turn.id || !running)) {
      const line = running ? null : trustLine(answer, () => /** @type {TurnModel} */ (state.turn));
      const told = running ? null : toldView(turn.memories);
      checked.replaceChildren(...[line, told].filter((part) => part !== null));
      list.replaceChildren(
        ...(running
          ? []
          : cited.map((source) =>
              h(
                "li",
                {},
                h(
                  "button",
                  { type: "button", class: "cited-source", title: source.url, onclick: () => openNumber(turn, source.number, openers) },
                  h("b", {}, String(source.number)),
                  h("span", { class: "title", dir: "auto" }, source.title),
                  h("span", { class: "site" }, [siteOf(source), place(source.passages[0])].filter(Boolean).join(" · ")),
                ),
              ),
            )),
      );
    }
  }
  model.textContent = running ? "" : modelName(turn?.model ?? "");
  model.hidden = model.textContent === "";
  shown = turn;
  pin.setAttribute("aria-pressed", String(state.pinned));
  const now = keys();
  const labels = now.map(([key, label]) => key + label).join();
  // Rebuilt only when it has changed, so that a click finds what it was meant for.
  if (labels !== keysShown)
    byId("keys").replaceChildren(
      ...now.map(([key, label, run, last]) =>
        h(
          "button",
          { type: "button", class: last ? "last" : "", tabIndex: -1, onclick: run },
          ...key.split(" ").map((part) => h("kbd", {}, keyNames(part))),
          label,
        ),
      ),
    );
  keysShown = labels;
  measure();
}

/** @param {AppEvent} news */
function onAppEvent(news) {
  if (news.type === "clipboard") {
    if (state.turn?.state !== "running") state.given = news.text;
    render();
    return;
  }
  if (news.type === "dragging") document.body.classList.toggle("dragging", news.over);
  if (news.type === "dropped") {
    given.add(news.chips);
    input.focus();
  }
  if (news.type !== "shown") return;
  // What was typed and not sent stays, however long ago that was.
  if (news.fresh && state.turn?.state !== "running") reset();
  state.given = null;
  render();
  input.focus();
  input.select();
  // Two frames later it has been painted.
  requestAnimationFrame(() => requestAnimationFrame(() => attempt(host.popupPainted())));
}

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  const digit = altDigit(event);
  const composing = event.isComposing || event.keyCode === 229;
  if (composing) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.target === input && (asking.onKey(event) || given.onKey(event))) return;
  if (event.key === "Escape") {
    event.preventDefault();
    back();
  } else if (event.key === "Enter" && command) {
    event.preventDefault();
    expand();
  } else if (event.key === "Enter" && event.altKey) {
    event.preventDefault();
    ask("deep");
  } else if (digit !== null && state.turn && state.turn.state !== "running") {
    event.preventDefault();
    openNumber(state.turn, digit, openers);
  } else if (event.target === input && sends(event)) {
    event.preventDefault();
    ask();
  } else if (
    command &&
    event.key.toLowerCase() === "c" &&
    state.turn?.answer &&
    String(getSelection()) === "" &&
    input.selectionStart === input.selectionEnd
  ) {
    event.preventDefault();
    copy();
  }
});
document.addEventListener("scroll", cardFollows, true);

async function begins() {
  document.body.classList.toggle("flat", location.hash === "#flat");
  byId("bar").append(logo, input, model, given.button, pin, given.hint);
  byId("attached").append(given.row, given.menu, asking.menu, before.element);
  byId("body").append(asked, progress, boardPlace, held.element, toolForm.element, trouble, skeleton, answer, reason, checked, list);
  listen(answer, () => /** @type {TurnModel} */ (state.turn), openers);
  state.pinned = (await attempt(host.popupPin(null))) ?? false;
  keepSize();
  closesOnOutsideClick(/** @type {HTMLDialogElement} */ (byId("viewer")));
  render();
  await attempt(host.listen(onAppEvent));
  document.documentElement.dataset.ready = "true";
  input.focus();
}

begins();
