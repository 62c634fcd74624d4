// What has changed: told by reference, so that asking costs nothing. Whoever takes data in keeps the old
// references where the new data says the same (`kept`); everything between is replaced and never altered.

/** Whether these are the same things in the same places. @param {unknown[]} before @param {unknown[]} after */
const areSame = (before, after) => before.length === after.length && before.every((part, at) => Object.is(part, after[at]));

/** Tells, at each call, whether any of these is another one than at the last call. */
export function changes() {
  /** @type {unknown[] | null} */
  let before = null;
  /** @param {unknown[]} parts @returns {boolean} */
  return (...parts) => {
    const same = before !== null && areSame(before, parts);
    before = parts;
    return !same;
  };
}

/**
 * Parts of a page that are made once and kept for as long as the facts behind them are the same, told by reference. Parts that a
 * round does not ask for are forgotten.
 */
export function cachedParts() {
  /** @type {Map<string, { facts: unknown[], part: any }>} */
  let before = new Map();
  /** @type {typeof before} */
  let now = new Map();
  return {
    /** One round of drawing. @template T @param {() => T} draw @returns {T} */
    round(draw) {
      now = new Map();
      const drawn = draw();
      before = now;
      return drawn;
    },
    /** The part of this name, as it was where its facts are the same. @template T @param {string} name @param {unknown[]} facts @param {() => T} make @returns {T} */
    keep(name, facts, make) {
      const old = before.get(name);
      const part = old && areSame(old.facts, facts) ? old.part : make();
      now.set(name, { facts, part });
      return part;
    },
  };
}

/**
 * What came anew, with everything in it that says the same as before being what it was: the whole, or parts of it. In a list, what has
 * an `id` is compared with what had it, wherever that stood.
 * @template T @param {T} before @param {T} after plain data @returns {T}
 */
export function kept(before, after) {
  if (Object.is(before, after) || !isHolder(before) || !isHolder(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  /** @type {any} */
  const old = before;
  const made = Array.isArray(after)
    ? keptList(old, after)
    : Object.fromEntries(Object.entries(after).map(([name, part]) => [name, kept(old[name], part)]));
  const names = Object.keys(made);
  const isSame =
    names.length === Object.keys(before).length && names.every((name) => name in before && Object.is(old[name], Reflect.get(made, name)));
  return isSame ? before : /** @type {T} */ (made);
}

/** @param {any[]} before @param {any[]} after @returns {any[]} */
function keptList(before, after) {
  const named = new Map(before.filter((part) => isHolder(part) && "id" in part).map((part) => [part.id, part]));
  return after.map((part, at) => kept((isHolder(part) && "id" in part && named.get(part.id)) || before[at], part));
}

/** @param {unknown} value @returns {value is object} */
const isHolder = (value) => typeof value === "object" && value !== null;
