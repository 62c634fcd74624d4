// Small tools for building pages. Text is always text; the only HTML that enters comes from
// `setAnswer`, and it has been through the cleaner on the Rust side.

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
  element.append(...children.filter((child) => child instanceof Node || (typeof child === "string" && child !== "")).map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * Replaces the children of `parent` one by one, keeping those that are the same: what a person has
 * selected in an earlier paragraph stays selected while the last one grows.
 * @param {HTMLElement} parent @param {Node[]} wanted
 */
export function patchChildren(parent, wanted) {
  wanted.forEach((node, index) => {
    const old = parent.childNodes[index];
    if (!old) parent.append(node);
    else if (!old.isEqualNode(node)) parent.replaceChild(node, old);
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

/** Says something in passing. @param {string} text */
export function toast(text) {
  const element = byId("toast");
  element.textContent = text;
  element.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => element.classList.remove("shown"), Math.max(2500, text.length * 60));
}
