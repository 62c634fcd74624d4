// An ordered list of backends, and the providers that may stand in it.

/** @import { Form } from "./form" */
/** @import { Check, KeyStatus, KindView } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { chooseModel } from "../view/models.js";
import { kindOf, row, save } from "./form.js";
import { editProvider, isOnThisComputer } from "./provider.js";
import { fieldWords } from "./words.js";

const words = strings.settings;

/** @typedef {"llm_backends" | "search_backends" | "fetch_backends"} Chain */

/** What each chain is made of. @type {Record<Chain, { own: string, fits: (kind: KindView) => boolean }>} */
const CHAINS = {
  llm_backends: { own: "builtin", fits: (kind) => kind.answers },
  search_backends: { own: "documents", fits: (kind) => kind.finds },
  fetch_backends: { own: "builtin", fits: (kind) => kind.reads },
};

/** What tests came to since the window was opened. @type {Map<string, Check>} */
const checks = new Map();

/** What a provider is called in lists. @param {KindView[]} kinds @param {string} name */
const called = (kinds, name) => kinds.find((kind) => kind.kind === name)?.label ?? name;

/** @param {Form} form @param {Chain} chain */
export function chainField(form, chain) {
  const { own, fits } = CHAINS[chain];
  const list = h("ol", { class: "chain" });
  const adding = h("div", { class: "adding" });
  const control = h("div", { class: "cards" }, list, adding);
  const { label, help } = fieldWords(chain);
  const { element, say } = row(label, help, control, { id: chain, wide: true });
  const kinds = form.view.kinds.filter(fits);

  // Counts drawings, so that keys that come late are not shown in a newer list.
  let drawing = 0;

  /** @param {string[]} next */
  const store = async (next) => {
    say(await save(form, [chain], next));
    draw();
  };

  /** @param {string} name */
  const facts = (name) => kinds.find((kind) => kind.kind === kindOf(form.view.settings, name)) ?? null;

  async function draw() {
    const current = ++drawing;
    const names = form.view.settings[chain];
    const outside = names.filter((name) => name !== own && facts(name)?.needs_key);
    list.replaceChildren(...names.map((name, index) => entry(names, name, index, null)));
    const rest = Object.keys(form.view.settings.providers).filter((name) => facts(name) && !names.includes(name));
    const free = kinds.filter((kind) => kind.known && !names.includes(kind.kind) && !rest.includes(kind.kind)).map((kind) => kind.kind);
    const select = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        {
          "aria-label": words.add,
          onchange: () => {
            if (select.value === "*") edit(null);
            else if (select.value) store([...names, select.value]);
          },
        },
        h("option", { value: "" }, `${words.add}…`),
        ...(names.includes(own) ? [] : [h("option", { value: own }, words.builtin[chain])]),
        ...[...rest, ...free].map((name) => h("option", { value: name }, called(kinds, name))),
        h("option", { value: "*" }, `${words.addProvider}…`),
      )
    );
    adding.replaceChildren(h("span", { class: "initial", "aria-hidden": "true" }, "+"), select, h("small", {}, words.addAbout[chain]));
    if (outside.length === 0) return;
    const statuses = (await attempt(host.keyStatuses(outside))) ?? [];
    if (current === drawing)
      list.replaceChildren(
        ...names.map((name, index) => entry(names, name, index, statuses.find((status) => status.provider === name) ?? null)),
      );
  }

  /** @param {string[]} names @param {string} name @param {number} index @param {KeyStatus | null} status */
  function entry(names, name, index, status) {
    const provider = form.view.settings.providers[name];
    const kind = facts(name);
    const origin = status && !isKeyless(name, status) ? (status.trouble ?? words.origins[status.origin]) : "";
    const about =
      name === own
        ? words.ownAbout[chain]
        : [provider?.model, provider?.base_url ?? provider?.search_url, origin].filter(Boolean).join(" · ");
    /** @param {number} by */
    const move = (by) => {
      const next = [...names];
      next.splice(index + by, 0, ...next.splice(index, 1));
      store(next);
    };
    const state = h("span", { class: "state" });
    const verdict = h("span", { class: "verdict", role: "status" });
    tell(name, state, verdict, status);
    const label = name === own ? words.builtin[chain] : called(kinds, name);
    return h(
      "li",
      { class: "link-in-chain", "data-name": name },
      h(
        "div",
        { class: "head" },
        h("span", { class: "initial", "aria-hidden": "true" }, label.slice(0, 1).toUpperCase()),
        h("b", {}, label),
        state,
      ),
      h("small", { class: status?.origin === "none" && origin ? "weak" : "" }, about),
      verdict,
      h(
        "div",
        { class: "tools" },
        kind?.answers && provider ? h("button", { type: "button", class: "choose", onclick: () => choose(name) }, words.chooseModel) : null,
        kind ? h("button", { type: "button", class: "edit", onclick: () => edit(name) }, words.edit) : null,
        name !== own && (provider || kind)
          ? h("button", { type: "button", class: "test", onclick: () => test(name, state, verdict) }, words.test)
          : null,
        h(
          "span",
          { class: "order" },
          h(
            "button",
            { type: "button", "aria-label": `${words.up}: ${name}`, title: words.up, disabled: index === 0, onclick: () => move(-1) },
            "↑",
          ),
          h(
            "button",
            {
              type: "button",
              "aria-label": `${words.down}: ${name}`,
              title: words.down,
              disabled: index === names.length - 1,
              onclick: () => move(1),
            },
            "↓",
          ),
          h(
            "button",
            {
              type: "button",
              "aria-label": `${words.remove}: ${name}`,
              title: words.remove,
              disabled: names.length === 1,
              onclick: () => store(names.filter((_, at) => at !== index)),
            },
            "×",
          ),
        ),
      ),
    );
  }

  /** Whether a server on this computer does without a key, as most do. @param {string} name @param {KeyStatus} status */
  function isKeyless(name, status) {
    return status.origin === "none" && status.trouble === null && isOnThisComputer(form.view.settings.providers[name]?.base_url ?? "");
  }

  /** How a service stands: what its last test came to, else whether it has what it needs. @param {string} name @param {HTMLElement} state @param {HTMLElement} verdict @param {KeyStatus | null} status */
  function tell(name, state, verdict, status) {
    const check = checks.get(name);
    const lacks = status !== null && !isKeyless(name, status) && (status.origin === "none" || status.trouble !== null);
    const provider = form.view.settings.providers[name];
    state.textContent = check
      ? words.verdicts[check.verdict]
      : lacks
        ? words.noKey
        : name === own || (!provider && !facts(name)?.needs_key)
          ? words.ready
          : // Whether a server of one's own runs is found out by asking it.
            provider && (status === null || isKeyless(name, status))
            ? words.untested
            : words.keySet;
    state.className = `state ${check ? (check.verdict === "works" ? "good" : "bad") : lacks ? "weak" : ""}`;
    verdict.textContent = check && check.verdict !== "works" ? check.message : "";
    verdict.className = "verdict bad";
  }

  /** Another model of the same service. @param {string} name */
  function choose(name) {
    const model = form.view.settings.providers[name]?.model;
    chooseModel(
      model ? `${name}/${model}` : null,
      async (chosen) => {
        if (!chosen.startsWith(`${name}/`)) return;
        say(await save(form, ["providers", name, "model"], chosen.slice(name.length + 1)));
        checks.delete(name);
        draw();
      },
      () => edit(null),
      { builtin: false, only: name },
    );
  }

  /** @param {string} name @param {HTMLElement} state @param {HTMLElement} verdict */
  async function test(name, state, verdict) {
    state.className = "state";
    state.textContent = words.testing;
    const check = await attempt(host.checkProvider(name, [], null));
    if (check) checks.set(name, check);
    tell(name, state, verdict, null);
  }

  /** @param {string | null} name */
  async function edit(name) {
    // A service that is described field by field is made in the file.
    if (name) checks.delete(name);
    const saved = await editProvider(form, name, name ? kinds : kinds.filter((kind) => kind.kind !== "json"));
    form.view = (await attempt(host.settings())) ?? form.view;
    if (saved && !form.view.settings[chain].includes(saved)) await store([saved, ...form.view.settings[chain]]);
    else draw();
    form.changed();
    if (saved) toast(words.saved);
  }

  draw();
  return element;
}
