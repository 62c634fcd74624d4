// Where pages reach the program. Commands are in host.js; this is below it, because some are called before that is read.

/** @type {{ core: { invoke: (command: string, args?: object) => Promise<any>, Channel: new () => { onmessage: (message: any) => void } } }} */
const tauri = /** @type {any} */ (window).__TAURI__;

/** Results of calls made ahead, by command and arguments, until they are taken. @type {Map<string, Promise<any>>} */
const waiting = new Map();

/** @param {string} command @param {object} [args] */
const nameOf = (command, args) => JSON.stringify([command, args ?? {}]);

/** Calls a command whose result is wanted later: the next `invoke` of it has it. @param {string} command @param {object} [args] */
export function callAhead(command, args) {
  const result = tauri.core.invoke(command, args);
  // A failure is reported by the `invoke` that takes it.
  result.catch(() => {});
  waiting.set(nameOf(command, args), result);
}

/** Calls a command, or takes what it was called for ahead, once: later calls see what has changed. @param {string} command @param {object} [args] @returns {Promise<any>} */
export function invoke(command, args) {
  // Arguments may be long, and are compared only at the start.
  if (waiting.size === 0) return tauri.core.invoke(command, args);
  const name = nameOf(command, args);
  const ahead = waiting.get(name);
  waiting.delete(name);
  return ahead ?? tauri.core.invoke(command, args);
}

/** What the program sends to as often as it likes. @param {(message: any) => void} onmessage */
export function channel(onmessage) {
  const made = new tauri.core.Channel();
  made.onmessage = onmessage;
  return made;
}
