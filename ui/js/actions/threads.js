// Opening threads, beginning them, and keeping what is known of them up to date.

/** @import { Mode, ThreadId, TurnId } from "../protocol" */
/** @import { Page } from "../actions" */

import { kept } from "../changes.js";
import { attempt, toast } from "../dom.js";
import { draftOf, forgetDraft, keepDraft } from "../drafts.js";
import * as host from "../host.js";
import { keepSpace } from "../last-space.js";
import { fromOutline, fromView } from "../reduce.js";
import { strings } from "../strings.js";
import { showExport } from "../view/export.js";
import { showMistakes } from "../view/mistakes.js";

/** The thread stays open when the window is loaded again. @param {ThreadId | null} thread */
export function remember(thread) {
  history.replaceState(null, "", thread ? `#${thread}` : "#");
}

/** @param {Page} page */
export function threadActions({ store, parts, actions }) {
  const { state } = store;
  /** How often a thread was opened: only the last one is shown. */
  let opening = 0;
  /** How often the list was read: only the last one is shown. */
  let listing = 0;

  /** Keeps what is written and not sent. */
  const putAway = () => keepDraft(state.thread?.id ?? null, parts.box.input.value, state.thread ? state.thread.private : state.private);

  /**
   * Opens a thread, at a turn if one is named.
   * @param {ThreadId} thread @param {TurnId | null} [at] @param {boolean} [goesOn] it goes on from the open one, about the same documents
   */
  async function openThread(thread, at = null, goesOn = false) {
    opening += 1;
    const mine = opening;
    const opened = await attempt(host.openThread(thread));
    // Another one was opened meanwhile.
    if (!opened || mine !== opening) return;
    const { outlines, turns, thread: facts } = opened;
    putAway();
    parts.pane.close();
    remember(thread);
    parts.box.draft(draftOf(thread));
    const before = new Map(state.turns.map((turn) => [turn.id, turn]));
    const full = new Map(turns.map((view) => [view.turn.id, kept(before.get(view.turn.id) ?? null, fromView(view))]));
    // What was read before and has not changed since is not read again.
    for (const turn of state.turns) if (turn.unread === null && turn.state !== "running" && !full.has(turn.id)) full.set(turn.id, turn);
    for (const [id, turn] of parts.runs.followed) if (full.has(id) && turn.seq >= 0) full.set(id, turn);
    store.change({
      menuOpen: false,
      view: "thread",
      thread: kept(state.thread, facts),
      ...(goesOn || state.thread?.id === facts.id ? {} : formerFocus()),
      turns: outlines.map((outline) => full.get(outline.id) ?? fromOutline(outline)),
    });
    for (const turn of state.turns) if (turn.state === "running") parts.runs.follow(turn.id);
    store.set({});
    putAway();
    if (at) parts.conversation.toTurn(at);
    else if (state.turns.length > 1) parts.conversation.toLast();
    else parts.conversation.toStart();
    if (!matchMedia("(pointer: coarse)").matches) parts.box.input.focus({ preventScroll: true });
  }

  function newThread(isPrivate = false) {
    opening += 1;
    putAway();
    remember(null);
    parts.box.draft(isPrivate ? "" : draftOf(null));
    store.set({ menuOpen: false, view: "thread", thread: null, turns: [], private: isPrivate, ...formerFocus() });
    putAway();
    parts.box.input.focus();
  }

  /** What was searched before a thread about documents alone. */
  const formerFocus = () => ({ focus: state.focusBefore ?? state.focus, focusBefore: null });

  async function refreshThreads() {
    listing += 1;
    const mine = listing;
    const read = await attempt(host.spaces());
    if (mine !== listing) return;
    const spaces = read ? kept(state.spaces, read) : state.spaces;
    // One that is gone is looked at no longer.
    const isGone = state.space !== null && !spaces.some((space) => space.id === state.space);
    if (isGone) keepSpace(null);
    const space = isGone ? null : state.space;
    const threads = await attempt(host.threads(space));
    if (mine === listing) store.change({ spaces, space, threads: threads ? kept(state.threads, threads) : state.threads });
  }

  /** What is known of the open thread besides its turns, once more. */
  async function reread() {
    const thread = state.thread?.id;
    if (!thread) return;
    // One that is gone keeps what was known of it until it is left.
    const facts = await host.threadFacts(thread).catch(() => null);
    if (facts && state.thread?.id === thread) store.change({ thread: kept(state.thread, facts) });
  }

  return {
    openThread,
    newThread,
    refreshThreads,
    reread,
    putAway,

    async refreshOverview() {
      const overview = (await attempt(host.overview())) ?? state.overview;
      showMistakes(overview);
      const isKnown = overview?.models.some(
        (model) => model.name === state.provider || state.provider?.startsWith(`${model.name}/`) || state.provider?.includes("/"),
      );
      store.change({ overview: kept(state.overview, overview), provider: state.provider && !isKnown ? null : state.provider });
    },

    /** Shows a thread as the restored library has it, or none where it is not in there. @param {ThreadId} [id] */
    reopen(id) {
      newThread();
      if (id)
        host.threadFacts(id).then(
          () => openThread(id),
          () => {},
        );
    },

    /** Something about threads has changed. */
    async refresh() {
      await refreshThreads();
      if (state.view === "library") parts.library.refresh();
      await reread();
    },

    /** Lists the threads of a space, and asks in it; null is all. @param {string | null} space */
    chooseSpace(space) {
      store.change({ space });
      keepSpace(space);
      newThread();
      refreshThreads();
    },

    /** Turns that come into sight. @param {TurnId[]} ids */
    async read(ids) {
      const views = await attempt(host.turnViews(ids));
      if (!views) parts.conversation.forget(ids);
      const full = new Map((views ?? []).map((view) => [view.turn.id, fromView(view)]));
      store.change({ turns: state.turns.map((turn) => (turn.unread !== null ? (full.get(turn.id) ?? turn) : turn)) });
    },

    /** Goes on from a turn in a thread of its own. @param {TurnId} turn */
    async branch(turn) {
      const thread = await attempt(host.branch(turn, true));
      if (!thread) return;
      await refreshThreads();
      await openThread(thread, null, true);
      toast(strings.window.branched);
      parts.box.input.focus();
    },

    /** Looks at a shared thread. @param {ThreadId} share */
    async openShared(share) {
      const thread = await attempt(host.openShared(share));
      if (thread) await openThread(thread);
    },

    /** Goes on from a shared thread in one of one's own. @param {ThreadId} share */
    async continueShared(share) {
      const thread = await attempt(host.continueShared(share));
      if (!thread) return;
      await refreshThreads();
      await openThread(thread);
      toast(strings.team.continued);
      parts.box.input.focus();
    },

    /** Takes what is being typed into a new thread. @param {string} typed */
    startWith(typed) {
      newThread();
      parts.box.draft(typed);
    },

    /** Puts a question from elsewhere into the field of a new thread, where it waits. @param {string} question @param {Mode} mode */
    offer(question, mode) {
      newThread();
      // What was begun before stays.
      parts.box.draft([draftOf(null), question].filter(Boolean).join("\n\n"));
      store.set({ mode });
      toast(strings.window.offered);
    },

    setPrivate() {
      parts.conversation.clear();
      store.set({ private: !state.private });
      parts.box.input.focus();
    },

    /** @param {TurnId | null} turn null exports the whole thread */
    exportTurn(turn) {
      if (state.thread) showExport(state.thread.id, turn);
    },

    /** A turn was deleted. @param {TurnId} id */
    dropTurn: (id) => store.set({ turns: state.turns.filter((turn) => turn.id !== id) }),

    /** A thread was deleted. @param {ThreadId} thread */
    left(thread) {
      if (state.thread?.id === thread) {
        const view = state.view;
        newThread();
        if (view !== "thread") actions.showView(view);
      }
      forgetDraft(thread);
    },

    openedThread: () => state.thread,
    hasTeam: () => state.overview?.has_team === true,
    spaces: () => state.spaces,
    /** @param {ThreadId} thread */
    isOpen: (thread) => state.thread?.id === thread && state.view === "thread",
    /** @param {ThreadId} thread */
    isWatched: (thread) =>
      state.threads.some((known) => known.id === thread && known.watched) || (state.thread?.id === thread && state.thread.watched),
  };
}
