// The window: state, actions, and one render a frame.

/** @import { Effort, Overview, ThreadId, ThreadSummary, TurnId, WatchMessage } from "./protocol" */
/** @import { TurnModel } from "./reduce" */

import { byId, toast } from "./dom.js";
import * as host from "./host.js";
import { fromView, newTurn, reduce } from "./reduce.js";
import { strings } from "./strings.js";
import { hideCard, showCard } from "./view/card.js";
import { composer } from "./view/composer.js";
import { rail } from "./view/rail.js";
import { sources } from "./view/sources.js";
import { turnView } from "./view/turn.js";
import { showViewer } from "./view/viewer.js";
import { empty, welcome } from "./view/welcome.js";

/**
 * @typedef {{ overview: Overview | null, threads: ThreadSummary[], thread: ThreadId | null, turns: TurnModel[], effort: Effort, menuOpen: boolean }} State
 * @typedef {typeof actions} Actions
 */

/** How far from the end, in pixels, still counts as reading at the end. */
const AT_END = 60;

/** How often, in milliseconds, a run of another program is looked at. */
const POLL = 1500;

/** @type {State} */
const state = { overview: null, threads: [], thread: null, turns: [], effort: "m", menuOpen: false };
/** @type {Map<TurnId, ReturnType<typeof turnView>>} */
const views = new Map();
let frame = 0;
let railShown = "";
let sideShown = "";
/** How often a thread was opened: only the last one is shown. */
let opening = 0;

const actions = {
  async begin() {
    await attempt(host.beginWithoutAccount());
    state.overview = await host.overview();
    render();
    box.input.focus();
  },

  /** @param {string} question @returns {Promise<boolean>} whether it was taken */
  async ask(question) {
    if (state.overview?.first_run) await actions.begin();
    const from = state.thread;
    const begun = await attempt(host.ask(question, from, state.effort));
    if (!begun) return false;
    if (state.thread !== from) {
      // Another thread was opened meanwhile; the run goes on behind it.
      refreshThreads();
      return true;
    }
    if (state.thread !== begun.thread) {
      state.thread = begun.thread;
      state.turns = [];
    }
    remember(begun.thread);
    state.turns = [...state.turns, newTurn(begun.turn, question)];
    follow(begun.turn);
    render();
    scrollToEnd();
    refreshThreads();
    return true;
  },

  stop() {
    const turn = state.turns.find((candidate) => candidate.state === "running");
    if (turn) attempt(host.stop(turn.id));
  },

  /** @param {TurnId} id */
  async resume(id) {
    const begun = await attempt(host.resume(id));
    if (!begun) return;
    state.turns = state.turns.map((turn) => (turn.id === id ? newTurn(id, turn.question) : turn));
    follow(id);
    render();
    refreshThreads();
  },

  /** @param {ThreadId} thread */
  async openThread(thread) {
    opening += 1;
    const mine = opening;
    const turns = await attempt(host.openThread(thread));
    // Another one was opened meanwhile.
    if (!turns || mine !== opening) return;
    state.menuOpen = false;
    state.thread = thread;
    remember(thread);
    state.turns = turns.map(fromView);
    for (const turn of state.turns) if (turn.state === "running") follow(turn.id);
    render();
    byId("flow").scrollTop = state.turns.length > 1 ? byId("flow").scrollHeight : 0;
  },

  /** Goes on from a turn in a thread of its own. @param {TurnId} turn */
  async branch(turn) {
    const thread = await attempt(host.branch(turn, true));
    if (!thread) return;
    await refreshThreads();
    await actions.openThread(thread);
    toast(strings.branched);
    box.input.focus();
  },

  /**
   * Asks another question in the place of a turn's, in a thread of its own.
   * @param {TurnId} turn @param {string} question @returns {Promise<boolean>}
   */
  async askInstead(turn, question) {
    try {
      // Asked there before anything is shown: when it is refused, nothing has changed.
      const thread = await host.branch(turn, false);
      const begun = await host.ask(question, thread, state.effort);
      await refreshThreads();
      await actions.openThread(begun.thread);
      scrollToEnd();
      return true;
    } catch (error) {
      toast(String(error));
      return false;
    }
  },

  newThread() {
    opening += 1;
    state.menuOpen = false;
    state.thread = null;
    state.turns = [];
    remember(null);
    render();
    box.input.focus();
  },

  toggleMenu() {
    state.menuOpen = !state.menuOpen;
    render();
  },

  /** @param {Effort} effort */
  setEffort(effort) {
    state.effort = effort;
    render();
  },

  /** @param {TurnId} turn @param {number} number @param {number | null} passage */
  async openSource(turn, number, passage) {
    const known = state.turns.find((candidate) => candidate.id === turn)?.sources.find((source) => source.number === number);
    if (known?.url.startsWith("file:")) await actions.showText(turn, number, passage);
    else await attempt(host.openSource(turn, number, passage));
  },

  /** The text of a source as it was read. @param {TurnId} turn @param {number} number @param {number | null} passage */
  async showText(turn, number, passage) {
    const text = await attempt(host.source(turn, number));
    hideCard();
    if (text) showViewer(text, passage);
  },

  /** @param {TurnId} turn @param {number} place */
  openAnswerLink: (turn, place) => attempt(host.openAnswerLink(turn, place)),

  /** @param {TurnModel} turn */
  async copy(turn) {
    const list = turn.sources.filter((source) => source.cited).map((source) => `[${source.number}] ${source.title} - ${source.url}`);
    const text = list.length > 0 ? `${turn.answer}\n\n${strings.sources}:\n${list.join("\n")}` : turn.answer;
    await attempt(navigator.clipboard.writeText(text).then(() => toast(strings.copied)));
  },

  showCard,
  hideCard,
};

const box = composer(actions);

/** Shows failures as sentences. @template T @param {Promise<T>} promise @returns {Promise<T | null>} */
async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(String(error));
    return null;
  }
}

/** The thread stays open when the window is loaded again. @param {ThreadId | null} thread */
function remember(thread) {
  history.replaceState(null, "", thread ? `#${thread}` : "#");
}

/** Watches a run until it ends. @param {TurnId} id */
async function follow(id) {
  let first = true;
  const going = await attempt(host.watch(id, (message) => {
    // All events come again, from the first on.
    if (first) change(id, (turn) => ({ ...newTurn(id, turn.question), askedMs: turn.askedMs }));
    first = false;
    receive(id, message);
  }));
  // It has ended, or another program carries it out: what is kept is shown, as long as it is open.
  while (going === false && state.turns.some((turn) => turn.id === id)) {
    const kept = state.thread ? (await attempt(host.openThread(state.thread)))?.find((view) => view.turn.id === id) : null;
    if (!kept) return;
    change(id, () => fromView(kept));
    if (kept.turn.ending.state !== "running") {
      refreshThreads();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

/** @param {TurnId} id @param {WatchMessage} message */
function receive(id, message) {
  change(id, (turn) => {
    const next = message.events.reduce(reduce, turn);
    return message.html === undefined ? next : { ...next, html: message.html };
  });
  if (message.events.some((envelope) => envelope.event.type === "ended")) refreshThreads();
}

/** @param {TurnId} id @param {(turn: TurnModel) => TurnModel} by */
function change(id, by) {
  state.turns = state.turns.map((turn) => (turn.id === id ? by(turn) : turn));
  schedule();
}

async function refreshThreads() {
  state.threads = (await attempt(host.threads())) ?? state.threads;
  schedule();
}

function schedule() {
  if (!frame) {
    frame = requestAnimationFrame(() => {
      frame = 0;
      render();
    });
  }
}

function render() {
  const flow = byId("flow");
  const follows = flow.scrollHeight - flow.scrollTop - flow.clientHeight < AT_END;
  const running = state.turns.some((turn) => turn.state === "running");
  renderRail();
  renderFlow(flow);
  box.update(state, running);
  const last = [...state.turns].reverse().find((turn) => turn.sources.length > 0);
  byId("app").classList.toggle("no-side", !last);
  // Rebuilt only when it has changed, so that a click finds what it was meant for.
  const side = last ? JSON.stringify([last.id, last.state, last.sources, last.steps.length]) : "";
  if (side !== sideShown) {
    sideShown = side;
    byId("side").replaceChildren(...(last ? sources(last, actions) : []));
  }
  if (document.documentElement.dataset.ready) document.title = state.turns[0] ? `${state.turns[0].question.slice(0, 80)} – Nexi` : "Nexi";
  byId("dock").hidden = state.overview?.first_run ?? true;
  if (follows && running) flow.scrollTop = flow.scrollHeight;
}

/** Rebuilt only when something in it has changed, so that focus stays. */
function renderRail() {
  const shown = JSON.stringify([state.threads, state.thread, state.menuOpen, state.overview]);
  if (shown === railShown) return;
  railShown = shown;
  const element = byId("rail");
  const focused = element.contains(document.activeElement) ? [...element.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) : -1;
  element.classList.toggle("open", state.menuOpen);
  element.replaceChildren(...rail(state, actions));
  if (focused >= 0) element.querySelectorAll("button")[focused]?.focus();
}

/** @param {HTMLElement} flow */
function renderFlow(flow) {
  if (state.turns.length === 0) {
    views.clear();
    const wanted = !state.overview ? "" : state.overview.first_run ? "welcome" : "empty";
    if (wanted && flow.firstElementChild?.id !== wanted) flow.replaceChildren(wanted === "welcome" ? welcome(actions) : empty(actions));
    return;
  }
  let column = flow.querySelector(".column");
  if (!column) {
    column = document.createElement("div");
    column.className = "column";
    flow.replaceChildren(column);
  }
  const ids = new Set(state.turns.map((turn) => turn.id));
  for (const [id, view] of views) {
    if (!ids.has(id)) {
      view.element.remove();
      views.delete(id);
    }
  }
  state.turns.forEach((turn, index) => {
    let view = views.get(turn.id);
    if (!view) {
      view = turnView(turn, actions);
      views.set(turn.id, view);
    } else if (shownTurns.get(turn.id) !== turn) {
      view.update(turn);
    }
    shownTurns.set(turn.id, turn);
    if (column.children[index] !== view.element) column.insertBefore(view.element, column.children[index] ?? null);
  });
}

/** @type {Map<TurnId, TurnModel>} */
const shownTurns = new Map();

function scrollToEnd() {
  const flow = byId("flow");
  flow.scrollTop = flow.scrollHeight;
}

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    box.input.focus();
  } else if (event.key.toLowerCase() === "n" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    actions.newThread();
  } else if (event.key === "Escape") {
    hideCard();
    if (state.menuOpen) actions.toggleMenu();
  }
});
document.addEventListener("scroll", hideCard, true);
window.addEventListener("resize", hideCard);
// Files dropped on the window would replace the page.
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());

async function start() {
  byId("dock").append(box.element);
  state.overview = await attempt(host.overview());
  if (state.overview) state.effort = state.overview.effort;
  render();
  for (const warning of state.overview?.warnings ?? []) toast(warning);
  await refreshThreads();
  const open = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(open) && state.threads.some((thread) => thread.id === open)) await actions.openThread(open);
  else if (!state.overview?.first_run) box.input.focus();
  document.documentElement.dataset.ready = "true";
  render();
}

start();
