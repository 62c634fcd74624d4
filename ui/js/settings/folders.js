// What is indexed of the folders of documents, and what is left out.

/** @import { FolderStatus } from "../protocol" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { words } from "../strings-settings.js";
import { row } from "./form.js";

/** @returns {{ element: HTMLElement, refresh: () => Promise<void> }} */
export function folderStatus() {
  const list = h("div", { class: "indexed", id: "indexed", role: "status" });
  const again = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "plain", id: "index-again", onclick: () => refresh() }, words.lookAgain));
  const { element } = row(words.indexed, words.indexedHelp, h("div", {}, list, again), { id: "documents-status", wide: true });
  const refresh = async () => {
    again.disabled = true;
    list.replaceChildren(h("p", { class: "help" }, words.indexing));
    const folders = (await attempt(host.folders())) ?? [];
    list.replaceChildren(...(folders.length > 0 ? folders.map(one) : [h("p", { class: "help" }, words.noFolders)]));
    again.disabled = false;
  };
  refresh();
  return { element, refresh };
}

/** @param {FolderStatus} folder */
function one(folder) {
  if (!folder.exists) return h("div", { class: "indexed-folder gone" }, h("p", { class: "name" }, folder.folder), h("p", { class: "problem" }, words.folderGone));
  const other = folder.other.reduce((sum, kind) => sum + kind.files, 0);
  return h("div", { class: "indexed-folder" },
    h("p", { class: "name" }, folder.folder),
    h("p", { class: "help" }, words.indexedFiles(folder.files, folder.passages)),
    folder.skipped.length > 0
      ? h("details", {}, h("summary", {}, words.unreadFiles(folder.skipped.length)),
        h("ul", {}, ...folder.skipped.map((file) => h("li", {}, h("span", { class: "path", title: file.path }, within(folder.folder, file.path)), `: ${file.message}`))))
      : null,
    other > 0
      ? h("p", { class: "help" }, words.otherFiles(other, folder.other.map((kind) => `${kind.ending === "" ? words.otherKinds : `.${kind.ending}`} (${kind.files})`).join(", ")))
      : null);
}

/** A path without its folder, where it lies in it. @param {string} folder @param {string} path */
function within(folder, path) {
  const inner = `/${folder.replace(/^~?\//, "").replace(/\/$/, "")}/`;
  const at = path.lastIndexOf(inner);
  return at < 0 ? path : path.slice(at + inner.length);
}
