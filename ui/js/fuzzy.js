// Whether a name is meant by a few letters, and which of its letters they are.

/** @typedef {{ score: number, at: number[] }} Match the places are of UTF-16 units */

/**
 * Every word that was typed has to be found, as letters in their order. Beginnings of words and letters that stand
 * together count more, and short names more than long ones. Null where it is not meant.
 * @param {string} typed @param {string} name @returns {Match | null}
 */
export function fuzzy(typed, name) {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return { score: 0, at: [] };
  const text = fold(name);
  // Letters that become two when they are folded would shift all places behind them.
  const exact = text.length === name.length;
  let score = 0;
  /** @type {number[]} */
  const at = [];
  for (const word of words) {
    const found = one(word, text);
    if (!found) return null;
    score += found.score;
    if (exact) at.push(...found.at);
  }
  return { score: score - text.length / 200, at };
}

/** @param {string} word @param {string} text @returns {Match | null} */
function one(word, text) {
  const whole = wordStart(word, text);
  if (whole >= 0) return { score: 10 + word.length + (whole === 0 ? 4 : 0), at: range(whole, word.length) };
  const inside = text.indexOf(word);
  if (inside >= 0) return { score: 5 + word.length, at: range(inside, word.length) };
  // Two letters far apart mean nothing.
  if (word.length < 3) return null;
  const at = [];
  let from = 0;
  for (const letter of word) {
    const place = text.indexOf(letter, from);
    if (place < 0) return null;
    at.push(place);
    from = place + letter.length;
  }
  const spread = at[at.length - 1] - at[0] + 1 - word.length;
  return spread > 2 * word.length ? null : { score: word.length - spread / 2, at };
}

/** Where a word begins with this; -1 where none does. @param {string} word @param {string} text */
function wordStart(word, text) {
  let place = text.indexOf(word);
  while (place > 0 && /[\p{L}\p{N}]/u.test(text[place - 1])) place = text.indexOf(word, place + 1);
  return place;
}

/** @param {number} from @param {number} length */
const range = (from, length) => Array.from({ length }, (_, index) => from + index);

/** Lower case, without accents. @param {string} text */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
