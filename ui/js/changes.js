// What has changed: told by reference, so that asking costs nothing. Whoever takes data in keeps the old
// references where the new data says the same (`kept`); everything between is replaced and never altered.

/** Tells, at each call, whether any of these is another one than at the last call. */
export function changes() {
  /** @type {unknown[] | null} */
  let before = null;
  /** @param {unknown[]} parts @returns {boolean} */
  return (...parts) => {
    const same = before !== null && before.length === parts.length && before.every((part, at) => Object.is(part, parts[at]));
    before = parts;
    return !same;
  };
}

/**
 * What came anew, with everything in it that says the same as before being what it was: the whole, or parts of it.
 * @template T @param {T} before @param {T} after plain data @returns {T}
 */
export function kept(before, after) {
  if (Object.is(before, after) || !isHolder(before) || !isHolder(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  /** @type {any} */
  const old = before;
  const made = Array.isArray(after)
    ? after.map((part, at) => kept(old[at], part))
    : Object.fromEntries(Object.entries(after).map(([name, part]) => [name, kept(old[name], part)]));
  const names = Object.keys(made);
  const isSame =
    names.length === Object.keys(before).length && names.every((name) => name in before && Object.is(old[name], Reflect.get(made, name)));
  return isSame ? before : /** @type {T} */ (made);
}

/** @param {unknown} value @returns {value is object} */
const isHolder = (value) => typeof value === "object" && value !== null;
