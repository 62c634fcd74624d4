// What the window knows of deep runs: the plan, the researchers and how far it all is.

/** @import { Decision, DeepPhase, Event, Method, Plan, Progress, ResearcherId, Task, TurnState } from "./protocol" */
/** @import { Step } from "./reduce-steps" */

import { withStep } from "./reduce-steps.js";
import { reasonLine } from "./sentences.js";

/**
 * @typedef {{ id: ResearcherId, task: Task, state: TurnState, reason: string | null, hasReport: boolean, steps: Step[], tokens: number, cost: number, heard: ResearcherId[] }} Researcher
 * @typedef {{
 *   phase: DeepPhase, round: number, plan: Plan | null, waits: boolean, researchers: Researcher[], progress: Progress | null,
 *   decisions: { round: number, decision: Decision, tasks: Task[] }[], notices: string[], method: Method | null,
 * }} DeepModel
 */

/** @returns {DeepModel} */
export function newDeep() {
  return {
    phase: "planning",
    round: 0,
    plan: null,
    waits: false,
    researchers: [],
    progress: null,
    decisions: [],
    notices: [],
    method: null,
  };
}

/** @param {DeepModel} deep @param {Event} event @returns {DeepModel} */
export function reduceDeep(deep, event) {
  switch (event.type) {
    case "phase":
      return { ...deep, phase: event.phase, round: event.round, waits: event.phase === "approving" };
    case "plan_made":
      return { ...deep, plan: event.plan };
    case "researcher_started":
      return {
        ...deep,
        researchers: [
          ...deep.researchers,
          {
            id: event.researcher,
            task: event.task,
            state: "running",
            reason: null,
            hasReport: false,
            steps: [],
            tokens: 0,
            cost: 0,
            heard: [],
          },
        ],
      };
    case "researcher": {
      const inner = event.event;
      return change(deep, event.researcher, (researcher) =>
        inner.type === "usage"
          ? { ...researcher, tokens: inner.usage.prompt + inner.usage.completion, cost: inner.usage.cost }
          : withStep(researcher, inner),
      );
    }
    case "researcher_ended":
      return change(deep, event.researcher, (researcher) => ({
        ...researcher,
        state: event.findings.state,
        reason: reasonLine(event.findings.reason) || null,
        hasReport: event.findings.report.trim() !== "",
      }));
    case "report_injected":
      return change(deep, event.to, (researcher) => ({ ...researcher, heard: [...researcher.heard, event.from] }));
    case "decided":
      return { ...deep, decisions: [...deep.decisions, { round: event.round, decision: event.decision, tasks: event.tasks }] };
    case "progress":
      return { ...deep, progress: event.progress };
    default:
      return deep;
  }
}

/** The run is over. @param {DeepModel} deep @param {Method | null} method @param {TurnState} state @returns {DeepModel} */
export function endDeep(deep, method, state) {
  const over = state !== "running";
  const left = /** @type {TurnState} */ (state === "interrupted" ? "interrupted" : "cancelled");
  return {
    ...deep,
    method,
    waits: over ? false : deep.waits,
    progress: over ? null : deep.progress,
    researchers: deep.researchers.map((researcher) =>
      over && researcher.state === "running" ? { ...researcher, state: left } : researcher,
    ),
  };
}

/** How far it is, from 0 to 100; null while nobody knows. @param {DeepModel} deep @returns {number | null} */
export function percent(deep) {
  const { progress } = deep;
  return progress && !progress.exploring && progress.planned > 0
    ? Math.min(100, Math.floor((progress.done * 100) / progress.planned))
    : null;
}

/** @param {DeepModel} deep @param {ResearcherId} id @param {(researcher: Researcher) => Researcher} by @returns {DeepModel} */
function change(deep, id, by) {
  return { ...deep, researchers: deep.researchers.map((researcher) => (researcher.id === id ? by(researcher) : researcher)) };
}
