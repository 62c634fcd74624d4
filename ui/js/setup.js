// The setup wizard: one question a page. Nothing is forced, and going back loses nothing.

/** @import { AppEvent, ProviderKind, SettingsView, Vendor } from "./protocol" */

import { attempt, byId, h } from "./dom.js";
import * as host from "./host.js";
import { providerFields, kindNamed } from "./settings/provider.js";
import { hotkeyControl } from "./settings/hotkey.js";
import { kindOf, save } from "./settings/form.js";
import { keysField } from "./settings/keys.js";
import { setup, words } from "./strings-settings.js";

const STEPS = Object.keys(setup.steps);

/**
 * What is remembered when the wizard is closed. Keys never are.
 * @type {{ step: string, way: string, cloud: string, searchWay: string, keyed: string, question: string, fields: Record<string, Record<string, string>> }}
 */
let state = { step: "welcome", way: "ollama", cloud: "openai", searchWay: "free", keyed: "tavily", question: "", fields: {} };
/** @type {SettingsView} */
let view;
/** @type {import("./settings/form").Form} */
let form;
/** Keys that were entered, for as long as the window is open. @type {Record<string, ReturnType<typeof providerFields>>} */
const editors = {};
/** @type {(() => void) | null} */
let heard = null;
/** @type {(() => void) | null} */
let refreshed = null;

/** Services with a key of their own. */
const clouds = () => view.vendors.filter(({ vendor, needs_key }) => needs_key && vendor.base_url !== "").map(({ vendor }) => vendor);

/** The service that is chosen. @returns {Vendor} */
const cloud = () => clouds().find((vendor) => vendor.id === state.cloud) ?? clouds()[0];

/** What is being remembered. One call at a time, as the host may take in several in any order. */
let remembering = Promise.resolve();
/** Whether the next call is there already; it takes what is written by then. */
let waiting = false;
let finished = false;

function remember() {
  for (const [name, editor] of Object.entries(editors)) state.fields[name] = { ...editor.fields };
  if (waiting) return;
  waiting = true;
  remembering = remembering.then(async () => {
    waiting = false;
    if (!finished) await attempt(host.rememberSetup(state));
  });
}

/** Ends the wizard, whose progress is forgotten by that. @param {string | null} question */
async function finish(question) {
  finished = true;
  await remembering;
  finished = (await attempt(host.finishSetup(question).then(() => true))) === true;
  if (!finished) remember();
}

/** @param {number} by */
async function go(by) {
  remember();
  const at = STEPS.indexOf(state.step) + by;
  state.step = STEPS[Math.max(0, Math.min(STEPS.length - 1, at))];
  remember();
  draw();
}

/**
 * @param {string} title @param {(Node | null)[]} body @param {{ next?: string, onnext?: () => Promise<boolean> | boolean, first?: boolean }} [options]
 */
function page(title, body, { next = setup.next, onnext = () => true, first = false } = {}) {
  const at = STEPS.indexOf(state.step);
  const button = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "go", id: "next", onclick: async () => {
    button.disabled = true;
    const done = await onnext();
    button.disabled = false;
    if (done) go(1);
  } }, next));
  byId("setup").replaceChildren(
    h("div", { class: "progress", role: "img", "aria-label": setup.of(at + 1, STEPS.length) }, ...STEPS.map((_, index) => h("span", { class: index <= at ? "done" : "" }))),
    h("div", { class: "inner", "data-step": state.step }, ...(first ? [h("span", { class: "logo large", "aria-hidden": "true" })] : []), h("h1", { tabIndex: -1 }, title), ...body.filter((node) => node !== null)),
    h("div", { class: "buttons" },
      at > 0 ? h("button", { type: "button", id: "back", onclick: () => go(-1) }, setup.back) : null,
      h("button", { type: "button", class: first ? "plain begin" : "link begin", id: "begin", onclick: () => finish(null) }, setup.skip),
      button));
  byId("setup").scrollTop = 0;
  /** @type {HTMLElement} */ (byId("setup").querySelector("h1")).focus();
}

/**
 * Ways to choose from, each with one line on what it means.
 * @param {Record<string, string[]>} options @param {string} chosen @param {(value: string) => void} onchange
 */
function ways(options, chosen, onchange) {
  return h("div", { class: "ways", role: "radiogroup" }, ...Object.entries(options).map(([value, [name, help]]) => h("label", { class: "way" },
    h("input", { type: "radio", name: "way", value, checked: value === chosen, onchange: () => onchange(value) }),
    h("span", {}, h("b", {}, name), h("small", {}, help)))));
}

/** The fields of a provider, with what was written in them before. @param {string} name @param {ProviderKind} kind @param {Record<string, string>} values */
function editor(name, kind, values, /** @type {Vendor | null} */ vendor = null, /** @type {(vendor: Vendor, key: string) => void} */ onrecognised = () => {}) {
  const known = editors[name];
  const before = known ? known.fields : (state.fields[name] ?? view.settings.providers[name] ?? {});
  const made = known ?? providerFields({ name, kind: kindNamed(view.kinds, kind), values: { ...values, ...clean(before) }, vendor, vendors: vendor ? view.vendors : [], onchange: remember, onrecognised });
  editors[name] = made;
  return made;
}

/** The service with a key of its own at this address. @param {string | null | undefined} address */
const preset = (address) => clouds().find((vendor) => vendor.base_url === address) ?? null;

/** The name of a service that has no preset. */
function custom() {
  const known = Object.entries(view.settings.providers).find(([, provider]) => provider?.type === "openai_compatible" && !preset(provider.base_url));
  return known?.[0] ?? "custom";
}

/** @param {Record<string, any>} fields */
const clean = (fields) => Object.fromEntries(["base_url", "model", "engine_id", "site"].filter((field) => fields[field]).map((field) => [field, fields[field]]));

/**
 * Keeps a provider and its key, and puts it first.
 * @param {string} name @param {"llm_backends" | "search_backends"} chain
 */
async function keep(name, chain) {
  const made = editors[name];
  const others = view.settings[chain].filter((known) => known !== name);
  const first = chain === "search_backends" && others.includes("documents") ? ["documents", name] : [name];
  const changes = [...made.changes(), { path: [chain], value: [...first, ...others.filter((known) => !first.includes(known))] }];
  const problems = await attempt(host.checkSettings(changes));
  if (problems === null) return false;
  if (problems.length > 0) {
    made.show(problems);
    made.say(problems[0].message, false);
    return false;
  }
  // What does not work is not kept without a second look.
  if (!made.worked() && !made.warned()) {
    const button = document.querySelector("#next");
    if (!(await made.test())) {
      made.warn();
      if (button) button.textContent = setup.anyway;
      return false;
    }
  }
  if (made.key() !== "") {
    const refused = await host.setKey(name, made.key()).then(() => null, (error) => String(error));
    if (refused !== null) {
      // Without a place for keys nobody gets any further: the places are offered here.
      made.say(refused, false);
      if (!document.querySelector(".choice [data-field=keys]")) document.querySelector(".choice")?.append(keysField(form));
      return false;
    }
  }
  if ((await attempt(host.changeSettings(changes))) === null) return false;
  await reload();
  return true;
}

/** The settings as they are now. */
async function reload() {
  form.view = (await attempt(host.settings())) ?? form.view;
  view = form.view;
}

/** Puts the built-in researcher first. */
async function builtinFirst() {
  const rest = view.settings.llm_backends.filter((name) => name !== "builtin");
  const done = (await attempt(host.changeSettings([{ path: ["llm_backends"], value: ["builtin", ...rest] }]))) !== null;
  await reload();
  return done;
}

/** What the settings say already, where nothing else is remembered. */
function fromSettings() {
  const { llm_backends, search_backends, providers } = view.settings;
  const first = llm_backends[0];
  const kind = providers[first]?.type;
  if (kind === "ollama") state.way = "ollama";
  else if (kind === "anthropic" || kind === "gemini") [state.way, state.cloud] = ["cloud", kind];
  else if (kind === "openai_compatible") {
    const known = preset(providers[first]?.base_url);
    if (known) [state.way, state.cloud] = ["cloud", known.id];
    else state.way = "custom";
  }
  const keyed = search_backends.map((name) => kindOf(view.settings, name)).find((name) => view.kinds.some((known) => known.kind === name && known.finds && known.needs_key));
  if (search_backends.some((name) => kindOf(view.settings, name) === "searxng")) state.searchWay = "searxng";
  else if (keyed) [state.searchWay, state.keyed] = ["keyed", keyed];
}

/** The name of the first provider of this kind, or the usual one. @param {ProviderKind} kind @param {string} usual */
function named(kind, usual) {
  const known = Object.entries(view.settings.providers).filter(([, provider]) => provider?.type === kind).map(([name]) => name);
  return known.includes(usual) ? usual : (known[0] ?? usual);
}

/** The name of the chosen service in the settings: the one it has there, or the preset's. */
function cloudName() {
  const { id, type, base_url } = cloud();
  const known = Object.entries(view.settings.providers).find(([, provider]) => provider?.type === type && (provider.base_url === base_url || (!provider.base_url && type !== "openai_compatible")));
  return known?.[0] ?? id;
}

const pages = {
  welcome: () => page(setup.welcomeTitle, [h("p", { class: "lead" }, setup.welcomeText), h("p", { class: "help" }, setup.welcomeSmall)], { next: setup.begin, first: true }),

  model: () => {
    const body = h("div", { class: "choice" });
    let choosing = 0;
    const fill = async () => {
      choosing += 1;
      const mine = choosing;
      if (state.way === "ollama") {
        body.replaceChildren(h("p", { class: "help" }, setup.looking));
        const models = await attempt(host.localModels());
        if (mine !== choosing) return;
        if (models?.length === 0) {
          delete editors[named("ollama", "ollama")];
          body.replaceChildren(h("p", { class: "verdict bad", role: "status" }, setup.emptyOllama), h("button", { type: "button", class: "plain", onclick: fill }, setup.again));
        } else if (models) {
          const made = editor(named("ollama", "ollama"), "ollama", { model: models[0] });
          if (!models.includes(made.fields.model)) made.fields.model = models[0];
          const select = /** @type {HTMLSelectElement} */ (h("select", { id: "ollama-model", "aria-label": words.model, onchange: () => {
            made.fields.model = select.value;
            remember();
          } }, ...models.map((model) => h("option", { value: model, selected: model === made.fields.model }, model))));
          body.replaceChildren(h("p", { class: "verdict good", role: "status" }, setup.foundOllama(models.length)), models.length > 0 ? select : "");
        } else {
          body.replaceChildren(h("p", { class: "verdict bad", role: "status" }, setup.noOllama), h("button", { type: "button", class: "plain", onclick: fill }, setup.again));
        }
      } else if (state.way === "cloud") {
        const service = /** @type {HTMLSelectElement} */ (h("select", { id: "service", "aria-label": setup.service, onchange: () => {
          state.cloud = service.value;
          fill();
        } }, ...clouds().map((vendor) => h("option", { value: vendor.id, selected: vendor.id === cloud().id }, vendor.label))));
        const chosen = cloud();
        const base_url = chosen.type === "openai_compatible" ? chosen.base_url : "";
        body.replaceChildren(service, ...editor(cloudName(), chosen.type, { base_url, model: chosen.model }, chosen, (found, key) => {
          state.cloud = found.id;
          remember();
          fill();
          editors[cloudName()].setKey(key);
          editors[cloudName()].say(words.recognised(found.label), true);
        }).elements);
      } else if (state.way === "custom") {
        body.replaceChildren(...editor(custom(), "openai_compatible", {}).elements);
      } else {
        body.replaceChildren();
      }
    };
    page(setup.modelTitle, [ways(setup.options, state.way, (value) => {
      state.way = value;
      remember();
      fill();
    }), body], {
      onnext: async () => {
        if (state.way === "builtin") return builtinFirst();
        const name = state.way === "ollama" ? named("ollama", "ollama") : state.way === "cloud" ? cloudName() : custom();
        // Ollama that is not there changes nothing.
        return editors[name] ? keep(name, "llm_backends") : true;
      },
    });
    fill();
  },

  search: () => {
    const body = h("div", { class: "choice" });
    const fill = () => {
      if (state.searchWay === "searxng") body.replaceChildren(...editor(named("searxng", "searxng"), "searxng", { base_url: "http://localhost:8888" }).elements);
      else if (state.searchWay === "keyed") {
        const keyed = view.kinds.filter((kind) => kind.finds && kind.needs_key && kind.known && kind.offered);
        const select = /** @type {HTMLSelectElement} */ (h("select", { id: "search-service", "aria-label": setup.service, onchange: () => {
          state.keyed = select.value;
          fill();
        } }, ...keyed.map((kind) => h("option", { value: kind.kind, selected: kind.kind === state.keyed }, words.kinds[kind.kind]))));
        body.replaceChildren(select, ...editor(state.keyed, /** @type {ProviderKind} */ (state.keyed), {}).elements);
      } else body.replaceChildren();
    };
    page(setup.searchTitle, [ways(setup.searchOptions, state.searchWay, (value) => {
      state.searchWay = value;
      remember();
      fill();
    }), body], {
      onnext: async () => {
        if (state.searchWay !== "free") return keep(state.searchWay === "searxng" ? named("searxng", "searxng") : state.keyed, "search_backends");
        const free = view.settings.search_backends.filter((name) => !view.kinds.some((kind) => kind.kind === kindOf(view.settings, name) && (kind.needs_key || kind.kind === "searxng")));
        const wanted = [...free, ...["documents", "wikipedia", "duckduckgo"].filter((name) => !free.includes(name))];
        const done = free.length === view.settings.search_backends.length || (await attempt(host.changeSettings([{ path: ["search_backends"], value: wanted }]))) !== null;
        await reload();
        return done;
      },
    });
    fill();
  },

  hotkey: () => {
    const control = hotkeyControl((hotkey) => save(form, ["desktop", "hotkey"], hotkey));
    const hint = h("p", { class: "help" }, words.hotkey.tryIt);
    page(setup.hotkeyTitle, [h("p", { class: "lead" }, setup.hotkeyText), control.element, hint], {
      onnext: async () => {
        heard = null;
        await attempt(host.tryHotkey(false));
        return true;
      },
    });
    heard = control.heard;
    refreshed = control.refresh;
    control.refresh();
    attempt(host.tryHotkey(true));
  },

  privacy: () => {
    page(setup.privacyTitle, [h("ul", { class: "leaves" }, ...words.leaves.map((line) => h("li", {}, line))), keysField(form)]);
  },

  question: () => {
    const input = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "first-question", rows: 2, "aria-label": setup.questionTitle, placeholder: setup.example, value: state.question, oninput: () => {
      state.question = input.value;
      next.textContent = input.value.trim() ? setup.finish : setup.finishEmpty;
      remember();
    } }));
    page(setup.questionTitle, [h("p", { class: "lead" }, setup.questionText), input, h("button", { type: "button", class: "link", onclick: () => {
      input.value = setup.example;
      input.dispatchEvent(new Event("input"));
      input.focus();
    } }, setup.example)], {
      next: state.question.trim() ? setup.finish : setup.finishEmpty,
      onnext: async () => {
        await finish(input.value.trim() || null);
        return false;
      },
    });
    const next = byId("next");
  },
};

function draw() {
  if (state.step !== "hotkey") {
    heard = null;
    refreshed = null;
    host.tryHotkey(false).catch(() => {});
  }
  (/** @type {Record<string, () => void>} */ (pages)[state.step] ?? pages.welcome)();
}

/** @param {AppEvent} news */
function onNews(news) {
  if (news.type === "hotkey_pressed") heard?.();
  else if (news.type === "settings_changed") refreshed?.();
}

async function start() {
  const [settings, before] = await Promise.all([attempt(host.settings()), attempt(host.setupProgress())]);
  if (!settings) return;
  view = settings;
  form = { view, changed: () => { view = form.view; } };
  fromSettings();
  if (before && typeof before === "object") state = { ...state, ...before };
  draw();
  await attempt(host.listen(onNews));
  document.documentElement.dataset.ready = "true";
}

for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());

start();
