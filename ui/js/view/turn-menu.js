// What is done with an answer now and then.

/** @import { Actions } from "../main" */
/** @import { TurnModel } from "../reduce" */
/** @import { Item } from "./menu" */

import { attempt, toast } from "../dom.js";
import * as host from "../host.js";
import { keep } from "../memory.js";
import { strings } from "../strings.js";
import { templates } from "../strings-templates.js";
import { watched } from "../strings-watched.js";
import { toastWritten } from "../written.js";
import { askText } from "./ask.js";
import { saveTemplate } from "./templates.js";
import { watchQuestion } from "./watch.js";

/** @param {TurnModel} turn @param {Actions} actions @param {{ askAnother: (() => void) | null }} ways without a way to ask another model, that is left out @returns {Item[]} */
export function turnMenu(turn, actions, { askAnother }) {
  return [
    ...(turn.answer ? [{ label: strings.branch, note: strings.branchTitle, run: () => actions.branch(turn.id) }] : []),
    ...(askAnother && turn.answer && turn.sources.length > 0 ? [{ label: strings.opinion.ask, note: strings.opinion.askTitle, run: askAnother }] : []),
    ...(turn.deep && turn.answer ? [{ label: strings.deep.saveReport, note: strings.deep.saveReportTitle, run: () => void save(host.saveReport(turn.id), strings.deep.saved) }] : []),
    ...(actions.openedThread()?.private ? [] : [{ label: strings.memory.this, note: strings.memory.thisNote, run: () => void rememberThis() }]),
    ...(turn.answer && !actions.openedThread()?.private ? [{ label: watched.watch, note: watched.watchNote, run: () => watchQuestion(turn, () => actions.refresh()) }] : []),
    { label: templates.save, note: templates.saveNote, run: () => saveTemplate(turn.question) },
    { label: strings.record.save, note: strings.record.note, run: () => void save(host.saveAudit(turn.id), strings.record.done) },
    { label: strings.turn.delete, danger: true, run: () => void deleteTurn(turn, actions) },
  ];
}

/** Keeps what the person writes; what is selected is offered. */
async function rememberThis() {
  const selected = String(getSelection() ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
  const text = await askText(strings.memory.this, selected, strings.memory.help);
  if (text) keep(text, false);
}

/** Writes a file and says so. @param {Promise<string>} writing its path @param {(path: string) => string} said */
async function save(writing, said) {
  const path = await attempt(writing);
  if (path) toastWritten(said(path));
}

/** @param {TurnModel} turn @param {Actions} actions */
async function deleteTurn(turn, actions) {
  const words = strings.turn;
  const thread = actions.openedThread();
  const deleted = await attempt(host.deleteTurn(turn.id).then((whole) => ({ whole })));
  if (!deleted || !thread) return;
  const { whole } = deleted;
  if (whole) actions.left(whole);
  else actions.dropTurn(turn.id);
  if (thread.private) toast(words.deleted);
  else toast(words.deleted, { label: strings.thread.undo, run: async () => {
    const back = whole ? host.restoreThread(whole) : host.restoreTurn(turn.id);
    if (await attempt(back.then(() => true))) actions.openThread(thread.id, turn.id);
  } });
}
