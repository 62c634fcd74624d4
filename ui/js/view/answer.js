// An answer: cleaned HTML whose numbers become chips.

/** @import { CopyForm, Detection, Source, Support } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @typedef {{ openAnswerLink: (turn: import("../protocol").TurnId, place: number) => void, openSource: (turn: import("../protocol").TurnId, number: number, passage: number | null) => void, showCard: (chip: HTMLElement, turn: TurnModel) => void, leaveCard: (chip: HTMLElement) => void }} Openers */

import { attempt, cleanedNodes, h, patchChildren, toast } from "../dom.js";
import * as host from "../host.js";
import { siteOf } from "../sentences.js";
import { strings } from "../strings.js";
import { lightSource } from "./light.js";
import { fold } from "./sections.js";

/** Whether anything that its text or its marks are made of has changed. @param {TurnModel | null} before @param {TurnModel} now */
export const answerChanged = (before, now) => before?.blocks !== now.blocks || !marksAlike(before, now);

/** Whether marks would look the same in an answer that reads the same. @param {TurnModel} before @param {TurnModel} now */
const marksAlike = (before, now) =>
  before.id === now.id &&
  before.state === now.state &&
  before.sources === now.sources &&
  before.citations === now.citations &&
  before.statements === now.statements &&
  before.check === now.check;

/** Puts an answer on the clipboard. @param {TurnModel} turn @param {CopyForm} form */
export async function copyAnswer(turn, form) {
  // The Rust side writes it: a page may only do so at once, and not after it has asked for the text.
  await attempt(host.copyAnswer(turn.id, form).then(() => toast(strings.window.copied[form])));
}

/**
 * What an element shows: the turn, and how many nodes and links each of its blocks has.
 * @type {WeakMap<HTMLElement, { turn: TurnModel, made: { nodes: number, links: number }[] }>}
 */
const shown = new WeakMap();

/**
 * Brings the answer element up to date. Blocks that it shows already are not looked at again, so that a long answer costs
 * as much at its end as at its beginning.
 * @param {HTMLElement} element @param {TurnModel} turn
 */
export function updateAnswer(element, turn) {
  const before = shown.get(element);
  let stays = 0;
  if (before && marksAlike(before.turn, turn))
    while (stays < before.made.length && before.turn.blocks[stays] === turn.blocks[stays]) stays += 1;
  const made = before?.made.slice(0, stays) ?? [];
  let [from, link] = [0, 0];
  for (const block of made) {
    from += block.nodes;
    link += block.links;
  }
  /** @type {Node[]} */
  const nodes = [];
  for (const html of turn.blocks.slice(stays)) {
    let links = 0;
    const own = cleanedNodes(html, (fragment) => {
      links = fillMarks(fragment, turn, link);
    });
    link += links;
    nodes.push(...own);
    made.push({ nodes: own.length, links });
  }
  patchChildren(element, nodes, from);
  shown.set(element, { turn, made });
}

/**
 * Gives the marks of a block what belongs to them; how many links are in it.
 * @param {DocumentFragment} fragment @param {TurnModel} turn @param {number} before links in front of it
 */
function fillMarks(fragment, turn, before) {
  for (const mark of fragment.querySelectorAll("sup.cite"))
    put(/** @type {HTMLElement} */ (mark), chip(/** @type {HTMLElement} */ (mark), turn));
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = fragment.querySelectorAll("a[href]");
  links.forEach((link, place) => {
    link.dataset.place = String(before + place);
    link.title = link.href;
  });
  for (const mark of fragment.querySelectorAll('.said-end[data-support="uncited"]'))
    mark.append(h("span", { class: "uncited", role: "img", "aria-label": strings.window.uncitedMark }));
  for (const mark of fragment.querySelectorAll(".second-look")) secondLook(/** @type {HTMLElement} */ (mark), turn);
  for (const table of fragment.querySelectorAll("table")) inBox(table);
  for (const block of fragment.querySelectorAll("pre")) code(block);
  const notes = fragment.querySelectorAll("section.footnotes > ol > li");
  for (const reference of fragment.querySelectorAll("sup.footnote-ref")) note(reference, notes);
  if (turn.deep && turn.state !== "running") fold(fragment);
  return links.length;
}

/**
 * Puts a number in the place of its mark. It stays on the line of the word it follows, unless that
 * is a very long one.
 * @param {HTMLElement} mark @param {HTMLElement} number
 */
function put(mark, number) {
  const [before, after] = [mark.previousSibling, mark.nextSibling];
  // Nor does what ends the sentence begin a line.
  const stop = after instanceof Text ? (after.data.match(/^[\p{Pe}\p{Pf}.,;:!?…"'。，、；：！？،؛؟]+/u)?.[0] ?? "") : "";
  if (stop !== "" && after instanceof Text) {
    after.data = after.data.slice(stop.length);
    if (after.data === "") after.remove();
  }
  if (before instanceof HTMLElement && before.className === "together") {
    before.append(number);
    if (stop !== "") before.append(stop);
    mark.remove();
    return;
  }
  const word = before instanceof Text ? (before.data.match(/\S{1,12}\s?$/)?.[0] ?? "") : "";
  if (word === "" || !(before instanceof Text)) {
    mark.replaceWith(stop === "" ? number : h("span", { class: "together" }, number, stop));
    return;
  }
  before.data = before.data.slice(0, -word.length);
  mark.replaceWith(h("span", { class: "together" }, word, number, ...(stop === "" ? [] : [stop])));
}

/** A button that shows how a statement read before it was changed. @param {HTMLElement} mark @param {TurnModel} turn */
function secondLook(mark, turn) {
  const correction = turn.check?.corrections[Number(mark.dataset.correction)];
  if (!correction) return;
  const before = h("span", { class: "read-before", hidden: true }, strings.window.readBefore({ before: correction.before }));
  mark.append(
    h(
      "button",
      { type: "button", class: `changed ${correction.kind}`, "aria-expanded": "false" },
      strings.window.correction[correction.kind],
    ),
    before,
  );
}

/** Lines of code that are shown before the rest is folded. */
const FOLD = 24;

/** A table scrolls by itself, so that the page does not. @param {Element} table */
function inBox(table) {
  const box = h("div", { class: "table-box", tabIndex: 0, role: "region", "aria-label": strings.window.table });
  table.replaceWith(box);
  box.append(table);
}

/** Code with its language and a button to copy it; long code is folded. @param {HTMLElement} block */
function code(block) {
  const lines = (block.textContent ?? "").split("\n").length;
  const long = lines > FOLD + 6;
  const box = h(
    "div",
    { class: long ? "code folded" : "code" },
    h(
      "div",
      { class: "code-head" },
      h("span", {}, block.dataset.lang ?? ""),
      h("button", { type: "button", class: "copy-code" }, strings.window.copy),
    ),
    long ? h("button", { type: "button", class: "unfold" }, strings.window.allLines({ lines: lines - 1 })) : null,
  );
  block.tabIndex = 0;
  block.replaceWith(box);
  box.children[0].after(block);
}

/** A note's number leads to the note. @param {Element} reference @param {NodeListOf<Element>} notes */
function note(reference, notes) {
  const number = Number(reference.textContent);
  if (notes[number - 1])
    reference.replaceChildren(h("button", { type: "button", class: "note-ref", "data-note": String(number) }, String(number)));
}

/** @param {HTMLElement} mark @param {TurnModel} turn */
function chip(mark, turn) {
  const found = citation(turn, Number(mark.dataset.number), Number(mark.dataset.ordinal));
  const judged = turn.state !== "running";
  // What another program answered has not been judged.
  const unjudged = found.source && turn.citations.length === 0;
  const kind =
    !judged || unjudged
      ? ""
      : found.source
        ? { supported: "", partly_supported: "partly", not_supported: "unsupported", contradicted: "contradicted", uncited: "" }[
            found.support
          ]
        : "unknown";
  const support = judged && found.source && !unjudged ? `, ${strings.window.support[found.support]}` : "";
  const label = found.source
    ? `${found.number}: ${found.source.title}, ${siteOf(found.source)}${support}`
    : `${found.number}: ${strings.window.unknownNumber}`;
  return h(
    "button",
    {
      class: `chip ${kind} ${found.detected ? "detected" : ""}`.trim().replace("  ", " "),
      type: "button",
      "aria-label": label,
      "data-number": String(found.number),
      "data-ordinal": mark.dataset.ordinal ?? "",
      "data-passage": found.passage === null ? undefined : String(found.passage),
    },
    String(found.number),
  );
}

/**
 * What a chip stands for.
 * @param {TurnModel} turn @param {number} number @param {number} ordinal
 * @returns {{ number: number, source: Source | null, passage: number | null, support: Support, missing: string[], detected: Detection | null }}
 */
export function citation(turn, number, ordinal) {
  const source = turn.sources.find((candidate) => candidate.number === number) ?? null;
  const exact = turn.citations.find((candidate) => candidate.ordinal === ordinal && candidate.number === number);
  const found = exact ?? turn.citations.find((candidate) => candidate.number === number);
  return {
    number,
    source,
    passage: found?.passage ?? null,
    support: found?.support ?? "not_supported",
    missing: found?.missing ?? [],
    detected: found?.detected ?? null,
  };
}

/**
 * Clicks and keys on chips and links.
 * @param {HTMLElement} element @param {() => TurnModel} turn @param {Openers} actions
 */
export function listen(element, turn, actions) {
  element.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const link = /** @type {HTMLElement | null} */ (target.closest("a[href]"));
    if (link) {
      event.preventDefault();
      actions.openAnswerLink(turn().id, Number(link.dataset.place));
    }
    const noted = /** @type {HTMLElement | null} */ (target.closest(".note-ref"));
    if (noted) element.querySelectorAll("section.footnotes > ol > li")[Number(noted.dataset.note) - 1]?.scrollIntoView({ block: "center" });
    const changed = target.closest(".changed");
    const before = /** @type {HTMLElement | null | undefined} */ (changed?.nextElementSibling);
    if (changed && before) {
      before.hidden = !before.hidden;
      changed.setAttribute("aria-expanded", String(!before.hidden));
    }
    const box = target.closest(".code");
    if (box && target.closest(".unfold")) {
      box.classList.toggle("folded");
      target.textContent = box.classList.contains("folded")
        ? strings.window.allLines({ lines: (box.querySelector("pre")?.textContent ?? "").split("\n").length - 1 })
        : strings.window.fold;
    }
    if (box && target.closest(".copy-code"))
      attempt(host.copyText(box.querySelector("pre")?.textContent ?? "").then(() => toast(strings.window.copiedCode)));
    const button = chipOf(target);
    if (button) {
      const found = citation(turn(), Number(button.dataset.number), Number(button.dataset.ordinal));
      if (found.source) actions.openSource(turn().id, found.number, found.passage);
    }
  });
  // A middle click would open a window, which is refused anyway.
  element.addEventListener("auxclick", (event) => event.preventDefault());
  for (const name of ["mouseover", "focusin"]) {
    element.addEventListener(name, (event) => {
      const button = chipOf(event.target);
      if (!button) return;
      actions.showCard(button, turn());
      lightSource(turn().id, button.dataset.number ?? null);
    });
  }
  for (const name of ["mouseout", "focusout"]) {
    element.addEventListener(name, (event) => {
      const button = chipOf(event.target);
      if (!button) return;
      actions.leaveCard(button);
      lightSource(turn().id, null);
    });
  }
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function chipOf(target) {
  return target instanceof HTMLElement ? target.closest(".chip") : null;
}
