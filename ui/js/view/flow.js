// The conversation: turns one below the other. Old turns of a long thread are read when they come
// into sight, and nothing jumps when they do.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { TurnId } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { changes } from "../changes.js";
import { h } from "../dom.js";
import { turnView } from "./turn.js";
import { empty } from "./welcome.js";

/** How far from the end, in pixels, still counts as reading at the end. */
const AT_END = 60;
/** How far beyond the edges of the window turns are read ahead, in pixels. */
const AHEAD = 1200;

/** @param {HTMLElement} flow @param {Actions} actions */
export function flow(flow, actions) {
  /** @type {Map<TurnId, View>} */
  const views = new Map();
  /** @type {Map<TurnId, TurnModel>} */
  const shown = new Map();
  /** @type {Set<TurnId>} */
  const wanted = new Set();
  /** @type {Set<TurnId>} */
  const asked = new Set();
  let timer = 0;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const id = /** @type {HTMLElement} */ (entry.target).dataset.turn ?? "";
        if (entry.isIntersecting && shown.get(id)?.unread !== null && !asked.has(id)) wanted.add(id);
        else wanted.delete(id);
      }
      clearTimeout(timer);
      if (wanted.size > 0) timer = window.setTimeout(readWanted, 30);
    },
    { root: flow, rootMargin: `${AHEAD}px 0px` },
  );

  function readWanted() {
    const ids = [...wanted].slice(0, 10);
    for (const id of ids) {
      wanted.delete(id);
      asked.add(id);
    }
    if (ids.length > 0) actions.read(ids);
    if (wanted.size > 0) timer = window.setTimeout(readWanted, 30);
  }

  function clear() {
    views.clear();
    shown.clear();
    asked.clear();
    wanted.clear();
    flow.replaceChildren();
  }

  const isAtEnd = () => flow.scrollHeight - flow.scrollTop - flow.clientHeight < AT_END;
  // Who reads at the end stays there when the window, or what stands below, takes some of the room.
  let stays = true;
  // Another page may be shown in its place, where nothing has a size.
  let wasShown = false;
  flow.addEventListener(
    "scroll",
    () => {
      stays = isAtEnd();
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    if (stays && views.size > 0) toEnd();
  }).observe(flow);

  const emptyChanged = changes();

  /** @param {State} state */
  function render(state) {
    const isShown = flow.clientHeight > 0;
    const follows = isShown && (wasShown ? isAtEnd() : stays);
    wasShown = isShown;
    if (state.turns.length === 0) {
      const changed = emptyChanged(...facts(state));
      if (views.size > 0 || !flow.querySelector("#empty")) {
        clear();
        flow.append(empty(state, actions));
      } else if (changed) {
        flow.replaceChildren(empty(state, actions));
      }
      return;
    }
    let column = flow.querySelector(".column");
    if (!column) {
      column = h("div", { class: "column" });
      flow.replaceChildren(column);
    }
    const ids = new Set(state.turns.map((turn) => turn.id));
    for (const [id, view] of views) {
      if (!ids.has(id)) {
        seen.unobserve(view.element);
        view.element.remove();
        views.delete(id);
        shown.delete(id);
        asked.delete(id);
      }
    }
    const held = state.turns.some((turn) => isReplaced(turn)) ? anchor() : null;
    const last = state.turns[state.turns.length - 1];
    // The built-in researcher may have answered before its question is shown.
    const isAsked = views.size > 0 && !views.has(last.id);
    const isOver = shown.get(last.id)?.state === "running" && last.state !== "running";
    state.turns.forEach((turn, index) => {
      let view = views.get(turn.id);
      const before = shown.get(turn.id);
      if (!view) {
        view = turn.unread === null ? turnView(turn, actions) : outline(turn);
        views.set(turn.id, view);
        if (turn.unread !== null) seen.observe(view.element);
      } else if (isReplaced(turn)) {
        seen.unobserve(view.element);
        const next = turn.unread === null ? turnView(turn, actions) : outline(turn);
        view.element.replaceWith(next.element);
        view = next;
        views.set(turn.id, view);
        if (turn.unread !== null) seen.observe(view.element);
      } else if (before !== turn) {
        view.update(turn);
      }
      shown.set(turn.id, turn);
      if (column.children[index] !== view.element) column.insertBefore(view.element, column.children[index] ?? null);
    });
    // What stands above what is being read must not push it away.
    const moved = held ? held.now() - held.at : 0;
    if (moved !== 0) flow.scrollTop += moved;
    else if (isAsked) toLast();
    else if (follows && (isOver || state.turns.some((turn) => turn.state === "running"))) toEnd();
    // What was opened at its beginning stays there: nothing scrolled, so nobody else says that this is not the end.
    if (isShown) stays = isAtEnd();
  }

  /** Whether a turn has been read since, or was put out of memory. @param {TurnModel} turn */
  function isReplaced(turn) {
    const before = shown.get(turn.id);
    return !!before && (before.unread === null) !== (turn.unread === null);
  }

  /**
   * What must stand still while outlines become turns: the first turn in sight that can be read; where there is none, the
   * end of an outline that reaches above the edge, or the question of one that begins below it.
   */
  function anchor() {
    const edge = flow.getBoundingClientRect();
    const inSight = [...views].filter(([, { element }]) => {
      const box = element.getBoundingClientRect();
      return box.bottom > edge.top && box.top < edge.bottom;
    });
    const [id] = inSight.find(([id]) => shown.get(id)?.unread === null) ?? inSight[0] ?? [];
    const element = () => views.get(id ?? "")?.element.getBoundingClientRect();
    const first = element();
    if (!first) return null;
    const side = shown.get(id ?? "")?.unread !== null && first.top < edge.top ? "bottom" : "top";
    return { at: first[side], now: () => element()?.[side] ?? first[side] };
  }

  /** Shows a turn from its question on, a little below the edge. @param {Element} turn */
  function toBeginning(turn) {
    flow.scrollTop += turn.getBoundingClientRect().top - flow.getBoundingClientRect().top - 24;
  }

  /** The beginning of the last turn. */
  function toLast() {
    const last = flow.querySelector(".turn:last-child");
    if (last) toBeginning(last);
  }

  function toEnd() {
    flow.scrollTop = flow.scrollHeight;
  }

  return {
    render,
    clear,
    /** Turns that could not be read may be asked for again. @param {TurnId[]} ids */
    forget: (ids) => {
      for (const id of ids) {
        asked.delete(id);
        const view = views.get(id);
        if (view) {
          seen.unobserve(view.element);
          seen.observe(view.element);
        }
      }
    },
    /** Time has passed. */
    tick: () => {
      for (const view of views.values()) view.tick();
    },
    toEnd,
    toStart: () => {
      flow.scrollTop = 0;
    },
    toLast,
    /** The beginning of the next turn, or of the one before. @param {TurnModel | null} from @param {number} by */
    step: (from, by) => {
      const all = /** @type {HTMLElement[]} */ ([...flow.querySelectorAll(".turn")]);
      const at = all.findIndex((element) => element.dataset.turn === from?.id);
      if (at < 0) return;
      const edge = flow.getBoundingClientRect().top;
      // Back goes to the beginning of the one being read first.
      const back = by < 0 && all[at].getBoundingClientRect().top < edge - 40 ? 0 : by;
      const to = all[Math.max(0, Math.min(all.length - 1, at + back))];
      toBeginning(to);
      flow.focus({ preventScroll: true });
    },
    /** @param {TurnId} turn */
    toTurn: (turn) => views.get(turn)?.element.scrollIntoView({ block: "start" }),
  };
}

/** @typedef {{ element: HTMLElement, update: (turn: TurnModel) => void, tick: () => void }} View */

/** A turn that is not read yet: its question, and more or less the room it will take. @param {TurnModel} turn @returns {View} */
function outline(turn) {
  const element = h("article", { class: "turn unread", "data-turn": turn.id }, h("h1", { class: "question", dir: "auto" }, turn.question));
  element.style.height = `${180 + Math.ceil((turn.unread ?? 0) / 85) * 25}px`;
  return { element, update: () => {}, tick: () => {} };
}

/** What an empty thread depends on. @param {State} state */
function facts(state) {
  const { hotkey, models, keys_locked, has_folders } = state.overview ?? {};
  return [state.private, state.threads.length, hotkey, models?.[0]?.name, keys_locked, has_folders];
}
