// Made from the Rust types; NEXI_UPDATE=1 cargo test -p nexi-engine writes it anew.

/**
 * A run that has begun.
 */
export type Begun = { thread: ThreadId, turn: TurnId, };

/**
 * A `[n]` in the answer.
 */
export type Citation = { 
/**
 * The number as written.
 */
number: number, 
/**
 * Which `[n]` of the answer this is, counted from 0 over all numbers in order.
 */
ordinal: number, 
/**
 * Index into the source's `passages`; none when no passage was found or the number is unknown.
 */
passage?: number, 
/**
 * False when no source has this number.
 */
known: boolean, 
/**
 * What was found for it in its source.
 */
support: Support, 
/**
 * Present when the model forgot the number and Nexi put it there.
 */
detected?: Detection, };

/**
 * By what a citation was recognised that the model had not written itself.
 */
export type Detection = "url" | "path" | "host" | "quote";

/**
 * How many steps a run may take.
 */
export type Effort = "s" | "m" | "l";

/**
 * How a turn ended.
 */
export type Ending = { state: TurnState, 
/**
 * A sentence for the person, present unless the state is `answered`.
 */
reason?: string, 
/**
 * Markdown with `[n]`.
 */
answer: string, sources: Array<Source>, citations: Array<Citation>, steps: number, usage: Usage, 
/**
 * Who answered, when it was not the model that was asked first.
 */
model?: string, };

/**
 * What happened in a run. Faces fold these in order; they hold no other knowledge of the run.
 */
export type Event = { "type": "started", question: string, effort: Effort, max_steps: number, model: string, } | { "type": "indexing", done: number, total: number, } | { "type": "step_started", step: number, } | { "type": "reasoning", step: number, text: string, } | { "type": "searching", step: number, queries: Array<string>, 
/**
 * How new the results are wanted.
 */
range?: TimeRange, } | { "type": "search_done", step: number, query: string, 
/**
 * Which search backend answered; empty when none did.
 */
backend: string, count: number, results: Array<ResultLine>, error?: string, } | { "type": "reading", step: number, url: string, title: string, } | { "type": "page_read", step: number, url: string, title: string, number: number, words: number, } | { "type": "extracting", step: number, url: string, number: number, } | { "type": "page_failed", step: number, url: string, reason: string, } | { "type": "answer_delta", text: string, } | { "type": "answer_reset" } | { "type": "compacted", step: number, before: number, after: number, } | { "type": "notice", text: string, } | { "type": "sources", sources: Array<Source>, } | { "type": "usage", usage: Usage, context: number, max_context: number, } | { "type": "ended", ending: Ending, };

/**
 * An event with its place in the run.
 */
export type EventEnvelope = { turn: TurnId, 
/**
 * From 0, without gaps.
 */
seq: number, 
/**
 * Milliseconds since the run began.
 */
elapsed_ms: number, event: Event, };

/**
 * What the window shows before anything is asked.
 */
export type Overview = { 
/**
 * No settings have been made yet.
 */
first_run: boolean, model: string, effort: Effort, warnings: Array<string>, version: string, settings_file: string, };

/**
 * A stretch of a source's stored text.
 */
export type Passage = { 
/**
 * Byte offset into the stored text where the passage begins.
 */
start: number, 
/**
 * Byte offset just behind the passage.
 */
end: number, 
/**
 * The passage with white space folded to single blanks.
 */
quote: string, 
/**
 * Line of the file where the passage begins, from 1. Only for documents.
 */
start_line?: number, 
/**
 * Line of the file where the passage ends, from 1. Only for documents.
 */
end_line?: number, 
/**
 * Page of the printed document that the passage begins on, from 1. Only for documents with pages.
 */
page?: number, };

/**
 * One search result, as faces show it.
 */
export type ResultLine = { title: string, url: string, };

/**
 * A page or document that was really read, without its text.
 */
export type Source = { 
/**
 * Its number, which never changes within its thread. From 1.
 */
number: number, 
/**
 * `https:`, `http:` or `file:`.
 */
url: string, title: string, 
/**
 * What a reader recognises it by: the host, or the file's name.
 */
site: string, 
/**
 * The day it was published or last changed, as `YYYY-MM-DD`, where known.
 */
date?: string, 
/**
 * When it was fetched, in Unix milliseconds, if it came out of the page cache.
 */
cached_ms?: number, 
/**
 * Whether the answer cites it.
 */
cited: boolean, 
/**
 * The passages that support the answer, in the order of the answer.
 */
passages: Array<Passage>, };

/**
 * A source's text with the passages a turn rests on.
 */
export type SourceText = { number: number, url: string, title: string, date: string | null, 
/**
 * When it was fetched, in Unix milliseconds.
 */
fetched_ms: number, text: string, passages: Array<Passage>, 
/**
 * For every line of `text` the line of the file; empty where they are the same.
 */
lines: Array<number>, };

/**
 * How well a source supports the sentence that cites it, as far as words, numbers and names can tell.
 */
export type Support = "supported" | "weak" | "not_found";

/**
 * A conversation. 32 lower-case hex digits that sort by time of creation.
 */
export type ThreadId = string;

/**
 * A thread in a list.
 */
export type ThreadSummary = { id: ThreadId, title: string, 
/**
 * Unix time in milliseconds of the last change.
 */
updated_ms: number, state: TurnState, };

/**
 * How new results should be.
 */
export type TimeRange = "day" | "week" | "month" | "year";

/**
 * A turn as it is kept: all that a face needs to show it again.
 */
export type Turn = { id: TurnId, thread: ThreadId, question: string, effort: Effort, model: string, 
/**
 * Unix time in milliseconds when it was asked.
 */
asked_ms: number, duration_ms: number, 
/**
 * The ending, or what is known of it so far while the state is `running` or `interrupted`.
 */
ending: Ending, 
/**
 * The run's events without answer deltas.
 */
events: Array<EventEnvelope>, };

/**
 * One question with its run and its answer. 32 lower-case hex digits that sort by time.
 */
export type TurnId = string;

/**
 * How a run stands. Every run ends in one of the last five.
 */
export type TurnState = "running" | "answered" | "partial" | "cancelled" | "failed" | "interrupted";

/**
 * A turn with its answer as safe HTML.
 */
export type TurnView = { turn: Turn, html: string, };

/**
 * Tokens and money a run has used so far. All zero for the built-in researcher, which uses no model.
 */
export type Usage = { prompt: number, completion: number, 
/**
 * In millionths of a US dollar; 0 where no price is known.
 */
cost: number, 
/**
 * Part of it was counted here, because the provider did not say.
 */
estimated: boolean, };

/**
 * News of a run.
 */
export type WatchMessage = { 
/**
 * Without the deltas of the answer, which are in `html`.
 */
events: Array<EventEnvelope>, 
/**
 * The answer so far as safe HTML, when it has changed.
 */
html?: string, };
