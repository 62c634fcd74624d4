// Commands that are called before the code that wants their results has been read.

/** Results that nobody has taken yet, by command and arguments. @type {Map<string, Promise<any>>} */
const waiting = new Map();

/** @param {string} command @param {object} [args] */
const nameOf = (command, args) => JSON.stringify([command, args ?? {}]);

/** Calls a command; `takeAhead` finds its result. @param {string} command @param {object} [args] */
export function callAhead(command, args) {
  const result = /** @type {any} */ (globalThis).__TAURI__.core.invoke(command, args);
  // Whoever takes it is told of the failure.
  result.catch(() => {});
  waiting.set(nameOf(command, args), result);
}

/** The result of a call that was made ahead; each is given once, so that later calls see what has changed. @param {string} command @param {object} [args] @returns {Promise<any> | undefined} */
export function takeAhead(command, args) {
  const name = nameOf(command, args);
  const result = waiting.get(name);
  waiting.delete(name);
  return result;
}
