// A menu that opens beside what was pressed. Keys: arrows, Home, End, Escape.

import { h } from "../dom.js";

/** @typedef {{ label: string, note?: string, checked?: boolean, danger?: boolean, run: () => void }} Item */

/** @type {{ element: HTMLElement, anchor: HTMLElement } | null} */
let open = null;

/** Closes the open menu. @param {boolean} [focus] whether what opened it gets the focus back */
export function closeMenu(focus = false) {
  if (!open) return;
  const { element, anchor } = open;
  open = null;
  anchor.setAttribute("aria-expanded", "false");
  element.remove();
  if (focus) anchor.focus();
}

/** @param {HTMLElement} anchor @param {string} label @param {Item[]} items */
export function toggleMenu(anchor, label, items) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return;
  const choice = items.some((item) => item.checked !== undefined);
  const element = h(
    "div",
    { class: "menu-list", role: "menu", "aria-label": label },
    ...items.map((item) =>
      h(
        "button",
        {
          type: "button",
          role: choice && item.checked !== undefined ? "menuitemradio" : "menuitem",
          class: item.danger ? "danger" : "",
          tabIndex: -1,
          "aria-checked": choice && item.checked !== undefined ? String(item.checked) : undefined,
          onclick: () => {
            closeMenu(true);
            item.run();
          },
        },
        h("span", {}, item.label),
        item.note ? h("small", {}, item.note) : null,
      ),
    ),
  );
  element.addEventListener("keydown", onKey);
  // Screen readers find what stands in a part of the page that has a name.
  (document.querySelector("main") ?? document.body).append(element);
  open = { element, anchor };
  anchor.setAttribute("aria-expanded", "true");
  place(element, anchor.getBoundingClientRect());
  const first = element.querySelector('[aria-checked="true"]') ?? element.firstElementChild;
  if (first instanceof HTMLElement) first.focus();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const items = /** @type {HTMLElement[]} */ ([...(open?.element.children ?? [])]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    items[(to + items.length) % items.length].focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    event.stopPropagation();
    closeMenu(true);
  }
}

/** @param {HTMLElement} element @param {DOMRect} anchor */
function place(element, anchor) {
  const box = element.getBoundingClientRect();
  const rtl = document.documentElement.dir === "rtl";
  const wanted = rtl ? anchor.right - box.width : anchor.left;
  element.style.left = `${Math.min(Math.max(8, wanted), window.innerWidth - box.width - 8)}px`;
  const below = anchor.bottom + 6;
  element.style.top = `${below + box.height < window.innerHeight ? below : Math.max(8, anchor.top - box.height - 6)}px`;
}

document.addEventListener("pointerdown", (event) => {
  const target = /** @type {Node} */ (event.target);
  if (open && !open.element.contains(target) && !open.anchor.contains(target)) closeMenu();
});
window.addEventListener("resize", () => closeMenu());

/**
 * A button that shows what is chosen and opens what can be.
 * @param {string} name @param {string} text @param {boolean} on @param {(anchor: HTMLElement) => void} open
 */
export function pill(name, text, on, open) {
  return h(
    "button",
    {
      type: "button",
      class: on ? "pill on" : "pill",
      "data-filter": name,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      onclick: (/** @type {Event} */ event) => open(/** @type {HTMLElement} */ (event.currentTarget)),
    },
    text,
    h("span", { "aria-hidden": "true" }, " ▾"),
  );
}
