// Searches of the library that are kept under names.

/** @import { SavedSearch } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { askText } from "./ask.js";

/**
 * @param {() => SavedSearch} current the search that is shown, without a name
 * @param {(search: SavedSearch) => void} apply
 */
export function savedSearches(current, apply) {
  const words = strings.library.saved;
  const element = h("div", { class: "saved", role: "group", "aria-label": words.title });
  // Beside the number of threads, where its coming moves nothing.
  const offer = h("span", { class: "save-offer" });
  /** @type {SavedSearch[]} */
  let all = [];

  /** @param {SavedSearch} search */
  const key = (search) =>
    JSON.stringify([
      search.text.trim(),
      search.days,
      search.effort,
      search.mode,
      search.site,
      search.pinned,
      search.tag,
      search.space ?? null,
    ]);
  const isSearch = () =>
    key(current()) !== key({ name: "", text: "", days: 0, effort: null, mode: null, site: null, pinned: false, tag: null, space: null });

  function draw() {
    const shown = key(current());
    const known = all.some((search) => key(search) === shown);
    element.replaceChildren(
      ...all.map((search) =>
        h(
          "span",
          { class: "saved-search" },
          h(
            "button",
            {
              type: "button",
              class: key(search) === shown ? "pill on" : "pill",
              "aria-pressed": String(key(search) === shown),
              dir: "auto",
              onclick: () => apply(search),
            },
            search.name,
          ),
          h(
            "button",
            {
              type: "button",
              class: "forget",
              "aria-label": words.remove({ name: search.name }),
              title: words.remove({ name: search.name }),
              onclick: () => remove(search),
            },
            "×",
          ),
        ),
      ),
    );
    offer.replaceChildren(
      ...(isSearch() && !known ? [h("button", { type: "button", class: "pill", id: "save-search", onclick: save }, words.save)] : []),
    );
    element.hidden = element.childElementCount === 0;
  }

  async function save() {
    const search = current();
    const name = await askText(words.save, search.text.trim() || search.tag || search.site || "", words.help);
    if (!name) return;
    await attempt(host.saveSearch({ ...search, name }));
    await load();
  }

  /** @param {SavedSearch} search */
  async function remove(search) {
    if ((await attempt(host.forgetSearch(search.name).then(() => true))) === null) return;
    toast(words.removed, {
      label: strings.window.thread.undo,
      run: async () => {
        await attempt(host.saveSearch(search));
        await load();
      },
    });
    await load();
  }

  async function load() {
    all = (await attempt(host.savedSearches())) ?? all;
    draw();
  }

  return { element, offer, draw, load };
}
