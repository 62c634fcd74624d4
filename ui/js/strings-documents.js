// The words about documents: their place, and the reader beside an answer.

export const documents = {
  title: "Documents", ask: "Ask your documents…", search: "Search your documents", none: "No folders yet. Add one, and Nexi can answer from your files. Everything stays on this computer.",
  /** @param {number} files @param {number} folders */
  summary: (files, folders) => `${files === 1 ? "1 file" : `${files.toLocaleString()} files`} in ${folders === 1 ? "1 folder" : `${folders} folders`}. Everything stays on this computer.`,
  /** @param {number} passages @param {number} files */
  found: (passages, files) => `${passages === 1 ? "1 passage" : `${passages} passages`} in ${files === 1 ? "1 file" : `${files} files`}`,
  nothing: "No matches. Use fewer or other words.", looking: "Looking through your folders…",
  /** @param {number} done @param {number} total */
  indexing: (done, total) => `Reading ${done.toLocaleString()} of ${total === 1 ? "1 file" : `${total.toLocaleString()} files`}…`,
  /** @param {boolean} meaning @param {boolean} scans @param {number} waiting */
  also: (meaning, scans, waiting) => `Find by meaning: ${meaning ? "on" : "off"} · Read scanned pages: ${scans ? "on" : "off"}${waiting > 0 ? ` · ${waiting === 1 ? "1 scanned page" : `${waiting.toLocaleString()} scanned pages`} not read yet` : ""}`,
  upToDate: "up to date", missing: "not found", add: "Add folder…", meaning: "Settings…", askFolder: "Ask this folder", askFile: "Ask this file", open: "Open",
  /** @param {number} files */
  files: (files) => (files === 1 ? "1 file" : `${files.toLocaleString()} files`),
  /** @param {number} files */
  skipped: (files) => (files === 1 ? "1 file was skipped" : `${files.toLocaleString()} files were skipped`),
  /** @param {number} files */
  partly: (files) => (files === 1 ? "1 file was read in part" : `${files.toLocaleString()} files were read in part`),
  show: "Show", hide: "Hide",
  /** @param {number} files @param {string} kinds */
  other: (files, kinds) => `${files === 1 ? "1 file" : `${files.toLocaleString()} files`} of kinds Nexi doesn't read: ${kinds}`,
};

export const reader = {
  label: "Reader", next: "Next passage", previous: "Previous passage", openFile: "Open file", showInFolder: "Show in folder", openPage: "Open in browser", asText: "Text", asPages: "Pages", notCited: "read, not cited",
  /** @param {number} at @param {number} all */
  position: (at, all) => `${at} of ${all}`,
  /** @param {number} page @param {number} all */
  pageOf: (page, all) => `page ${page.toLocaleString()} of ${all.toLocaleString()}`,
  /** @param {number} from @param {number} to @param {number} all */
  stretch: (from, to, all) => `Lines ${from.toLocaleString()} to ${to.toLocaleString()} of ${all.toLocaleString()}`,
  nextPage: "Next page", previousPage: "Previous page", noPicture: "This page can't be shown as a picture, so here is its text.",
  /** @param {number} page */
  pageAlt: (page) => `Page ${page}`,
};
