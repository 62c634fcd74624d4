// How far the setup wizard is, what it keeps, and going from one of its pages to another.

/** @import { SettingsView } from "../protocol" */

import { attempt, byId, h } from "../dom.js";
import * as host from "../host.js";
import { keysField } from "../settings/keys.js";
import { freeName } from "../settings/provider.js";
import { strings } from "../strings.js";

const setup = strings.setup;

/** @typedef {"key" | "local" | "other"} Way */

/** What draws the page that the wizard is at. */
let drawn = () => {};

/**
 * What is remembered when the wizard is closed. Keys never are.
 * @type {{ step: string, way: Way, vendor: string, local: string, address: string, model: string, question: string, fields: Record<string, string> }}
 */
export const state = { step: "model", way: "key", vendor: "", local: "", address: "", model: "", question: "", fields: {} };
/** @type {SettingsView} */
export let view;
/** @type {import("../settings/form").Form} */
export let form;
/** What is being remembered. One call at a time, as the host may take in several in any order. */
let remembering = Promise.resolve();
/** Whether the next call is there already; it takes what is written by then. */
let waiting = false;
let finished = false;

export function remember() {
  if (waiting) return;
  waiting = true;
  remembering = remembering.then(async () => {
    waiting = false;
    if (!finished) await attempt(host.rememberSetup(state));
  });
}

/** Ends the wizard, whose progress is forgotten by that. @param {string | null} question */
export async function finish(question) {
  finished = true;
  await remembering;
  finished = (await attempt(host.finishSetup(question).then(() => true))) === true;
  if (!finished) remember();
}

/** @param {string} step */
export function go(step) {
  state.step = step;
  remember();
  drawn();
}

/** @param {string} step @param {Node[]} body @param {Node[]} buttons */
export function page(step, body, buttons) {
  byId("setup").replaceChildren(
    h("div", { class: "inner", "data-step": step }, ...body),
    h("div", { class: "buttons" }, h("span", { class: "later" }, setup.later), ...buttons),
  );
  byId("setup").scrollTop = 0;
}

/** The settings as they are now. */
export async function reload() {
  form.view = (await attempt(host.settings())) ?? form.view;
  view = form.view;
}

/**
 * Keeps a provider, puts it first, and keeps its key. Without a place for keys nobody gets any further: the places are offered then.
 * @param {string} name @param {import("../protocol").Change[]} changes @param {string} secret @param {(text: string) => void} say @returns {Promise<boolean>}
 */
export async function keep(name, changes, secret, say) {
  // The built-in researcher always answers: nobody behind it would ever be asked.
  const others = view.settings.llm_backends.filter((known) => known !== name && known !== "builtin");
  const last = view.settings.llm_backends.filter((known) => known === "builtin" && known !== name);
  const chain = { path: ["llm_backends"], value: [name, ...others, ...last] };
  if (secret !== "") {
    const refused = await host.setKey(name, secret).then(
      () => null,
      (error) => String(error),
    );
    if (refused !== null) {
      say(refused);
      if (!document.querySelector("[data-field=keys]")) byId("key-places").replaceChildren(keysField(form));
      return false;
    }
  }
  const problems = await attempt(host.changeSettings([...changes, chain]));
  if (problems === null || problems.length > 0) {
    if (problems) say(problems[0].message);
    return false;
  }
  await reload();
  return true;
}

/** A name that no provider has. @param {string} wanted */
export const free = (wanted) => freeName(view.settings.providers, wanted);

/**
 * Goes on where the wizard was left.
 * @param {SettingsView} settings @param {Record<string, unknown> | null} before what was remembered @param {() => void} draw
 */
export function begin(settings, before, draw) {
  drawn = draw;
  view = settings;
  form = {
    view,
    changed: () => {
      view = form.view;
    },
  };
  // What earlier versions remembered has other names; only what is known is taken over.
  for (const name of Object.keys(state)) {
    if (typeof before?.[name] === typeof Reflect.get(state, name)) Reflect.set(state, name, before?.[name]);
  }
  draw();
}
