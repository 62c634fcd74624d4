// What questions have used: tokens, cost and time by day, model or service.

/** @import { UsageBy, UsageRow } from "../protocol" */

import { attempt, h, shortDate } from "../dom.js";
import { cost, dollars, duration, number } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { toastWritten } from "../written.js";
import { row } from "./form.js";

const words = strings.usage;

/** @typedef {keyof typeof words.times} Time */

/** The first day of a stretch of time; none is all of it. @param {Time} time @param {Date} now @returns {string | null} */
export function since(time, now) {
  /** @param {Date} date */
  const day = (date) =>
    [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-");
  if (time === "all") return null;
  if (time === "days") return day(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 29));
  return time === "month" ? day(now).slice(0, 7) : day(now).slice(0, 4);
}

/** @returns {HTMLElement} */
export function usageField() {
  const time = choice("usage-time", words.time, words.times);
  const by = choice("usage-by", words.by, words.bys);
  const month = h("p", { class: "usage-month", role: "status" });
  const table = h("div", { class: "usage-table", tabIndex: 0, role: "region", "aria-label": words.table });
  const save = h(
    "button",
    {
      type: "button",
      class: "plain",
      id: "usage-csv",
      onclick: async () => {
        const path = await attempt(host.saveUsage(wanted()));
        if (path) toastWritten(words.saved({ path }));
      },
    },
    words.csv,
  );

  const wanted = () => ({ since: since(/** @type {Time} */ (time.value), new Date()), by: /** @type {UsageBy} */ (by.value) });

  async function draw() {
    const asked = wanted();
    const usage = await attempt(host.usage(asked));
    // Something else was chosen meanwhile.
    const now = wanted();
    if (!usage || asked.since !== now.since || asked.by !== now.by) return;
    const spent = cost(usage.month.spent);
    month.textContent =
      usage.month.limit === null ? words.month({ spent }) : words.monthOf({ spent, limit: dollars(usage.month.limit, 2) });
    month.classList.toggle("over", usage.month.limit !== null && usage.month.spent >= usage.month.limit * 1e6);
    save.hidden = usage.rows.length === 0;
    table.replaceChildren(usage.rows.length === 0 ? h("p", { class: "help" }, words.nothing) : drawn(usage.rows, usage.total, asked.by));
  }
  time.onchange = draw;
  by.onchange = draw;
  draw();
  const controls = h("div", { class: "usage-controls" }, time, by, save);
  return row(words.title, "", h("div", { class: "usage" }, month, controls, table), { id: "usage", wide: true }).element;
}

/** @param {UsageRow[]} rows @param {UsageRow} total @param {UsageBy} by */
function drawn(rows, total, by) {
  const head = h(
    "thead",
    {},
    h("tr", {}, h("th", { scope: "col" }, words.bys[by]), ...Object.values(words.columns).map((name) => h("th", { scope: "col" }, name))),
  );
  /** @param {UsageRow} entry @param {string} name */
  const line = (entry, name) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, name),
      ...[entry.questions, entry.prompt_tokens, entry.cached_tokens, entry.completion_tokens].map((count) => h("td", {}, number(count))),
      h("td", {}, cost(entry.cost)),
      h("td", {}, duration(entry.duration_ms)),
    );
  return h(
    "table",
    {},
    head,
    h("tbody", {}, ...rows.map((entry) => line(entry, by === "day" ? shortDate(entry.name) : entry.name))),
    h("tfoot", {}, line(total, words.all)),
  );
}

/** @param {string} id @param {string} label @param {Record<string, string>} options @returns {HTMLSelectElement} */
function choice(id, label, options) {
  return /** @type {HTMLSelectElement} */ (
    h("select", { id, "aria-label": label }, ...Object.entries(options).map(([value, name]) => h("option", { value }, name)))
  );
}
