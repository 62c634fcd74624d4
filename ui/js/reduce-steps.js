// Steps of a run or of a researcher: what was searched for, read and said in them.

/** @import { Event, SearchTool, TimeRange } from "./protocol" */

import { failureLine, noticeLine } from "./sentences.js";

/**
 * @typedef {{ query: string, tool: SearchTool, done: boolean, count: number, backend: string, error: string | null }} Search
 * @typedef {{ url: string, title: string, state: "reading" | "read" | "failed", number: number | null, reason: string | null, extracted: boolean }} Page
 * @typedef {{ call: number, server: string, tool: string, arguments: string, state: "waiting" | "running" | "done" | "refused" | "failed", error: string | null, progress: { done: number, total: number | null, message: string } | null, numbers: number[] }} Call a call of a tool of the person's own
 * @typedef {{ step: number, searches: Search[], range: TimeRange | null, pages: Page[], calls: Call[], notices: string[], reasoning: string, compacted: { before: number, after: number } | null }} Step
 */

/**
 * What happens in one step, of whatever has steps.
 * @template {{ steps: Step[] }} T @param {T} holder @param {Event} event @returns {T}
 */
export function withStep(holder, event) {
  switch (event.type) {
    case "step_started":
      // A step that is made again, with more room, is the same step.
      return holder.steps.at(-1)?.step === event.step ? holder : { ...holder, steps: [...holder.steps, emptyStep(event.step)] };
    case "searching":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        range: event.range ?? null,
        searches: [
          ...step.searches,
          ...event.queries.map((query) => ({ query, tool: event.tool ?? "web", done: false, count: 0, backend: "", error: null })),
        ],
      }));
    case "search_done":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        searches: changeFirst(
          step.searches,
          (search) => search.query === event.query && !search.done,
          (search) => ({
            ...search,
            done: true,
            count: event.count,
            backend: event.backend,
            error: failureLine(event.cause, event.error),
          }),
        ),
      }));
    case "reading":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        pages: [...step.pages, { url: event.url, title: event.title, state: "reading", number: null, reason: null, extracted: false }],
      }));
    case "calling":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        calls: [
          ...step.calls,
          {
            call: event.call,
            server: event.server,
            tool: event.tool,
            arguments: event.arguments,
            state: "running",
            error: null,
            progress: null,
            numbers: [],
          },
        ],
      }));
    case "held":
      return event.what.type === "call" && event.waits ? changeCall(holder, event.step, event.call, { state: "waiting" }) : holder;
    case "released":
      return changeCall(holder, event.step, event.call, { state: event.allowed ? "running" : "refused" });
    case "call_progress":
      return changeCall(holder, event.step, event.call, {
        progress: { done: event.done, total: event.total ?? null, message: event.message ?? "" },
      });
    case "called":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        calls: step.calls.map((call) =>
          call.call !== event.call
            ? call
            : {
                ...call,
                state: !event.error ? "done" : event.refused ? "refused" : "failed",
                error: failureLine(event.cause, event.error),
                numbers: event.numbers ?? [],
              },
        ),
      }));
    case "page_read":
      return changePage(holder, event.step, event.url, { state: "read", title: event.title, number: event.number });
    case "extracting":
      return changeStep(holder, event.step, (step) => ({
        ...step,
        pages: step.pages.map((page) => (page.number === event.number ? { ...page, extracted: true } : page)),
      }));
    case "reasoning":
      return changeStep(holder, event.step, (step) => ({ ...step, reasoning: step.reasoning + event.text }));
    case "compacted":
      return changeStep(holder, event.step, (step) => ({ ...step, compacted: { before: event.before, after: event.after } }));
    case "page_failed":
      return changePage(holder, event.step, event.url, { state: "failed", reason: failureLine(event.cause, event.reason) });
    case "notice":
      return holder.steps.length === 0
        ? holder
        : changeStep(holder, holder.steps[holder.steps.length - 1].step, (step) => ({
            ...step,
            notices: [...step.notices, noticeLine(event.notice)],
          }));
    default:
      return holder;
  }
}

/** @param {number} step @returns {Step} */
const emptyStep = (step) => ({ step, searches: [], range: null, pages: [], calls: [], notices: [], reasoning: "", compacted: null });

/** @template {{ steps: Step[] }} T @param {T} turn @param {number} number @param {(step: Step) => Step} change @returns {T} */
function changeStep(turn, number, change) {
  return { ...turn, steps: turn.steps.map((step) => (step.step === number ? change(step) : step)) };
}

/** @template {{ steps: Step[] }} T @param {T} turn @param {number} number @param {string} url @param {Partial<Page>} change @returns {T} */
function changePage(turn, number, url, change) {
  return changeStep(turn, number, (step) => ({
    ...step,
    pages: changeFirst(
      step.pages,
      (page) => page.url === url && page.state === "reading",
      (page) => ({ ...page, ...change }),
    ),
  }));
}

/** @template {{ steps: Step[] }} T @param {T} turn @param {number} number @param {number} which @param {Partial<Call>} change @returns {T} */
function changeCall(turn, number, which, change) {
  return changeStep(turn, number, (step) => ({
    ...step,
    calls: step.calls.map((call) => (call.call === which ? { ...call, ...change } : call)),
  }));
}

/** @template T @param {T[]} list @param {(item: T) => boolean} fits @param {(item: T) => T} change @returns {T[]} */
function changeFirst(list, fits, change) {
  const index = list.findIndex(fits);
  return index < 0 ? list : list.map((item, at) => (at === index ? change(item) : item));
}
