// Spaces: made, changed, removed.

/** @import { Form } from "./form" */
/** @import { Space } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "../view/ask.js";
import { row } from "./form.js";

const words = strings.spaces;
const team = strings.team;

/** @param {Form} form @returns {Node[]} */
export function spaceFields(form) {
  const list = h("div", { class: "tool-servers" });
  const all = row(words.list, "", list, { id: "spaces", wide: true });
  const adding = row(
    words.add,
    words.addHelp,
    editor(form, null, words.create, async () => {
      toast(words.created);
      await draw();
    }),
    { id: "space", wide: true },
  );

  /** The ids of the spaces that are shared with the team; null where there is none. @type {string[] | null} */
  let shared = null;

  async function draw() {
    const known = (await attempt(host.spaces())) ?? [];
    const sharing = await attempt(host.teamStatus());
    shared = sharing?.library ? sharing.spaces : null;
    // What is being edited stays as it is.
    const edited = new Map(
      [...list.children].filter((one) => one.querySelector("form")).map((one) => [/** @type {HTMLElement} */ (one).dataset.id, one]),
    );
    list.replaceChildren(
      ...(known.length === 0 ? [h("p", { class: "help" }, words.empty)] : known.map((space) => edited.get(space.id) ?? card(space))),
    );
  }

  /** What shares a space, or takes that back. @param {Space} space @param {boolean} isShared */
  function sharing(space, isShared) {
    const change = async () => {
      await attempt(host.shareSpace(space.id, !isShared));
      await draw();
    };
    const ask = () =>
      dialog(team.shareTitle, (close) => [
        h("p", {}, h("b", { dir: "auto" }, space.name)),
        h("p", { class: "help" }, team.shareSpaceHelp),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", onclick: close }, words.cancel),
          h(
            "button",
            {
              type: "button",
              class: "go",
              onclick: () => {
                close();
                void change();
              },
            },
            team.go,
          ),
        ),
      ]);
    return h(
      "button",
      { type: "button", class: "share plain", onclick: () => (isShared ? void change() : ask()) },
      isShared ? team.unshareSpace : team.shareSpace,
    );
  }

  /** @param {Space} space */
  function card(space) {
    const element = h("section", { class: "tool-server", "data-id": space.id, "data-space": space.name, "aria-label": space.name });
    const show = () =>
      element.replaceChildren(
        h(
          "div",
          { class: "tool-head" },
          h("h2", { dir: "auto" }, space.name),
          h("span", { class: "help" }, words.threads({ count: space.threads })),
          shared?.includes(space.id) ? h("span", { class: "badge" }, team.spaceShared) : null,
        ),
        ...(space.instructions ? [h("p", { class: "help space-instructions", dir: "auto" }, space.instructions)] : []),
        ...(space.folders.length > 0 ? [h("code", { class: "outgoing", dir: "ltr" }, space.folders.join("\n"))] : []),
        ...(space.model ? [h("p", { class: "help" }, `${words.model}: ${space.model}`)] : []),
        h(
          "div",
          { class: "tool-acts" },
          h(
            "button",
            {
              type: "button",
              class: "edit plain",
              onclick: () => {
                element.replaceChildren(
                  editor(
                    form,
                    space,
                    words.save,
                    async () => {
                      element.replaceChildren();
                      await draw();
                    },
                    show,
                  ),
                );
                element.querySelector("input")?.focus();
              },
            },
            words.edit,
          ),
          shared ? sharing(space, shared.includes(space.id)) : null,
          h(
            "button",
            {
              type: "button",
              class: "remove plain",
              onclick: () =>
                dialog(words.removeTitle, (close) => [
                  h("p", {}, h("b", { dir: "auto" }, space.name)),
                  h("p", { class: "help" }, words.removeHelp({ count: space.threads })),
                  h(
                    "div",
                    { class: "buttons" },
                    h("button", { type: "button", onclick: close }, words.cancel),
                    h(
                      "button",
                      {
                        type: "button",
                        class: "go",
                        onclick: async () => {
                          close();
                          await attempt(host.removeSpace(space.id));
                          await draw();
                        },
                      },
                      words.remove,
                    ),
                  ),
                ]),
            },
            words.remove,
          ),
        ),
      );
    show();
    return element;
  }

  void draw();
  return [all.element, adding.element];
}

/** @param {Form} form @param {Space | null} one @param {string} label @param {() => Promise<void>} kept @param {() => void} [cancel] */
function editor(form, one, label, kept, cancel) {
  const id = one?.id ?? "new";
  const name = /** @type {HTMLInputElement} */ (
    h("input", { id: `space-name-${id}`, type: "text", value: one?.name ?? "", maxLength: 60, autocomplete: "off", dir: "auto" })
  );
  const instructions = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: `space-instructions-${id}`, rows: 3, dir: "auto" }));
  const folders = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: `space-folders-${id}`, rows: 2, spellcheck: false }));
  const model = /** @type {HTMLInputElement} */ (
    h("input", {
      id: `space-model-${id}`,
      type: "text",
      value: one?.model ?? "",
      autocomplete: "off",
      spellcheck: false,
      placeholder: form.view.settings.llm_backends[0] ?? "",
    })
  );
  instructions.value = one?.instructions ?? "";
  folders.value = one?.folders.join("\n") ?? "";
  const wrong = h("p", { class: "caution", role: "alert", hidden: true });
  const choose = h(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: async () => {
        const chosen = await attempt(host.chooseFolder());
        if (chosen) folders.value = [...folders.value.split("\n").filter(Boolean), chosen].join("\n");
      },
    },
    words.chooseFolder,
  );
  return h(
    "form",
    {
      class: "form-column",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const draft = {
          name: name.value,
          instructions: instructions.value,
          folders: folders.value
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean),
          model: model.value.trim() || null,
        };
        const problem = await host.keepSpace(one?.id ?? null, draft).then(
          () => null,
          (error) => String(error),
        );
        wrong.hidden = problem === null;
        wrong.textContent = problem ?? "";
        if (problem !== null) return;
        if (!one) for (const control of [name, instructions, folders, model]) control.value = "";
        await kept();
      },
    },
    h("label", { htmlFor: name.id }, words.name),
    name,
    h("label", { htmlFor: instructions.id }, words.instructions),
    instructions,
    h("p", { class: "help" }, words.instructionsHelp),
    h("label", { htmlFor: folders.id }, words.folders),
    folders,
    h("div", {}, choose),
    h("p", { class: "help" }, words.foldersHelp),
    h("label", { htmlFor: model.id }, words.model),
    model,
    h("p", { class: "help" }, words.modelHelp),
    wrong,
    h(
      "div",
      { class: "watched-acts" },
      h("button", { type: "submit", class: "plain" }, label),
      cancel ? h("button", { type: "button", class: "plain", onclick: cancel }, words.cancel) : null,
    ),
  );
}
