// Asking, and what can be done about a question that is being answered.

/** @import { Plan, ResearcherId, TurnId } from "../protocol" */
/** @import { Page } from "../actions" */
/** @import { TurnModel } from "../reduce" */

import { begin } from "../begin.js";
import { attempt, toast } from "../dom.js";
import { keepDraft } from "../drafts.js";
import * as host from "../host.js";
import { ended, newTurn } from "../reduce.js";
import { summariseThread } from "../view/earlier.js";
import { spaceIn } from "../view/spaces.js";
import { remember } from "./threads.js";

/** @param {Page} page */
export function askingActions({ store, parts, actions }) {
  const { state } = store;
  const manner = () => ({ effort: state.effort, mode: state.mode, provider: state.provider, focus: state.focus, thinking: state.thinking });

  /**
   * @param {string} question @param {number[]} [attached] chips of what is given along @param {string | null} [provider] for this question alone
   * @param {TurnId | null} [insteadOf] the turn that it repeats, with what was given along
   * @returns {Promise<boolean>} whether it was taken
   */
  async function ask(question, attached = [], provider = null, insteadOf = null) {
    // What is asked where documents are looked at begins a thread of its own, once it is taken.
    const view = state.view === "documents" ? "documents" : "thread";
    const open = state.thread?.id;
    const from = view === "documents" ? null : state.thread;
    const space = from || state.private ? null : state.space;
    const begun = await attempt(
      begin({
        question,
        thread: from?.id ?? null,
        space,
        ...manner(),
        ...(view === "documents" ? { focus: "documents" } : {}),
        ...(provider ? { provider } : {}),
        private: state.private,
        attached,
        instead_of: insteadOf,
      }),
    );
    if (!begun) return false;
    keepDraft(from?.id ?? null, "", from?.private ?? state.private);
    // What is written where documents are looked at is kept with the thread that is open behind them.
    if (view === "documents" && open) keepDraft(open, "", false);
    if (state.thread?.id !== open || state.view !== view) {
      // Another thread was opened meanwhile; the run goes on behind it.
      actions.refreshThreads();
      return true;
    }
    const thread = from ?? {
      id: begun.thread,
      title: question,
      pinned: false,
      private: state.private,
      tags: [],
      description: "",
      ...(space ? { space: spaceIn(state)?.name } : {}),
      watched: false,
    };
    remember(begun.thread);
    // What is asked about a report wants an answer and no second report, unless that is chosen again.
    store.change({ view: "thread", thread, mode: "quick", turns: [...(from ? state.turns : []), newTurn(begun.turn, question)] });
    // What is asked about documents stays with them until another thread is opened, or something else is chosen.
    if (view === "documents") store.change({ focusBefore: state.focusBefore ?? state.focus, focus: "documents" });
    parts.runs.follow(begun.turn);
    store.set({});
    actions.refreshThreads();
    return true;
  }

  /** Asks a question again, as deeply as before. @param {TurnModel} turn @param {string | null} [provider] */
  async function askAgain(turn, provider = null) {
    actions.setMode(turn.mode);
    return ask(turn.question, [], provider, turn.id);
  }

  return {
    ask,
    askAgain,

    /** The same, with another model, which is asked from then on. @param {TurnModel} turn @param {string} provider */
    async askWith(turn, provider) {
      actions.setProvider(provider);
      return askAgain(turn);
    },

    /** The same, in place of a turn: one that is still being answered is stopped first. @param {TurnModel} turn @param {string} provider */
    async askInPlaceOf(turn, provider) {
      const of = state.thread?.id;
      if (turn.state === "running") {
        await attempt(host.stop(turn.id));
        await ended(() => state.turns.find((candidate) => candidate.id === turn.id));
      }
      if (state.thread?.id === of) await askAgain(turn, provider);
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
        const begun = await begin({ question, thread, space, ...manner(), private: state.thread?.private ?? false, instead_of: turn });
        if (!begun) {
          if (thread) await host.deleteThread(thread);
          return false;
        }
        await actions.refreshThreads();
        await actions.openThread(begun.thread, null, true);
        parts.conversation.toEnd();
        return true;
      } catch (error) {
        toast(String(error));
        return false;
      }
    },

    stop() {
      const turn = state.turns.find((candidate) => candidate.state === "running");
      if (turn) attempt(host.stop(turn.id));
    },

    /** @param {TurnId} id */
    async resume(id) {
      const begun = await attempt(host.resume(id));
      if (!begun) return;
      store.change({ turns: state.turns.map((turn) => (turn.id === id ? newTurn(id, turn.question) : turn)) });
      parts.runs.follow(id);
      store.set({});
      actions.refreshThreads();
    },

    /** Asks a run for its answer now. @param {TurnId} turn */
    finishNow: (turn) => void attempt(host.finishNow(turn)),
    /** @param {TurnId} turn @param {ResearcherId} researcher */
    stopResearcher: (turn, researcher) => void attempt(host.stopResearcher(turn, researcher)),
    /** Lets a deep run begin. @param {TurnId} turn @param {Plan} plan @returns {Promise<boolean>} */
    approve: async (turn, plan) => (await attempt(host.approvePlan(turn, plan).then(() => true))) ?? false,
    /** What a researcher reported, rendered. @param {TurnId} turn @param {ResearcherId} researcher */
    report: (turn, researcher) => attempt(host.researcherReport(turn, researcher)),

    canSummarise: () => state.turns.length > 1 && !state.turns.some((turn) => turn.state === "running"),
    /** Summarises what was asked in the open thread before its last question. */
    async summarise() {
      if (state.thread) await summariseThread(state.thread.id, (turn) => parts.runs.change(turn.id, () => turn));
    },
  };
}
