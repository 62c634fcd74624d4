// Which database is the team library, and how sharing stands.

/** @import { Form } from "./form" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { row, save } from "./form.js";

const words = strings.team;

/** @param {Form} form */
export function teamField(form) {
  const { providers, team_library: chosen } = form.view.settings;
  const names = Object.keys(providers).filter((name) => providers[name]?.type === "postgres");
  if (chosen && !names.includes(chosen)) names.push(chosen);
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        id: "team-library",
        "aria-label": words.library,
        onchange: async () => {
          say(await save(form, ["team_library"], select.value || null));
          await draw();
        },
      },
      h("option", { value: "" }, words.noLibrary),
      ...names.map((name) => h("option", { value: name }, name)),
    )
  );
  select.value = chosen ?? "";
  const status = h("p", { class: "help" });
  const control = names.length > 0 ? h("div", {}, select, status) : h("p", { class: "help" }, words.noDatabase);
  const { element, say } = row(words.library, words.libraryHelp, control, { id: "team_library" });

  async function draw() {
    const told = await attempt(host.teamStatus());
    if (!told) return;
    const lines = [words.sharing({ count: told.shared })];
    if (told.held > 0) lines.push(words.held({ count: told.held }));
    if (told.waiting > 0) lines.push(words.waiting, told.trouble ?? "");
    status.textContent = told.library ? lines.filter(Boolean).join(" ") : "";
  }
  if (names.length > 0) void draw();
  return element;
}
