// The reader: what a source says, beside the answer, opened at the passage that was cited. Documents are shown as they
// are: notes and office files rendered, PDF as pictures of its pages, code and plain text with the numbers of its lines.

/** @import { Actions } from "../actions" */
/** @import { DocumentText, SourceText } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { attempt, byId, cleanedNodes, h, keepInPlace, shortDate } from "../dom.js";
import * as host from "../host.js";
import { pathView } from "../paths.js";
import { corpusOf, fetchedLine, siteOf } from "../sentences.js";
import { strings } from "../strings.js";
import { withoutCard } from "./card.js";
import { markOpen } from "./light.js";
import { findQuotes, lettersOf } from "./quotes.js";
import { firstPassage, place, withoutAddress } from "./sources.js";

const words = strings.reader;

/** Lines of plain text that are shown at once. */
const MAX_LINES = 4000;

/**
 * @typedef {{
 *   title: string, where: (at: number) => (string | HTMLElement)[], tabs: HTMLElement[], text: string, html: string | null, lines: number[], quotes: string[],
 *   pages: number[], hasPictures: boolean, at: number, mark: (at: number | null) => void,
 *   picture: (page: number, quote: string) => Promise<import("../protocol").PageView | null>, openFile: ((folder: boolean) => void) | null, openPage: (() => void) | null,
 * }} Shown what is open: where each passage stands, its passages by their words and pages, how its citations are marked, and how it is opened elsewhere
 */

/** @param {Actions} actions */
export function reader(actions) {
  const element = byId("reader");
  /** @type {Shown | null} */
  let shown = null;
  /** The page of the picture, where one is shown. @type {number | null} */
  let page = null;
  let asText = false;
  let opening = 0;
  /** @type {HTMLElement | null} What had the focus before. */
  let before = null;

  const body = h("div", { class: "reading", tabIndex: 0, role: "document", "aria-labelledby": "reader-title" });
  const position = h("span", { class: "position", "aria-live": "polite" });
  const meta = h("p", { class: "meta" });

  /** @param {Shown} next */
  function open(next) {
    shown?.mark(null);
    // What was read before is not shown under another title.
    if (shown?.text !== next.text) body.replaceChildren();
    shown = next;
    asText = false;
    if (element.hidden) {
      before = /** @type {HTMLElement | null} */ (document.activeElement);
      keepInPlace(beingRead(before), () => {
        element.hidden = false;
        byId("app").classList.add("reading");
      });
    }
    frame();
    go(next.at);
    body.focus({ preventScroll: true });
  }

  function close() {
    if (element.hidden) return;
    opening += 1;
    shown?.mark(null);
    shown = null;
    keepInPlace(beingRead(before), () => {
      element.hidden = true;
      element.replaceChildren();
      byId("app").classList.remove("reading");
    });
    // The focus goes back to a citation without opening its card.
    if (before?.isConnected) withoutCard(() => before?.focus());
    before = null;
  }

  /** Everything around the text. */
  function frame() {
    if (!shown) return;
    const { title, tabs, hasPictures, openFile, openPage, quotes } = shown;
    element.replaceChildren(
      h(
        "header",
        {},
        tabs.length > 1 ? h("div", { class: "tabs", role: "tablist", "aria-label": strings.window.sources }, ...tabs) : null,
        h("h2", { id: "reader-title", dir: "auto" }, title),
        meta,
        h(
          "button",
          { class: "close", type: "button", "aria-label": strings.window.close, title: `${strings.window.close} (Esc)`, onclick: close },
          "×",
        ),
      ),
      body,
      h(
        "footer",
        {},
        quotes.length > 1
          ? h("button", { type: "button", id: "reader-next", onclick: () => step(1) }, h("kbd", {}, "N"), words.next)
          : null,
        quotes.length > 1
          ? h("button", { type: "button", id: "reader-previous", onclick: () => step(-1) }, h("kbd", {}, "P"), words.previous)
          : null,
        position,
        h("span", { class: "gap" }),
        hasPictures
          ? h(
              "button",
              {
                type: "button",
                id: "reader-form",
                onclick: () => {
                  asText = !asText;
                  frame();
                  go(shown?.at ?? 0);
                },
              },
              asText ? words.asPages : words.asText,
            )
          : null,
        openFile ? h("button", { type: "button", id: "open-file", onclick: () => openFile(false) }, words.openFile) : null,
        openFile ? h("button", { type: "button", onclick: () => openFile(true) }, words.showInFolder) : null,
        openPage ? h("button", { type: "button", onclick: openPage }, words.openPage) : null,
      ),
    );
  }

  /** To the passage before or after. @param {number} by */
  function step(by) {
    if (!shown || shown.quotes.length === 0) return;
    go((shown.at + by + shown.quotes.length) % shown.quotes.length);
  }

  /** @param {number} at */
  async function go(at) {
    if (!shown) return;
    shown.at = at;
    shown.mark(at);
    meta.replaceChildren(...joined(shown.where(at).filter(Boolean)));
    position.textContent = shown.quotes.length > 1 ? words.position({ at: at + 1, all: shown.quotes.length }) : "";
    opening += 1;
    if (shown.hasPictures && !asText) await showPage(shown.pages[at] || 1);
    else showText();
  }

  /** @param {number} number */
  async function showPage(number) {
    if (!shown) return;
    const mine = opening;
    const { at, quotes, pages } = shown;
    const quote = (pages[at] || 1) === number ? (quotes[at] ?? "") : "";
    page = number;
    body.classList.add("loading");
    const view = await attempt(shown.picture(number, quote));
    if (mine !== opening || !shown) return;
    body.classList.remove("loading");
    if (!view) {
      if (number !== (pages[at] || 1)) return;
      asText = true;
      frame();
      showText(words.noPicture);
      return;
    }
    const image = /** @type {HTMLImageElement} */ (h("img", { src: view.image, alt: words.pageAlt({ page: number }) }));
    // A picture that is decoded later is painted over or below its marks, or not at all.
    await image.decode().catch(() => {});
    if (mine !== opening || !shown) return;
    const marks = view.marks.map(([left, top, width, height], index) => {
      const mark = h("div", { class: "page-mark", id: index === 0 ? "passage" : undefined });
      Object.assign(mark.style, { left: `${left * 100}%`, top: `${top * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` });
      return mark;
    });
    body.className = "reading pages";
    const last = shown.lines.reduce((most, line) => Math.max(most, line), number);
    body.replaceChildren(
      h(
        "div",
        { class: "page-turn", hidden: last === 1 },
        h("button", { type: "button", "aria-label": words.previousPage, disabled: number <= 1, onclick: () => turn(-1) }, "‹"),
        h("span", {}, words.pageOf({ page: number, all: last })),
        h("button", { type: "button", "aria-label": words.nextPage, disabled: number >= last, onclick: () => turn(1) }, "›"),
      ),
      h("div", { class: "page-picture" }, image, ...marks),
    );
    marks[0]?.scrollIntoView({ block: "center" });
  }

  /** @param {number} by */
  function turn(by) {
    opening += 1;
    showPage((page ?? 1) + by);
  }

  /** @param {string} [note] */
  function showText(note) {
    if (!shown) return;
    page = null;
    const { text, html, lines, quotes, at } = shown;
    const part = html === null ? stretchOf(text, quotes[at] ?? "") : null;
    const nodes = part ? numbered(part.text, lines, part.from) : cleanedNodes(html ?? "", () => {});
    body.className = html === null ? "reading plain" : "reading answer";
    const cut = part && part.text.length < text.length ? words.stretch({ from: part.from + 1, to: part.to, all: part.all }) : "";
    body.replaceChildren(...[note, cut].filter(Boolean).map((hint) => h("p", { class: "hint" }, hint)), ...nodes);
    const marks = findQuotes(body, quotes);
    const target = marks[at]?.[0] ?? null;
    for (const mark of marks[at] ?? []) mark.classList.add("current");
    if (target) {
      target.id = "passage";
      target.scrollIntoView({ block: "center" });
    } else body.scrollTop = 0;
  }

  return {
    close,
    step,
    isOpen: () => !element.hidden,
    /** A source of a turn. @param {TurnModel} turn @param {SourceText} source @param {number | null} passage */
    showSource(turn, source, passage) {
      const isFile = source.url.startsWith("file:");
      const isOfCorpus = corpusOf(source.url) !== null;
      open({
        title: source.title,
        where: (at) => [
          addressLine(source.url, turn.sources.find((one) => one.number === source.number)?.site ?? ""),
          place(source.passages[at]),
          source.byline ?? "",
          source.date ? shortDate(source.date) : "",
          isFile || source.url.startsWith("nexi:") ? "" : fetchedLine(Date.now() - source.fetched_ms),
        ],
        tabs: tabs(turn, source.number, actions),
        text: source.text,
        html: source.html,
        lines: source.lines,
        quotes: source.passages.map((one) => one.quote),
        pages: source.passages.map((one) => one.page ?? 1),
        hasPictures: source.pictures,
        at: passage ?? 0,
        mark: (at) => markOpen(turn.id, source.number, at),
        picture: (number, quote) => host.sourcePage(turn.id, source.number, number, quote),
        openFile: isFile || isOfCorpus ? (folder) => attempt(host.openFile(turn.id, source.number, folder)) : null,
        openPage: /^https?:/.test(source.url) ? () => attempt(host.openSource(turn.id, source.number, passage)) : null,
      });
    },
    /** A document that was found. @param {DocumentText} text @param {string[]} quotes @param {number} at which of them comes first */
    showDocument(text, quotes, at) {
      open({
        title: text.title,
        where: () => [pathView(path(text.url), "path"), text.byline ?? "", text.date ? shortDate(text.date) : ""],
        tabs: [],
        text: text.text,
        html: text.html,
        lines: text.lines,
        quotes,
        pages: text.paged ? pagesOf(text, quotes) : quotes.map(() => 1),
        hasPictures: text.pictures,
        at,
        mark: () => {},
        picture: (number, words_) => host.documentPage(text.url, number, words_),
        openFile: (folder) => attempt(host.openDocumentFile(text.url, folder)),
        openPage: null,
      });
    },
  };
}

/**
 * What must not move when the thread becomes wider or narrower: the citation that was pressed, where it is in sight, or else
 * what stands at the upper edge.
 * @param {HTMLElement | null} pressed @returns {Element | null}
 */
function beingRead(pressed) {
  const flow = byId("flow");
  const { left, top, bottom, width } = flow.getBoundingClientRect();
  const at = pressed && flow.contains(pressed) ? pressed.getBoundingClientRect().top : -1;
  if (at >= top && at < bottom) return pressed;
  const edge = document.elementFromPoint(left + width / 2, top + 40)?.closest("p, li, tr, pre, h1, h2, h3") ?? null;
  return flow.contains(edge) ? edge : null;
}

/** The pages that passages stand on. @param {DocumentText} text @param {string[]} quotes */
function pagesOf(text, quotes) {
  const find = lineFinder(text.text.split("\n"));
  return quotes.map((quote) => text.lines[find(quote)] || 1);
}

/** The sources of a turn, to go from one to the other. @param {TurnModel} turn @param {number} number @param {Actions} actions */
function tabs(turn, number, actions) {
  const ordered = [...turn.sources].sort((a, b) => Number(b.cited) - Number(a.cited) || a.number - b.number);
  return ordered.map((source) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        "aria-selected": source.number === number ? "true" : "false",
        title: source.cited ? source.title : `${source.title} (${words.notCited})`,
        onclick: () => actions.showText(turn.id, source.number, firstPassage(source)),
      },
      h("span", { class: "number" }, String(source.number)),
      h("span", { dir: "auto" }, source.title),
    ),
  );
}

/** With dots between them. @param {(string | HTMLElement)[]} parts @returns {(string | HTMLElement)[]} */
const joined = (parts) => parts.flatMap((part, index) => (index === 0 ? [part] : [" · ", part]));

/** Where a source is from. @param {string} url @param {string} site */
function addressLine(url, site) {
  if (url.startsWith("file:")) return pathView(path(url), "path");
  if (corpusOf(url) !== null) return siteOf({ url, site });
  return url.startsWith("nexi:") ? withoutAddress(url) : url;
}

/** The path of a document. @param {string} url */
function path(url) {
  try {
    return decodeURI(url.replace(/^file:\/\//, ""));
  } catch {
    return url;
  }
}

/** Plain text with the numbers of its lines. @param {string} text @param {number[]} lines @param {number} from lines in front of it */
function numbered(text, lines, from) {
  return text
    .split("\n")
    .map((line, index) =>
      h("div", { class: "line-of", "data-line": lines.length > 0 ? undefined : String(from + index + 1) }, line === "" ? "\u200b" : line),
    );
}

/**
 * The lines around a passage: a window does not bear all those of a long text.
 * @param {string} text @param {string} quote
 */
function stretchOf(text, quote) {
  const lines = text.split("\n");
  if (lines.length <= MAX_LINES) return { text, from: 0, to: lines.length, all: lines.length };
  const from = Math.max(0, Math.min(lineFinder(lines)(quote) - MAX_LINES / 2, lines.length - MAX_LINES));
  return { text: lines.slice(from, from + MAX_LINES).join("\n"), from, to: from + MAX_LINES, all: lines.length };
}

/** Tells the line, from 0, in which a passage begins; 0 where it is not there. @param {string[]} lines @returns {(quote: string) => number} */
function lineFinder(lines) {
  let letters = "";
  /** @type {number[]} */
  const starts = [];
  for (const line of lines) {
    starts.push(letters.length);
    letters += lettersOf(line);
  }
  return (quote) => {
    const wanted = lettersOf(quote).slice(0, 60);
    const at = wanted === "" ? -1 : letters.indexOf(wanted);
    return at < 0 ? 0 : starts.findLastIndex((start) => start <= at);
  };
}
