// Every model of the connected services, with window, price and favourites, to choose one.

/** @import { CatalogModel, CatalogService } from "../protocol" */

import { attempt, h } from "../dom.js";
import { windowSize } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";

/**
 * @param {string | null} chosen @param {(name: string) => void} choose @param {() => void} add
 * @param {{ builtin?: boolean, only?: string }} [more] whether the researcher that needs no model is one of them; the only provider whose models are offered
 */
export function chooseModel(chosen, choose, add, { builtin = true, only = "" } = {}) {
  const words = strings.models;
  const made = dialog(words.title, (close) => {
    const list = h("div", { class: "catalog", role: "group", "aria-label": words.title });
    const search = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "search",
        id: "model-search",
        placeholder: words.search,
        "aria-label": words.search,
        spellcheck: false,
        autocomplete: "off",
        oninput: () => draw(),
      })
    );
    const status = h("p", { class: "help", role: "status" }, words.loading);
    /** @type {CatalogService[]} */
    let services = [];

    /** @param {CatalogModel} model @param {string} [of] the service, where it is not what the model stands under */
    function row(model, of) {
      const star = h(
        "button",
        {
          type: "button",
          class: "star",
          "aria-pressed": String(model.favourite),
          "aria-label": words.favourite({ id: model.id }),
          title: words.favourite({ id: model.id }),
          onclick: async () => {
            if ((await attempt(host.favourModel(model.name, !model.favourite).then(() => true))) === null) return;
            model.favourite = !model.favourite;
            draw();
          },
        },
        model.favourite ? "★" : "☆",
      );
      const facts = [
        model.window ? windowSize(model.window) : "",
        model.input === null || model.output === null
          ? words.noPrice
          : model.input === 0 && model.output === 0
            ? words.free
            : words.price({ input: String(model.input), output: String(model.output) }),
      ]
        .filter(Boolean)
        .join(" · ");
      const pick = h(
        "button",
        {
          type: "button",
          class: "pick",
          "data-model": model.name,
          "aria-pressed": String(model.name === chosen),
          onclick: () => {
            choose(model.name);
            close();
          },
        },
        h("span", { class: "id" }, model.id),
        h("small", {}, of ? `${of} · ${facts}` : facts),
      );
      return h("div", { class: "row" }, pick, model.name === "builtin" ? null : star);
    }

    function draw() {
      const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
      const groups = services.map((service) => ({
        service,
        models: service.models.filter((model) =>
          wanted.every((word) => `${service.label} ${model.name} ${model.id}`.toLowerCase().includes(word)),
        ),
      }));
      const starred = document.activeElement?.closest(".row")?.querySelector(".pick")?.getAttribute("data-model");
      const favourites = groups.flatMap(({ service, models }) =>
        models.filter((model) => model.favourite).map((model) => row(model, service.label)),
      );
      list.replaceChildren(
        ...(favourites.length > 0 ? [h("section", {}, h("h3", {}, words.favourites), ...favourites)] : []),
        ...groups
          .map(({ service, models }) => ({ service, others: models.filter((model) => !model.favourite) }))
          .filter(({ service, others }) => others.length > 0 || (service.error && wanted.length === 0))
          .map(({ service, others }) =>
            h(
              "section",
              {},
              h("h3", {}, service.label),
              service.error ? h("p", { class: "problem" }, service.error) : null,
              ...others.slice(0, 200).map((model) => row(model)),
            ),
          ),
      );
      // A model whose star was pressed moves, and takes the focus along.
      if (starred)
        /** @type {HTMLElement | null} */ (
          list
            .querySelector(`.pick[data-model="${CSS.escape(starred)}"]`)
            ?.closest(".row")
            ?.querySelector(".star")
        )?.focus();
      status.textContent = services.length === 0 ? words.none : groups.every(({ models }) => models.length === 0) ? words.noMatch : "";
      status.hidden = status.textContent === "";
    }

    search.addEventListener("keydown", (event) => {
      const first = list.querySelector(".pick");
      if ((event.key === "Enter" || event.key === "ArrowDown") && first instanceof HTMLElement) {
        event.preventDefault();
        if (event.key === "Enter") first.click();
        else first.focus();
      }
    });
    list.addEventListener("keydown", (event) => {
      const picks = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".pick")]);
      const at = picks.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : null;
      if (to === null || at < 0) return;
      event.preventDefault();
      if (to < 0) search.focus();
      else picks[Math.min(to, picks.length - 1)].focus();
    });
    attempt(host.modelCatalog()).then((found) => {
      services = [
        ...(found ?? []).filter((service) => only === "" || service.provider === only),
        ...(builtin
          ? [
              {
                provider: "builtin",
                label: strings.window.builtin,
                error: null,
                models: [{ name: "builtin", id: strings.window.builtinName, window: null, input: 0, output: 0, favourite: false }],
              },
            ]
          : []),
      ];
      draw();
    });
    return [
      search,
      status,
      list,
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              close();
              add();
            },
          },
          words.connect,
        ),
        h("button", { type: "button", onclick: close }, strings.window.cancel),
      ),
    ];
  });
  made.classList.add("large", "model-dialog");
  /** @type {HTMLElement | null} */ (made.querySelector("#model-search"))?.focus();
}
