// Watched questions: how often they are checked, what came of it, and that they are watched no longer.

/** @import { WatchedQuestion } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { watched as words } from "../strings-watched.js";
import { toastWritten } from "../written.js";
import { row } from "./form.js";

/** @param {number} ms */
const moment = (ms) => new Date(ms).toLocaleString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** @returns {{ elements: Node[], refresh: () => Promise<void> }} */
export function watchedFields() {
  const list = h("ul", { class: "watched", "aria-label": words.all });
  const all = row(words.all, "", list, { id: "watched", wide: true });
  const feed = row(words.feed, words.feedHelp, h("button", { type: "button", class: "plain", id: "save-feed", onclick: async () => {
    const path = await attempt(host.saveWatchFeed());
    if (path) toastWritten(words.feedSaved(path));
  } }, words.saveFeed), { id: "feed" });
  /** Those that are being checked. @type {Set<string>} */
  const checking = new Set();

  async function refresh() {
    const known = (await attempt(host.watchedQuestions())) ?? [];
    const focused = /** @type {HTMLElement | null} */ (list.contains(document.activeElement) ? document.activeElement : null);
    const at = focused ? [focused.closest("li")?.getAttribute("data-watched"), focused.classList[0]] : null;
    list.replaceChildren(...(known.length === 0 ? [h("li", { class: "help" }, words.none)] : known.map(entry)));
    if (at) /** @type {HTMLElement | null} */ (list.querySelector(`[data-watched="${at[0]}"] .${at[1]}`))?.focus();
  }

  /** @param {Promise<unknown>} work */
  const then = async (work) => {
    await attempt(work);
    await refresh();
  };

  /** @param {WatchedQuestion} one */
  function entry(one) {
    const busy = checking.has(one.id);
    const pace = /** @type {HTMLSelectElement} */ (h("select", { class: "pace", "aria-label": `${words.every}: ${one.question}`, onchange: () => then(host.scheduleWatched(one.id, pace.value)) },
      ...paces(one).map(([value, label]) => h("option", { value, selected: label === words.pace(one.schedule) }, label))));
    const spent = one.spent > 0 ? strings.cost(one.spent) : "";
    return h("li", { "data-watched": one.id, class: one.paused ? "paused" : "" },
      h("p", { class: "watched-question", dir: "auto" }, one.question),
      h("p", { class: "help" }, busy ? words.checking : one.checked_ms === null ? words.last(null, "") : words.last(one.outcome, moment(one.checked_ms))),
      h("p", { class: "help" }, `${one.paused ? words.paused : words.next(moment(one.next_ms))} · ${words.sum(one.changes, one.checks, spent)}`),
      h("div", { class: "watched-acts" }, pace,
        h("button", { type: "button", class: "check plain", disabled: busy, onclick: async () => {
          checking.add(one.id);
          await refresh();
          await attempt(host.checkWatched(one.id));
          checking.delete(one.id);
          await refresh();
        } }, words.check),
        h("button", { type: "button", class: "pause plain", onclick: () => then(host.pauseWatched(one.id, !one.paused)) }, one.paused ? words.resume : words.pause),
        h("button", { type: "button", class: "stop plain", onclick: async () => {
          if ((await attempt(host.stopWatching(one.id).then(() => true))) !== null) toast(words.stopped);
          await refresh();
        } }, words.remove)));
  }

  void refresh();
  return { elements: [all.element, feed.element], refresh };
}

/** The paces that can be chosen, and the one that it has. @param {WatchedQuestion} one @returns {[string, string][]} */
function paces(one) {
  const at = one.schedule.at;
  const time = at === undefined ? "" : ` at ${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
  /** @type {[string, string][]} */
  const offered = Object.entries(words.schedules).map(([value, label]) => (value.endsWith("h") || time === "" ? [value, label] : [`${value}${time}`, `${label}${time}`]));
  const own = words.pace(one.schedule);
  return offered.some(([, label]) => label === own) ? offered : [[`${one.schedule.minutes / 60}h`, own], ...offered];
}
