// A long report: its contents, and sections that fold.

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** Sections from which a report has contents. */
const MANY = 3;

/**
 * Puts each section below its heading into a part that folds; what stands before the first one stays as it is.
 * @param {DocumentFragment} report
 */
export function fold(report) {
  const headings = [...report.children].filter((child) => child.tagName === "H2");
  if (headings.length < MANY) return;
  for (const heading of headings) {
    /** @type {Node[]} */
    const below = [];
    for (let next = heading.nextSibling; next && next.nodeName !== "H2" && next.nodeName !== "H1" && !isEnd(next); next = next.nextSibling)
      below.push(next);
    const part = h("details", { class: "part", open: true }, h("summary", {}));
    heading.replaceWith(part);
    part.children[0].append(heading);
    part.append(...below);
  }
}

/** Footnotes belong to the whole report. @param {Node} node */
const isEnd = (node) => node instanceof HTMLElement && node.matches("section.footnotes");

/**
 * The contents of a report that is shown in `answer`; null where it has no sections that fold.
 * @param {HTMLElement} answer @returns {HTMLElement | null}
 */
export function contents(answer) {
  const parts = /** @type {NodeListOf<HTMLDetailsElement>} */ (answer.querySelectorAll(":scope > details.part"));
  if (parts.length < MANY) return null;
  const all = h("button", { type: "button", class: "fold-all" }, strings.deep.foldAll);
  const label = () => {
    all.textContent = [...parts].some((part) => part.open) ? strings.deep.foldAll : strings.deep.unfoldAll;
  };
  all.addEventListener("click", () => {
    const open = ![...parts].some((part) => part.open);
    for (const part of parts) part.open = open;
    label();
  });
  const lines = [...parts].map((part) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          dir: "auto",
          onclick: () => {
            part.open = true;
            label();
            part.scrollIntoView({ block: "start" });
            part.querySelector("summary")?.focus({ preventScroll: true });
          },
        },
        title(part),
      ),
    ),
  );
  for (const part of parts) part.addEventListener("toggle", label);
  return h(
    "nav",
    { class: "contents", "aria-label": strings.deep.contents },
    h("div", { class: "contents-head" }, h("b", {}, strings.deep.contents), all),
    h("ol", {}, ...lines),
  );
}

/** The heading without the numbers of its sources. @param {HTMLElement} part */
function title(part) {
  const heading = /** @type {HTMLElement} */ (part.querySelector("summary")?.cloneNode(true));
  for (const chip of heading.querySelectorAll(".chip, .uncited")) chip.remove();
  return (heading.textContent ?? "").trim();
}

/** Opens the part that holds this. @param {Element | null | undefined} element */
export function unfold(element) {
  const part = /** @type {HTMLDetailsElement | null | undefined} */ (element?.closest("details.part"));
  if (part) part.open = true;
}
