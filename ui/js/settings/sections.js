// What stands in each part of the settings.

/** @import { Form } from "./form" */

import { attempt, h, toast } from "../dom.js";
import { fileName } from "../format.js";
import * as host from "../host.js";
import { backupLine, importRefusedLine, importedLine } from "../sentences.js";
import { strings } from "../strings.js";
import { toastWritten } from "../written.js";
import { chainField } from "./chain.js";
import { folderStatus } from "./folders.js";
import { checksField, choiceField, listField, row, save, section, textField, toggleField, whileTyped } from "./form.js";
import { hookFields } from "./hooks.js";
import { hotkeyControl } from "./hotkey.js";
import { keysField } from "./keys.js";
import { meaningField } from "./meaning.js";
import { memoryFields } from "./memory.js";
import { ocrField } from "./ocr.js";
import { spaceFields } from "./spaces.js";
import { teamField } from "./team.js";
import { templateFields } from "./templates.js";
import { toolFields } from "./tools.js";
import { updatesField } from "./updates.js";
import { usageField } from "./usage.js";
import { watchedFields } from "./watched.js";
import { fieldWords } from "./words.js";

const words = strings.settings;

/** @typedef {keyof typeof words.sections} Section */

/** @param {Form} form @param {Section} name @returns {Node[]} */
export function content(form, name) {
  return section(words.sections[name], words.intro[name], CONTENT[name](form));
}

/** Draws the watched questions anew where they are shown. @type {() => Promise<void>} */
let watchedShown = async () => {};
export const refreshWatched = () => watchedShown();

/** The same of webhooks and commands. @type {() => Promise<void>} */
let hooksShown = async () => {};
export const refreshHooks = () => hooksShown();

/** Whether advanced fields are unfolded: as it was left. */
let unfolded = false;

/** Fields that few people need, folded unless something is wrong in them. @param {...HTMLElement} fields */
function advanced(...fields) {
  const wrong = fields.some((field) => field.classList.contains("wrong"));
  const element = /** @type {HTMLDetailsElement} */ (
    h("details", { class: "advanced", open: unfolded || wrong }, h("summary", {}, words.advanced), ...fields)
  );
  element.addEventListener("toggle", () => {
    unfolded = element.open;
  });
  return element;
}

/** @type {Record<Section, (form: Form) => (Node | null)[]>} */
const CONTENT = {
  models: (form) => [
    chainField(form, "llm_backends"),
    choiceField(form, "thinking"),
    choiceField(form, "check"),
    prices(form),
    advanced(textField(form, "side_model", { placeholder: words.none }), checksField(form, "side_tasks")),
  ],
  search: (form) => [
    chainField(form, "search_backends"),
    textField(form, "search.language", { placeholder: words.none }),
    textField(form, "search.country", { placeholder: words.none }),
    choiceField(form, "search.safe_search"),
    advanced(
      textField(form, "search.count"),
      textField(form, "search.at_once"),
      listField(form, "search.include_sites", { placeholder: "example.org" }),
      listField(form, "search.exclude_sites", { placeholder: "example.org" }),
    ),
  ],
  answers: (form) => [
    textField(form, "preferences.language", { placeholder: words.asAsked }),
    choiceField(form, "preferences.units"),
    choiceField(form, "preferences.length"),
    listField(form, "search.prefer_sites", { placeholder: "example.org" }),
    listField(form, "search.demote_sites", { placeholder: "example.org" }),
  ],
  reading: (form) => [
    chainField(form, "fetch_backends"),
    toggleField(form, "network.respect_robots"),
    toggleField(form, "cache.enabled"),
    advanced(textField(form, "pages_ahead"), textField(form, "cache.max_mib")),
  ],
  documents: (form) => {
    const status = folderStatus();
    const meaning = meaningField(form);
    const ocr = ocrField(form);
    const refresh = async () => {
      await status.refresh();
      await meaning.refresh();
      await ocr.refresh();
    };
    return [
      listField(form, "documents.folders", {
        add: () => attempt(host.chooseFolder()),
        addLabel: words.chooseFolder,
        placeholder: "~/Documents/notes",
        onsaved: refresh,
      }),
      status.element,
      meaning.element,
      ocr.element,
      toggleField(form, "embeddings.on_battery"),
      toggleField(form, "ocr.on_battery"),
      toggleField(form, "documents.keep_private"),
    ];
  },
  tools: (form) => toolFields(form),
  effort: (form) => [
    choiceField(form, "default_effort"),
    textField(form, "time_target"),
    textField(form, "max_cost"),
    textField(form, "max_tokens"),
    advanced(
      textField(form, "max_steps"),
      textField(form, "max_output_tokens"),
      textField(form, "max_context"),
      textField(form, "auto_compact_thresh"),
      textField(form, "compact_target_words"),
      textField(form, "preserve_last_n_messages"),
      choiceField(form, "tokenizer_encoding"),
      textField(form, "model_timeout"),
      textField(form, "model_total_timeout"),
      textField(form, "provider_timeout"),
      textField(form, "llm_max_retries"),
    ),
  ],
  usage: (form) => [usageField(), textField(form, "max_cost_month")],
  deep: (form) => [
    choiceField(form, "deep.plan"),
    toggleField(form, "deep.save_report"),
    textField(form, "deep.report_folder", { placeholder: "~/Documents/research" }),
    advanced(textField(form, "deep.parallel"), checksField(form, "deep.tools")),
  ],
  prompts: (form) => form.view.prompts.map((prompt) => promptField(form, prompt)),
  memory: (form) => [...memoryFields(), toggleField(form, "past_research")],
  spaces: (form) => [...spaceFields(form), teamField(form)],
  templates: () => templateFields(),
  watched: (form) => {
    const known = watchedFields();
    watchedShown = known.refresh;
    return [
      ...known.elements,
      textField(form, "watched.max_cost_month"),
      toggleField(form, "watched.on_battery"),
      toggleField(form, "watched.on_metered"),
    ];
  },
  hooks: (form) => {
    const known = hookFields(form);
    hooksShown = known.refresh;
    return known.elements;
  },
  app: (form) => [
    hotkeyField(form),
    choiceField(form, "language"),
    choiceField(form, "desktop.theme"),
    textField(form, "desktop.text_size"),
    toggleField(form, "desktop.autostart"),
    toggleField(form, "desktop.close_to_tray"),
    trayNote(),
    toggleField(form, "desktop.notify"),
  ],
  keys: (form) => [keysField(form)],
  network: (form) => [
    textField(form, "network.proxy"),
    listField(form, "network.allowed_private_hosts", { placeholder: "wiki.lan:8080" }),
    listField(form, "network.root_certificates", { placeholder: "~/company.pem" }),
  ],
  privacy: (form) => [
    h("ul", { class: "leaves" }, ...Object.values(words.leaves).map((line) => h("li", {}, line))),
    toggleField(form, "desktop.offer_clipboard"),
    cache(),
  ],
  data: (form) => [
    row(
      words.dataFolder,
      form.view.data_folder,
      button("open-data", words.openFolder, () => attempt(host.openDataFolder())),
      { id: "data" },
    ).element,
    row(words.backup, words.backupHelp, button("back-up", words.backup, backUp), { id: "backup" }).element,
    backupsRow(),
    importThreadsRow(),
    fileRow(words.importSettings, words.importSettingsHelp, "import-settings", ".json,.toml", async (file) => {
      const fields = await host.importSettings(await file.text());
      form.view = await host.settings();
      form.changed();
      return words.importedSettings({ count: fields.length });
    }).element,
  ],
  about: (form) => [
    ...updateFields(form),
    row(words.licence, "", h("span", { class: "value" }, "MIT"), { id: "licence" }).element,
    row(words.settingsFile, "", h("span", { class: "value" }, form.view.settings_file), { id: "file" }).element,
    row(
      words.wizard,
      "",
      button("wizard", words.wizard, () => attempt(host.openWindow("setup"))),
      { id: "wizard" },
    ).element,
    row(
      words.handbook,
      "",
      button("handbook", words.handbook, () => attempt(host.openWindow("main", "help"))),
      { id: "handbook" },
    ).element,
  ],
};

/** New versions, and whether they are looked for. @param {Form} form */
function updateFields(form) {
  const daily = toggleField(form, "desktop.updates");
  return [updatesField(daily), daily];
}

/** The daily copies of the library, and going back to one of them. */
function backupsRow() {
  const list = /** @type {HTMLSelectElement} */ (h("select", { id: "backups", "aria-label": words.restore }));
  const go = /** @type {HTMLButtonElement} */ (
    button("restore", words.restoreNow, async () => {
      // The second click means it.
      if (go.dataset.asked !== list.value) {
        go.dataset.asked = list.value;
        go.textContent = words.restoreSure;
        return;
      }
      go.disabled = true;
      const kept = await attempt(host.restoreBackup(list.value));
      if (kept) toast(words.restored({ name: list.value, kept }));
      await fill();
    })
  );
  const fill = async () => {
    const all = (await attempt(host.backups())) ?? [];
    list.replaceChildren(...all.map((one) => h("option", { value: one.name }, backupLine(one))));
    list.hidden = go.hidden = all.length === 0;
    go.disabled = false;
    go.dataset.asked = "";
    go.textContent = words.restoreNow;
    none.hidden = all.length > 0;
  };
  const none = h("span", { class: "value" }, words.noBackups);
  list.onchange = () => {
    go.dataset.asked = "";
    go.textContent = words.restoreNow;
  };
  fill();
  return row(words.restore, words.restoreHelp, h("span", { class: "backups" }, list, go, none), { id: "restore-row" }).element;
}

/** @param {string} id @param {string} label @param {() => void} run */
function button(id, label, run) {
  return h("button", { type: "button", class: "plain", id, onclick: run }, label);
}

async function backUp() {
  const done = await attempt(host.backUp());
  if (done) toastWritten(words.backedUp({ threads: done[1], file: fileName(done[0]) }));
}

/** Importing threads; where lines of the file are broken, the others can be imported alone. */
function importThreadsRow() {
  const others = /** @type {HTMLButtonElement} */ (button("import-others", "", () => {}));
  others.hidden = true;
  /** @param {File} file @param {boolean} skipBroken */
  const take = async (file, skipBroken) => {
    others.hidden = true;
    const outcome = await host.importThreads(file, skipBroken);
    if (outcome.type === "imported") return importedLine(outcome);
    others.textContent = strings.window.importOthers({ others: outcome.others });
    others.hidden = false;
    others.onclick = async () => {
      const said = await attempt(take(file, true));
      made.say(null);
      if (said) toast(said);
    };
    throw importRefusedLine(outcome);
  };
  const made = fileRow(words.importThreads, words.importThreadsHelp, "import-threads", ".json,.jsonl", (file) => take(file, false), others);
  return made.element;
}

/**
 * @param {string} label @param {string} help @param {string} id @param {string} accept @param {(file: File) => Promise<string>} take
 * @param {HTMLElement} [beside] stands beside the field
 */
function fileRow(label, help, id, accept, take, beside) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", id: `f-${id}`, accept }));
  // The engine's own button speaks the language of the system, whichever Nexi speaks.
  const choose = h("button", { type: "button", class: "plain", id: `choose-${id}`, onclick: () => input.click() }, words.chooseFile);
  input.hidden = true;
  const made = row(label, help, h("div", { class: "beside" }, input, choose, beside ?? null), { id });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    const outcome = await take(file).then(
      (text) => ({ text, wrong: false }),
      (error) => ({ text: String(error), wrong: true }),
    );
    input.value = "";
    made.say(outcome.wrong ? outcome.text : null);
    if (!outcome.wrong) toast(outcome.text);
  });
  return made;
}

function cache() {
  const size = h("span", { class: "value" });
  const refresh = async () => {
    const kept = await attempt(host.keptPages());
    size.textContent = words.cacheSize({ pages: kept?.[0] ?? 0, mib: Math.ceil((kept?.[1] ?? 0) / 1_048_576) });
  };
  refresh();
  const clear = button("clear-cache", words.clearCache, async () => {
    if ((await attempt(host.clearPages().then(() => true))) === null) return;
    toast(words.cleared);
    refresh();
  });
  const cache = fieldWords("cache.enabled");
  return row(cache.label, cache.help, h("div", { class: "beside" }, size, clear), { id: "cache" }).element;
}

function trayNote() {
  const note = h("p", { class: "note", hidden: true }, words.tray);
  host.desktop().then(
    (desktop) => {
      note.hidden = desktop.tray;
    },
    () => {},
  );
  return note;
}

/** Brings the shown hotkey up to date. @type {(() => void) | null} */
let shownHotkey = null;

/** Something has changed that is not a field. */
export const refreshState = () => shownHotkey?.();

/** @param {Form} form */
function hotkeyField(form) {
  const { label, help } = fieldWords("desktop.hotkey");
  const control = hotkeyControl((hotkey) => save(form, ["desktop", "hotkey"], hotkey));
  control.refresh();
  shownHotkey = control.refresh;
  return row(label, help, control.element, { id: "desktop.hotkey" }).element;
}

/** @param {Form} form @param {import("../protocol").PromptView} prompt */
function promptField(form, prompt) {
  const own = form.view.settings.prompts[prompt.name];
  const area = /** @type {HTMLTextAreaElement} */ (
    h("textarea", { id: `f-prompts.${prompt.name}`, rows: 8, value: own ?? prompt.text, spellcheck: false })
  );
  const reset = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        type: "button",
        class: "plain",
        disabled: own === undefined,
        onclick: async () => {
          say(await save(form, ["prompts", prompt.name], null));
          area.value = prompt.text;
          reset.disabled = true;
        },
      },
      words.resetTo,
    )
  );
  const needs = prompt.placeholders.map((name) => `{${name}}`).join(", ");
  const { element, say } = row(
    words.prompts[/** @type {keyof typeof words.prompts} */ (prompt.name)] ?? prompt.name,
    [words.promptHelp[/** @type {keyof typeof words.promptHelp} */ (prompt.name)] ?? "", needs && words.promptNeeds({ names: needs })]
      .filter(Boolean)
      .join(" "),
    h("div", {}, area, reset),
    { id: `prompts.${prompt.name}`, wide: true },
  );
  const value = () => (area.value.trim() === "" || area.value === prompt.text ? null : area.value);
  whileTyped(form, area, ["prompts", prompt.name], value, say);
  area.addEventListener("change", () => {
    if (area.value.trim() === "") area.value = prompt.text;
    reset.disabled = value() === null;
  });
  return element;
}

/** @param {Form} form */
function prices(form) {
  const table = h("div", { class: "prices" });
  const { element, say } = row(words.prices, words.pricesHelp, table, { id: "models", wide: true });

  /** Both prices of a row are saved together: one alone means nothing. @param {HTMLElement} line @param {string} model */
  const store = async (line, model) => {
    /** @type {Record<string, unknown>} */
    const facts = {};
    for (const input of line.querySelectorAll("input")) {
      const number = Number(input.value.trim().replace(",", "."));
      facts[input.dataset.name ?? ""] = input.value.trim() === "" ? null : Number.isNaN(number) ? input.value : number;
    }
    if ((facts.input === null) !== (facts.output === null)) say(words.needsBoth);
    else say(await save(form, ["models", model], facts));
  };
  /** @param {string} model @param {"context" | "input" | "output"} field @param {string} label */
  const cell = (model, field, label) =>
    h("input", {
      type: "text",
      class: "short",
      inputMode: "decimal",
      "aria-label": `${label}: ${model}`,
      placeholder: label,
      "data-name": field,
      value: form.view.settings.models[model]?.[field] ?? "",
      onchange: (/** @type {Event} */ event) =>
        store(/** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.target).closest(".price")), model),
    });
  const draw = () => {
    const name = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", id: "f-models", placeholder: words.priceModel, spellcheck: false, autocomplete: "off" })
    );
    table.replaceChildren(
      ...Object.keys(form.view.settings.models).map((model) =>
        h(
          "div",
          { class: "price" },
          h("span", {}, model),
          cell(model, "context", words.priceContext),
          cell(model, "input", words.priceInput),
          cell(model, "output", words.priceOutput),
          h(
            "button",
            {
              type: "button",
              "aria-label": `${words.remove}: ${model}`,
              onclick: async () => {
                say(await save(form, ["models", model], null));
                draw();
              },
            },
            "×",
          ),
        ),
      ),
      h(
        "div",
        { class: "item new-item" },
        name,
        h(
          "button",
          {
            type: "button",
            onclick: async () => {
              const model = name.value.trim();
              if (model === "") return;
              say(await save(form, ["models", model], {}));
              draw();
            },
          },
          words.add,
        ),
      ),
    );
  };
  draw();
  return element;
}
