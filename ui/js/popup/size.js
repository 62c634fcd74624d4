// The popup's window becomes as tall as what it holds.

import { byId } from "../dom.js";
import * as host from "../host.js";

/** How tall the window is at least while there is a dialog in it. */
const DIALOG = 440;
/** A window less wide than this has no size yet, unless the display itself is so narrow. */
const NARROWEST = 300;

/** What the window was last asked to be. */
let wanted = 0;
/** How wide the window was when it was asked last, and the height that was asked for again. */
let [width, tried] = [0, 0];
/** How tall it may become. */
let limit = 600;

/** Asks for the height of what there is now. */
export function measure() {
  // Not all of it is laid out yet.
  if (document.body.classList.contains("unsized")) return;
  const [pop, body] = [byId("pop"), byId("body")];
  body.style.maxHeight = `${Math.max(120, limit - (pop.offsetHeight - body.offsetHeight) - margin())}px`;
  const height = Math.max(pop.offsetHeight, document.querySelector("dialog[open]") ? DIALOG : 0) + margin();
  if (Math.abs(height - wanted) < 1) return;
  wanted = height;
  host.popupSize(height).then(
    (now) => {
      if (Math.abs(now - limit) > 1) {
        limit = now;
        measure();
      }
    },
    () => {},
  );
}

/** Measures whenever the content or the window changes its size. */
export function keepSize() {
  window.addEventListener("resize", resized);
  resized();
  new ResizeObserver(measure).observe(byId("pop"));
  new MutationObserver(measure).observe(document.body, { subtree: true, attributeFilter: ["open"] });
}

/** The window has another size: that of another text size, or what the display has room for. */
function resized() {
  if (innerWidth >= Math.min(NARROWEST, screen.availWidth / 2)) document.body.classList.remove("unsized");
  // Asked again once for each height: a window manager may want another one for good.
  if (innerWidth === width && (Math.abs(innerHeight - wanted) < 1 || tried === wanted)) return;
  [width, tried] = [innerWidth, wanted];
  wanted = 0;
  measure();
}

/** Room for the shadow, above and below. */
function margin() {
  const style = getComputedStyle(document.body);
  return Number.parseFloat(style.paddingTop) + Number.parseFloat(style.paddingBottom);
}
