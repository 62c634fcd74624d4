// The library: one field, filters, and every thread there is.

/** @import { Actions } from "../actions" */
/** @import { Effort, LibraryQuery, LibraryRow, Mode } from "../protocol" */

import { kept } from "../changes.js";
import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dayOf } from "./ages.js";
import { deletedList } from "./deleted.js";
import { libraryRow } from "./library-row.js";
import { pill, toggleMenu } from "./menu.js";
import { savedSearches } from "./saved.js";
import { selection } from "./selection.js";
import { teamLibrary } from "./team-library.js";

const spaces = strings.spaces;

const PAGE = 50;
/** Milliseconds after the last key. */
const PAUSE = 60;
const DAY = 86_400_000;
/** Filters that hold for the team library, too. */
const TEAM_FILTERS = ["age", "tag", "team", "deleted"];

/** @param {Actions} actions */
export function libraryView(actions) {
  const words = strings.library;
  /** @type {LibraryQuery} */
  const query = {
    text: "",
    since_ms: null,
    until_ms: null,
    effort: null,
    mode: null,
    site: null,
    pinned: false,
    tag: null,
    space: undefined,
    offset: 0,
    limit: PAGE,
  };
  /** What the rows that are shown were found with; the query is changed while somebody types. */
  let shown = { ...query };
  let days = 0;
  /** @type {LibraryRow[]} */
  let rows = [];
  let more = false;
  let asked = 0;
  let timer = 0;
  let loading = false;
  /** How many answers for the whole list are awaited; until then there is no next page. */
  let renewing = 0;

  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      id: "library-search",
      placeholder: words.placeholder,
      "aria-label": words.placeholder,
      autocomplete: "off",
      spellcheck: false,
      oninput: () => {
        query.text = input.value;
        clearTimeout(timer);
        if (showsGone) gone.find(input.value);
        else timer = window.setTimeout(load, PAUSE);
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          /** @type {HTMLElement | null} */ (list.querySelector(".entry button"))?.focus();
        }
      },
    })
  );
  const site = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      class: "filter",
      placeholder: words.site,
      "aria-label": words.site,
      autocomplete: "off",
      spellcheck: false,
      oninput: () => {
        query.site = site.value.trim() || null;
        clearTimeout(timer);
        timer = window.setTimeout(load, 3 * PAUSE);
      },
    })
  );
  const pills = h("span", { class: "pills" });
  // The field stays where it is: one that is moved loses the focus.
  const filters = h("div", { class: "filters" }, pills, site);
  const status = h("p", { class: "count", role: "status" });
  const list = h("ul", { class: "entries" });
  const end = h("div", { class: "end" });
  const saved = savedSearches(
    () => ({
      name: "",
      text: query.text,
      days,
      effort: query.effort,
      mode: query.mode,
      site: query.site,
      pinned: query.pinned,
      tag: query.tag,
      space: query.space ?? null,
    }),
    (search) => {
      Object.assign(query, {
        text: search.text,
        effort: search.effort,
        mode: search.mode,
        site: search.site,
        pinned: search.pinned,
        tag: search.tag,
        space: search.space ?? undefined,
      });
      input.value = search.text;
      site.value = search.site ?? "";
      within(search.days);
      load();
    },
  );
  const picked = selection(
    actions,
    () => rows,
    () => refresh(),
  );
  const team = teamLibrary(
    actions,
    () => ({ text: query.text, since: query.since_ms, tag: query.tag }),
    () => showTeam(true),
  );
  const found = h("div", { class: "found" }, status, saved.offer);
  /** What the team shares is shown in place of one's own threads. */
  let showsTeam = false;
  const gone = deletedList(actions, renderFilters);
  /** What was deleted is shown in place of the threads. */
  let showsGone = false;
  const element = h(
    "section",
    { class: "library", "aria-label": words.title },
    h("h1", { class: "page-title" }, words.title),
    h("div", { class: "search" }, input),
    filters,
    saved.element,
    picked.bar,
    team.few,
    found,
    list,
    end,
    team.all,
    gone.element,
  );
  const sight = new IntersectionObserver(
    (entries) => {
      if (more && entries.some((entry) => entry.isIntersecting)) loadMore();
    },
    { rootMargin: "600px" },
  );
  sight.observe(end);

  /** Asks anew whether the end is in sight: an observer tells changes only, and rows may have come and been scrolled past between two of its looks. */
  function lookAgain() {
    sight.unobserve(end);
    sight.observe(end);
  }

  function renderFilters() {
    const known = actions.spaces();
    const ages = [
      [0, words.anyTime],
      [1, words.today],
      [7, words.week],
      [31, words.month],
      [366, words.year],
    ];
    /** @type {[Effort | null, string][]} */
    const efforts = [
      [null, words.anyEffort],
      ["s", strings.window.effortNames.s],
      ["m", strings.window.effortNames.m],
      ["l", strings.window.effortNames.l],
    ];
    /** @type {[Mode | null, string][]} */
    const modes = [
      [null, words.anyMode],
      ["quick", strings.window.modeNames.quick],
      ["deep", strings.window.modeNames.deep],
    ];
    // A filter that was chosen is drawn anew and keeps the focus.
    const focused =
      document.activeElement instanceof HTMLElement && pills.contains(document.activeElement)
        ? document.activeElement.dataset.filter
        : undefined;
    pills.replaceChildren(
      pill("age", String(ages.find(([value]) => value === days)?.[1]), days > 0, (anchor) =>
        toggleMenu(
          anchor,
          words.when,
          ages.map(([value, label]) => ({
            label: String(label),
            checked: value === days,
            run: () => {
              within(Number(value));
              load();
            },
          })),
        ),
      ),
      pill("effort", String(efforts.find(([value]) => value === query.effort)?.[1]), query.effort !== null, (anchor) =>
        toggleMenu(
          anchor,
          strings.window.effort,
          efforts.map(([value, label]) => ({
            label,
            checked: value === query.effort,
            run: () => {
              query.effort = value;
              load();
            },
          })),
        ),
      ),
      pill("mode", String(modes.find(([value]) => value === query.mode)?.[1]), query.mode !== null, (anchor) =>
        toggleMenu(
          anchor,
          strings.window.mode,
          modes.map(([value, label]) => ({
            label,
            checked: value === query.mode,
            run: () => {
              query.mode = value;
              load();
            },
          })),
        ),
      ),
      pill("tag", query.tag ? `#${query.tag}` : words.anyTag, query.tag !== null, async (anchor) => {
        const used = (await attempt(host.tags())) ?? [];
        toggleMenu(anchor, words.tags, [
          { label: words.anyTag, checked: query.tag === null, run: () => setTag(null) },
          ...used.map(([tag, count]) => ({ label: `#${tag}`, note: String(count), checked: tag === query.tag, run: () => setTag(tag) })),
        ]);
      }),
      ...(known.length === 0
        ? []
        : [
            pill("space", known.find((space) => space.id === query.space)?.name ?? spaces.any, query.space !== undefined, (anchor) =>
              toggleMenu(anchor, spaces.choose, [
                { label: spaces.any, checked: query.space === undefined, run: () => setSpace(undefined) },
                ...known.map((space) => ({
                  label: space.name,
                  note: spaces.threads({ count: space.threads }),
                  checked: space.id === query.space,
                  run: () => setSpace(space.id),
                })),
              ]),
            ),
          ]),
      h(
        "button",
        {
          type: "button",
          class: query.pinned ? "pill on" : "pill",
          "data-filter": "pinned",
          "aria-pressed": String(query.pinned),
          onclick: () => {
            query.pinned = !query.pinned;
            load();
          },
        },
        words.pinned,
      ),
      ...(actions.hasTeam()
        ? [
            h(
              "button",
              {
                type: "button",
                class: showsTeam ? "pill on" : "pill",
                "data-filter": "team",
                "aria-pressed": String(showsTeam),
                onclick: () => showTeam(!showsTeam),
              },
              strings.team.pill,
            ),
          ]
        : []),
      ...(gone.count() > 0 || showsGone
        ? [
            h(
              "button",
              {
                type: "button",
                class: showsGone ? "pill on" : "pill",
                "data-filter": "deleted",
                "aria-pressed": String(showsGone),
                onclick: () => (showsGone ? void load() : showGone(true)),
              },
              words.deleted.title,
            ),
          ]
        : []),
    );
    // What the team library cannot be asked for.
    for (const one of /** @type {Iterable<HTMLElement>} */ (pills.children))
      one.classList.toggle("away", showsTeam && !TEAM_FILTERS.includes(one.dataset.filter ?? ""));
    site.classList.toggle("away", showsTeam);
    if (focused) /** @type {HTMLElement | null} */ (pills.querySelector(`[data-filter="${focused}"]`))?.focus();
  }

  /** @param {boolean} on */
  function showTeam(on) {
    if (showsGone) showGone(false);
    showsTeam = on;
    picked.clear();
    for (const one of [found, list, end, saved.element]) one.classList.toggle("away", on);
    team.show(on);
    renderFilters();
    if (on) void team.load();
    else void load();
  }

  /** @param {boolean} on */
  function showGone(on) {
    if (showsTeam) showTeam(false);
    showsGone = on;
    if (on) team.few.hidden = true;
    picked.clear();
    for (const one of [found, list, end, saved.element]) one.classList.toggle("away", on);
    gone.find(input.value);
    gone.show(on);
    renderFilters();
  }

  /** Only what has changed within so many days; 0 for all. @param {number} wanted */
  function within(wanted) {
    days = wanted;
    query.since_ms = days > 0 ? new Date().setHours(0, 0, 0, 0) - (days - 1) * DAY : null;
  }

  /** @param {string | undefined} space its id */
  function setSpace(space) {
    query.space = space;
    load();
  }

  /** @param {string | null} tag */
  function setTag(tag) {
    query.tag = tag;
    load();
  }

  async function load() {
    // The threads take the place of what was deleted.
    if (showsGone) showGone(false);
    else renderFilters();
    saved.draw();
    if (showsTeam) return team.load();
    if (actions.hasTeam()) void team.beside();
    await renew(async (wanted) => {
      const page = await attempt(host.library(wanted));
      return page && { rows: page.rows, more: page.more, top: 0 };
    });
  }

  /** The same rows once more, where they are. */
  async function refresh() {
    gone.load();
    if (showsTeam) return team.load();
    const count = Math.max(PAGE, rows.length);
    await renew(async (wanted, isLast) => {
      /** @type {LibraryRow[]} */
      let fresh = [];
      let rest = true;
      while (fresh.length < count && rest) {
        const page = await attempt(host.library({ ...wanted, offset: fresh.length, limit: Math.min(200, count - fresh.length) }));
        if (!page || !isLast()) return null;
        fresh = [...fresh, ...page.rows];
        rest = page.more;
      }
      // What has not changed is not drawn anew: somebody may be pressing it.
      if (rest === more && kept(rows, fresh) === rows) return null;
      return { rows: fresh, more: rest, top: element.parentElement?.scrollTop ?? 0 };
    });
  }

  /**
   * Shows the list as it is told, unless it was asked for again meanwhile.
   * @param {(wanted: LibraryQuery, isLast: () => boolean) => Promise<{ rows: LibraryRow[], more: boolean, top: number } | null>} ask
   */
  async function renew(ask) {
    asked += 1;
    const mine = asked;
    renewing += 1;
    const wanted = { ...query, offset: 0 };
    const told = await ask(wanted, () => mine === asked);
    renewing -= 1;
    if (told && mine === asked) {
      shown = wanted;
      rows = told.rows;
      more = told.more;
      list.replaceChildren(...entries(rows, null));
      picked.keep();
      if (element.parentElement) element.parentElement.scrollTop = told.top;
      say();
    }
    lookAgain();
  }

  async function loadMore() {
    if (loading || renewing > 0) return;
    loading = true;
    const mine = asked;
    const page = await attempt(host.library({ ...shown, offset: rows.length }));
    loading = false;
    if (page && mine === asked) {
      const before = rows.at(-1) ?? null;
      rows = [...rows, ...page.rows];
      more = page.more;
      list.append(...entries(page.rows, before));
      say();
    }
    // Also where another answer has come meanwhile: what it saw of the end was passed over. Where asking
    // failed, nothing asks again by itself: scrolling back and forth does.
    if (page || mine !== asked) lookAgain();
  }

  function say() {
    const filtered =
      shown.text.trim() !== "" || shown.pinned || shown.tag || shown.space || shown.effort || shown.mode || shown.site || shown.since_ms;
    if (rows.length === 0) status.textContent = filtered ? words.nothing : words.empty;
    else status.textContent = more ? words.firstOf({ count: rows.length }) : words.found({ count: rows.length });
  }

  /** Rows below the days they are of, where they are in the order of time. @param {LibraryRow[]} added @param {LibraryRow | null} before */
  function entries(added, before) {
    // What was searched for comes in an order of its own.
    if (shown.text.trim() !== "") return added.map(entry);
    let day = before ? dayOf(before) : "";
    return added.flatMap((row) => {
      const own = dayOf(row);
      if (own === day) return [entry(row)];
      day = own;
      return [h("li", { class: "day" }, h("h2", {}, own)), entry(row)];
    });
  }

  /** @param {LibraryRow} row */
  const entry = (row) => libraryRow(row, picked.box(row), actions, refresh);

  return {
    element,
    show() {
      load();
      saved.load();
      gone.load();
      input.focus();
      input.select();
    },
    refresh,
    /** What was deleted, in place of the threads. */
    async showDeleted() {
      await Promise.all([load(), gone.load()]);
      showGone(true);
    },
  };
}
