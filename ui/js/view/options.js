// A list of options below a field, walked with the arrow keys while the field keeps the focus.

import { h } from "../dom.js";

/**
 * @template T
 * @param {HTMLTextAreaElement} input where the focus stays
 * @param {{ id: string, kind?: string, label: string, content: (option: T) => Node[], take: (option: T) => void, closed?: () => void }} about
 *   `content` is what an option shows, `take` what happens when it is chosen, `closed` what else ends with the list
 */
export function optionList(input, { id, kind, label, content, take, closed }) {
  const element = h("div", { class: kind ? `at-list ${kind}` : "at-list", role: "listbox", id, "aria-label": label, hidden: true });
  /** @type {T[] | null} */
  let options = null;
  let chosen = 0;

  /** Opens it, or shows others in it. @param {T[]} found @param {string} [none] what is said where there are none */
  function show(found, none) {
    options = found;
    chosen = 0;
    element.hidden = false;
    input.setAttribute("aria-controls", id);
    element.replaceChildren(...(found.length === 0 && none ? [h("p", { class: "hint" }, none)] : found.map(row)));
    mark();
  }

  /** @param {T} option @param {number} index */
  function row(option, index) {
    return h(
      "button",
      {
        type: "button",
        role: "option",
        id: `${id}-${index}`,
        tabIndex: -1,
        onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => choose(option),
      },
      ...content(option),
    );
  }

  /** Says which one is chosen; the rows stay what they are, for somebody may be pressing one. */
  function mark() {
    const rows = [...element.querySelectorAll('[role="option"]')];
    rows.forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === chosen));
    });
    if (rows.length === 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `${id}-${chosen}`);
    rows[chosen]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {T} option */
  function choose(option) {
    close();
    take(option);
  }

  function close() {
    closed?.();
    options = null;
    if (element.hidden) return;
    element.hidden = true;
    element.replaceChildren();
    input.removeAttribute("aria-activedescendant");
    input.removeAttribute("aria-controls");
  }

  /** Whether the list took the key. @param {KeyboardEvent} event */
  function onKey(event) {
    if (!options) return false;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") close();
    else if (options.length === 0) return false;
    else if (by) {
      chosen = (chosen + by + options.length) % options.length;
      mark();
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.isComposing) choose(options[chosen]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  input.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement !== input) close();
    }, 100),
  );
  return { element, show, close, onKey };
}
