// Where keys are kept, how that place stands, and its passphrase.

/** @import { Form } from "./form" */
/** @import { KeyPlace } from "../protocol" */

import { attempt, h, segments, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { kindOf, row, save } from "./form.js";
import { fieldWords } from "./words.js";

const words = strings.settings;

/** @param {Form} form */
export function keysField(form) {
  const { label, help } = fieldWords("keys");
  const state = h("div", { class: "keys-state" });
  const choice = segments({
    label,
    value: form.view.settings.keys,
    options: /** @type {KeyPlace[]} */ (["keyring", "file", "session"]).map((value) => ({
      value,
      text: strings.choices.keys[value],
      title: words.places[value],
    })),
    onchange: async (value) => {
      say(await save(form, ["keys"], value === "keyring" ? null : value));
      draw();
    },
  });
  const { element, say } = row(label, help, h("div", {}, choice, state), { id: "keys", wide: true });

  // Asking the keyring can take a while: only what was asked last is shown.
  let drawing = 0;
  async function draw() {
    const mine = ++drawing;
    const keys = await attempt(host.keys());
    if (!keys || mine !== drawing) return;
    const place = form.view.settings.keys;
    const works = keys.keyring === "works";
    const parts = [h("p", { class: "help" }, words.places[place])];
    if (place === "keyring")
      parts.push(
        h(
          "p",
          { class: works ? "verdict good" : "verdict bad", role: "status", id: "keyring-state" },
          works ? keys.message : `${words.keyring[keys.keyring]} ${keys.message}`,
        ),
      );
    if (place === "file") {
      if (keys.file_open) parts.push(h("p", { class: "verdict good", role: "status" }, words.unlocked));
      else parts.push(passphrase(keys.file_exists));
    }
    const known = await list();
    if (mine === drawing) state.replaceChildren(...parts, known);
  }

  /** Every provider that has a key or wants one. */
  async function list() {
    const { providers, llm_backends, search_backends, fetch_backends } = form.view.settings;
    const names = [...new Set([...Object.keys(providers), ...llm_backends, ...search_backends, ...fetch_backends])];
    const wanting = names.filter(
      (name) =>
        form.view.kinds.find((kind) => kind.kind === kindOf(form.view.settings, name))?.needs_key ||
        providers[name]?.type === "openai_compatible",
    );
    const statuses = wanting.length > 0 ? ((await attempt(host.keyStatuses(wanting))) ?? []) : [];
    return h(
      "div",
      { class: "known-keys" },
      h("h2", {}, words.known),
      ...(statuses.length === 0
        ? [h("p", { class: "help" }, words.noKeys)]
        : statuses.map((status) =>
            h(
              "div",
              { class: "item" },
              h(
                "span",
                {},
                h("b", {}, status.provider),
                ` · ${status.trouble ?? words.origins[status.origin]}${status.origin === "variable" ? ` ${status.variable}` : ""}`,
              ),
              status.origin === "none" || status.origin === "variable"
                ? null
                : h(
                    "button",
                    {
                      type: "button",
                      onclick: async () => {
                        if ((await attempt(host.removeKey(status.provider).then(() => true))) !== null) draw();
                      },
                    },
                    words.forgetKey,
                  ),
            ),
          )),
    );
  }

  /** @param {boolean} exists */
  function passphrase(exists) {
    const input = /** @type {HTMLInputElement} */ (
      h("input", { type: "password", id: "passphrase", "aria-label": words.passphrase, autocomplete: "off" })
    );
    // A new one is typed twice: nobody can tell later what it was.
    const again = exists
      ? null
      : /** @type {HTMLInputElement} */ (
          h("input", {
            type: "password",
            id: "passphrase-again",
            "aria-label": words.passphraseAgain,
            placeholder: words.passphraseAgain,
            autocomplete: "off",
          })
        );
    const unlock = async () => {
      if (again && again.value !== input.value) {
        say(words.passphrasesDiffer);
        return;
      }
      button.disabled = true;
      const done = await host.unlockKeys(input.value).then(
        () => null,
        (error) => String(error),
      );
      button.disabled = false;
      if (done !== null) {
        say(done);
        return;
      }
      say(null);
      toast(words.unlocked);
      draw();
    };
    for (const field of [input, again]) {
      field?.addEventListener("input", () => say(null));
      field?.addEventListener("keydown", (event) => {
        if (event.key === "Enter") unlock();
      });
    }
    const button = /** @type {HTMLButtonElement} */ (
      h("button", { type: "button", id: "unlock", onclick: unlock }, exists ? words.unlock : words.setPassphrase)
    );
    return h(
      "div",
      {},
      h("p", { class: "help" }, exists ? words.passphraseOld : words.passphraseNew),
      h("div", { class: "beside" }, input, again, button),
    );
  }

  draw();
  return element;
}

/** Tells in its field that a service has a key, which is never shown. @param {HTMLInputElement} input @param {string} provider */
export async function tellStored(input, provider) {
  const [status] = (await host.keyStatuses([provider]).catch(() => null)) ?? [];
  if (status && status.origin !== "none") input.placeholder = words.keyStored({ where: words.origins[status.origin] });
}
