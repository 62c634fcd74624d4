// The card beside a chip: which source, and which passage.

/** @import { TurnModel } from "../reduce" */

import { byId, h, shortDate } from "../dom.js";
import { listed } from "../format.js";
import { fetchedLine, siteOf } from "../sentences.js";
import { strings } from "../strings.js";
import { citation } from "./answer.js";
import { isHere, place, threadOf } from "./sources.js";

const GAP = 8;

/** The number whose card is shown, and where it stood when the card was put beside it. @type {{ chip: HTMLElement, at: DOMRect } | null} */
let anchor = null;

let isQuiet = false;

/** Moves the focus without showing the card of where it goes. @param {() => void} move */
export function withoutCard(move) {
  isQuiet = true;
  move();
  isQuiet = false;
}

/** @param {HTMLElement} chip @param {TurnModel} turn */
export function showCard(chip, turn) {
  if (isQuiet) return;
  const card = byId("card");
  const { source, passage, support, missing, detected } = citation(turn, Number(chip.dataset.number), Number(chip.dataset.ordinal));
  const quoted = source && passage !== null ? source.passages[passage] : null;
  if (source) {
    const meta = [
      siteOf(source),
      source.date ? shortDate(source.date) : "",
      place(quoted),
      source.cached_ms ? fetchedLine(Date.now() - source.cached_ms) : "",
    ];
    const judged = turn.state !== "running" && turn.citations.length > 0;
    const kind = !judged || support === "supported" ? "does" : support === "contradicted" ? "does bad" : "does doubt";
    card.replaceChildren(
      h("div", { class: "title" }, source.title),
      h("div", { class: "meta" }, meta.filter(Boolean).join(" · ")),
      quoted ? h("div", { class: "quote" }, "“", h("mark", {}, shorten(quoted.quote, 420)), "”") : "",
      judged ? h("div", { class: kind }, strings.window.supportLong[support]) : "",
      judged && missing.length > 0 ? h("div", { class: "lacking" }, strings.window.notInPassage({ words: listed(missing) })) : "",
      detected ? h("div", { class: "meta" }, strings.window.detected[detected]) : "",
      h("div", { class: "opens" }, opens(source.url, quoted !== null)),
    );
  } else {
    card.replaceChildren(h("div", { class: "does bad" }, strings.window.unknownNumber));
  }
  card.hidden = false;
  anchor = { chip, at: chip.getBoundingClientRect() };
  moveTo(card, anchor.at);
  document.querySelector('[aria-describedby="card"]')?.removeAttribute("aria-describedby");
  chip.setAttribute("aria-describedby", "card");
}

/** What a press on the number does. @param {string} url @param {boolean} quoted */
function opens(url, quoted) {
  if (threadOf(url)) return strings.window.opens.thread;
  if (!quoted) return strings.window.opens.source;
  return isHere(url) ? strings.window.opens.viewer : strings.window.opens.browser;
}

export function hideCard() {
  anchor = null;
  byId("card").hidden = true;
  document.querySelector('[aria-describedby="card"]')?.removeAttribute("aria-describedby");
}

/** The pointer or the focus has left a number: its card goes when the other one is not there, either. @param {HTMLElement} chip */
export function leaveCard(chip) {
  if (anchor?.chip === chip && !chip.matches(":hover, :focus-visible")) hideCard();
}

/**
 * Something was scrolled, or the window has another size. A card stays with its number while that has the focus and can be
 * seen: going to a number by keyboard may be what scrolled it into sight.
 * @param {Event} event
 */
export function cardFollows({ target }) {
  if (anchor && !anchor.chip.isConnected) hideCard();
  if (!anchor || (target instanceof Node && !target.contains(anchor.chip))) return;
  const { chip, at } = anchor;
  const now = chip.getBoundingClientRect();
  if (Math.abs(now.top - at.top) < 1 && Math.abs(now.left - at.left) < 1) return;
  if (document.activeElement !== chip || !isInSight(now, target)) {
    hideCard();
    return;
  }
  anchor.at = now;
  moveTo(byId("card"), now);
}

/** The window shows something else: a card stays with a number that can still be seen. */
export function cardStays() {
  if (anchor && !anchor.chip.checkVisibility()) hideCard();
}

/** @param {DOMRect} box @param {EventTarget | null} scroller */
function isInSight(box, scroller) {
  const room = scroller instanceof Element ? scroller.getBoundingClientRect() : { top: 0, bottom: window.innerHeight };
  return box.bottom > room.top && box.top < room.bottom;
}

/** @param {HTMLElement} card @param {DOMRect} anchor */
function moveTo(card, anchor) {
  const box = card.getBoundingClientRect();
  const left = Math.min(Math.max(12, anchor.left - 24), window.innerWidth - box.width - 12);
  const below = anchor.bottom + GAP;
  const top = below + box.height < window.innerHeight ? below : Math.max(GAP, anchor.top - box.height - GAP);
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}

/** @param {string} text @param {number} limit */
function shorten(text, limit) {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit).join("")}…`;
}
