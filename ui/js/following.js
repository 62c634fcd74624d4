// Runs that are watched until they end, whether or not their thread is shown.

/** @import { Store } from "./store" */
/** @import { TurnId, WatchMessage } from "./protocol" */
/** @import { TurnModel } from "./reduce" */

import { kept } from "./changes.js";
import { attempt, byId } from "./dom.js";
import * as host from "./host.js";
import { fromView, newTurn, take } from "./reduce.js";
import { endedLine } from "./sentences.js";

/** How often, in milliseconds, a run of another program is looked at. */
const POLL = 1500;

/**
 * @param {Store} store whose turns are kept up to date
 * @param {() => void} ended called when any of them is over
 */
export function followRuns(store, ended) {
  const { state } = store;
  /** None is watched twice. @type {Map<TurnId, TurnModel>} */
  const followed = new Map();

  /** @param {TurnId} id @param {(turn: TurnModel) => TurnModel} by */
  function change(id, by) {
    store.change({ turns: state.turns.map((turn) => (turn.id === id ? by(turn) : turn)) });
  }

  /** Watches a run until it ends. @param {TurnId} id */
  async function follow(id) {
    if (followed.has(id)) return;
    const shown = state.turns.find((turn) => turn.id === id);
    // All events come again, from the first on.
    followed.set(id, { ...newTurn(id, shown?.question ?? ""), askedMs: shown?.askedMs ?? 0 });
    const going = await attempt(host.watch(id, (message) => receive(id, message)));
    if (going !== true) followed.delete(id);
    // It has ended, or another program carries it out: what is kept is shown, as long as it is open.
    while (going === false && state.turns.some((turn) => turn.id === id)) {
      const view = (await attempt(host.turnViews([id])))?.[0];
      if (!view) return;
      change(id, (turn) => kept(turn, fromView(view)));
      if (view.turn.ending.state !== "running") {
        ended();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  /** @param {TurnId} id @param {WatchMessage} message */
  function receive(id, message) {
    const known = followed.get(id);
    if (!known) return;
    const next = take(known, message, performance.now());
    followed.set(id, next);
    change(id, () => next);
    if (message.events.some((envelope) => envelope.event.type === "ended")) {
      followed.delete(id);
      ended();
      byId("said").textContent = endedLine(state.turns.find((turn) => turn.id === id)?.state ?? "answered");
    }
  }

  return { followed, follow, change };
}
