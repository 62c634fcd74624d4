// What has changed: told by reference, so that asking costs nothing. Whoever takes data in keeps the old reference
// where the new data says the same (`kept`); everything between is replaced and never altered.

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
 * What came, or what was there before where that is the same.
 * @template T @param {T} before @param {T} after plain data @returns {T}
 */
export const kept = (before, after) => (isSame(before, after) ? before : after);

/** @param {unknown} one @param {unknown} other @returns {boolean} */
function isSame(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) => name in other && isSame(/** @type {any} */ (one)[name], /** @type {any} */ (other)[name]))
  );
}
