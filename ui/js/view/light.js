// A source and the numbers that cite it, lit up together.

/** @import { TurnId } from "../protocol" */

/** Lights up what cites a source, and the source; puts everything out without a number. @param {TurnId} turn @param {string | null} number */
export function light(turn, number) {
  for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
  if (number === null) return;
  const selector = `.turn[data-turn="${turn}"] .chip[data-number="${number}"], .source-row[data-turn="${turn}"][data-number="${number}"]`;
  for (const element of document.querySelectorAll(selector)) element.classList.add("lit");
}

/** Lights up a source alone, for one of the numbers that cite it. @param {TurnId} turn @param {string | null} number */
export function lightSource(turn, number) {
  light(turn, null);
  if (number === null) return;
  for (const row of document.querySelectorAll(`.source-row[data-turn="${turn}"][data-number="${number}"]`)) row.classList.add("lit");
}

/** Marks the numbers whose passage is open beside the answer; none without a passage. @param {TurnId} turn @param {number} number @param {number | null} passage */
export function markOpen(turn, number, passage) {
  for (const element of document.querySelectorAll(".chip.open")) element.classList.remove("open");
  if (passage === null) return;
  const selector = `.turn[data-turn="${turn}"] .chip[data-number="${number}"][data-passage="${passage}"]`;
  for (const element of document.querySelectorAll(selector)) element.classList.add("open");
}

/** Lights up as long as a pointer or the focus is on the element. @param {HTMLElement} element @param {TurnId} turn @param {number} number */
export function lights(element, turn, number) {
  for (const name of ["mouseenter", "focusin"]) element.addEventListener(name, () => light(turn, String(number)));
  for (const name of ["mouseleave", "focusout"]) element.addEventListener(name, () => light(turn, null));
}
