// Webhooks and commands that run after research: listed, tried, added, removed.

/** @import { Form } from "./form" */
/** @import { HookEvent, HookView } from "../protocol" */

import { attempt, h, moment, toast } from "../dom.js";
import * as host from "../host.js";
import { deliveryLine } from "../sentences.js";
import { strings } from "../strings.js";
import { confirmed } from "../view/ask.js";
import { formField, plainInput, row, save } from "./form.js";

const words = strings.hooks;

/** @param {Form} form */
export function hookFields(form) {
  const list = h("div", { class: "tool-servers" });
  /** What is listed, by name: an entry stays where it is while its state changes. @type {Map<string, ReturnType<typeof card>>} */
  let listed = new Map();
  const refresh = async () => {
    const views = (await attempt(host.hooks())) ?? [];
    const before = listed;
    listed = new Map(views.map((view) => [view.name, before.get(view.name) ?? card(form, view, refresh)]));
    for (const view of views) listed.get(view.name)?.update(view);
    if ([...before.keys()].join("\n") !== [...listed.keys()].join("\n") || before.size === 0) {
      list.replaceChildren(
        ...(views.length === 0 ? [h("p", { class: "help" }, words.none)] : [...listed.values()].map((one) => one.element)),
      );
    }
  };
  void refresh();
  return { elements: [row(words.all, "", list, { id: "hooks", wide: true }).element, adding(form, refresh)], refresh };
}

/** @param {Form} form @param {HookView} view @param {() => Promise<void>} refresh */
function card(form, view, refresh) {
  const { name, hook } = view;
  const state = h("p", { class: "help hook-state" });
  const enabled = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "checkbox",
      role: "switch",
      class: "switch",
      checked: hook.enabled,
      onchange: async () => {
        const problem = await save(form, ["hooks", name, "enabled"], enabled.checked);
        if (problem === null) return;
        enabled.checked = !enabled.checked;
        if (problem) toast(problem);
      },
    })
  );
  const test = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        type: "button",
        class: "test plain",
        onclick: async () => {
          test.disabled = true;
          test.textContent = words.testing;
          const made = await attempt(host.testHook(name));
          test.disabled = false;
          test.textContent = words.test;
          await refresh();
          if (made) toast(deliveryLine(made, moment));
        },
      },
      words.test,
    )
  );
  const signed = hook.url !== null && hook.signed;
  /** @param {HookView} now */
  function update(now) {
    const { last } = now;
    state.textContent =
      (last ? `${moment(last.tried_ms ?? last.created_ms)} · ${deliveryLine(last, moment)}` : words.never) +
      (now.waiting > 0 ? ` · ${words.waiting({ count: now.waiting })}` : "");
    state.className = last?.outcome && last.outcome.type !== "delivered" ? "caution hook-state" : "help hook-state";
    enabled.checked = now.hook.enabled;
  }
  const element = h(
    "section",
    { class: "tool-server", "data-hook": name, "aria-label": name },
    h("div", { class: "tool-head" }, h("h2", {}, name), h("label", { class: "tool-toggle" }, enabled, h("span", {}, words.enabled))),
    h("code", { class: "outgoing", dir: "ltr" }, view.target),
    h("p", { class: "help" }, hook.on.map((event) => words.events[event]).join(" · ")),
    state,
    h(
      "div",
      { class: "tool-acts" },
      test,
      signed
        ? h(
            "button",
            {
              type: "button",
              class: "plain",
              onclick: async () => {
                if ((await attempt(host.copyHookSecret(name).then(() => true))) !== null) toast(words.secretCopied);
              },
            },
            words.copySecret,
          )
        : null,
      signed
        ? h(
            "button",
            {
              type: "button",
              class: "plain",
              onclick: async () => {
                if (!(await confirmed(words.renewTitle, view.target, words.renewHelp, words.renew))) return;
                if ((await attempt(host.renewHookSecret(name).then(() => true))) !== null) toast(words.renewed);
              },
            },
            words.renew,
          )
        : null,
      h(
        "button",
        {
          type: "button",
          class: "remove plain",
          onclick: async () => {
            if (!(await confirmed(words.removeTitle, view.target, words.removeHelp, words.remove))) return;
            await attempt(host.removeHook(name));
            form.view = (await attempt(host.settings())) ?? form.view;
            await refresh();
          },
        },
        words.remove,
      ),
    ),
  );
  return { element, update };
}

/** @param {Form} form @param {() => Promise<void>} refresh */
function adding(form, refresh) {
  const name = plainInput("f-hook-name", "n8n");
  const target = plainInput("f-hook-target", "https://n8n.example.org/webhook/nexi");
  const events = /** @type {HookEvent[]} */ (Object.keys(words.events));
  const boxes = events.map(
    (event) => /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", value: event, checked: event !== "failed" })),
  );
  const signed = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: true }));
  const wrong = h("p", { class: "caution", role: "alert", hidden: true });
  const element = h(
    "form",
    {
      class: "tool-add",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const on = events.filter((_, at) => boxes[at].checked);
        const problem = await host.addHook({ name: name.value, target: target.value, on, signed: signed.checked }).then(
          () => null,
          (error) => String(error),
        );
        wrong.hidden = problem === null;
        wrong.textContent = problem ?? "";
        if (problem !== null) return;
        name.value = "";
        target.value = "";
        form.view = (await attempt(host.settings())) ?? form.view;
        await refresh();
        toast(words.added);
      },
    },
    formField(name, words.name, words.nameHelp),
    formField(target, words.target, words.targetHelp),
    h(
      "div",
      { class: "form-field", role: "group", "aria-label": words.when },
      h("span", {}, words.when),
      h("div", { class: "checks" }, ...boxes.map((box, at) => h("label", {}, box, words.events[events[at]]))),
    ),
    h(
      "div",
      { class: "form-field" },
      h("div", { class: "checks" }, h("label", {}, signed, words.signed)),
      h("span", { class: "help" }, words.signedHelp),
    ),
    wrong,
    h("button", { type: "submit", class: "plain" }, words.submit),
  );
  return row(words.add, words.addHelp, element, { id: "add-hook", wide: true }).element;
}
