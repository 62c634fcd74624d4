// One provider: which service, where, with which key, and a live test.

/** @import { Form } from "./form" */
/** @import { KindView, ProviderKind, Vendor, VendorView } from "../protocol" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "../view/ask.js";
import { first, providerChanges, row } from "./form.js";
import { tellStored } from "./keys.js";

const words = strings.settings;

/**
 * The fields of a provider, for the dialog here and for the setup wizard.
 * @param {{ name: string | (() => string), kind: KindView, values: Record<string, any>, vendor?: Vendor | null, vendors?: VendorView[], onchange?: () => void, onrecognised?: (vendor: Vendor, key: string) => void, ontested?: (works: boolean) => void }} given
 */
export function providerFields({
  name: given,
  kind,
  values,
  vendor = null,
  vendors = [],
  onchange = () => {},
  onrecognised = () => {},
  ontested = () => {},
}) {
  const called = () => (typeof given === "string" ? given : given());
  /** @type {Record<string, any>} */
  const fields = { ...values };
  let key = "";
  /** @type {ReturnType<typeof row>[]} */
  const rows = [];
  let works = false;
  let warned = false;
  const touched = () => {
    works = warned = false;
    verdict.hidden = true;
    onchange();
  };

  /** @param {string} field @param {string} label @param {string} help @param {string} [placeholder] */
  const text = (field, label, help, placeholder = "") => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        id: `f-p-${field}`,
        type: "text",
        value: fields[field] ?? "",
        placeholder,
        spellcheck: false,
        autocomplete: "off",
        oninput: () => {
          // What was wrong with it may be mended; saving looks again.
          made.say(null);
          fields[field] = input.value.trim();
          touched();
        },
      })
    );
    const made = row(label, help, input, { id: `p-${field}` });
    rows.push(made);
    return { ...made, input };
  };
  const isCorpus = kind.kind === "postgres";
  const needsAddress = kind.kind === "openai_compatible" || kind.kind === "searxng";
  const address =
    kind.kind === "json"
      ? null
      : text(
          "base_url",
          words.baseUrl,
          kind.kind === "searxng"
            ? words.instanceNeeded
            : isCorpus
              ? words.databaseNeeded
              : needsAddress
                ? words.baseUrlNeeded
                : words.baseUrlHelp,
          kind.base_url ?? (kind.kind === "searxng" ? "http://localhost:8888" : isCorpus ? "postgres://" : ""),
        );
  if (address) {
    // Before anything is tested or saved: testing sends the key.
    const open = h("p", { class: "caution", role: "status", id: "open-address", hidden: true }, words.openAddress);
    address.input.after(open);
    const look = () => {
      open.hidden = !isOpen(address.input.value.trim());
    };
    address.input.addEventListener("input", look);
    look();
  }
  const container = kind.kind === "searxng" && address ? searxng(address.input) : null;
  const engine = kind.kind === "google" ? text("engine_id", words.engineId, words.engineIdHelp) : null;
  const place = kind.kind === "stackexchange" ? text("site", words.site, words.siteHelp) : null;
  const contact = kind.kind === "wikipedia" ? text("contact", words.contact, words.contactHelp) : null;
  const takesKey = kind.kind !== "wikipedia" && kind.kind !== "duckduckgo" && kind.kind !== "searxng";
  const keyInput = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "f-p-key",
      type: "password",
      autocomplete: "off",
      spellcheck: false,
      oninput: () => {
        // People may have put blanks into a password.
        key = isCorpus ? keyInput.value : keyInput.value.trim();
        touched();
        if (isCorpus) return;
        const known = recognise(vendors, key);
        if (known && known.id !== vendor?.id) onrecognised(known, key);
      },
    })
  );
  if (takesKey && typeof given === "string") void tellStored(keyInput, given);
  const keyRow = takesKey
    ? row(
        isCorpus ? words.databasePassword : words.key,
        words.keyHelp,
        h(
          "div",
          { class: "beside" },
          keyInput,
          (vendor ? vendor.key_page : kind.kind !== "openai_compatible" && kind.key_page)
            ? h(
                "button",
                { type: "button", class: "link", onclick: () => attempt(host.openKeyPage(kind.kind, vendor?.id ?? null)) },
                words.keyPage,
              )
            : null,
        ),
        { id: "p-key" },
      )
    : null;
  const model = kind.answers ? text("model", words.model, words.modelHelp) : null;
  const known = /** @type {HTMLSelectElement} */ (
    h("select", {
      id: "models",
      size: 5,
      hidden: true,
      "aria-label": words.listModels,
      onchange: () => {
        if (!model) return;
        model.input.value = known.value;
        fields.model = known.value;
        touched();
      },
    })
  );
  if (model) {
    model.input.after(known, h("button", { type: "button", class: "plain", id: "list-models", onclick: listModels }, words.listModels));
  }
  const verdict = h("p", { class: "verdict", role: "status", hidden: true });
  const testButton = h("button", { type: "button", id: "test-provider", onclick: test }, words.test);

  /** An instance that is running, or one that Nexi runs itself. @param {HTMLInputElement} input */
  function searxng(input) {
    const own = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "checkbox",
        role: "switch",
        class: "switch",
        id: "f-p-managed",
        checked: Boolean(fields.managed),
        onchange: () => {
          fields.managed = own.checked || null;
          input.disabled = own.checked;
          touched();
        },
      })
    );
    input.disabled = own.checked;
    input.after(
      h(
        "button",
        {
          type: "button",
          class: "plain",
          id: "find-searxng",
          onclick: async () => {
            const found = (await attempt(host.findSearxng())) ?? [];
            const good = found.find((instance) => instance.json) ?? found[0];
            if (!good) say(words.noSearxng, false);
            else {
              own.checked = input.disabled = false;
              fields.managed = null;
              input.value = fields.base_url = good.address;
              touched();
              say(good.json ? words.foundSearxng({ address: good.address }) : words.foundWithoutJson({ address: good.address }), good.json);
            }
          },
        },
        words.findSearxng,
      ),
    );
    return row(words.managed, words.managedHelp, own, { id: "p-managed" }).element;
  }

  /** @param {Record<string, any>} [more] */
  const changes = (more = {}) => {
    const own = Object.fromEntries(Object.entries(fields).filter(([field]) => field !== "json"));
    return providerChanges(called(), { type: kind.kind, ...own, ...more });
  };

  /** @param {string} text @param {boolean} good */
  function say(text, good) {
    verdict.hidden = false;
    verdict.textContent = text;
    verdict.className = good ? "verdict good" : "verdict bad";
  }

  async function listModels() {
    // A list is wanted most where no model is known yet.
    const names = await host.listModels(called(), changes({ model: fields.model || "any" }), key || null).catch((error) => String(error));
    if (typeof names === "string") say(names, false);
    else if (names.length === 0) say(words.noModels, false);
    else {
      known.replaceChildren(...names.map(({ id: value }) => h("option", { value, selected: value === fields.model }, value)));
      known.hidden = false;
      verdict.hidden = true;
      known.focus();
    }
    return typeof names === "string" ? [] : names;
  }

  async function test() {
    if (model && !fields.model) {
      model.say(words.modelWanted);
      return false;
    }
    say(words.testing, true);
    const check = await host.checkProvider(called(), changes(), key || null).catch((error) => String(error));
    if (typeof check === "string") say(check, false);
    else say(`${words.verdicts[check.verdict]}: ${check.message}`, check.verdict === "works");
    works = typeof check !== "string" && check.verdict === "works";
    ontested(works);
    return works;
  }

  /** Shows what is wrong at its field. @param {import("../protocol").ProblemView[]} problems */
  function show(problems) {
    for (const made of rows) {
      const field = (made.element.dataset.field ?? "").replace("p-", "");
      const own = problems.find((problem) => problem.field === `providers.${called()}.${field}`);
      made.say(own?.message ?? null);
    }
  }

  return {
    elements: [address?.element, container, engine?.element, place?.element, contact?.element, keyRow?.element, model?.element]
      .filter((element) => element instanceof HTMLElement)
      .concat(h("div", { class: "tests" }, testButton, verdict)),
    changes,
    test,
    listModels,
    show,
    key: () => key,
    /** @param {string} value a key that was pasted elsewhere */
    setKey: (value) => {
      key = keyInput.value = value;
      touched();
    },
    /** Whether the last test went well and nothing has changed since. */
    worked: () => works,
    /** Whether it was said that it does not work. */
    warned: () => warned,
    warn: () => {
      warned = true;
    },
    fields,
    say,
  };
}

/** The service whose keys look like this one; null where that does not tell. @param {VendorView[]} vendors @param {string} key @returns {Vendor | null} */
export function recognise(vendors, key) {
  const fits = vendors.map(({ vendor }) => vendor).filter(({ key_prefix }) => key_prefix !== "" && key.startsWith(key_prefix));
  return fits.sort((a, b) => b.key_prefix.length - a.key_prefix.length)[0] ?? null;
}

/**
 * Changes a provider or makes one. Returns its name when it was saved.
 * @param {Form} form @param {string | null} known @param {KindView[]} kinds @returns {Promise<string | null>}
 */
export function editProvider(form, known, kinds) {
  return new Promise((resolve) => {
    let saved = /** @type {string | null} */ (null);
    const made = dialog(known ?? words.addProvider, (close) => {
      const before = known ? form.view.settings.providers[known] : undefined;
      let kind = kinds.find((candidate) => candidate.kind === (before?.type ?? known)) ?? kinds[0];
      let name = known ?? "";
      const body = h("div", { class: "provider" });
      const nameInput = /** @type {HTMLInputElement} */ (
        h("input", {
          id: "f-p-name",
          type: "text",
          value: name,
          disabled: known !== null,
          spellcheck: false,
          autocomplete: "off",
          oninput: () => {
            name = nameInput.value.trim();
            nameRow.say(wrong(name));
          },
        })
      );
      const nameRow = row(words.providerName, words.providerNameHelp, nameInput, { id: "p-name" });
      // Models come with presets; what speaks an API and has none is the last of the models.
      const vendors = form.view.vendors;
      const answering = kinds.some((candidate) => candidate.answers);
      /** @type {Vendor | null} */
      let vendor = before
        ? (vendors.find((candidate) => candidate.vendor.base_url !== "" && candidate.vendor.base_url === (before.base_url ?? kind.base_url))
            ?.vendor ?? null)
        : answering
          ? vendors[0].vendor
          : null;
      if (vendor && !before) kind = kinds.find((candidate) => candidate.kind === vendor?.type) ?? kind;
      const usual = () => vendor?.id ?? short(kind.kind);
      /** @param {string} value */
      const isUsual = (value) =>
        vendors.some((candidate) => candidate.vendor.id === value) || kinds.some((candidate) => short(candidate.kind) === value);
      /** @param {Vendor | null} chosen @param {KindView} chosenKind @param {string} [key] */
      function turnTo(chosen, chosenKind, key) {
        vendor = chosen;
        kind = chosenKind;
        select.value = chosen ? `preset:${chosen.id}` : chosenKind.kind;
        if (known === null && (name === "" || isUsual(name.replace(/-\d+$/, "")))) {
          name = freeName(form.view.settings.providers, usual());
          nameInput.value = name;
        }
        draw(true);
        if (key) fields.setKey(key);
      }
      const presets = answering
        ? vendors.map((candidate) =>
            h("option", { value: `preset:${candidate.vendor.id}`, selected: candidate.vendor.id === vendor?.id }, candidate.vendor.label),
          )
        : [];
      const others = kinds.filter((candidate) =>
        candidate.answers ? candidate.kind === "openai_compatible" : candidate.offered || candidate.kind === kind.kind,
      );
      const select = /** @type {HTMLSelectElement} */ (
        h(
          "select",
          {
            id: "f-p-kind",
            disabled: known !== null,
            onchange: () => {
              const preset = vendors.find((candidate) => `preset:${candidate.vendor.id}` === select.value)?.vendor ?? null;
              turnTo(preset, kinds.find((candidate) => candidate.kind === (preset?.type ?? select.value)) ?? kind);
            },
          },
          ...presets,
          ...others.map((candidate) =>
            h("option", { value: candidate.kind, selected: !vendor && candidate === kind }, kindLabel(candidate)),
          ),
        )
      );
      const kindRow = row(words.kind, words.kindHelp, select, { id: "p-kind" });
      if (known === null) {
        name = freeName(form.view.settings.providers, usual());
        nameInput.value = name;
      }
      /** @type {ReturnType<typeof providerFields>} */
      let fields;
      const problem = h("p", { class: "problem", role: "alert", hidden: true });

      /** @param {string} candidate */
      function wrong(candidate) {
        if (!/^[A-Za-z0-9_-]{1,40}$/.test(candidate)) return words.nameWrong;
        return known === null && form.view.settings.providers[candidate] ? words.nameTaken : null;
      }

      /** @param {boolean} [anew] with the preset's own values */
      function draw(anew = false) {
        /** @type {Record<string, any>} */
        const values = {};
        for (const field of ["base_url", "model", "api_key_env", "engine_id", "site", "contact"])
          values[field] = /** @type {any} */ (before)?.[field] ?? (anew ? "" : fields?.fields[field]) ?? "";
        if (vendor && !before) {
          if (kind.kind === "openai_compatible") values.base_url = values.base_url || vendor.base_url;
          values.model = values.model || vendor.model;
        }
        if (kind.kind === "searxng") values.managed = before?.managed || fields?.fields.managed || null;
        problem.hidden = true;
        fields = providerFields({
          name: known ?? (() => name),
          kind,
          values,
          vendor,
          vendors: known === null && answering ? vendors : [],
          onchange: () => {
            problem.hidden = true;
          },
          onrecognised: (found, key) => {
            turnTo(found, kinds.find((candidate) => candidate.kind === found.type) ?? kind, key);
            fields.say(words.recognised({ label: found.label }), true);
          },
        });
        body.replaceChildren(...fields.elements, kind.kind === "json" ? h("p", { class: "help" }, words.jsonNote) : "");
      }

      async function store() {
        const bad = wrong(name);
        nameRow.say(bad);
        if (bad) return nameInput.focus();
        const changes = fields.changes();
        const problems = (await attempt(host.changeSettings(changes))) ?? [];
        if (problems.length > 0) {
          fields.show(problems);
          problem.hidden = false;
          problem.textContent = first(problems, `providers.${name}`);
          return;
        }
        if (fields.key() !== "" && (await attempt(host.setKey(name, fields.key()).then(() => true))) === null) return;
        saved = name;
        close();
      }

      draw();
      return [
        kindRow.element,
        nameRow.element,
        body,
        h(
          "div",
          { class: "buttons" },
          problem,
          known && before
            ? h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  id: "delete-provider",
                  onclick: async () => {
                    const chains = /** @type {const} */ (["llm_backends", "search_backends", "fetch_backends"]);
                    const without = chains
                      .filter((chain) => form.view.settings[chain].includes(known))
                      .map((chain) => ({ path: [chain], value: form.view.settings[chain].filter((other) => other !== known) }));
                    const problems = await attempt(host.changeSettings([...without, { path: ["providers", known], value: null }]));
                    if (problems?.length === 0) {
                      await attempt(host.removeKey(known));
                      close();
                    } else if (problems) {
                      problem.hidden = false;
                      problem.textContent = `${problems[0].field}: ${problems[0].message}`;
                    }
                  },
                },
                words.deleteProvider,
              )
            : null,
          known
            ? h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  onclick: async () => {
                    if ((await attempt(host.removeKey(name).then(() => true))) !== null) fields.say(words.origins.none, true);
                  },
                },
                words.forgetKey,
              )
            : null,
          h("button", { type: "button", onclick: close }, words.cancel),
          h("button", { type: "button", class: "go", id: "save-provider", onclick: store }, words.saveProvider),
        ),
      ];
    });
    made.classList.add("large");
    made.addEventListener("close", () => resolve(saved));
  });
}

/** A name that none of these providers has. @param {Record<string, unknown>} taken @param {string} wanted */
export function freeName(taken, wanted) {
  let name = wanted;
  for (let number = 2; taken[name]; number++) name = `${wanted}-${number}`;
  return name;
}

/** A kind as the name of a provider. @param {string} kind */
const short = (kind) => (kind === "openai_compatible" ? "custom" : kind);

/** What a kind is called where one is chosen. @param {KindView} kind */
const kindLabel = ({ kind, label }) =>
  kind === "openai_compatible" ? words.otherApi : kind === "json" ? words.anyJson : kind === "postgres" ? words.sharedCorpus : label;

/** The kind of this name. @param {KindView[]} kinds @param {ProviderKind} kind */
export const kindNamed = (kinds, kind) => /** @type {KindView} */ (kinds.find((candidate) => candidate.kind === kind));

/** Whether what is sent to this address can be read on its way: it is not encrypted, and on another computer. @param {string} address */
export const isOpen = (address) => URL.canParse(address) && new URL(address).protocol === "http:" && !isOnThisComputer(address);

/** Whether an address is one of this computer. @param {string} address */
export function isOnThisComputer(address) {
  const hostname = URL.canParse(address) ? new URL(address).hostname : "";
  return /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname) || hostname.endsWith(".localhost");
}
