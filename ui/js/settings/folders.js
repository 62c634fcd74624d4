// What is indexed of the folders of documents, and what is left out.

/** @import { FolderStatus, SkippedFile } from "../protocol" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { withIndexing } from "../indexing.js";
import { pathView } from "../paths.js";
import { leftOutLine } from "../sentences.js";
import { strings } from "../strings.js";
import { row } from "./form.js";

const words = strings.settings;

/** @returns {{ element: HTMLElement, refresh: () => Promise<void> }} */
export function folderStatus() {
  const list = h("div", { class: "indexed", id: "indexed", role: "status" });
  const again = /** @type {HTMLButtonElement} */ (
    h("button", { type: "button", class: "plain", id: "index-again", onclick: () => refresh() }, words.lookAgain)
  );
  const { element } = row(words.indexed, words.indexedHelp, h("div", {}, list, again), { id: "documents-status", wide: true });
  let asked = 0;
  const refresh = async () => {
    asked += 1;
    const mine = asked;
    again.disabled = true;
    list.replaceChildren(h("p", { class: "help" }, words.indexing));
    const state = /** @type {HTMLElement} */ (list.firstElementChild);
    const folders =
      (await attempt(
        withIndexing(host.folders(), ({ done, total }) => {
          state.textContent = words.indexingFiles({ done, total });
        }),
      )) ?? [];
    if (mine !== asked) return;
    list.replaceChildren(
      ...(folders.length > 0 ? folders.map((folder) => one(folder, refresh)) : [h("p", { class: "help" }, words.noFolders)]),
    );
    again.disabled = false;
  };
  // Looking brings the index up to date: not before somebody sees it.
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      refresh();
    },
    { rootMargin: "1000px" },
  ).observe(element);
  return { element, refresh };
}

/** @param {FolderStatus} folder @param {() => Promise<void>} refresh */
function one(folder, refresh) {
  if (!folder.exists)
    return h(
      "div",
      { class: "indexed-folder gone" },
      h("p", { class: "name" }, pathView(folder.folder)),
      h("p", { class: "problem" }, words.folderGone),
    );
  const other = folder.other.reduce((sum, kind) => sum + kind.files, 0);
  return h(
    "div",
    { class: "indexed-folder" },
    h("p", { class: "name" }, pathView(folder.folder)),
    h("p", { class: "help" }, words.indexedFiles({ files: folder.files, passages: folder.passages })),
    patterns(folder.folder, refresh),
    files(folder.folder, folder.skipped, (count) => words.unreadFiles({ count })),
    files(folder.folder, folder.partly, (files) => words.partlyFiles({ files })),
    other > 0
      ? h(
          "p",
          { class: "help" },
          words.otherFiles({
            count: other,
            kinds: folder.other.map((kind) => `${kind.ending === "" ? words.otherKinds : `.${kind.ending}`} (${kind.files})`).join(", "),
          }),
        )
      : null,
    folder.hidden + folder.ignored > 0 ? h("p", { class: "help" }, leftOutLine(folder.hidden, folder.ignored)) : null,
  );
}

/** Files that were left out, or read in part. @param {string} folder @param {SkippedFile[]} skipped @param {(files: number) => string} title */
function files(folder, skipped, title) {
  if (skipped.length === 0) return null;
  return h(
    "details",
    { class: "unread" },
    h("summary", {}, title(skipped.length)),
    h(
      "ul",
      {},
      ...skipped.map((file) => h("li", {}, h("span", { class: "path", title: file.path }, within(folder, file.path)), `: ${file.message}`)),
    ),
  );
}

/** Which files of a folder are looked at. @param {string} folder @param {() => Promise<void>} refresh */
function patterns(folder, refresh) {
  /** @param {"include" | "exclude"} kind @param {string} label */
  const field = (kind, label) => {
    const problem = h("p", { class: "problem", role: "alert", hidden: true });
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        placeholder: words.patternExamples[kind],
        "aria-label": `${label} ${folder}`,
        autocomplete: "off",
        spellcheck: false,
        "data-patterns": kind,
        onchange: async () => {
          const list = input.value
            .split(",")
            .map((pattern) => pattern.trim())
            .filter(Boolean);
          const problems = await attempt(
            host.changeSettings([{ path: ["documents", kind, folder], value: list.length > 0 ? list : null }]),
          );
          problem.hidden = !problems || problems.length === 0;
          problem.textContent = problems?.map((one) => one.message).join(" ") ?? "";
          if (problems?.length === 0) refresh();
        },
      })
    );
    host.settings().then(
      ({ settings }) => {
        input.value = (settings.documents[kind][folder] ?? []).join(", ");
      },
      () => {},
    );
    return h("label", { class: "patterns" }, h("span", {}, label), input, problem);
  };
  return h(
    "details",
    { class: "folder-patterns" },
    h("summary", {}, words.patternsTitle),
    field("include", words.patternLabels.include),
    field("exclude", words.patternLabels.exclude),
  );
}

/** A path without its folder, where it lies in it. @param {string} folder @param {string} path */
function within(folder, path) {
  const inner = `/${folder.replace(/^~?\//, "").replace(/\/$/, "")}/`;
  const at = path.lastIndexOf(inner);
  return at < 0 ? path : path.slice(at + inner.length);
}
