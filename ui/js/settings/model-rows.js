// Models to choose one of, with window and price.

/** @import { CatalogModel } from "../protocol" */

import { h } from "../dom.js";
import { windowSize } from "../format.js";
import { strings } from "../strings.js";

const setup = strings.setup;

/** How many fit without a field to search in. */
const FEW = 8;

/** Each list is a choice of its own. */
let lists = 0;

/** @param {CatalogModel[]} models @param {string} chosen the id @param {(id: string) => void} choose */
export function modelRows(models, chosen, choose) {
  lists += 1;
  const group = `model-${lists}`;
  const list = h("div", { class: "model-rows", role: "radiogroup", "aria-label": setup.model });
  const search =
    models.length > FEW
      ? /** @type {HTMLInputElement} */ (
          h("input", {
            type: "search",
            id: "find-model",
            placeholder: setup.findModel({ count: models.length }),
            "aria-label": setup.findModel({ count: models.length }),
            autocomplete: "off",
            spellcheck: false,
            oninput: draw,
          })
        )
      : null;
  const priced = models.some((model) => model.input !== null && model.input > 0);

  function draw() {
    const wanted = (search?.value ?? "").trim().toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren(
      ...models
        .filter((model) => wanted.every((word) => model.id.toLowerCase().includes(word)))
        .slice(0, 200)
        .map((model) =>
          h(
            "label",
            { class: "model-row" },
            h("input", {
              type: "radio",
              name: group,
              value: model.id,
              checked: model.id === chosen,
              onchange: () => {
                chosen = model.id;
                choose(model.id);
              },
            }),
            h("span", { class: "id" }, model.id),
            h("small", {}, model.window ? windowSize(model.window) : ""),
            h(
              "small",
              {},
              model.input === null || model.output === null
                ? ""
                : model.input === 0 && model.output === 0
                  ? setup.free
                  : `$${model.input.toFixed(2)} / $${model.output.toFixed(2)}`,
            ),
          ),
        ),
    );
  }

  draw();
  return h("div", {}, search, list, priced ? h("p", { class: "help" }, setup.prices) : null);
}
