// Small tools for building pages. Text is always text; the only HTML that enters comes from
// `setAnswer`, and it has been through the cleaner on the Rust side.

import { locale } from "./strings.js";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Builds an element. Properties that begin with `on` are listeners, those with a dash attributes.
 * @param {string} tag @param {Record<string, any>} [properties] @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value === true ? "true" : String(value));
    else Reflect.set(element, name, value);
  }
  element.append(
    ...children
      .filter((child) => child instanceof Node || (typeof child === "string" && child !== ""))
      .map((child) => /** @type {Node | string} */ (child)),
  );
  return element;
}

/**
 * Makes a change, and scrolls the thread so that an element of it stays where it was.
 * @param {Element | null} element @param {() => void} change
 */
export function keepInPlace(element, change) {
  const scroller = element?.closest(".flow");
  const before = element?.getBoundingClientRect().top ?? 0;
  change();
  if (!element || !scroller) return;
  const moved = element.getBoundingClientRect().top - before;
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * Gives an element another text. One that it has already is left alone: the page would be laid out anew for it.
 * @param {Element} element @param {string} text
 */
export function rewrite(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the children of `parent` one by one, keeping those that are the same: what a person has
 * selected in an earlier paragraph stays selected while the last one grows.
 * @param {HTMLElement} parent @param {Node[]} wanted @param {number} [from] children in front of this one are left alone
 */
export function patchChildren(parent, wanted, from = 0) {
  wanted.forEach((node, index) => {
    const old = parent.childNodes[from + index];
    if (!old) parent.append(node);
    else if (!old.isEqualNode(node)) parent.replaceChild(node, old);
  });
  while (parent.childNodes.length > from + wanted.length) parent.lastChild?.remove();
}

/**
 * Makes these the children of `parent`, moving none that stands right: what is moved loses the focus.
 * @param {HTMLElement} parent @param {Node[]} wanted
 */
export function place(parent, wanted) {
  wanted.forEach((node, index) => {
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

/**
 * The nodes of cleaned HTML; `upgrade` may change them before they are shown.
 * @param {string} html @param {(fragment: DocumentFragment) => void} upgrade @returns {Node[]}
 */
export function cleanedNodes(html, upgrade) {
  const template = document.createElement("template");
  template.innerHTML = html;
  upgrade(template.content);
  return [...template.content.childNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE || node.textContent?.trim());
}

let toastTimer = 0;

/**
 * Says something in passing, with something to do about it if there is any.
 * @param {string} text @param {{ label: string, run: () => void }} [action]
 */
export function toast(text, action) {
  const element = byId("toast");
  const button =
    action &&
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          element.classList.remove("shown");
          action.run();
        },
      },
      action.label,
    );
  element.replaceChildren(h("span", {}, text), ...(button ? [button] : []));
  // Above a thread: neither what is being written is covered, nor what can be done with the answer that was read last.
  const head = document.querySelector("#head")?.getBoundingClientRect();
  element.style.insetBlock = head && head.height > 0 ? `${head.bottom + 8}px auto` : "";
  element.classList.add("shown");
  element.classList.toggle("active", Boolean(action));
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => element.classList.remove("shown"), action ? 10_000 : Math.max(2500, text.length * 60));
}

/** Shows failures as sentences. @template T @param {Promise<T>} promise @returns {Promise<T | null>} */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(String(error));
    return null;
  }
}

/** Whether Enter sends what was written: not while an input method composes. @param {KeyboardEvent} event */
export function sends(event) {
  return event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

/** The digit of Alt and a digit from 1 to 9, on the row of digits; null for any other key. @param {KeyboardEvent} event */
export function altDigit(event) {
  const digit = /^Digit([1-9])$/.exec(event.code);
  return digit && event.altKey && !event.ctrlKey && !event.metaKey ? Number(digit[1]) : null;
}

/** A function that calls this one in the next frame, once however often it is called. @param {() => void} render */
export function onceAFrame(render) {
  let frame = 0;
  return () => {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      render();
    });
  };
}

/** Makes a text area as tall as its text. @param {HTMLTextAreaElement} input */
export function grow(input) {
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight}px`;
}

/**
 * A choice of one, as buttons side by side; arrow keys move it.
 * @template {string} T
 * @param {{ label: string, options: { value: T, text: string, title?: string }[], value: T, onchange: (value: T) => void }} choice
 * @returns {HTMLElement}
 */
export function segments({ label, options, value, onchange }) {
  const element = h("span", { class: "segments", role: "radiogroup", "aria-label": label });
  /** @param {T} now @param {boolean} focus */
  const show = (now, focus) => {
    element.replaceChildren(
      ...options.map((option, index) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            "aria-checked": option.value === now ? "true" : "false",
            title: option.title ?? "",
            "data-value": option.value,
            "aria-label": !option.title
              ? option.text
              : option.title.startsWith(option.text)
                ? option.title
                : `${option.text}: ${option.title}`,
            tabIndex: option.value === now ? 0 : -1,
            onclick: () => choose(option.value, true),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
              const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
              if (by) {
                event.preventDefault();
                choose(options[(index + by + options.length) % options.length].value, true);
              }
            },
          },
          option.text,
        ),
      ),
    );
    if (focus) /** @type {HTMLElement | null} */ (element.querySelector('[aria-checked="true"]'))?.focus();
  };
  /** @param {T} next @param {boolean} focus */
  const choose = (next, focus) => {
    show(next, focus);
    onchange(next);
  };
  show(value, false);
  return element;
}

/** A day in words, with its year where that is not this one. @param {number} ms Unix time @param {Intl.DateTimeFormatOptions} [more] */
export function day(ms, more = {}) {
  const date = new Date(ms);
  const year = date.getFullYear() === new Date().getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return date.toLocaleDateString(locale, { ...more, day: "numeric", month: "long", ...year });
}

/**
 * Lets a click outside a dialog close it, unless the click began inside or something was entered.
 * @param {HTMLDialogElement} dialog
 */
export function closesOnOutsideClick(dialog) {
  let [began, entered] = [false, false];
  /** @param {MouseEvent} event */
  const isOutside = (event) => {
    const box = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    return event.target === dialog && (x < box.left || x > box.right || y < box.top || y > box.bottom);
  };
  dialog.addEventListener("input", () => {
    entered = true;
  });
  dialog.addEventListener("close", () => {
    entered = false;
  });
  dialog.addEventListener("pointerdown", (event) => {
    began = isOutside(event);
  });
  dialog.addEventListener("click", (event) => {
    if (began && !entered && isOutside(event)) dialog.close();
    began = false;
  });
}

/** A day, short. @param {string} date `YYYY-MM-DD` */
export function shortDate(date) {
  const parsed = new Date(`${date}T12:00:00`);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
}

/** A day and a time, short. @param {number} ms Unix time */
export const moment = (ms) => new Date(ms).toLocaleString(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
