// Looking at sources and documents.

/** @import { TurnId } from "../protocol" */
/** @import { Page } from "../actions" */

import { attempt } from "../dom.js";
import * as host from "../host.js";
import { hideCard, leaveCard, showCard } from "../view/card.js";
import { isHere, threadOf } from "../view/sources.js";

/** @param {Page} page */
export function readingActions({ store, parts, actions }) {
  const { state } = store;

  /** The text of a source as it was read. @param {TurnId} turn @param {number} number @param {number | null} passage */
  async function showText(turn, number, passage) {
    const text = await attempt(host.source(turn, number));
    hideCard();
    const of = state.turns.find((candidate) => candidate.id === turn);
    if (text && of) parts.pane.showSource(of, text, passage);
  }

  /** Gives documents along with the next question. @param {import("../protocol").Chip[]} chips */
  function attach(chips) {
    parts.box.given.add(chips);
    parts.box.input.focus();
  }

  return {
    showText,
    attach,

    /** An earlier thread that is gone is shown as it was read. @param {TurnId} turn @param {number} number @param {number | null} passage */
    async openSource(turn, number, passage) {
      const known = state.turns.find((candidate) => candidate.id === turn)?.sources.find((source) => source.number === number);
      const earlier = threadOf(known?.url ?? "");
      if (earlier) await actions.openThread(earlier);
      if (earlier && state.thread?.id === earlier) return;
      if (isHere(known?.url ?? "")) await showText(turn, number, passage);
      else await attempt(host.openSource(turn, number, passage));
    },

    /** A document that was found, opened at one of its passages. @param {string} url @param {string[]} quotes @param {number} at */
    async showDocument(url, quotes, at) {
      const text = await attempt(host.documentText(url));
      if (text) parts.pane.showDocument(text, quotes, at);
    },

    /** Asks the next question of a document or folder. @param {string} path */
    attachDocument: async (path) => attach((await attempt(host.attachDocument(path))) ?? []),
    closeReader: () => parts.pane.close(),
    /** @param {TurnId} turn @param {number} place */
    openAnswerLink: (turn, place) => attempt(host.openAnswerLink(turn, place)),
    showCard,
    leaveCard,
  };
}
