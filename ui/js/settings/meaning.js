// Finding documents by what they mean: which model, how far it is, and what may be sent to a service.

/** @import { MeaningStatus, RemoteFolder } from "../protocol" */
/** @import { Form } from "./form" */

import { attempt, h } from "../dom.js";
import { megabytes } from "../format.js";
import * as host from "../host.js";
import { pathView } from "../paths.js";
import { localModel, remoteSize } from "../sentences.js";
import { strings } from "../strings.js";
import { row, save } from "./form.js";

/** Milliseconds between two looks at work that goes on. */
const AGAIN = 1000;
/** The choice that shows a field for the name of a service and its model. */
const SERVICE = "service";

/** @param {Form} form @returns {{ element: HTMLElement, refresh: () => Promise<void> }} */
export function meaningField(form) {
  const choice = /** @type {HTMLSelectElement} */ (h("select", { id: "f-embeddings.model" }));
  const service = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "embedding-service",
      type: "text",
      hidden: true,
      spellcheck: false,
      autocomplete: "off",
      placeholder: "ollama/nomic-embed-text",
      "aria-label": strings.meaning.serviceLabel,
    })
  );
  const state = h("div", { class: "meaning-state", id: "meaning-state", role: "status" });
  const folders = h("div", { class: "meaning-folders" });
  const { element, say } = row(strings.meaning.title, strings.meaning.help, h("div", {}, choice, service, state, folders), {
    id: "embeddings.model",
    wide: true,
  });
  let timer = 0;

  /** @param {string | null} model */
  const store = async (model) => {
    say(await save(form, ["embeddings", "model"], model));
    await refresh();
  };
  choice.addEventListener("change", async () => {
    service.hidden = choice.value !== SERVICE;
    if (choice.value === SERVICE) {
      say(null);
      return service.focus();
    }
    await store(choice.value || null);
  });
  service.addEventListener("change", () => store(service.value.trim() || null));

  let asked = 0;
  const refresh = async () => {
    clearTimeout(timer);
    asked += 1;
    const mine = asked;
    const status = await attempt(host.meaning());
    // On a busy computer an answer may come after that to a later question, and knows less.
    if (!status || mine !== asked) return;
    if (document.activeElement !== choice && document.activeElement !== service) choose(status);
    state.replaceChildren(...stateOf(status, refresh));
    folders.replaceChildren(...(status.remote.length > 0 ? [remote(form, status, say, refresh)] : []));
    // It goes on by itself for as long as it is looked at.
    if (["building", "fetching", "on_battery", "incomplete"].includes(status.state.kind)) {
      timer = window.setTimeout(() => {
        if (element.isConnected) refresh();
      }, AGAIN);
    }
  };
  /** @param {MeaningStatus} status */
  const choose = (status) => {
    const model = status.model ?? "";
    const known = status.known.map((one) => ({ value: one.name, text: localModel(one) }));
    const other =
      model.startsWith("local/") && !known.some((one) => one.value === model)
        ? [{ value: model, text: strings.meaning.own({ path: model.slice("local/".length) }) }]
        : [];
    const options = [{ value: "", text: strings.meaning.off }, ...known, ...other, { value: SERVICE, text: strings.meaning.service }];
    choice.replaceChildren(...options.map(({ value, text }) => h("option", { value }, text)));
    const isService = model !== "" && !model.startsWith("local/");
    choice.value = isService ? SERVICE : model;
    service.hidden = !isService;
    service.value = isService ? model : "";
  };
  refresh();
  return { element, refresh };
}

/** @param {MeaningStatus} status @param {() => Promise<void>} refresh @returns {HTMLElement[]} */
function stateOf(status, refresh) {
  const far = strings.meaning.far({ vectors: status.vectors, passages: status.passages });
  /** @param {string} text @param {string} [kind] */
  const line = (text, kind = "help") => h("p", { class: kind }, text);
  /** @param {number} value @param {number} max */
  const bar = (value, max) => h("progress", { value, max: Math.max(max, 1), "aria-label": strings.meaning.title });
  /** @param {string} id @param {string} label @param {() => Promise<unknown>} work */
  const button = (id, label, work) =>
    h(
      "button",
      {
        type: "button",
        class: "plain",
        id,
        onclick: async () => {
          await attempt(work());
          await refresh();
        },
      },
      label,
    );
  const { state } = status;
  switch (state.kind) {
    case "off":
    case "not_allowed":
      return [];
    case "not_fetched": {
      const model = status.known.find((one) => one.name === status.model);
      return model
        ? [
            line(strings.meaning.notFetched),
            button("fetch-model", strings.meaning.fetch({ size: megabytes(model.size) }), () => host.fetchModel(model.name)),
          ]
        : [line(strings.meaning.notThere, "problem")];
    }
    case "fetching":
      return [
        bar(state.done, state.total),
        line(strings.meaning.fetching({ done: megabytes(state.done), total: megabytes(state.total) })),
        button("stop-fetching", strings.meaning.stop, () => host.stopFetching()),
      ];
    case "building":
      return [bar(status.vectors, status.passages), line(strings.meaning.building({ far }))];
    case "on_battery":
      return [line(strings.meaning.onBattery({ far }))];
    case "incomplete":
      return [line(strings.meaning.incomplete({ far }))];
    case "failed":
      return [
        line(state.message, "problem"),
        ...(status.model?.startsWith("local/")
          ? [button("fetch-model", strings.meaning.again, () => host.fetchModel(status.model ?? ""))]
          : []),
      ];
    default:
      return [line(status.passages === 0 ? strings.meaning.readyForAll : strings.meaning.ready({ far }))];
  }
}

/**
 * What a service on another computer would be sent, folder by folder.
 * @param {Form} form @param {MeaningStatus} status @param {(message: string | null) => void} say @param {() => Promise<void>} refresh
 */
function remote(form, status, say, refresh) {
  const allowed = status.remote.filter((folder) => folder.allowed).map((folder) => folder.folder);
  /** @param {RemoteFolder} folder */
  const one = (folder) => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "checkbox",
        role: "switch",
        class: "switch",
        checked: folder.allowed,
        "aria-label": strings.meaning.send({ folder: folder.folder }),
      })
    );
    input.addEventListener("change", async () => {
      const next = input.checked ? [...allowed, folder.folder] : allowed.filter((name) => name !== folder.folder);
      say(await save(form, ["embeddings", "remote_folders"], next));
      await refresh();
    });
    return h(
      "label",
      { class: "remote-folder" },
      input,
      h("span", {}, pathView(folder.folder, "name"), h("span", { class: "help" }, remoteSize(folder))),
    );
  };
  return h("div", {}, h("p", { class: "help" }, strings.meaning.remote({ model: status.model ?? "" })), ...status.remote.map(one));
}
