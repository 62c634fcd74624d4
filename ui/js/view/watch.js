// Watching a question from its answer, and what changed in an answer that is watched.

/** @import { TurnModel } from "../reduce" */

import { attempt, day, h, toast } from "../dom.js";
import * as host from "../host.js";
import { SCHEDULES } from "../sentences.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";
import { mark, marked } from "./highlights.js";
import { between, reveal } from "./spans.js";

const words = strings.watched;

/** Asks how often a question is to be asked again. @param {TurnModel} turn @param {() => void} done */
export function watchQuestion(turn, done) {
  const question = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "watch-question", rows: 2, maxLength: 2000 }));
  question.value = turn.question;
  const every = /** @type {HTMLSelectElement} */ (
    h("select", { id: "watch-every" }, ...SCHEDULES.map(([value, label]) => h("option", { value, selected: value === "1d" }, label)))
  );
  const at = /** @type {HTMLInputElement} */ (h("input", { id: "watch-at", type: "time", value: "08:00" }));
  const time = h("label", { class: "at" }, words.time, " ", at);
  every.onchange = () => {
    time.hidden = every.value.endsWith("h");
  };
  const trouble = h("p", { class: "help bad", role: "alert", hidden: true });
  const go = /** @type {HTMLButtonElement} */ (h("button", { class: "go", type: "submit" }, words.start));
  let anyCost = false;
  /** Whether somebody has said that it stands alone although it does not look like that. */
  let alone = false;
  const made = dialog(words.title, (close) => [
    h(
      "form",
      {
        method: "dialog",
        class: "form-column",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          go.disabled = true;
          const schedule = time.hidden || at.value === "" ? every.value : `${every.value} at ${at.value}`;
          /** @type {string | null} */
          let wrong = null;
          const taken = await host
            .watchQuestion({ turn: turn.id, question: question.value, schedule, any_cost: anyCost, stands_alone: alone })
            .catch((error) => {
              wrong = String(error);
              return null;
            });
          go.disabled = false;
          if (taken?.type === "watched") {
            close();
            toast(words.started);
            done();
            return;
          }
          if (taken?.type === "price_unknown") {
            anyCost = true;
            go.textContent = words.withoutLimit;
            wrong = taken.message;
          }
          // Said once; whoever presses again knows better.
          if (taken?.type === "leans_on_context") {
            alone = true;
            wrong = taken.message;
          }
          trouble.hidden = false;
          trouble.textContent = wrong;
        },
      },
      h("label", { htmlFor: question.id }, words.question),
      question,
      h("p", { class: "help" }, words.standsAlone),
      h("div", { class: "pace" }, h("label", {}, words.every, " ", every), time),
      trouble,
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: close }, strings.window.cancel), go),
    ),
  ]);
  question.focus();
  made.addEventListener("close", done, { once: true });
}

/** What an answer says that the one before it did not; null where it is not watched. @param {TurnModel} turn @param {HTMLElement} answer @returns {HTMLElement | null} */
export function changeView(turn, answer) {
  const change = turn.change;
  if (!change) return null;
  return h(
    "section",
    { class: "change", "aria-label": words.changedSince({ day: day(change.since_ms) }) },
    h("p", { class: "change-head" }, words.changedSince({ day: day(change.since_ms) })),
    h(
      "ul",
      {},
      ...change.statements.map((statement, index) =>
        h(
          "li",
          {},
          h("button", { type: "button", dir: "auto", onclick: () => reveal(answer, `.said-new-end[data-new="${index}"]`) }, statement.text),
          statement.before ? h("p", { class: "before", dir: "auto" }, `${words.before} `, h("s", {}, statement.before)) : null,
        ),
      ),
    ),
  );
}

/** Marks the new statements of an answer. @param {TurnModel} turn @param {HTMLElement} answer */
export function markNew(turn, answer) {
  if (!turn.change) return;
  const ranges = turn.change.statements.map((_, index) => rangeOf(answer, index)).filter((range) => range !== null);
  const others = marked("new-statement").filter((range) => range.startContainer.isConnected && !answer.contains(range.startContainer));
  mark("new-statement", [...others, ...ranges]);
}

/** One that stays as it is when its turn is put elsewhere in the page. @param {HTMLElement} answer @param {number} index @returns {StaticRange | null} */
function rangeOf(answer, index) {
  const range = between(answer, `.said-new[data-new="${index}"]`, `.said-new-end[data-new="${index}"]`);
  return range && new StaticRange(range);
}

/** Stops watching every question of a thread. @param {string} thread @param {() => void} done */
export async function stopWatchingThread(thread, done) {
  const all = (await attempt(host.watchedQuestions())) ?? [];
  let stopped = true;
  for (const one of all.filter((candidate) => candidate.thread === thread))
    stopped = (await attempt(host.stopWatching(one.id).then(() => true))) !== null && stopped;
  if (stopped) toast(words.stopped);
  done();
}
