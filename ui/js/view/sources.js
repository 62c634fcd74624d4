// The list of sources beside or below an answer.

/** @import { Passage, Source } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @import { Actions } from "../actions" */

import { h, shortDate } from "../dom.js";
import { counts } from "../reduce.js";
import { fetchedLine, passagePlace, placeName, siteOf } from "../sentences.js";
import { strings } from "../strings.js";
import { lights } from "./light.js";

const tools = strings.tools;

/** The first passage of a source that the answer cites; null where it cites none. @param {Source} source */
export const firstPassage = (source) => (source.passages.length > 0 ? 0 : null);

/** Whether a source is shown by Nexi itself and not by the browser. @param {string} url */
export const isHere = (url) => /^(?:file|nexi):/.test(url);

/** Whether a source is what a tool of the person's own returned. @param {string} url */
const isToolResult = (url) => /^nexi:\/\/(?:public-)?tool\//.test(url);

/** What stands for the address of a source that has none outside of Nexi. @param {string} url */
export const withoutAddress = (url) => (isToolResult(url) ? tools.returned : strings.attach.given);

/** The id of the thread that an address of past research leads to. @param {string} url @returns {string | null} */
export const threadOf = (url) => /^nexi:\/\/(?:private-)?thread\/([0-9a-f]{32})$/.exec(url)?.[1] ?? null;

/**
 * Opens a source where the answer cites it first; nothing where there is none of this number.
 * @param {TurnModel | null} turn @param {number} number @param {Pick<Actions, "openSource">} actions
 */
export function openNumber(turn, number, actions) {
  const source = turn?.sources.find((candidate) => candidate.number === number);
  if (turn && source) actions.openSource(turn.id, number, firstPassage(source));
}

/** @param {TurnModel} turn @param {Actions} actions @returns {Node[]} */
export function sources(turn, actions) {
  const sums = counts(turn);
  // What the answer rests on comes first.
  const ordered = [...turn.sources].sort((a, b) => Number(b.cited) - Number(a.cited) || a.number - b.number);
  return [
    h("h2", {}, strings.window.sources, h("span", {}, strings.window.sourceCount({ read: turn.sources.length, failed: sums.failed }))),
    h("ul", { class: "sources" }, ...ordered.map((source) => h("li", {}, row(turn, source, actions)))),
  ];
}

/** @param {TurnModel} turn @param {Source} source @param {Actions} actions */
function row(turn, source, actions) {
  const meta = [
    siteOf(source),
    source.date ? shortDate(source.date) : "",
    source.cached_ms ? fetchedLine(Date.now() - source.cached_ms) : "",
  ]
    .filter(Boolean)
    .join(" · ");
  const { text: support, kind } = verdict(turn, source);
  const open = h(
    "button",
    { class: "source", type: "button", onclick: () => actions.openSource(turn.id, source.number, firstPassage(source)) },
    h("span", { class: "number" }, String(source.number)),
    h(
      "span",
      {},
      h("div", { class: "title" }, source.title),
      h("div", { class: "meta" }, meta),
      support ? h("div", { class: `support ${kind}` }, support) : null,
    ),
  );
  // A page may change or go; what was read of it stays.
  const kept =
    source.url.startsWith("file:") || turn.state === "running"
      ? null
      : h(
          "button",
          {
            class: "kept",
            type: "button",
            title: strings.window.keptText,
            "aria-label": `${strings.window.keptText}: ${source.title}`,
            onclick: () => actions.showText(turn.id, source.number, firstPassage(source)),
          },
          "¶",
        );
  const element = h("div", { class: "source-row", "data-turn": turn.id, "data-number": String(source.number) }, open, kept);
  lights(element, turn.id, source.number);
  return element;
}

/** How well a source supports what cites it. @param {TurnModel} turn @param {Source} source */
function verdict(turn, source) {
  if (turn.state === "running") return { text: "", kind: "" };
  const own = turn.citations.filter((citation) => citation.number === source.number);
  if (own.length === 0) return { text: source.cited ? "" : strings.window.notCited, kind: "" };
  /** @param {import("../protocol").Support} support */
  const count = (support) => own.filter((citation) => citation.support === support).length;
  const counted = {
    supported: count("supported"),
    contradicted: count("contradicted"),
    partly: count("partly_supported"),
    not: count("not_supported"),
  };
  const parts = [
    counted.supported > 0 ? strings.window.supportedCount({ count: counted.supported }) : "",
    counted.contradicted > 0 ? strings.window.contradictedCount({ count: counted.contradicted }) : "",
    counted.partly > 0 ? strings.window.partlyCount({ count: counted.partly }) : "",
    counted.not > 0 ? strings.window.notSupportedCount({ count: counted.not }) : "",
  ];
  return {
    text: parts.filter(Boolean).join(", "),
    kind: counted.contradicted > 0 ? "bad" : counted.partly + counted.not > 0 ? "doubt" : "ok",
  };
}

/** Where in its document a passage stands. @param {Passage | null | undefined} passage */
export function place(passage) {
  if (passage?.page) return placeName({ type: "page", number: passage.page });
  if (passage?.place) return placeName(passage.place);
  const line = passage?.start_line;
  return line ? passagePlace({ from: line, to: line, place: null }) : "";
}
