// The research window: state, actions, and one render a frame.

/** @import { Effort, Focus, Mode, Overview, Part, Plan, ResearcherId, Space, Thinking, ThreadFacts, ThreadId, ThreadSummary, TurnId } from "./protocol" */
/** @import { TurnModel } from "./reduce" */

import { draftOf, keepDraft } from "./drafts.js";
import { attempt, byId, onceAFrame, toast } from "./dom.js";
import * as host from "./host.js";
import { followRuns } from "./following.js";
import { ended, fromOutline, fromView, newTurn } from "./reduce.js";
import { onNews } from "./news.js";
import { listenForKeys } from "./shortcuts.js";
import { strings } from "./strings.js";
import { hideCard, showCard } from "./view/card.js";
import { composer } from "./view/composer.js";
import { summariseThread } from "./view/earlier.js";
import { showExport } from "./view/export.js";
import { flow } from "./view/flow.js";
import { helpView, showKeys } from "./view/help.js";
import { libraryView } from "./view/library.js";
import { begin } from "./asking.js";
import { showMistakes } from "./view/mistakes.js";
import { chooseModel } from "./view/models.js";
import { renderRail } from "./view/rail.js";
import { renderHead } from "./view/thread-head.js";
import { documentsView } from "./view/documents.js";
import { isHere, threadOf } from "./view/sources.js";
import { openPalette } from "./view/palette.js";
import { reader } from "./view/reader.js";
import { side } from "./view/side.js";
import { keepSpace, lastSpace, spaceIn } from "./view/spaces.js";

/**
 * @typedef {"thread" | "library" | "documents" | "help"} View
 * @typedef {{ overview: Overview | null, threads: ThreadSummary[], thread: ThreadFacts | null, turns: TurnModel[], effort: Effort, mode: Mode, focus: Focus, provider: string | null, thinking: Thinking | null, private: boolean, menuOpen: boolean, view: View, spaces: Space[], space: string | null }} State
 * @typedef {typeof actions} Actions
 */

/** @type {State} */
const state = { overview: null, threads: [], thread: null, turns: [], effort: "m", mode: "quick", focus: "both", provider: null, thinking: null, private: false, menuOpen: false, view: "thread", spaces: [], space: lastSpace() };
/** How often a thread was opened: only the last one is shown. */
let opening = 0;

const actions = {
  /** @param {string} question @param {number[]} [attached] chips of what is given along @param {string | null} [provider] for this question alone @returns {Promise<boolean>} whether it was taken */
  async ask(question, attached = [], provider = null) {
    // What is asked where documents are looked at begins a thread of its own.
    if (state.view === "documents") {
      state.view = "thread";
      state.thread = null;
      state.turns = [];
      remember(null);
    }
    const from = state.thread;
    const space = from || state.private ? null : state.space;
    const begun = await attempt(begin({ question, thread: from?.id ?? null, space, ...manner(), ...(provider ? { provider } : {}), private: state.private, attached }));
    if (!begun) return false;
    keepDraft(from?.id ?? null, "", false);
    if (state.thread?.id !== from?.id || state.view !== "thread") {
      // Another thread was opened meanwhile; the run goes on behind it.
      refreshThreads();
      return true;
    }
    if (!from) {
      state.thread = { id: begun.thread, title: question, pinned: false, private: state.private, tags: [], description: "", space: space ? spaceIn(state)?.name : undefined, watched: false };
      state.turns = [];
    }
    remember(begun.thread);
    // What is asked about a report wants an answer and no second report, unless that is chosen again.
    state.mode = "quick";
    state.turns = [...state.turns, newTurn(begun.turn, question)];
    runs.follow(begun.turn);
    render();
    conversation.toEnd();
    refreshThreads();
    return true;
  },

  /** Lists the threads of a space, and asks in it; null is all. @param {string | null} space */
  chooseSpace(space) {
    state.space = space;
    keepSpace(space);
    actions.newThread();
    refreshThreads();
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
    runs.follow(id);
    render();
    refreshThreads();
  },

  /** Opens a thread, at a turn if one is named. @param {ThreadId} thread @param {TurnId | null} [at] */
  async openThread(thread, at = null) {
    opening += 1;
    const mine = opening;
    const opened = await attempt(host.openThread(thread));
    // Another one was opened meanwhile.
    if (!opened || mine !== opening) return;
    const { outlines, turns, thread: facts } = opened;
    putAway();
    state.menuOpen = false;
    state.view = "thread";
    pane.close();
    state.thread = facts;
    remember(thread);
    box.draft(draftOf(thread));
    const full = new Map(turns.map((view) => [view.turn.id, fromView(view)]));
    // What was read before and has not changed since is not read again.
    for (const turn of state.turns) if (turn.unread === null && turn.state !== "running" && !full.has(turn.id)) full.set(turn.id, turn);
    for (const [id, turn] of runs.followed) if (full.has(id) && turn.seq >= 0) full.set(id, turn);
    state.turns = outlines.map((outline) => full.get(outline.id) ?? fromOutline(outline));
    for (const turn of state.turns) if (turn.state === "running") runs.follow(turn.id);
    render();
    if (at) conversation.toTurn(at);
    else if (state.turns.length > 1) conversation.toLast();
    else conversation.toStart();
    if (!matchMedia("(pointer: coarse)").matches) box.input.focus({ preventScroll: true });
  },

  /** Turns that come into sight. @param {TurnId[]} ids */
  async read(ids) {
    const views = await attempt(host.turnViews(ids));
    if (!views) conversation.forget(ids);
    const full = new Map((views ?? []).map((view) => [view.turn.id, fromView(view)]));
    state.turns = state.turns.map((turn) => (turn.unread !== null ? (full.get(turn.id) ?? turn) : turn));
    schedule();
  },

  /** Goes on from a turn in a thread of its own. @param {TurnId} turn */
  async branch(turn) {
    const thread = await attempt(host.branch(turn, true));
    if (!thread) return;
    await refreshThreads();
    await actions.openThread(thread);
    toast(strings.window.branched);
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
      // In the place of a first question begins a thread, in the same space.
      const space = thread || state.thread?.private ? null : (state.thread?.space ?? null);
      const begun = await begin({ question, thread, space, ...manner(), private: state.thread?.private ?? false });
      if (!begun) {
        if (thread) await host.deleteThread(thread);
        return false;
      }
      await refreshThreads();
      await actions.openThread(begun.thread);
      conversation.toEnd();
      return true;
    } catch (error) {
      toast(String(error));
      return false;
    }
  },

  newThread(isPrivate = false) {
    opening += 1;
    putAway();
    state.menuOpen = false;
    state.view = "thread";
    state.thread = null;
    state.turns = [];
    state.private = isPrivate;
    remember(null);
    box.draft(isPrivate ? "" : draftOf(null));
    render();
    box.input.focus();
  },

  /** Takes what is being typed into a new thread. @param {string} typed */
  startWith(typed) {
    actions.newThread();
    box.draft(typed);
  },

  canSummarise: () => state.turns.length > 1 && !state.turns.some((turn) => turn.state === "running"),
  /** Summarises what was asked in the open thread before its last question. */
  async summarise() {
    if (state.thread) await summariseThread(state.thread.id, (turn) => runs.change(turn.id, () => turn));
  },

  /** Puts a question from elsewhere into the field of a new thread, where it waits. @param {string} question @param {Mode} mode */
  offer(question, mode) {
    actions.newThread();
    state.mode = mode;
    // What was begun before stays.
    box.draft([draftOf(null), question].filter(Boolean).join("\n\n"));
    render();
    toast(strings.window.offered);
  },

  /** @param {ThreadId} thread */
  isOpen: (thread) => state.thread?.id === thread && state.view === "thread",

  setPrivate() {
    state.private = !state.private;
    conversation.clear();
    render();
    box.input.focus();
  },

  toggleMenu() {
    state.menuOpen = !state.menuOpen;
    render();
  },

  /** @param {View} view */
  showView(view) {
    state.menuOpen = false;
    state.view = view;
    render();
    if (view === "library") library.show();
    else if (view === "documents") documents.show();
    else if (view === "help") help.show();
    else box.input.focus();
  },

  /** @param {Part} [part] */
  openSettings: (part) => attempt(host.openWindow("settings", part)),
  openSetup: () => attempt(host.openWindow("setup")),
  showKeys: () => showKeys(state.overview?.hotkey ?? ""),
  openPalette: () => openPalette(state, actions),
  /** The turn that is being read. */
  inSight: () => beside.inSight(),
  /** Goes to the next turn, or back. @param {number} by */
  stepTurn: (by) => conversation.step(beside.inSight(), by),
  /** From the question field to the conversation, where single keys do things. */
  leaveField: () => byId("flow").focus({ preventScroll: true }),

  /** @param {Effort} effort */
  setEffort(effort) {
    state.effort = effort;
    render();
  },

  /** @param {Mode} mode */
  setMode(mode) {
    state.mode = mode;
    render();
  },

  /** Asks a run for its answer now. @param {TurnId} turn */
  finishNow: (turn) => void attempt(host.finishNow(turn)),

  /** @param {TurnId} turn @param {ResearcherId} researcher */
  stopResearcher: (turn, researcher) => void attempt(host.stopResearcher(turn, researcher)),

  /** Lets a deep run begin. @param {TurnId} turn @param {Plan} plan @returns {Promise<boolean>} */
  approve: async (turn, plan) => (await attempt(host.approvePlan(turn, plan).then(() => true))) ?? false,

  /** What a researcher reported, rendered. @param {TurnId} turn @param {ResearcherId} researcher */
  report: (turn, researcher) => attempt(host.researcherReport(turn, researcher)),

  /** @param {Focus} focus */
  setFocus(focus) {
    state.focus = focus;
    render();
  },

  /** Asks a question again, as deeply as before. @param {TurnModel} turn @param {string | null} [provider] */
  async askAgain(turn, provider = null) {
    actions.setMode(turn.mode);
    return actions.ask(turn.question, [], provider);
  },

  /** The same, with another model, which is asked from then on. @param {TurnModel} turn @param {string} provider */
  async askWith(turn, provider) {
    actions.setProvider(provider);
    return actions.askAgain(turn);
  },

  /** The same, in place of a turn: one that is still being answered is stopped first. @param {TurnModel} turn @param {string} provider */
  async askInPlaceOf(turn, provider) {
    const of = state.thread?.id;
    if (turn.state === "running") {
      await attempt(host.stop(turn.id));
      await ended(() => state.turns.find((candidate) => candidate.id === turn.id));
    }
    if (state.thread?.id === of) await actions.askAgain(turn, provider);
  },

  /** @param {(name: string) => void} [choose] */
  chooseModel: (choose) => chooseModel(state.provider, choose ?? actions.setProvider, () => actions.openSettings("models")),

  setThinking() {
    state.thinking = state.thinking ? null : "high";
    render();
  },

  /** Null asks whoever is usual. @param {string | null} provider */
  setProvider(provider) {
    state.provider = provider;
    render();
  },

  /** An earlier thread that is gone is shown as it was read. @param {TurnId} turn @param {number} number @param {number | null} passage */
  async openSource(turn, number, passage) {
    const known = state.turns.find((candidate) => candidate.id === turn)?.sources.find((source) => source.number === number);
    const earlier = threadOf(known?.url ?? "");
    if (earlier) await actions.openThread(earlier);
    if (earlier && state.thread?.id === earlier) return;
    if (isHere(known?.url ?? "")) await actions.showText(turn, number, passage);
    else await attempt(host.openSource(turn, number, passage));
  },

  /** The text of a source as it was read. @param {TurnId} turn @param {number} number @param {number | null} passage */
  async showText(turn, number, passage) {
    const text = await attempt(host.source(turn, number));
    hideCard();
    const of = state.turns.find((candidate) => candidate.id === turn);
    if (text && of) pane.showSource(of, text, passage);
  },

  /** A document that was found, opened at one of its passages. @param {string} url @param {string[]} quotes @param {number} at */
  async showDocument(url, quotes, at) {
    const text = await attempt(host.documentText(url));
    if (text) pane.showDocument(text, quotes, at);
  },

  /** Asks the next question of a document or folder. @param {string} path */
  attachDocument: async (path) => actions.attach((await attempt(host.attachDocument(path))) ?? []),

  /** Gives documents along with the next question. @param {import("./protocol").Chip[]} chips */
  attach(chips) {
    box.given.add(chips);
    box.input.focus();
  },

  closeReader: () => pane.close(),

  /** @param {TurnId} turn @param {number} place */
  openAnswerLink: (turn, place) => attempt(host.openAnswerLink(turn, place)),

  /** @param {TurnId | null} turn null exports the whole thread */
  exportTurn(turn) {
    if (state.thread) showExport(state.thread.id, turn);
  },

  /** Something about threads has changed. */
  async refresh() {
    await refreshThreads();
    if (state.view === "library") library.refresh();
    if (state.thread) await reread(state.thread.id);
  },

  openedThread: () => state.thread,
  spaces: () => state.spaces,
  /** @param {ThreadId} thread */
  isWatched: (thread) => state.threads.some((known) => known.id === thread && known.watched) || (state.thread?.id === thread && state.thread.watched),

  /** A turn was deleted. @param {TurnId} id */
  dropTurn(id) {
    state.turns = state.turns.filter((turn) => turn.id !== id);
    render();
  },

  /** A thread was deleted. @param {ThreadId} thread */
  left(thread) {
    if (state.thread?.id === thread) {
      const view = state.view;
      actions.newThread();
      if (view !== "thread") actions.showView(view);
    }
  },

  showCard,
  hideCard,
};

const box = composer(actions);
const library = libraryView(actions);
const help = helpView(() => actions.showKeys());
const documents = documentsView(actions);
const pane = reader(actions);
const conversation = flow(byId("flow"), actions);
const beside = side(byId("flow"), state, actions);

const putAway = () => keepDraft(state.thread?.id ?? null, box.input.value, state.thread ? state.thread.private : state.private);
/** How questions are answered now. */
const manner = () => ({ effort: state.effort, mode: state.mode, provider: state.provider, focus: state.focus, thinking: state.thinking });

/** What is known of the open thread besides its turns, once more. @param {ThreadId} thread */
async function reread(thread) {
  // One that is gone keeps what was known of it until it is left.
  const facts = await host.threadFacts(thread).catch(() => null);
  if (facts && state.thread?.id === thread) state.thread = facts;
  schedule();
}

/** The thread stays open when the window is loaded again. @param {ThreadId | null} thread */
function remember(thread) {
  history.replaceState(null, "", thread ? `#${thread}` : "#");
}

/** How often the list was read: only the last one is shown. */
let listing = 0;

async function refreshThreads() {
  listing += 1;
  const mine = listing;
  const spaces = await attempt(host.spaces());
  if (mine !== listing) return;
  state.spaces = spaces ?? state.spaces;
  // One that is gone is looked at no longer.
  if (state.space && !spaceIn(state)) {
    state.space = null;
    keepSpace(null);
  }
  const threads = await attempt(host.threads(state.space));
  if (mine !== listing) return;
  state.threads = threads ?? state.threads;
  schedule();
}

async function refreshOverview() {
  state.overview = (await attempt(host.overview())) ?? state.overview;
  showMistakes(state.overview);
  if (state.provider && !state.overview?.models.some((model) => model.name === state.provider || state.provider?.startsWith(`${model.name}/`) || state.provider?.includes("/"))) state.provider = null;
  schedule();
}

/** Shows a thread as the restored library has it, or none where it is not in there. @param {ThreadId} [id] */
function reopen(id) {
  actions.newThread();
  if (id) host.threadFacts(id).then(() => actions.openThread(id), () => {});
}

const schedule = onceAFrame(() => render());
const runs = followRuns(state, { schedule, ended: () => {
  refreshThreads();
  // A first answer gives the thread its name.
  if (state.thread) reread(state.thread.id);
} });

function render() {
  const running = state.turns.some((turn) => turn.state === "running");
  renderRail(state, actions);
  const app = byId("app");
  app.dataset.view = state.view;
  const page = state.view === "library" ? library.element : state.view === "help" ? help.element : state.view === "documents" ? documents.element : null;
  // Put in once: an element that is moved loses the focus.
  if (byId("page").firstElementChild !== page) byId("page").replaceChildren(...(page ? [page] : []));
  byId("page").hidden = state.view === "thread";
  byId("flow").hidden = state.view !== "thread";
  // Documents are asked where they are looked at.
  byId("dock").hidden = state.view !== "thread" && state.view !== "documents";
  conversation.render(state);
  box.update(state, running);
  renderHead(state, actions);
  beside.render();
  if (document.documentElement.dataset.ready) document.title = state.view === "thread" && state.thread ? `${state.thread.title.slice(0, 80)} – Nexi` : "Nexi";
}

listenForKeys(state, actions, library, pane);
// The time of a run goes on while nothing else happens.
setInterval(() => {
  if (state.turns.some((turn) => turn.state === "running")) conversation.tick();
}, 200);
document.addEventListener("scroll", hideCard, true);
window.addEventListener("resize", hideCard);
window.addEventListener("pagehide", putAway);

async function start() {
  byId("dock").append(box.element);
  const [overview] = await Promise.all([attempt(host.overview()), refreshThreads()]);
  showMistakes(overview);
  state.overview = overview;
  if (overview) state.effort = overview.effort;
  render();
  for (const warning of overview?.warnings ?? []) toast(warning);
  const open = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(open)) await host.openThread(open).then(() => actions.openThread(open), () => remember(null));
  else {
    box.draft(draftOf(null));
    box.input.focus();
  }
  await attempt(host.listen((news) => onNews(news, { state, actions, box, documents, reopen, refreshThreads, refreshOverview })));
  document.documentElement.dataset.ready = "true";
  render();
}

start();
