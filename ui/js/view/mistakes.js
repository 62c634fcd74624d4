// What is wrong in the settings file, above everything else until it is put right.

/** @import { Overview } from "../protocol" */

import { attempt, byId, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

/** Those that are shown, a line each. */
let shown = "";
// Who has put the file right comes back to the window.
window.addEventListener("focus", async () => {
  if (shown !== "") showMistakes(await attempt(host.overview()));
});

/** @param {Overview | null} overview */
export function showMistakes(overview) {
  if (!overview) return;
  const { mistakes } = overview;
  if (mistakes.join("\n") === shown) return;
  shown = mistakes.join("\n");
  const place = byId("mistakes");
  place.hidden = mistakes.length === 0;
  place.replaceChildren(
    ...(mistakes.length === 0
      ? []
      : [
          h(
            "div",
            { class: "mistakes", role: "alert" },
            h("div", {}, h("b", {}, strings.window.mistakes.title), h("ul", {}, ...mistakes.map((mistake) => h("li", {}, mistake)))),
            h("button", { type: "button", class: "pill", onclick: () => attempt(host.openSettingsFile()) }, strings.window.mistakes.open),
          ),
        ]),
  );
}
