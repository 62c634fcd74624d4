// The place for documents: the folders that are searched and what is in them, a search as one types, and questions to one
// file or folder.

/** @import { Actions } from "../actions" */
/** @import { DocumentHit, DocumentHits, FileKind, FolderStatus } from "../protocol" */

import { number } from "../format.js";
import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { withIndexing } from "../indexing.js";
import { pathView, shortPath } from "../paths.js";
import { documentsLine, passagePlace } from "../sentences.js";
import { strings } from "../strings.js";
import { escaped, marked } from "./marks.js";
import { toggleMenu } from "./menu.js";

const words = strings.documents;

/** Milliseconds after the last key. */
const PAUSE = 120;

/** @param {Actions} actions */
export function documentsView(actions) {
  /** @type {FolderStatus[] | null} */
  let folders = null;
  let asked = 0;
  let loading = 0;
  let timer = 0;
  let showSkipped = false;

  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      id: "document-search",
      placeholder: words.search,
      "aria-label": words.search,
      autocomplete: "off",
      spellcheck: false,
      oninput: () => {
        clearTimeout(timer);
        timer = window.setTimeout(search, PAUSE);
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          /** @type {HTMLElement | null} */ (list.querySelector("button"))?.focus();
        } else if (event.key === "Escape" && input.value !== "") {
          event.stopPropagation();
          input.value = "";
          search();
        }
      },
    })
  );
  const count = h("p", { class: "count", role: "status" });
  const summary = h("p", { class: "summary" });
  const list = h("div", { class: "document-list" });
  const also = h("span", { class: "also" });
  const element = h(
    "section",
    { class: "documents", "aria-label": words.title },
    h("h1", { class: "page-title" }, words.title),
    summary,
    h("div", { class: "search" }, input, count),
    list,
  );

  function show() {
    input.focus();
    draw();
    void load();
  }

  /** Files have changed: what is shown follows, unless somebody is choosing in it. */
  function refresh() {
    if (list.contains(document.activeElement)) return;
    if (input.value.trim() === "") void load();
    else void search();
  }

  async function load() {
    loading += 1;
    const mine = loading;
    const found = await attempt(
      withIndexing(host.folders(), ({ done, total }) => {
        if (mine !== loading) return;
        summary.replaceChildren(words.indexing({ done, total }), h("progress", { value: done, max: total, "aria-label": words.looking }));
      }),
    );
    if (mine !== loading) return;
    loading = 0;
    folders = found ?? folders ?? [];
    draw();
    const states = await attempt(Promise.all([host.meaning(), host.ocr()]));
    if (!states || !element.isConnected) return;
    const [meaning, ocr] = states;
    also.textContent =
      folders.length > 0 ? documentsLine(meaning.state.kind !== "off", ocr.state.kind !== "off", ocr.pages - ocr.read) : "";
  }

  function draw() {
    if (input.value.trim() !== "") return;
    count.textContent = "";
    const all = folders ?? [];
    const files = all.filter((folder) => !isInside(folder, all)).reduce((sum, folder) => sum + folder.files, 0);
    input.hidden = folders !== null && all.length === 0;
    summary.textContent = folders === null ? words.looking : all.length === 0 ? words.none : words.summary({ files, folders: all.length });
    const skipped = all.flatMap((folder) => folder.skipped);
    const rows = all.map((folder) =>
      h(
        "div",
        { class: "folder-row" },
        pathView(folder.folder, "name"),
        h("span", { class: "amount" }, folder.exists ? words.files({ files: folder.files }) : ""),
        h("span", { class: "kinds" }, [kindsOf(folder.kinds), others(folder)].filter(Boolean).join(" · ")),
        h("span", { class: folder.exists ? "state" : "state bad" }, folder.exists ? words.upToDate : words.missing),
        h(
          "span",
          { class: "row-acts" },
          folder.exists && folder.files > 0
            ? h("button", { type: "button", onclick: () => actions.attachDocument(folder.folder) }, words.askFolder)
            : null,
          moreOf(folder),
        ),
      ),
    );
    const partly = all.flatMap((folder) => folder.partly);
    if (skipped.length + partly.length > 0) {
      const title = [
        skipped.length > 0 ? words.skipped({ files: skipped.length }) : "",
        partly.length > 0 ? words.partly({ files: partly.length }) : "",
      ]
        .filter(Boolean)
        .join(", ");
      rows.push(
        h(
          "div",
          { class: "folder-row skipped" },
          h("span", { class: "name" }, title),
          h("span", { class: "kinds" }, reasons([...skipped, ...partly].map((file) => file.message))),
          h(
            "button",
            {
              type: "button",
              id: "show-skipped",
              "aria-expanded": String(showSkipped),
              onclick: () => {
                showSkipped = !showSkipped;
                draw();
              },
            },
            showSkipped ? words.hide : words.show,
          ),
        ),
      );
      if (showSkipped)
        rows.push(
          h(
            "ul",
            { class: "skipped-list" },
            ...[...skipped, ...partly].slice(0, 500).map((file) => h("li", {}, pathView(file.path, "path"), ` ${file.message}`)),
          ),
        );
    }
    list.replaceChildren(
      ...rows,
      h(
        "p",
        { class: "document-acts" },
        h("button", { type: "button", id: "add-folder", onclick: add }, words.add),
        all.length > 0 ? h("button", { type: "button", onclick: () => actions.openSettings("documents") }, words.meaning) : null,
        also,
      ),
    );
  }

  /** What else can be done with a folder. @param {FolderStatus} folder */
  function moreOf(folder) {
    const label = words.more({ folder: shortPath(folder.folder) });
    const button = h(
      "button",
      {
        type: "button",
        class: "more",
        "aria-label": label,
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: () =>
          toggleMenu(button, label, [
            ...(folder.exists ? [{ label: words.open, run: () => void attempt(host.openFolder(folder.folder)) }] : []),
            { label: words.remove, run: () => void remove(folder) },
          ]),
      },
      "⋯",
    );
    return button;
  }

  /** @param {FolderStatus} folder */
  async function remove(folder) {
    if (!(await attempt(host.removeFolder(folder.folder)))) return;
    show();
    toast(words.removed({ folder: shortPath(folder.folder) }), {
      label: strings.window.thread.undo,
      run: async () => {
        if (await attempt(host.putFolderBack(folder.folder))) show();
      },
    });
  }

  async function add() {
    if (await attempt(host.addFolder())) show();
  }

  async function search() {
    const typed = input.value.trim();
    asked += 1;
    const mine = asked;
    if (typed === "") {
      draw();
      return;
    }
    const found = await attempt(host.searchDocuments(typed));
    // Something else was typed meanwhile.
    if (!found || mine !== asked) return;
    count.textContent = found.hits.length > 0 ? words.found({ passages: found.hits.length, files: found.files }) : "";
    list.replaceChildren(
      ...(found.hits.length === 0
        ? [h("p", { class: "hint" }, words.nothing)]
        : grouped(found).map((hits) => fileRow(hits, typed, actions))),
    );
  }

  return { element, show, refresh };
}

/** Passages by their file, in the order of the best one. @param {DocumentHits} found @returns {DocumentHit[][]} */
function grouped(found) {
  /** @type {Map<string, DocumentHit[]>} */
  const files = new Map();
  for (const hit of found.hits) files.set(hit.url, [...(files.get(hit.url) ?? []), hit]);
  return [...files.values()];
}

/** @param {DocumentHit[]} hits @param {string} typed @param {Actions} actions */
function fileRow(hits, typed, actions) {
  const [first] = hits;
  return h(
    "article",
    { class: "file-row" },
    h("h2", { dir: "auto" }, first.title.split(" › ")[0]),
    h("p", {}, pathView(first.path, "path")),
    ...hits.map((hit) =>
      h(
        "button",
        {
          class: "passage-row",
          type: "button",
          dir: "auto",
          onclick: () =>
            actions.showDocument(
              hit.url,
              hits.map((one) => sentenceOf(one.snippet, typed)),
              hits.indexOf(hit),
            ),
        },
        ...(hit.place ? [h("span", { class: "place" }, passagePlace(hit.place)), " "] : []),
        ...marked(around(hit.snippet, typed), wordsOf(typed)),
      ),
    ),
    h("button", { class: "ask-file", type: "button", onclick: () => actions.attachDocument(first.path) }, words.askFile),
  );
}

/** Whether a folder lies in another one, whose files it counts among. @param {FolderStatus} folder @param {FolderStatus[]} all */
function isInside(folder, all) {
  const path = shortPath(folder.folder);
  return all.some((other) => other !== folder && path !== shortPath(other.folder) && path.startsWith(`${shortPath(other.folder)}/`));
}

/** The sentence of a passage that has most of what was typed; the whole passage where it has none. @param {string} snippet @param {string} typed */
function sentenceOf(snippet, typed) {
  const wanted = wordsOf(typed).map((word) => new RegExp(escaped(word), "iu"));
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(snippet)].map((part) => part.segment.trim());
  let best = snippet;
  let most = 0;
  for (const sentence of sentences) {
    const held = wanted.filter((word) => word.test(sentence)).length;
    if (held > most) [best, most] = [sentence, held];
  }
  return best;
}

/** The part of a passage that holds the most of what was typed. @param {string} snippet @param {string} typed */
function around(snippet, typed) {
  const most = 260;
  if (snippet.length <= most) return snippet;
  const at = Math.min(
    ...wordsOf(typed)
      .map((word) => snippet.search(new RegExp(escaped(word), "iu")))
      .filter((place) => place >= 0),
    snippet.length - most,
  );
  const start = Math.max(0, at - 60);
  const begin = start === 0 ? 0 : snippet.indexOf(" ", start) + 1;
  return `${begin > 0 ? "… " : ""}${snippet.slice(begin, begin + most)}…`;
}

/** The words of what was typed that are worth looking for. @param {string} typed */
const wordsOf = (typed) => typed.split(/\s+/).filter((word) => word.length > 1);

/** Kinds of documents, the most frequent first. @param {FileKind[]} kinds */
function kindsOf(kinds) {
  return kinds
    .filter((kind) => kind.ending !== "")
    .slice(0, 3)
    .map((kind) => `${number(kind.files)} ${kind.ending.toUpperCase()}`)
    .join(" · ");
}

/** Files that are not read, by their endings. @param {FolderStatus} folder */
function others(folder) {
  if (folder.other.length === 0) return "";
  const files = folder.other.reduce((sum, kind) => sum + kind.files, 0);
  const named = folder.other
    .filter((kind) => kind.ending !== "")
    .slice(0, 3)
    .map((kind) => `.${kind.ending}`);
  return words.other({ files, kinds: named.length > 0 ? named.join(", ") : "…" });
}

/** Why files were skipped, with how many. @param {string[]} messages */
function reasons(messages) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([message, count]) => `${count}: ${message}`)
    .join("; ");
}
