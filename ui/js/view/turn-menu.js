// What is done with an answer now and then.

/** @import { Actions } from "../actions" */
/** @import { TurnModel } from "../reduce" */
/** @import { Item } from "./menu" */

import { attempt, toast } from "../dom.js";
import * as host from "../host.js";
import { keep } from "../memory.js";
import { strings } from "../strings.js";
import { toastWritten } from "../written.js";
import { askText } from "./ask.js";
import { saveTemplate } from "./templates.js";
import { watchQuestion } from "./watch.js";

const templates = strings.templates;
const watched = strings.watched;

/** @param {TurnModel} turn @param {Actions} actions @param {{ askAnother: (() => void) | null }} ways without a way to ask another model, that is left out @returns {Item[]} */
export function turnMenu(turn, actions, { askAnother }) {
  const looksAt = actions.openedThread()?.team !== undefined;
  const branch = turn.answer
    ? [{ label: strings.window.branch, note: strings.window.branchTitle, run: () => actions.branch(turn.id) }]
    : [];
  const template = { label: templates.save, note: templates.saveNote, run: () => saveTemplate(turn.question) };
  // What somebody else has shared is theirs.
  if (looksAt) return [...branch, template];
  return [
    ...branch,
    ...(askAnother && turn.answer && turn.sources.length > 0
      ? [{ label: strings.opinion.ask, note: strings.opinion.askTitle, run: askAnother }]
      : []),
    ...(turn.deep && turn.answer
      ? [
          {
            label: strings.deep.saveReport,
            note: strings.deep.saveReportTitle,
            run: () => void save(host.saveReport(turn.id), (path) => strings.deep.saved({ path })),
          },
        ]
      : []),
    ...(actions.openedThread()?.private
      ? []
      : [{ label: strings.window.memory.this, note: strings.window.memory.thisNote, run: () => void rememberThis() }]),
    ...(turn.answer && !actions.openedThread()?.private
      ? [{ label: watched.watch, note: watched.watchNote, run: () => watchQuestion(turn, () => actions.refresh()) }]
      : []),
    template,
    {
      label: strings.window.record.save,
      note: strings.window.record.note,
      run: () => void save(host.saveAudit(turn.id), (path) => strings.window.record.done({ path })),
    },
    { label: strings.window.turn.delete, danger: true, run: () => void deleteTurn(turn, actions) },
  ];
}

/** Keeps what the person writes; what is selected is offered. */
async function rememberThis() {
  const selected = String(getSelection() ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
  const text = await askText(strings.window.memory.this, selected, strings.window.memory.help);
  if (text) keep(text, false);
}

/** Writes a file and says so. @param {Promise<string>} writing its path @param {(path: string) => string} said */
async function save(writing, said) {
  const path = await attempt(writing);
  if (path) toastWritten(said(path));
}

/** @param {TurnModel} turn @param {Actions} actions */
async function deleteTurn(turn, actions) {
  const words = strings.window.turn;
  const thread = actions.openedThread();
  const deleted = await attempt(host.deleteTurn(turn.id).then((whole) => ({ whole })));
  if (!deleted || !thread) return;
  const { whole } = deleted;
  if (whole) actions.left(whole);
  else actions.dropTurn(turn.id);
  if (thread.private) toast(words.deleted);
  else
    toast(words.deleted, {
      label: strings.window.thread.undo,
      run: async () => {
        const back = whole ? host.restoreThread(whole) : host.restoreTurn(turn.id);
        if (await attempt(back.then(() => true))) actions.openThread(thread.id, turn.id);
      },
    });
}
