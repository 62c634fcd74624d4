// The hotkey: pressed to choose it, and tried live.

/** @import { HotkeyView } from "../protocol" */

import { h } from "../dom.js";
import { keyNames } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

const words = strings.settings;

/** How keys are called in shortcuts, where the browser calls them otherwise. */
const NAMES = /** @type {Record<string, string>} */ ({
  " ": "Space",
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
});

/**
 * @param {(hotkey: string) => Promise<string | null>} choose sets it; returns what is wrong with it
 */
export function hotkeyControl(choose) {
  const shown = h("button", { type: "button", class: "hotkey", id: "hotkey", "aria-live": "polite" });
  const state = h("p", { class: "verdict", role: "status", id: "hotkey-state" });
  const offers = h("div", { class: "offers" });
  const command = h("div", { class: "command" });
  const element = h("div", {}, shown, state, offers, command);
  let listening = false;

  /** @param {HotkeyView} view */
  function show(view) {
    // A change elsewhere does not end the recording of a shortcut.
    if (listening) return;
    shown.classList.remove("listening");
    shown.replaceChildren(...(view.wanted ? view.wanted.split("+").map((key) => h("kbd", {}, keyNames(key.trim()))) : [words.none]));
    shown.title = words.hotkey.press;
    shown.setAttribute("aria-label", `${words.hotkey.press}: ${view.wanted || words.none}`);
    state.className = { works: "verdict good", registering: "verdict" }[/** @type {string} */ (view.state)] ?? "verdict bad";
    const said = { works: view.message || words.hotkey.works, registering: words.hotkey.registering, off: words.hotkey.off };
    state.textContent = said[/** @type {keyof typeof said} */ (view.state)] ?? view.message;
    offers.replaceChildren(
      ...view.offers.map((offer) =>
        h("button", { type: "button", class: "offer", onclick: () => set(offer) }, `${words.hotkey.offer} ${offer}`),
      ),
    );
  }

  async function refresh() {
    const desktop = await host.desktop().catch(() => null);
    if (!desktop) return;
    show(desktop.hotkey);
    command.replaceChildren(
      ...(desktop.wayland ? [h("p", { class: "help" }, words.hotkey.wayland), h("code", {}, desktop.popup_command)] : []),
    );
  }

  /** @param {string} hotkey */
  async function set(hotkey) {
    const wrong = await choose(hotkey);
    await refresh();
    if (wrong) {
      state.className = "verdict bad";
      // The sentence goes on from the name of a setting.
      state.textContent = `${hotkey} ${wrong}`;
    }
  }

  shown.addEventListener("click", () => {
    listening = true;
    shown.classList.add("listening");
    // What a press does is said by now, and the hint would lie over what comes next.
    shown.removeAttribute("title");
    shown.textContent = words.hotkey.waiting;
    // What was said of the one before does not hold for the next one.
    state.textContent = "";
    offers.replaceChildren();
    shown.focus();
  });
  /** What was chosen before stays. */
  function giveUp() {
    listening = false;
    refresh();
  }

  shown.addEventListener("blur", () => {
    if (listening) giveUp();
  });
  shown.addEventListener("keydown", (event) => {
    if (!listening) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      giveUp();
      return;
    }
    if (["Control", "Shift", "Alt", "Meta", "AltGraph"].includes(event.key)) return;
    const parts = [
      event.ctrlKey ? "Ctrl" : "",
      event.altKey ? "Alt" : "",
      event.shiftKey ? "Shift" : "",
      event.metaKey ? "Super" : "",
    ].filter(Boolean);
    const key = /^Key[A-Z]$/.test(event.code)
      ? event.code.slice(3)
      : /^Digit\d$/.test(event.code)
        ? event.code.slice(5)
        : (NAMES[event.key] ?? event.key);
    listening = false;
    set([...parts, key.length === 1 ? key.toUpperCase() : key].join("+"));
  });
  return {
    element,
    refresh,
    show,
  };
}
