// The setup wizard: connect a model or start without one, then ask. Everything else is offered later, where it matters.

/** @import { CatalogModel, LocalService, Vendor } from "./protocol" */
/** @import { Way } from "./setup/progress" */

import "./context-menu.js";
import { closesByKey } from "./closing.js";
import { attempt, byId, h, sends } from "./dom.js";
import * as host from "./host.js";
import { isOpen, kindNamed, providerFields, recognise } from "./settings/provider.js";
import { providerChanges } from "./settings/form.js";
import { modelRows } from "./settings/model-rows.js";
import { begin, finish, free, go, keep, page, remember, state, view } from "./setup/progress.js";
import { strings } from "./strings.js";

const setup = strings.setup;
const words = strings.settings;

/** Milliseconds after the last letter of a key until it is tested. */
const PAUSE = 350;
/** Shorter than any key. */
const SHORTEST = 8;
/** What stands for an address of one's own in the list of services. */
const OTHER = "*";

/** The key that was pasted, for as long as the window is open. */
let key = "";
/** Whether the service was chosen by hand: then no key changes it, and otherwise no earlier one stays for another key. */
let picked = false;
/** What works, and how it is kept. @type {(() => Promise<boolean>) | null} */
let ready = null;

/** Services with a key of their own. */
const clouds = () => view.vendors.filter(({ vendor, needs_key }) => needs_key && vendor.base_url !== "").map(({ vendor }) => vendor);

function modelPage() {
  const next = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        type: "button",
        class: "go",
        id: "next",
        disabled: true,
        onclick: async () => {
          if (!ready) return;
          next.disabled = true;
          const done = await ready();
          next.disabled = false;
          if (done) go("question");
        },
      },
      setup.next,
    )
  );
  /** @param {(() => Promise<boolean>) | null} keeping */
  const offer = (keeping) => {
    ready = keeping;
    next.disabled = keeping === null;
  };
  offer(null);
  const byKey = keyWay(offer);
  const local = localWay((keeping) => {
    byKey.cancel();
    offer(keeping);
  });
  page(
    "model",
    [
      h("span", { class: "logo large", "aria-hidden": "true" }),
      h("h1", { tabIndex: -1 }, setup.modelTitle),
      h("p", { class: "lead" }, setup.modelText),
      byKey.element,
      h(
        "div",
        { class: "other-ways" },
        local.element,
        h(
          "div",
          { class: "other-way" },
          h("b", {}, setup.without),
          h("span", {}, setup.withoutNote),
          h("button", { type: "button", class: "link", id: "begin", onclick: () => finish(null) }, setup.start),
        ),
      ),
      h("div", { id: "key-places" }),
    ],
    [next],
  );
  local.look();
  byKey.begin();
}

/** The host of an address, or all of it. @param {string} address */
function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

/** A key, whose service is recognised and tested as it is pasted. @param {(keeping: (() => Promise<boolean>) | null) => void} offer */
function keyWay(offer) {
  let timer = 0;
  let tested = 0;
  const verdict = h("p", { class: "verdict", role: "status", id: "key-state" });
  const found = h("div", { class: "found" });
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "setup-key",
      type: "password",
      placeholder: setup.paste,
      "aria-label": setup.paste,
      autocomplete: "off",
      spellcheck: false,
      value: key,
      oninput: () => {
        key = input.value.trim();
        if (!picked) state.vendor = recognise(view.vendors, key)?.id ?? "";
        changed();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (sends(event)) byId("next").click();
      },
    })
  );
  const service = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        id: "service",
        onchange: () => {
          state.vendor = service.value;
          picked = service.value !== "";
          changed();
        },
      },
      h("option", { value: "" }, setup.which),
      ...clouds().map((vendor) => h("option", { value: vendor.id }, vendor.label)),
      h("option", { value: OTHER }, setup.otherAddress),
    )
  );
  const address = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "setup-address",
      type: "text",
      placeholder: "https://example.org/v1",
      value: state.address,
      autocomplete: "off",
      spellcheck: false,
      oninput: () => {
        state.address = address.value.trim();
        open.hidden = !isOpen(state.address);
        changed();
      },
    })
  );
  const serviceRow = h("div", { class: "service-row" }, h("label", {}, setup.service, service));
  const addressRow = h("div", { class: "service-row" }, h("label", {}, words.baseUrl, address));
  const open = h("p", { class: "caution", role: "status", id: "open-address", hidden: true }, words.openAddress);
  const page = h(
    "button",
    {
      type: "button",
      class: "link",
      id: "key-page",
      onclick: () => {
        const chosen = vendor();
        if (chosen) attempt(host.openKeyPage(chosen.type, chosen.id));
      },
    },
    words.keyPage,
  );
  const element = h("div", { class: "by-key" }, h("div", { class: "key-box" }, input, verdict), serviceRow, addressRow, open, page, found);

  /** @returns {Vendor | null} */
  const vendor = () => clouds().find((candidate) => candidate.id === state.vendor) ?? null;

  /** The name in the settings: the one the service has there already, or the preset's. */
  function name() {
    const chosen = vendor();
    const providers = Object.entries(view.settings.providers);
    if (!chosen) return providers.find(([, provider]) => provider?.base_url === state.address)?.[0] ?? free("custom");
    return (
      providers.find(
        ([, provider]) =>
          provider?.type === chosen.type &&
          (provider.base_url === chosen.base_url || (!provider.base_url && chosen.type !== "openai_compatible")),
      )?.[0] ?? free(chosen.id)
    );
  }

  /** @param {string} model */
  function changes(model) {
    const chosen = vendor();
    const kind = chosen?.type ?? "openai_compatible";
    const base_url = chosen ? (kind === "openai_compatible" ? chosen.base_url : "") : state.address;
    return providerChanges(name(), { type: kind, ...(base_url ? { base_url } : {}), ...(model ? { model } : {}) });
  }

  /** @param {string} text @param {string} kind */
  function say(text, kind) {
    verdict.textContent = text;
    verdict.className = `verdict ${kind}`;
  }

  function draw() {
    service.value = state.vendor;
    serviceRow.hidden = key === "" && state.vendor === "";
    addressRow.hidden = state.vendor !== OTHER;
    page.hidden = key !== "" || vendor() === null;
  }

  function changed() {
    clearTimeout(timer);
    tested += 1;
    offer(null);
    found.replaceChildren();
    draw();
    remember();
    const complete = key.length >= SHORTEST && (vendor() !== null || (state.vendor === OTHER && state.address !== ""));
    say(complete ? words.testing : key === "" || state.vendor ? "" : setup.whichService, "");
    if (complete) timer = window.setTimeout(test, PAUSE);
  }

  async function test() {
    const mine = ++tested;
    const label = vendor()?.label ?? hostOf(state.address);
    const models = await host.listModels(name(), changes("any"), key).catch(() => /** @type {CatalogModel[]} */ ([]));
    if (mine !== tested) return;
    // A service that lists nothing may answer all the same.
    const known =
      [state.model, vendor()?.model, models[0]?.id].find((id) => id && (models.length === 0 || models.some((model) => model.id === id))) ??
      vendor()?.model ??
      "any";
    const check = await host
      .checkProvider(name(), changes(known), key)
      .catch((error) => ({ verdict: /** @type {const} */ ("other"), message: String(error) }));
    // Something else was typed meanwhile.
    if (mine !== tested) return;
    const good = check.verdict === "works";
    say(good ? setup.works({ label }) : `${words.verdicts[check.verdict]}: ${check.message}`, good ? "good" : "bad");
    if (!good) {
      found.replaceChildren(
        h("button", { type: "button", class: "link", id: "test-again", onclick: changed }, setup.again),
        check.verdict === "refused" || known === "any"
          ? ""
          : h(
              "button",
              {
                type: "button",
                class: "link",
                id: "keep-anyway",
                onclick: () => {
                  say(setup.unchecked({ label }), "");
                  offer(() => keep(name(), changes(known), key, (text) => say(text, "bad")));
                },
              },
              setup.anyway,
            ),
      );
      return;
    }
    const take = (/** @type {string} */ model) => {
      state.model = model;
      state.way = "key";
      remember();
      offer(() => keep(name(), changes(model), key, (text) => say(text, "bad")));
    };
    found.replaceChildren(...(models.length > 0 ? [modelRows(models, known, take)] : []));
    take(known);
  }

  return {
    element,
    /** Another way was chosen: what is being tested changes nothing any more. */
    cancel() {
      clearTimeout(timer);
      tested += 1;
    },
    begin() {
      draw();
      if (key !== "") changed();
      else input.focus();
    },
  };
}

/** A model that runs on this computer. @param {(keeping: (() => Promise<boolean>) | null) => void} offer */
function localWay(offer) {
  const note = h("span", { id: "local-state" }, setup.looking);
  const body = h("div", { class: "local-models", hidden: true });
  const choose = h(
    "button",
    {
      type: "button",
      class: "link",
      id: "choose-local",
      "aria-expanded": "false",
      onclick: () => {
        body.hidden = !body.hidden;
        choose.setAttribute("aria-expanded", String(!body.hidden));
        if (!body.hidden) fill();
      },
    },
    setup.choose,
  );
  const element = h("div", {}, h("div", { class: "other-way" }, h("b", {}, setup.local), note, choose), body);
  /** @type {LocalService[]} */
  let running = [];
  /** @type {ReturnType<typeof providerFields> | null} */
  let editor = null;

  async function look() {
    note.textContent = setup.looking;
    running = await host.localServices().catch(() => []);
    const withModels = running.filter(({ models }) => models.length > 0);
    const names = (/** @type {{ label: string }[]} */ services) => services.map(({ label }) => label).join(", ");
    note.textContent =
      withModels.length > 0
        ? setup.foundLocal({ services: names(withModels), count: withModels.reduce((sum, { models }) => sum + models.length, 0) })
        : running.length > 0
          ? setup.emptyLocal({ services: names(running), count: running.length })
          : setup.noLocal({ services: names(view.vendors.map(({ vendor }) => vendor).filter(({ local }) => local)) });
    // Somebody who is writing an address already is not interrupted by what was found meanwhile.
    const writing = editor !== null && body.contains(editor.elements[0]);
    if (state.way === "other" && body.hidden) choose.click();
    else if (!body.hidden && !writing) fill();
  }

  /** The models of one program. @param {LocalService} service @returns {Node[]} */
  function rowsOf({ vendor, provider, label, models }) {
    const isChosen = state.local === vendor && models.some((model) => model.id === state.model);
    const rows = modelRows(models, isChosen ? state.model : "", (model) => {
      // Each list is a choice of its own.
      for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (body.querySelectorAll("input[type=radio]")))
        if (!rows.contains(radio)) radio.checked = false;
      [state.way, state.local, state.model] = ["local", vendor, model];
      remember();
      const known = view.vendors.find((candidate) => candidate.vendor.id === vendor)?.vendor;
      const name = view.settings.providers[provider] ? provider : free(vendor);
      const { base_url } = view.settings.providers[provider] ?? {};
      const address = known?.type === "openai_compatible" ? { base_url: base_url ?? known.base_url } : {};
      offer(() =>
        keep(name, providerChanges(name, { type: known?.type ?? "openai_compatible", ...address, model }), "", (text) => {
          note.textContent = text;
        }),
      );
    });
    return running.length > 1 ? [h("p", { class: "of-service" }, label), rows] : [rows];
  }

  function fill() {
    const own = running.filter(({ models }) => models.length > 0);
    const other = h("button", { type: "button", class: "link", id: "other-program", onclick: showEditor }, setup.otherProgram);
    body.replaceChildren(
      ...(own.length > 0
        ? own.flatMap(rowsOf)
        : [h("button", { type: "button", class: "link", id: "look-again", onclick: look }, setup.lookAgain)]),
      other,
    );
    if (state.way === "other") showEditor();
  }

  function showEditor() {
    state.way = "other";
    const known = Object.entries(view.settings.providers).find(
      ([, provider]) => provider?.type === "openai_compatible" && !clouds().some((vendor) => vendor.base_url === provider.base_url),
    );
    // Its address is its name's: what is written anew never gets the key of another.
    const name = () =>
      Object.entries(view.settings.providers).find(([, provider]) => provider?.base_url === editor?.fields.base_url)?.[0] ?? free("custom");
    const made =
      editor ??
      providerFields({
        name,
        kind: kindNamed(view.kinds, "openai_compatible"),
        values: { base_url: known?.[1]?.base_url ?? "http://localhost:1234/v1", model: known?.[1]?.model ?? "", ...state.fields },
        onchange: () => {
          state.fields = { base_url: made.fields.base_url ?? "", model: made.fields.model ?? "" };
          remember();
          offer(null);
        },
        ontested: (works) => offer(works ? () => keep(name(), made.changes(), made.key(), (text) => made.say(text, false)) : null),
      });
    editor = made;
    body.querySelector("#other-program")?.remove();
    if (!body.contains(made.elements[0])) body.append(h("div", { class: "choice" }, ...made.elements));
    remember();
  }

  return { element, look };
}

function questionPage() {
  const first = view.settings.llm_backends[0];
  const input = /** @type {HTMLTextAreaElement} */ (
    h("textarea", {
      id: "first-question",
      rows: 2,
      "aria-label": setup.questionTitle,
      placeholder: setup.example,
      value: state.question,
      oninput: () => {
        state.question = input.value;
        next.textContent = input.value.trim() ? setup.finish : setup.finishEmpty;
        remember();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (!sends(event)) return;
        event.preventDefault();
        next.click();
      },
    })
  );
  const next = h(
    "button",
    { type: "button", class: "go", id: "next", onclick: () => finish(input.value.trim() || null) },
    state.question.trim() ? setup.finish : setup.finishEmpty,
  );
  page(
    "question",
    [
      h("p", { class: "verdict good connected" }, setup.connected({ model: view.settings.providers[first]?.model ?? first })),
      h("h1", { tabIndex: -1 }, setup.questionTitle),
      h("p", { class: "lead" }, setup.questionText),
      input,
      h(
        "div",
        { class: "examples-row" },
        ...Object.values(setup.examples).map((example) =>
          h(
            "button",
            {
              type: "button",
              class: "link",
              onclick: () => {
                input.value = example;
                input.dispatchEvent(new Event("input"));
                input.focus();
              },
            },
            example,
          ),
        ),
      ),
    ],
    [h("button", { type: "button", id: "back", onclick: () => go("model") }, setup.back), next],
  );
  input.focus();
}

function draw() {
  if (state.step === "question") questionPage();
  else modelPage();
}

async function start() {
  const [settings, before] = await Promise.all([attempt(host.settings()), attempt(host.setupProgress())]);
  if (!settings) return;
  begin(settings, before && typeof before === "object" ? before : null, draw);
  await attempt(host.listen(() => {}));
  document.documentElement.dataset.ready = "true";
}

closesByKey();
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());

start();
