// One turn in the conversation. Its parts are kept and updated in place, so that selection, focus
// and scroll position survive while the answer grows.

/** @import { Actions } from "../actions" */
/** @import { Method } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { changes } from "../changes.js";
import { h, keepInPlace, rewrite, sends } from "../dom.js";
import { seconds } from "../format.js";
import { toldView } from "../memory.js";
import { elapsed, fromView } from "../reduce.js";
import { methodLine, modelName, reasonLine } from "../sentences.js";
import { strings } from "../strings.js";
import { answerChanged, copyAnswer, listen, updateAnswer } from "./answer.js";
import { boardView } from "./board.js";
import { earlierViews } from "./earlier.js";
import { heldView } from "./held.js";
import { countdown, current, incidentLine, reasonView, settingsOf } from "./incident.js";
import { toggleMenu } from "./menu.js";
import { askSecond, opinionView, waitingView } from "./opinion.js";
import { contents } from "./sections.js";
import { sources } from "./sources.js";
import { steps, summary } from "./steps.js";
import { toolFormView } from "./tool-form.js";
import { trustLine } from "./trust.js";
import { turnMenu } from "./turn-menu.js";
import { changeView, markNew } from "./watch.js";

/** @param {TurnModel} first @param {Actions} actions */
export function turnView(first, actions) {
  let turn = first;
  /** @type {HTMLElement | null} */
  let editor = null;
  const stepsChanged = changes();
  const incidentChanged = changes();
  /** @type {string | null} The model that is asked for a second opinion. */
  let second = null;
  /** @type {boolean | null} Chosen by the person; otherwise open until there is something to read. */
  let chosen = null;
  /** Whether a line of the answer was seen: from then on nothing above it moves by itself. */
  let reading = false;
  const question = h("h1", { class: "question", dir: "auto" });
  const progress = h("div");
  const trouble = h("div", { class: "trouble" });
  const board = boardView(actions);
  const held = heldView();
  const toolForm = toolFormView();
  const news = h("div", { class: "change-place" });
  const parts = h("div", { class: "contents-place" });
  const answer = h("div", { class: "answer", dir: "auto" });
  const skeleton = h("div", { class: "skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("span"));
  const after = h("div", { class: "after" });
  const below = h("div", { class: "below" });
  const element = h(
    "article",
    { class: "turn", "data-turn": first.id },
    question,
    progress,
    board.element,
    held.element,
    toolForm.element,
    trouble,
    skeleton,
    news,
    parts,
    answer,
    after,
    below,
  );
  listen(answer, () => turn, actions);

  /** The answer, once there is something to read in it. */
  const written = () => (answer.hasChildNodes() ? answer : null);

  /** @param {TurnModel} next */
  function update(next) {
    const before = turn;
    turn = next;
    const running = turn.state === "running";
    if (!editor) question.textContent = turn.question;
    // Folded in the frame that shows the first line, and not when the run is over, which would move what is being read.
    if (running && turn.steps.length === 0 && turn.blocks.length === 0) reading = false;
    if (turn.blocks.length > 0) reading = true;
    const open = chosen ?? (running && !reading);
    // Rebuilt only when something in it has changed, so that a click finds what it was meant for.
    const told = summary({ ...turn, elapsedMs: 0, clock: null }).join();
    const changed = stepsChanged(open, turn.state, turn.steps, turn.deep?.plan, told) || !progress.querySelector(".sum .time");
    held.update(turn);
    toolForm.update(turn);
    if (!changed) tick();
    const incident = current(turn);
    const incidentNew = incidentChanged(incident && running, incident);
    if (changed || incidentNew)
      keepInPlace(written(), () => {
        if (changed) rebuildSteps(open);
        if (incidentNew) showIncident();
      });
    board.update(turn, open);
    // The report of a deep run is minutes away; its place is shown when it is written.
    skeleton.hidden = !running || turn.blocks.length > 0 || (turn.deep !== null && turn.deep.phase !== "synthesizing");
    if (answerChanged(before, turn) || !answer.hasChildNodes()) {
      updateAnswer(answer, turn);
      if (turn.change && !running) {
        news.replaceChildren(...[changeView(turn, answer)].filter((view) => view !== null));
        markNew(turn, answer);
      }
      const listed = turn.deep && !running ? contents(answer) : null;
      if (listed || parts.hasChildNodes()) keepInPlace(written(), () => parts.replaceChildren(...(listed ? [listed] : [])));
    }
    answer.setAttribute("aria-busy", String(running));
    if (!running) {
      const focusedAct = after.contains(document.activeElement);
      after.replaceChildren(...ending());
      if (focusedAct) /** @type {HTMLElement | null} */ (after.querySelector("button"))?.focus();
    } else {
      after.replaceChildren();
    }
    below.replaceChildren(...(turn.sources.length > 0 && !running ? sources(turn, actions) : []));
  }

  /** The time so far, and what is left of a pause. */
  function tick() {
    const time = progress.querySelector(".sum .time");
    if (time) rewrite(time, seconds(elapsed(turn, performance.now())));
    const left = trouble.querySelector(".left");
    const remaining = countdown(turn, performance.now());
    if (left && remaining !== null) rewrite(left, strings.incident.again({ seconds: remaining }));
  }

  /** What can be done when something goes wrong. */
  const ways = () =>
    actions.openedThread()?.team === undefined
      ? {
          settings: () => actions.openSettings(settingsOf(turn)),
          other_model: () => actions.chooseModel((name) => actions.askWith(turn, name)),
          without_model: () => actions.askInPlaceOf(turn, "builtin"),
          retry: () => actions.askAgain(turn),
          stop: () => actions.stop(),
        }
      : {};

  /** What went wrong, above the answer. */
  function showIncident() {
    const line = incidentLine(turn, ways());
    trouble.replaceChildren(...(line ? [line] : []));
  }

  /** @param {boolean} open */
  function rebuildSteps(open) {
    const focused = progress.contains(document.activeElement);
    // What was unfolded stays so.
    const unfolded = new Set(
      [...progress.querySelectorAll("details[open]")].map((element) => /** @type {HTMLElement} */ (element).dataset.step),
    );
    progress.replaceChildren(
      steps(turn, open, () => {
        chosen = !(chosen ?? (turn.state === "running" && !reading));
        update(turn);
      }),
    );
    for (const element of progress.querySelectorAll("details")) element.open = unfolded.has(element.dataset.step);
    if (focused) /** @type {HTMLElement | null} */ (progress.querySelector(".sum"))?.focus();
  }

  function ending() {
    /** @type {Node[]} */
    const out = [];
    // What went wrong stands above the answer already.
    const reason = reasonView(turn, ways());
    if (reason) out.push(reason);
    const line = trustLine(answer, () => turn);
    if (line) out.push(line);
    const told = toldView(turn.memories);
    if (told) out.push(told);
    out.push(...earlierViews(turn, actions));
    const opinion = second ? waitingView(second) : opinionView(turn);
    if (opinion) out.push(opinion);
    if (turn.deep?.method) out.push(...method(turn.deep.method));
    const acts = [];
    if (turn.answer) {
      acts.push(h("button", { type: "button", onclick: () => copyAnswer(turn, "with_sources") }, strings.window.copy));
      acts.push(
        h(
          "button",
          {
            type: "button",
            class: "copy-as",
            "aria-label": strings.window.copyAs,
            title: strings.window.copyAs,
            "aria-haspopup": "menu",
            "aria-expanded": "false",
            onclick: (/** @type {Event} */ event) =>
              toggleMenu(/** @type {HTMLElement} */ (event.currentTarget), strings.window.copyAs, [
                { label: strings.window.copyWithSources, run: () => copyAnswer(turn, "with_sources") },
                { label: strings.window.copyMarkdown, run: () => copyAnswer(turn, "markdown") },
                { label: strings.window.copyPlain, run: () => copyAnswer(turn, "plain") },
              ]),
          },
          "▾",
        ),
      );
    }
    const isTheirs = actions.openedThread()?.team !== undefined;
    if (turn.state === "interrupted")
      acts.push(h("button", { type: "button", class: "resume", onclick: () => actions.resume(turn.id) }, strings.window.resume));
    else if (!isTheirs) acts.push(h("button", { type: "button", onclick: () => actions.askAgain(turn) }, strings.window.retry));
    if (!isTheirs) acts.push(h("button", { type: "button", title: strings.window.editTitle, onclick: edit }, strings.window.edit));
    if (turn.answer) acts.push(h("button", { type: "button", onclick: () => actions.exportTurn(turn.id) }, strings.window.export));
    acts.push(
      h(
        "button",
        {
          type: "button",
          class: "turn-menu",
          "aria-label": strings.window.more,
          title: strings.window.more,
          "aria-haspopup": "menu",
          "aria-expanded": "false",
          onclick: (/** @type {Event} */ event) =>
            toggleMenu(/** @type {HTMLElement} */ (event.currentTarget), strings.window.more, turnMenu(turn, actions, { askAnother })),
        },
        "⋯",
      ),
    );
    const label = modelName(turn.model) === strings.window.builtinName ? strings.window.builtin : turn.model;
    out.push(h("div", { class: "acts" }, ...acts, h("span", { class: "label" }, label)));
    if (turn.followUps.length > 0 && !isTheirs) {
      out.push(
        h(
          "div",
          { class: "next", role: "group", "aria-label": strings.window.followUps },
          ...turn.followUps.map((text) => h("button", { type: "button", dir: "auto", onclick: () => actions.ask(text) }, text)),
        ),
      );
    }
    return out;
  }

  function askAnother() {
    askSecond(
      turn,
      (waiting, view) => {
        second = waiting;
        update(view ? { ...turn, second: fromView(view).second, secondHtml: fromView(view).secondHtml } : turn);
      },
      () => actions.openSettings("models"),
    );
  }

  /** How a deep run came to its report. @param {Method} made @returns {Node[]} */
  function method(made) {
    const open =
      made.unfinished?.map(({ title, reason }) => `${title}: ${reasonLine(reason) || reasonLine([{ code: "not_finished" }])}`) ??
      made.open ??
      [];
    return [
      h(
        "section",
        { class: "method", "aria-label": strings.deep.method },
        h("p", {}, h("b", {}, strings.deep.method), `: ${methodLine(made)}`),
        open.length > 0 ? h("p", { class: "open-title" }, strings.deep.open) : null,
        open.length > 0 ? h("ul", {}, ...open.map((text) => h("li", { dir: "auto" }, text))) : null,
      ),
    ];
  }

  /** The question becomes a field; asking it begins a thread of its own. */
  function edit() {
    const input = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "rewrite", rows: 2, "aria-label": strings.window.edit }));
    input.value = turn.question;
    const close = () => {
      editor = null;
      question.replaceChildren(turn.question);
    };
    let sending = false;
    const send = async () => {
      const text = input.value.trim();
      if (text === "" || sending) return;
      sending = true;
      const taken = await actions.askInstead(turn.id, text);
      sending = false;
      if (taken) close();
    };
    input.addEventListener("keydown", (event) => {
      if (sends(event)) {
        event.preventDefault();
        send();
      } else if (event.key === "Escape") {
        event.stopPropagation();
        close();
      }
    });
    editor = h(
      "div",
      { class: "rewriting" },
      input,
      h(
        "div",
        { class: "acts" },
        h("button", { type: "button", onclick: send }, strings.window.ask),
        h("button", { type: "button", onclick: close }, strings.window.cancel),
      ),
    );
    question.replaceChildren(editor);
    const grow = () => {
      input.style.height = "auto";
      input.style.height = `${input.scrollHeight + 2}px`;
    };
    input.addEventListener("input", grow);
    grow();
    input.focus();
  }

  update(first);
  return { element, update, tick };
}
