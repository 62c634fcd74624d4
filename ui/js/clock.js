// A clock that goes only while something runs: a timer that never stops wakes the computer up for nothing.

/** Often enough that no second is seen late, in milliseconds. */
const EVERY = 200;

/**
 * @param {() => void} tick what is to be done each time
 * @returns {(on: boolean) => void} lets it go on, or stops it
 */
export function clock(tick) {
  /** @type {ReturnType<typeof setInterval> | null} */
  let timer = null;
  return (on) => {
    if (on === (timer !== null)) return;
    if (timer !== null) clearInterval(timer);
    timer = on ? setInterval(tick, EVERY) : null;
  };
}
