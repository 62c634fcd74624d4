// Writing a thread or an answer into a file.

/** @import { CitationStyle, Format, ThreadId, TurnId } from "../protocol" */

import { attempt, h, segments, sends } from "../dom.js";
import { fileName, folderName } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { toastWritten } from "../written.js";
import { dialog } from "./ask.js";

/** What was chosen last is chosen again. @type {{ format: Format, style: CitationStyle }} */
const last = { format: "markdown", style: "numbered" };

/** @param {ThreadId | ThreadId[]} threads one, or several @param {TurnId | null} turn none for whole threads */
export function showExport(threads, turn) {
  const all = Array.isArray(threads) ? threads : [threads];
  let whole = turn === null;
  const words = strings.exporting;
  const made = dialog(words.title, (close) => {
    const go = /** @type {HTMLButtonElement} */ (
      h(
        "button",
        {
          class: "go",
          type: "button",
          id: "export-go",
          onclick: async () => {
            go.disabled = true;
            let path = null;
            for (const thread of all) {
              path = await attempt(host.exportThread(thread, whole ? null : turn, last.format, last.style));
              if (path === null) break;
            }
            go.disabled = false;
            if (path === null) return;
            close();
            toastWritten(
              all.length > 1
                ? words.doneAll({ count: all.length, folder: folderName(path) })
                : words.done({ file: fileName(path), folder: folderName(path) }),
            );
          },
        },
        words.go,
      )
    );
    const chosen = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        {
          id: "export-style",
          "aria-label": words.style,
          onchange: () => {
            last.style = /** @type {CitationStyle} */ (chosen.value);
          },
        },
        ...Object.entries(words.styles).map(([value, text]) => h("option", { value, selected: value === last.style }, text)),
      )
    );
    const style = row(words.style, chosen);
    const help = h("p", { class: "help" });
    const update = () => {
      style.hidden = !["markdown", "html", "pdf", "docx"].includes(last.format);
      help.textContent = words.help[last.format];
    };
    const format = row(
      words.format,
      segments({
        label: words.format,
        value: last.format,
        onchange: (value) => {
          last.format = value;
          update();
        },
        options: /** @type {[Format, string][]} */ (Object.entries(words.formats)).map(([value, text]) => ({ value, text })),
      }),
    );
    const scope =
      turn === null
        ? null
        : row(
            words.scope,
            segments({
              label: words.scope,
              value: "turn",
              onchange: (value) => {
                whole = value === "thread";
              },
              options: [
                { value: "turn", text: words.turn },
                { value: "thread", text: words.thread },
              ],
            }),
          );
    update();
    return [
      ...(scope ? [scope] : []),
      format,
      help,
      style,
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: close }, strings.window.cancel), go),
    ];
  });
  made.classList.add("large");
  // Wherever a choice was made last, Enter exports.
  made.addEventListener("keydown", (event) => {
    if (!sends(event) || !(event.target instanceof Element) || !event.target.matches("[role=radio], select")) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (made.querySelector("#export-go"))?.click();
  });
}

/** @param {string} label @param {HTMLElement} control */
function row(label, control) {
  return h("div", { class: "pair" }, h("span", {}, label), control);
}
