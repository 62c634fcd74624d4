// What the research window is told although it did not ask.

/** @import { Actions } from "./actions" */
/** @import { State } from "./store" */
/** @import { AppEvent, ImportOutcome, ThreadId } from "./protocol" */

import { attempt, toast } from "./dom.js";
import { importRefused } from "./host.js";
import { importRefusedLine, importedLine } from "./sentences.js";
import { strings } from "./strings.js";

const hooks = strings.hooks;
const watched = strings.watched;

/**
 * @param {AppEvent} news
 * @param {{
 *   state: State, actions: Actions, box: { input: HTMLElement, given: { add: (chips: import("./protocol").Chip[]) => void } }, documents: { show: () => void, refresh: () => void },
 * }} page
 */
export function onAppEvent(news, { state, actions, box, documents }) {
  if (news.type === "open_thread") actions.openThread(news.thread, news.turn);
  else if (news.type === "question") actions.offer(news.question, news.mode);
  else if (news.type === "open_view") actions.showView(news.view === "library" || news.view === "help" ? news.view : "thread");
  else if (news.type === "threads_changed") actions.refresh();
  else if (news.type === "checked") {
    checked(news.thread, news.turn, news.question, actions);
    if (news.removed) actions.dropTurn(news.removed);
  } else if (news.type === "library_replaced") actions.refreshThreads().then(() => actions.reopen(state.thread?.id));
  else if (news.type === "settings_changed") {
    actions.refreshOverview();
    if (state.view === "documents") documents.show();
  } else if (news.type === "documents_changed") {
    if (state.view === "documents") documents.refresh();
  } else if (news.type === "dragging") document.body.classList.toggle("dragging", news.over);
  else if (news.type === "dropped") {
    if (state.view !== "documents") actions.showView("thread");
    box.given.add(news.chips);
    box.input.focus();
  } else if (news.type === "import") imported(news.outcome);
  else if (news.type === "delivered") {
    if (news.trouble) toast(hooks.trouble({ hook: news.hook, why: news.trouble }));
  } else if (news.type === "update_found")
    toast(strings.updates.found({ version: news.version }), { label: strings.updates.show, run: () => actions.openSettings("about") });
  else if (news.type === "failed") toast(news.message);
}

/** Changes that nobody has looked at yet. */
let unseen = 0;

/** @param {ThreadId} thread @param {import("./protocol").TurnId | null} turn the answer that says something new @param {string} question @param {Actions} actions */
function checked(thread, turn, question, actions) {
  if (!turn) return;
  unseen += 1;
  toast(unseen === 1 ? watched.changed({ question }) : watched.changedMore({ question, others: unseen - 1 }), {
    label: watched.show,
    run: () => {
      unseen = 0;
      void actions.openThread(thread, turn);
    },
  });
}

/** How the import of a dropped file ended. @param {ImportOutcome} outcome */
function imported(outcome) {
  if (outcome.type === "imported") toast(importedLine(outcome));
  else
    toast(importRefusedLine(outcome), {
      label: strings.window.importOthers({ others: outcome.others }),
      run: () => attempt(importRefused()),
    });
}
