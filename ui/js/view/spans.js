// Statements of an answer, between the empty marks that stand in front of and behind them.

import { unfold } from "./sections.js";

/** The words between two marks. @param {HTMLElement} answer @param {string} from @param {string} to selectors @returns {Range | null} */
export function between(answer, from, to) {
  const [start, end] = [answer.querySelector(from), answer.querySelector(to)];
  if (!start || !end) return null;
  const range = document.createRange();
  range.setStartAfter(start);
  range.setEndBefore(end);
  return range;
}

/** Scrolls to a mark, through parts that are folded. @param {HTMLElement} answer @param {string} mark a selector */
export function reveal(answer, mark) {
  const element = answer.querySelector(mark);
  unfold(element);
  element?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}
