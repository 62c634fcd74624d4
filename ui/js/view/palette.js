// The command palette: threads, documents, actions, models and settings, by a few letters.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { CatalogModel, Chapter, Chip, LibraryRow } from "../protocol" */
/** @typedef {"actions" | "threads" | "documents" | "models" | "settings"} Group */
/** @typedef {{ group: Group, label: string, note?: string, keys?: string, choiceOf?: string, score: number, at: number[], run: () => void }} Item */

import { attempt, h, sends } from "../dom.js";
import { EFFORTS, FOCUSES } from "./composer.js";
import { keyNames } from "../format.js";
import * as host from "../host.js";
import { askAgain, firstCitation, nextDoubt } from "../shortcuts.js";
import { fuzzy } from "../fuzzy.js";
import { doubtful } from "../reduce.js";
import { strings } from "../strings.js";
import { copyAnswer } from "./answer.js";
import { dialog } from "./ask.js";
import { threadMenu } from "./thread-menu.js";
import { turnMenu } from "./turn-menu.js";

const long = strings.summary;
const settingsWords = strings.settings;

/** Milliseconds after the last key, before the library and the documents are asked. */
const PAUSE = 80;
/** How many of each group are shown. @type {Record<Group, number>} */
const MOST = { actions: 6, threads: 7, documents: 5, models: 4, settings: 4 };
/** Without anything typed, all actions are shown. */
const ALL = 30;
/** @type {Group[]} */
const ORDER = ["threads", "documents", "actions", "models", "settings"];

const words = strings.palette;

/** @param {State} state @param {Actions} actions */
export function openPalette(state, actions) {
  if (document.querySelector("dialog.palette")) return;
  /** What other places found for what is typed. @type {{ threads: LibraryRow[], documents: Chip[], models: CatalogModel[], chapters: Chapter[] }} */
  const found = { threads: [], documents: [], models: [], chapters: [] };
  /** @type {Item[]} */
  let items = [];
  let chosen = 0;
  let asked = 0;
  let timer = 0;
  const list = h("div", { class: "palette-list", id: "palette-list", role: "listbox", "aria-label": words.title });
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      id: "palette-input",
      placeholder: words.placeholder,
      autocomplete: "off",
      spellcheck: false,
      role: "combobox",
      "aria-label": words.title,
      "aria-controls": "palette-list",
      "aria-expanded": "true",
      "aria-autocomplete": "list",
      oninput: typed,
      onkeydown: onKey,
    })
  );
  const made = dialog(words.title, () => [input, list]);
  made.classList.add("palette");
  const known = actionItems(state, actions);
  // What is done now and then is found by its name, and not shown before.
  const rare = [...menuItems(state, actions), ...settingItems()];
  let catalog = false;

  /** Asks the connected services for their models, once, and not before somebody looks for something. */
  async function listModels() {
    if (catalog) return;
    catalog = true;
    void host.handbook().then(
      (chapters) => {
        found.chapters = chapters;
        draw();
      },
      () => {},
    );
    found.models = (await host.modelCatalog().catch(() => [])).flatMap((service) => service.models);
    draw();
  }

  function typed() {
    chosen = 0;
    asked += 1;
    const mine = asked;
    clearTimeout(timer);
    // What was found for other words is not chosen by mistake.
    [found.threads, found.documents] = [[], []];
    draw();
    const text = input.value.trim();
    if (text === "") return;
    listModels();
    timer = window.setTimeout(async () => {
      const query = {
        text,
        since_ms: null,
        until_ms: null,
        effort: null,
        mode: null,
        site: null,
        pinned: false,
        tag: null,
        offset: 0,
        limit: MOST.threads,
      };
      const [page, chips] = await Promise.all([host.library(query).catch(() => null), host.attachSuggest(text).catch(() => [])]);
      // Something else was typed meanwhile.
      if (mine !== asked) return;
      found.threads = page?.rows ?? [];
      found.documents = chips.filter((chip) => chip.kind === "file" || chip.kind === "folder");
      draw();
    }, PAUSE);
  }

  /** @returns {Item[]} */
  function matching() {
    const text = input.value.trim();
    const newest = state.threads.toSorted((one, other) => other.updated_ms - one.updated_ms).slice(0, 5);
    if (text === "") return [...newest.map((thread) => threadItem(thread.id, thread.title, "", { score: 0, at: [] })), ...known];
    const out = [...known, ...rare].flatMap((item) => {
      const match = fuzzy(text, item.label);
      // The name of a setting finds the setting, and not each of its choices.
      const isNamed = item.choiceOf !== undefined && fuzzy(text, item.choiceOf) !== null;
      return match && !isNamed ? [{ ...item, ...match }] : [];
    });
    const titles = new Set();
    for (const thread of state.threads) {
      const match = fuzzy(text, thread.title);
      if (!match) continue;
      titles.add(thread.id);
      out.push(threadItem(thread.id, thread.title, "", match));
    }
    for (const row of found.threads) if (!titles.has(row.id)) out.push(threadItem(row.id, row.title, words.inText, { score: 2, at: [] }));
    for (const [index, chip] of found.documents.entries()) {
      const match = fuzzy(text, chip.label) ?? { score: 1, at: [] };
      out.push({
        group: "documents",
        label: chip.label,
        note: chip.note,
        keys: words.askFile,
        score: match.score - index / 100,
        at: match.at,
        run: () => ask(chip),
      });
    }
    for (const model of found.models) {
      const match = fuzzy(text, model.name);
      if (match)
        out.push({
          group: "models",
          label: model.id,
          note: model.name.endsWith(`/${model.id}`) ? model.name.slice(0, -model.id.length - 1) : "",
          keys: words.useModel,
          score: match.score + (model.favourite ? 5 : 0),
          at: fuzzy(text, model.id)?.at ?? [],
          run: () => actions.setProvider(model.name),
        });
    }
    for (const { name, title } of found.chapters) {
      const match = fuzzy(text, title);
      // Where a setting has the same name, that is meant first.
      if (match)
        out.push({
          group: "actions",
          label: title,
          note: words.help,
          score: match.score - 6,
          at: match.at,
          run: () => actions.showChapter(name),
        });
    }
    out.push({ group: "actions", label: words.ask({ question: text }), keys: "Ctrl ⏎", score: 0.5, at: [], run: askIt });
    return out;
  }

  /** @param {string} id @param {string} title @param {string} note @param {import("../fuzzy").Match} match @returns {Item} */
  function threadItem(id, title, note, match) {
    return { group: "threads", label: title || strings.window.untitled, note, ...match, run: () => actions.openThread(id) };
  }

  /** @param {Chip} chip */
  function ask(chip) {
    if (state.view !== "thread") actions.showView("thread");
    actions.attach([chip]);
  }

  function askIt() {
    const text = input.value.trim();
    if (text === "") return;
    actions.newThread();
    actions.ask(text);
  }

  function draw() {
    const all = matching();
    const nothing = input.value.trim() === "";
    // The group whose best entry is meant most stands first.
    const groups = ORDER.map((name) => ({
      name,
      of: all
        .filter((item) => item.group === name)
        .sort((a, b) => b.score - a.score)
        .slice(0, nothing ? ALL : MOST[name]),
    })).filter(({ of }) => of.length > 0);
    if (!nothing) groups.sort((a, b) => b.of[0].score - a.of[0].score);
    items = groups.flatMap(({ of }) => of);
    chosen = Math.min(chosen, Math.max(0, items.length - 1));
    let index = 0;
    list.replaceChildren(
      ...(items.length === 0
        ? [h("p", { class: "hint" }, words.nothing)]
        : groups.map(({ name, of }) =>
            h(
              "div",
              { role: "group", "aria-label": words.groups[name] },
              h("h3", { "aria-hidden": "true" }, words.groups[name]),
              ...of.map((item) => row(item, index++)),
            ),
          )),
    );
    show();
  }

  /** @param {Item} item @param {number} index */
  function row(item, index) {
    return h(
      "div",
      {
        class: "palette-row",
        role: "option",
        // What people and services call things, and not what Nexi says.
        "data-said": ["threads", "documents", "models"].includes(item.group),
        id: `palette-${index}`,
        "aria-selected": "false",
        onpointermove: (/** @type {PointerEvent} */ event) => {
          // A pointer that rests while the list changes below it chooses nothing.
          if (chosen === index || (event.movementX === 0 && event.movementY === 0)) return;
          chosen = index;
          show();
        },
        onclick: () => run(item),
      },
      h("span", { class: "label", dir: "auto" }, ...marked(item.label, item.at)),
      item.note ? h("small", { dir: "auto" }, item.note) : null,
      item.keys ? h("span", { class: "keys-of" }, keyNames(item.keys)) : null,
    );
  }

  function show() {
    list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    const element = list.querySelector(`#palette-${chosen}`);
    element?.setAttribute("aria-selected", "true");
    element?.scrollIntoView({ block: "nearest" });
    if (element) input.setAttribute("aria-activedescendant", element.id);
    else input.removeAttribute("aria-activedescendant");
  }

  /** @param {Item} item */
  function run(item) {
    made.close();
    item.run();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by && items.length > 0) {
      const last = items.length - 1;
      chosen = Math.abs(by) === 1 ? (chosen + by + items.length) % items.length : Math.max(0, Math.min(last, chosen + by));
      show();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      made.close();
      askIt();
    } else if (sends(event) && items[chosen]) run(items[chosen]);
    else return;
    event.preventDefault();
  }

  draw();
  input.focus();
}

/** What can be done now. @param {State} state @param {Actions} actions @returns {Item[]} */
function actionItems(state, actions) {
  const turn = state.view === "thread" ? actions.inSight() : null;
  const { thread } = state;
  const running = state.turns.some((candidate) => candidate.state === "running");
  /** @type {(label: string, run: () => void, keys?: string) => Item} */
  const item = (label, run, keys) => ({ group: "actions", label, keys, score: 0, at: [], run });
  const out = [
    item(words.newQuestion, () => actions.newThread(), "Ctrl N"),
    item(words.newPrivate, () => actions.newThread(true), "Ctrl Shift N"),
  ];
  if (running) out.push(item(words.stop, () => actions.stop(), "Ctrl ."));
  if (turn?.answer) {
    out.push(
      item(words.copy, () => void copyAnswer(turn, "with_sources"), "C"),
      item(words.first, () => firstCitation(actions), "Alt F"),
    );
    if (doubtful(turn).length > 0) out.push(item(strings.window.shortcuts.doubt, () => nextDoubt(actions), "D"));
    if (turn.state !== "running") out.push(item(words.export, () => actions.exportTurn(turn.id), "E"));
  }
  if (thread && !running) {
    if (state.turns.length > 1 && !thread.team) out.push(item(long.summarise, () => void actions.summarise()));
    out.push(item(words.exportThread, () => actions.exportTurn(null), "Shift E"));
    if (state.turns.length > 0 && !thread.team) out.push(item(words.retry, () => askAgain(actions, state), "R"));
  }
  out.push(
    item(state.mode === "deep" ? words.quick : words.deep, () => actions.setMode(state.mode === "deep" ? "quick" : "deep"), "Ctrl Shift D"),
    item(words.model, () => void actions.chooseModel(), "Ctrl M"),
    item(words.library, () => actions.showView("library"), "Ctrl L"),
    item(words.documents, () => actions.showView("documents"), "Ctrl D"),
    item(words.setup, () => void actions.openSetup(), "Ctrl Shift M"),
    item(words.settings, () => void actions.openSettings(), "Ctrl ,"),
    item(words.help, () => actions.showView("help"), "F1"),
    item(words.shortcuts, () => actions.showKeys(), "?"),
  );
  out.push(...choiceItems(state, actions));
  for (const [part, label] of Object.entries(settingsWords.sections)) {
    out.push({
      group: "settings",
      label,
      note: words.settings,
      score: 0,
      at: [],
      run: () => void actions.openSettings(/** @type {import("../protocol").Part} */ (part)),
    });
  }
  return out;
}

/** How the next question is researched: what else could be chosen. @param {State} state @param {Actions} actions @returns {Item[]} */
function choiceItems(state, actions) {
  /** @type {(note: string, label: string, run: () => void) => Item} */
  const item = (note, label, run) => ({ group: "actions", label, note, score: 0, at: [], run });
  const { effort, focus, focuses } = strings.window;
  const efforts = state.mode === "deep" ? strings.window.deepEfforts : strings.window.efforts;
  const out = EFFORTS.filter((one) => one !== state.effort).map((one) => item(effort, efforts[one], () => actions.setEffort(one)));
  if (state.overview?.has_web)
    out.push(...FOCUSES.filter((one) => one !== state.focus).map((one) => item(focus, focuses[one], () => actions.setFocus(one))));
  if ((state.provider ?? state.overview?.models[0]?.name ?? "builtin") !== "builtin")
    out.push(item("", state.thinking ? strings.window.thinkLess : strings.window.thinkLonger, () => actions.setThinking()));
  return out;
}

/** What the menus of the answer in sight and of the thread offer, but for deleting: a slip must not choose that. @param {State} state @param {Actions} actions @returns {Item[]} */
function menuItems(state, actions) {
  const turn = state.view === "thread" ? actions.inSight() : null;
  /** @type {(note: string) => (item: import("./menu").Item) => Item} */
  const item =
    (note) =>
    ({ label, run }) => ({ group: "actions", label, note, score: 0, at: [], run });
  return [
    ...(turn && turn.state !== "running"
      ? turnMenu(turn, actions, { askAnother: null })
          .filter(({ danger }) => !danger)
          .map(item(words.ofAnswer))
      : []),
    ...(state.view === "thread" && state.thread && state.turns.length > 0
      ? threadMenu(state.thread, actions, () => actions.refresh())
          .filter(({ label, danger }) => !danger && label !== strings.window.thread.export && label !== long.summarise)
          .map(item(words.ofThread))
      : []),
    item(words.library)({ label: strings.library.deleted.title, run: () => actions.showDeleted() }),
  ];
}

/** Every single setting, and what it can be set to. @returns {Item[]} */
function settingItems() {
  /** @type {Map<string, string>} what is shown, and the setting that it leads to */
  const labels = new Map();
  const choices = /** @type {Record<string, Record<string, string>>} */ (strings.choices);
  for (const [name, { label }] of Object.entries(strings.fields)) {
    labels.set(label, label);
    for (const choice of Object.values(choices[name] ?? {})) labels.set(`${label}: ${choice}`, label);
  }
  return [...labels].map(([label, field]) => ({
    group: "settings",
    label,
    choiceOf: label === field ? undefined : field,
    note: words.settings,
    score: 0,
    at: [],
    run: () => void attempt(host.openWindow("settings", null, field)),
  }));
}

/** A label with the letters that were typed. @param {string} label @param {number[]} at @returns {(Node | string)[]} */
function marked(label, at) {
  const places = new Set(at);
  /** @type {(Node | string)[]} */
  const out = [];
  let run = "";
  let inside = false;
  const flush = () => {
    if (run !== "") out.push(inside ? h("mark", {}, run) : run);
    run = "";
  };
  for (let index = 0; index < label.length; index++) {
    if (places.has(index) !== inside) {
      flush();
      inside = !inside;
    }
    run += label[index];
  }
  flush();
  return out;
}
