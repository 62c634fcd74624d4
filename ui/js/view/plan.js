// The plan of a deep run before it is carried out: looked at, edited, approved.

/** @import { Plan, Task, TurnId } from "../protocol" */
/** @import { BoardActions } from "./board" */

import { grow, h } from "../dom.js";
import { plannedTool } from "../sentences.js";
import { strings } from "../strings.js";

const tools = strings.tools;
const words = strings.deep;

/** What has been written, so that drawing the turn anew loses nothing. @type {Map<TurnId, Task[]>} */
const drafts = new Map();
/** Names of tools that were left out. @type {Map<TurnId, Set<string>>} */
const without = new Map();

/** @param {TurnId} turn @param {Plan} plan @param {BoardActions} actions @returns {HTMLElement} */
export function planEditor(turn, plan, actions) {
  const tasks = drafts.get(turn) ?? plan.tasks.map((task) => ({ ...task }));
  drafts.set(turn, tasks);
  const left = without.get(turn) ?? new Set();
  without.set(turn, left);
  const list = h("ol", { class: "tasks" });
  const begin = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        type: "button",
        class: "go",
        onclick: async () => {
          begin.disabled = true;
          if (await actions.approve(turn, { ...plan, tasks, tools: (plan.tools ?? []).filter((tool) => !left.has(tool.name)) })) {
            drafts.delete(turn);
            without.delete(turn);
          } else begin.disabled = false;
        },
      },
      words.begin,
    )
  );

  const empty = h("p", { class: "help", role: "status", hidden: true }, words.noTask);
  const check = () => {
    begin.disabled = !tasks.some((task) => task.title.trim() !== "" || task.goal.trim() !== "");
    empty.hidden = !begin.disabled;
  };
  /** @param {Task} task @param {number} index */
  const row = (task, index) => {
    const goal = /** @type {HTMLTextAreaElement} */ (
      h("textarea", {
        rows: 1,
        value: task.goal,
        dir: "auto",
        placeholder: words.taskGoal,
        "aria-label": words.goalOf({ n: index + 1 }),
        oninput: () => {
          task.goal = goal.value;
          grow(goal);
          check();
        },
      })
    );
    requestAnimationFrame(() => grow(goal));
    const title = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        class: "task-title",
        value: task.title,
        dir: "auto",
        placeholder: words.taskTitle,
        "aria-label": words.titleOf({ n: index + 1 }),
        oninput: () => {
          task.title = title.value;
          check();
        },
      })
    );
    return h(
      "li",
      {},
      h("div", { class: "task" }, title, goal),
      h(
        "button",
        {
          type: "button",
          "aria-label": words.removeTask({ n: index + 1 }),
          title: words.removeTask({ n: index + 1 }),
          onclick: () => {
            tasks.splice(index, 1);
            draw();
            // The focus goes to the task that has taken its place.
            const next = /** @type {HTMLElement | null} */ (list.children[Math.min(index, tasks.length - 1)]?.querySelector("button"));
            (next ?? begin).focus();
          },
        },
        "×",
      ),
    );
  };
  const draw = () => {
    list.replaceChildren(...tasks.map(row));
    check();
  };
  draw();
  // Lines break elsewhere in a narrower window.
  new ResizeObserver(() => {
    for (const area of list.querySelectorAll("textarea")) grow(area);
  }).observe(list);
  return h(
    "section",
    { class: "plan", "aria-label": words.plan },
    h("p", { class: "plan-title" }, h("b", { dir: "auto" }, plan.title), ` – ${words.planHelp}`),
    list,
    empty,
    planTools(plan, left),
    h(
      "div",
      { class: "plan-acts" },
      begin,
      h(
        "button",
        {
          type: "button",
          class: "pill",
          onclick: () => {
            tasks.push({ title: "", goal: "", queries: [] });
            draw();
            /** @type {HTMLElement | null} */ (list.querySelector("li:last-child input"))?.focus();
          },
        },
        words.addTask,
      ),
      h("button", { type: "button", class: "pill", onclick: actions.stop }, strings.window.stop),
    ),
  );
}

/** Which tools of the person's own the researchers may call. @param {Plan} plan @param {Set<string>} left */
function planTools(plan, left) {
  if (!plan.tools?.length) return null;
  return h(
    "fieldset",
    { class: "plan-tools" },
    h("legend", {}, tools.plan.title),
    ...plan.tools.map((tool) => {
      const input = /** @type {HTMLInputElement} */ (
        h("input", {
          type: "checkbox",
          checked: !left.has(tool.name),
          onchange: () => {
            if (input.checked) left.delete(tool.name);
            else left.add(tool.name);
          },
        })
      );
      return h("label", {}, input, h("span", { dir: "auto" }, plannedTool(tool)));
    }),
    h("p", { class: "help" }, tools.plan.help),
  );
}
