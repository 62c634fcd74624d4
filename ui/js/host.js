// The one module that talks to the Rust side.

/** @import { Begun, Effort, Overview, SourceText, ThreadId, ThreadSummary, TurnId, TurnView, WatchMessage } from "./protocol" */

/** @type {{ core: { invoke: (command: string, args?: object) => Promise<any>, Channel: new () => { onmessage: (message: any) => void } } }} */
const tauri = /** @type {any} */ (window).__TAURI__;

/** @returns {Promise<Overview>} */
export const overview = () => tauri.core.invoke("overview");

/** @returns {Promise<void>} */
export const beginWithoutAccount = () => tauri.core.invoke("begin_without_account");

/** @returns {Promise<ThreadSummary[]>} */
export const threads = () => tauri.core.invoke("threads");

/** @param {ThreadId} thread @returns {Promise<TurnView[]>} */
export const openThread = (thread) => tauri.core.invoke("open_thread", { thread });

/** @param {string} question @param {ThreadId | null} thread @param {Effort} effort @returns {Promise<Begun>} */
export const ask = (question, thread, effort) => tauri.core.invoke("ask", { question, thread, effort });

/** @param {TurnId} turn @returns {Promise<void>} */
export const stop = (turn) => tauri.core.invoke("stop", { turn });

/** @param {TurnId} turn @param {boolean} including @returns {Promise<ThreadId | null>} */
export const branch = (turn, including) => tauri.core.invoke("branch", { turn, including });

/** @param {TurnId} turn @returns {Promise<Begun>} */
export const resume = (turn) => tauri.core.invoke("resume", { turn });

/** @param {TurnId} turn @param {number} number @returns {Promise<SourceText>} */
export const source = (turn, number) => tauri.core.invoke("source", { turn, number });

/** @param {TurnId} turn @param {number} number @param {number | null} passage @returns {Promise<void>} */
export const openSource = (turn, number, passage) => tauri.core.invoke("open_source", { turn, number, passage });

/** @param {TurnId} turn @param {number} place @returns {Promise<void>} */
export const openAnswerLink = (turn, place) => tauri.core.invoke("open_answer_link", { turn, place });

/**
 * Follows a run from its first event on.
 * @param {TurnId} turn
 * @param {(message: WatchMessage) => void} onmessage
 * @returns {Promise<boolean>} whether the run is going on
 */
export function watch(turn, onmessage) {
  const channel = new tauri.core.Channel();
  channel.onmessage = onmessage;
  return tauri.core.invoke("watch", { turn, channel });
}
