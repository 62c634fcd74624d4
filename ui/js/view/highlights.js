// Words that are marked without a change to the page, by CSS highlights. WebKit paints those of the page onto an open dialog, so
// they are taken away for as long as there is one.

/** @typedef {"doubt" | "uncited" | "new-statement"} Name */

/** @type {Map<Name, AbstractRange[]>} */
const kept = new Map();

/** What is marked so. @param {Name} name @returns {readonly AbstractRange[]} */
export const marked = (name) => kept.get(name) ?? [];

/** Marks these words so, and no others. @param {Name} name @param {AbstractRange[]} ranges */
export function mark(name, ranges) {
  kept.set(name, ranges);
  paint();
}

function paint() {
  const covered = document.querySelector("dialog[open]") !== null;
  for (const [name, ranges] of kept) {
    if (covered || ranges.length === 0) CSS.highlights?.delete(name);
    else CSS.highlights?.set(name, new Highlight(...ranges));
  }
}

new MutationObserver(paint).observe(document.documentElement, { subtree: true, attributeFilter: ["open"] });
