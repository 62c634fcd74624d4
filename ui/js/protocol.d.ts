// Made from the Rust types; NEXI_UPDATE=1 cargo test -p nexi-engine writes it anew.

/**
 * How statements of two answers compare.
 */
export type Agreement = "agrees" | "similar" | "differs" | "only_first" | "only_second";

/**
 * What has changed of an answer: its end.
 */
export type AnswerBlocks = { 
/**
 * How many of the blocks that were sent before stay as they are.
 */
keep: number, 
/**
 * Those behind them, each of them safe HTML.
 */
blocks: Array<string>, };

/**
 * What changed since an earlier answer to the same question.
 */
export type AnswerChange = { 
/**
 * The earlier answer.
 */
since: TurnId, 
/**
 * When it was asked for, in Unix milliseconds.
 */
since_ms: number, 
/**
 * In the order of the answer.
 */
statements: Array<NewStatement>, };

/**
 * Who looks at statements that their sources do not seem to support. Every statement is compared with its sources
 * on this machine in any case.
 */
export type AnswerCheck = "model" | "local";

/**
 * How long answers should be.
 */
export type AnswerLength = "short" | "medium" | "long";

/**
 * Something that a window should know although it did not ask.
 */
export type AppEvent = { "type": "open_thread", thread: ThreadId, turn: TurnId | null, } | { "type": "question", question: string, mode: Mode, } | { "type": "open_view", view: Part, } | { "type": "find_setting", text: string, } | { "type": "threads_changed" } | { "type": "library_replaced" } | { "type": "settings_changed" } | { "type": "documents_changed" } | { "type": "shown", 
/**
 * What was in it is too old to go on with.
 */
fresh: boolean, } | { "type": "clipboard", text: string, } | { "type": "dropped", chips: Array<Chip>, } | { "type": "dragging", over: boolean, } | { "type": "import", outcome: ImportOutcome, } | { "type": "checked", thread: ThreadId, 
/**
 * The answer that says something new; none where nothing changed.
 */
turn: TurnId | null, 
/**
 * The turn of a check that found nothing new, and is gone.
 */
removed: TurnId | null, question: string, } | { "type": "delivered", hook: string, 
/**
 * Why it will not be told any more; none where it was, or will be.
 */
trouble: string | null, } | { "type": "update_found", version: string, } | { "type": "failed", message: string, };

/**
 * A question that was asked before, and where.
 */
export type AskedBefore = { thread: ThreadId, turn: TurnId, question: string, 
/**
 * Unix time in milliseconds.
 */
asked_ms: number, 
/**
 * Whether it asks the same, and not only something like it.
 */
is_same: boolean, };

/**
 * What an attachment is.
 */
export type AttachKind = "file" | "folder" | "text" | "address" | "thread" | "site";

/**
 * A copy of the library.
 */
export type Backup = { 
/**
 * What it is restored by: its day, `YYYY-MM-DD`, or the name of a copy that was made for a reason.
 */
name: string, bytes: number, threads: number, turns: number, };

/**
 * What is wrong with a reply that no use can be made of. It follows a colon.
 */
export type BadReply = "empty" | "not_json" | "event_not_json" | "not_a_completion" | "broke_reader" | "never_ends" | "large_event";

/**
 * A run that has begun.
 */
export type Begun = { thread: ThreadId, turn: TurnId, };

/**
 * The lines that kept a file from being imported.
 */
export type BrokenLines = { 
/**
 * The first of them, from 1.
 */
line: number, 
/**
 * What is wrong with it.
 */
why: string, 
/**
 * How many there are.
 */
broken: number, 
/**
 * Threads in the other lines.
 */
others: number, };

/**
 * One model of a service.
 */
export type CatalogModel = { 
/**
 * What it is called in a chain: the provider's name, or `provider/model`.
 */
name: string, 
/**
 * The service's own id.
 */
id: string, 
/**
 * The context window, in tokens.
 */
window: number | null, 
/**
 * US dollars for a million tokens read; 0 on one's own computer.
 */
input: number | null, 
/**
 * US dollars for a million tokens written.
 */
output: number | null, favourite: boolean, };

/**
 * A connected service with its models.
 */
export type CatalogService = { 
/**
 * The name in the settings.
 */
provider: string, 
/**
 * As people know it.
 */
label: string, models: Array<CatalogModel>, 
/**
 * Why its models could not be listed.
 */
error: string | null, };

/**
 * What went wrong. The sentence of each is English, for models and logs; people read the one that `causes.ftl` has by the
 * same code. Those of pages follow a colon and begin small; those of services are whole sentences.
 */
export type Cause = { "code": "words", message: string, } | { "code": "cancelled" } | { "code": "tool", why: ToolCause, } | { "code": "sign_in", why: SignInCause, } | { "code": "container", why: ContainerCause, } | { "code": "own", why: OwnCause, } | { "code": "database", why: DatabaseCause, } | { "code": "no_address", message: string, } | { "code": "no_scheme" } | { "code": "scheme", scheme: string, } | { "code": "port", port: string, } | { "code": "no_host" } | { "code": "private" } | { "code": "not_handed_on" } | { "code": "robots_forbidden" } | { "code": "not_in_folders" } | { "code": "documents_alone" } | { "code": "no_reader", scheme: string, } | { "code": "asked_twice" } | { "code": "batch_full", room: number, } | { "code": "no_time" } | { "code": "in_time" } | { "code": "too_slow", seconds: number, } | { "code": "unreached", message: string, } | { "code": "unreached_private", message: string, } | { "code": "broke", message: string, } | { "code": "broke_off" } | { "code": "no_secure_connection", message: string, } | { "code": "no_certificates", message: string, } | { "code": "proxy_address" } | { "code": "proxy_sign_in" } | { "code": "no_pem" } | { "code": "robot_rules" } | { "code": "bad_redirect" } | { "code": "many_redirects" } | { "code": "locked_out", status: number, } | { "code": "no_page", status: number, } | { "code": "slow_down", seconds: number | null, } | { "code": "site_trouble", status: number, } | { "code": "site_status", status: number, } | { "code": "unchanged" } | { "code": "too_large" } | { "code": "unknown_packing", packing: string, } | { "code": "not_text" } | { "code": "not_text_but", kind: string, } | { "code": "no_text" } | { "code": "asks_for_robots" } | { "code": "scripts_only" } | { "code": "wants_login" } | { "code": "cookie_notice" } | { "code": "not_understood" } | { "code": "pdf", message: string, } | { "code": "pdf_protected" } | { "code": "pdf_no_text" } | { "code": "pdf_damaged" } | { "code": "pdf_too_complex" } | { "code": "pdf_too_slow" } | { "code": "of_service", service: string, cause: Cause, } | { "code": "saying", cause: Cause, said: string, } | { "code": "again_in", cause: Cause, seconds: number, } | { "code": "unread", reader: string, url: string, cause: Cause, } | { "code": "all", causes: Array<Cause>, } | { "code": "needs_key", service: string, variable: string, } | { "code": "key_refused", service: string, status: number, } | { "code": "key_refused_bare", service: string, } | { "code": "key_refused_or_missing", service: string, status: number, } | { "code": "key_unknown", service: string, } | { "code": "no_balance", service: string, } | { "code": "limited", service: string, seconds: number | null, } | { "code": "limiter_on", service: string, seconds: number | null, } | { "code": "json_off", service: string, } | { "code": "engines_silent", service: string, engines: string, } | { "code": "refused", service: string, status: number, } | { "code": "refused_bare", service: string, } | { "code": "not_accepted", service: string, status: number, } | { "code": "not_carried_out", service: string, } | { "code": "nothing_there", service: string, } | { "code": "gave_up", service: string, } | { "code": "could_not_read", service: string, } | { "code": "could_not_read_why", service: string, why: string, } | { "code": "content_refused", service: string, } | { "code": "no_text_sent", service: string, } | { "code": "busy", service: string, status: number, } | { "code": "server_error", service: string, status: number, } | { "code": "too_much", service: string, } | { "code": "no_json", service: string, } | { "code": "page_for_json", service: string, } | { "code": "no_results", service: string, } | { "code": "odd_page", service: string, } | { "code": "no_list", service: string, place: string, } | { "code": "no_links", service: string, count: number, place: string, } | { "code": "bad_body" } | { "code": "no_vectors", service: string, texts: number, } | { "code": "no_catalog" } | { "code": "not_askable" } | { "code": "file_unfetched", host: string, cause: Cause, } | { "code": "file_status", host: string, status: number, } | { "code": "file_ended_early", host: string, } | { "code": "other_file", host: string, } | { "code": "unwritable", path: string, message: string, };

/**
 * One setting and its new value.
 */
export type Change = { 
/**
 * Names of the tables and the field, such as `["providers", "work", "model"]`.
 */
path: Array<string>, 
/**
 * Null takes the setting out of the file, so that its default counts again.
 */
value: unknown, };

/**
 * A page of the handbook.
 */
export type Chapter = { name: string, title: string, html: string, };

/**
 * Which of OpenAI's wire formats a service is spoken to in.
 */
export type ChatWire = "auto" | "chat" | "responses";

/**
 * What came of a test.
 */
export type Check = { verdict: Verdict, 
/**
 * A sentence for the person.
 */
message: string, };

/**
 * What a check found.
 */
export type CheckOutcome = { "type": "first" } | { "type": "unchanged" } | { "type": "changed", turn: TurnId, statements: number, } | { "type": "not_checked", why: NotChecked, 
/**
 * What the service or the run said, as a sentence.
 */
message: string, };

/**
 * Something that can be given along with a question; its number stands for it.
 */
export type Chip = { id: number, kind: AttachKind, label: string, 
/**
 * Where it is, or what it does.
 */
note: string, };

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
 * Byte of the answer where its bracket begins; 0, like the end, in turns of versions that did not note it.
 */
start: number, 
/**
 * Byte just behind the bracket. Several numbers of one bracket share it.
 */
end: number, 
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
 * The numbers, names and words of the sentence that the passage does not hold, as the answer writes them.
 */
missing?: Array<string>, 
/**
 * Present when the model forgot the number and Nexi put it there.
 */
detected?: Detection, };

/**
 * How sources are named in the text.
 */
export type CitationStyle = "numbered" | "footnotes" | "author_date" | "apa" | "mla" | "chicago";

/**
 * Two statements that belong together, or one that stands alone.
 */
export type Compared = { agreement: Agreement, 
/**
 * The statement of the first answer, as plain text without citations.
 */
first?: string, 
/**
 * That of the second.
 */
second?: string, 
/**
 * Words, numbers and names of the first that the second does not have.
 */
missing?: Array<string>, };

/**
 * What went wrong with the container. Sentences follow the name of the service, and a colon.
 */
export type ContainerCause = { "code": "no_runtime" } | { "code": "unusable_runtime", runtime: string, message: string, } | { "code": "runtime_said", said: string, } | { "code": "gave_no_reason" } | { "code": "runtime_silent", runtime: string, } | { "code": "runtime_not_started", message: string, } | { "code": "ended", runtime: string, said: string, } | { "code": "ended_silently", runtime: string, } | { "code": "no_folder", message: string, } | { "code": "settings_unwritten", message: string, } | { "code": "no_port", runtime: string, } | { "code": "no_json" } | { "code": "not_answering" } | { "code": "state_unwritten", message: string, } | { "code": "unattended", message: string, } | { "code": "not_removed", runtime: string, } | { "code": "busy_elsewhere" } | { "code": "settings_file", path: string, message: string, } | { "code": "settings_no_yaml", path: string, message: string, } | { "code": "settings_empty", path: string, } | { "code": "broke" };

/**
 * What is copied of an answer.
 */
export type CopyForm = "markdown" | "plain" | "with_sources";

/**
 * A statement that a second look changed. What it says now was judged like every other statement.
 */
export type Correction = { kind: CorrectionKind, 
/**
 * Byte of the answer where the statement begins now.
 */
start: number, 
/**
 * Byte just behind it.
 */
end: number, 
/**
 * As the model had written it first, in Markdown.
 */
before: string, };

/**
 * What the model's second look changed about a statement.
 */
export type CorrectionKind = "corrected" | "recited" | "struck";

/**
 * What went wrong with a database. Sentences are whole.
 */
export type DatabaseCause = { "code": "bad_address", message: string, } | { "code": "password_in_address" } | { "code": "unencrypted", host: string, } | { "code": "unreached", host: string, message: string, } | { "code": "no_tls", host: string, message: string, } | { "code": "password_missing", host: string, user: string, } | { "code": "wrong_password", host: string, user: string, } | { "code": "no_database", name: string, } | { "code": "old_server", found: string, } | { "code": "other_encoding", found: string, } | { "code": "no_corpus" } | { "code": "other_version", found: number, known: number, } | { "code": "older_tables" } | { "code": "no_group", role: string, } | { "code": "no_role", role: string, } | { "code": "not_allowed", user: string, message: string, } | { "code": "no_vectors", message: string, } | { "code": "old_vectors", found: string, } | { "code": "long_vectors", dimensions: string, } | { "code": "other_length", dimensions: string, } | { "code": "has_documents" } | { "code": "other_embedder", corpus: string, own: string, } | { "code": "no_embedder", corpus: string, } | { "code": "gone", host: string, message: string, } | { "code": "busy", host: string, message: string, } | { "code": "silent", host: string, } | { "code": "refused", message: string, } | { "code": "unstorable", message: string, } | { "code": "no_team" } | { "code": "older_team" } | { "code": "other_team_version", found: number, known: number, } | { "code": "not_member", role: string, } | { "code": "earlier_login" } | { "code": "no_shared_thread" } | { "code": "no_document" };

/**
 * What the evaluation of a round came to.
 */
export type Decision = "synthesize" | "delegate";

/**
 * Deep runs.
 */
export type Deep = { 
/**
 * Researchers that work at the same time.
 */
parallel: number, 
/**
 * Whether the plan is shown before it is carried out.
 */
plan: PlanApproval, 
/**
 * What researchers may use besides the search backends: `stackexchange`, `security_search`, `grep`, `library_search`.
 */
tools: Array<string>, 
/**
 * Whether every report is written into a file, too.
 */
save_report: boolean, 
/**
 * Where reports are written; without it the folder for downloads, or the one that the command line is in.
 */
report_folder: string | null, };

/**
 * Where a deep run stands.
 */
export type DeepPhase = "planning" | "approving" | "researching" | "evaluating" | "synthesizing";

/**
 * Something that was deleted and can still be brought back.
 */
export type DeletedItem = { 
/**
 * By which it is brought back, or deleted for good: that of the thread, or of the turn where that was deleted alone.
 */
id: string, 
/**
 * Whether a turn was deleted alone, and not a thread.
 */
is_turn: boolean, 
/**
 * Of the thread, or the question.
 */
title: string, turns: number, 
/**
 * Unix time in milliseconds.
 */
deleted_ms: number, 
/**
 * From then on it is gone for good.
 */
gone_ms: number, };

/**
 * A delivery as it is listed.
 */
export type Delivery = { id: string, hook: string, 
/**
 * None is a test.
 */
event: HookEvent | null, turn: TurnId | null, 
/**
 * Its question.
 */
question: string | null, 
/**
 * When it came up, in Unix milliseconds, like all moments here.
 */
created_ms: number, 
/**
 * None while it was not tried.
 */
tried_ms: number | null, attempts: number, 
/**
 * None while it was not tried.
 */
outcome: DeliveryOutcome | null, };

/**
 * What came of one try to deliver.
 */
export type DeliveryOutcome = { "type": "delivered" } | { "type": "failed", 
/**
 * A sentence or the end of one.
 */
message: string, 
/**
 * In Unix milliseconds.
 */
again_ms: number | null, } | { "type": "gone" };

/**
 * The desktop app.
 */
export type Desktop = { 
/**
 * Opens and closes the popup, such as `Ctrl+Shift+Space`; empty for none.
 */
hotkey: string, 
/**
 * Whether the app starts with the session, without a window.
 */
autostart: boolean, 
/**
 * Whether it goes on in the tray when its window is closed.
 */
close_to_tray: boolean, 
/**
 * Whether a long run that ends behind other windows is announced.
 */
notify: boolean, 
/**
 * Colours of the windows.
 */
theme: Theme, 
/**
 * Size of all text, in percent.
 */
text_size: number, 
/**
 * Whether the popup offers what is in the clipboard; it is not read otherwise.
 */
offer_clipboard: boolean, 
/**
 * Whether Nexi looks once a day for a new version of itself.
 */
updates: boolean, };

/**
 * What the desktop can do here.
 */
export type DesktopView = { hotkey: HotkeyView, tray: boolean, wayland: boolean, 
/**
 * What a compositor without a portal can bind to a key.
 */
popup_command: string, };

/**
 * By what a citation was recognised that the model had not written itself.
 */
export type Detection = "url" | "path" | "host" | "quote";

/**
 * A passage that was found.
 */
export type DocumentHit = { url: string, title: string, 
/**
 * The file as people write it.
 */
path: string, snippet: string, 
/**
 * Where in the file it stands, where that is known.
 */
place: PassagePlace | null, };

/**
 * What a search of the documents came to.
 */
export type DocumentHits = { files: number, 
/**
 * Best first.
 */
hits: Array<DocumentHit>, };

/**
 * A document as it is read now.
 */
export type DocumentText = { url: string, title: string, 
/**
 * Who wrote it, where that is known.
 */
byline: string | null, date: string | null, text: string, lines: Array<number>, html: string | null, pictures: boolean, 
/**
 * Whether `lines` counts pages.
 */
paged: boolean, };

/**
 * Which of the user's own files may be searched and read.
 */
export type Documents = { 
/**
 * Folders; a leading `~` is the home folder.
 */
folders: Array<string>, 
/**
 * Patterns of files by folder, such as `*.pdf`: where there are some, only what fits one of them is looked at.
 */
include: { [key in string]: Array<string> }, 
/**
 * Patterns of files and folders by folder, such as `drafts/**`, that are left out.
 */
exclude: { [key in string]: Array<string> }, 
/**
 * Whether the model is kept from addresses and searches that could carry text of documents away.
 */
keep_private: boolean, };

/**
 * What stands in the place of the oldest turns of a thread, once they no longer fit into the context window.
 */
export type EarlierSummary = { 
/**
 * With the numbers of the sources in brackets.
 */
text: string, 
/**
 * The newest turn that it covers; all before it are covered, too.
 */
through: TurnId, 
/**
 * How many turns that are.
 */
turns: number, 
/**
 * Whether one of them rests on private text.
 */
private?: boolean, };

/**
 * How many steps a run may take.
 */
export type Effort = "s" | "m" | "l";

/**
 * How passages are searched by meaning.
 */
export type Embeddings = { 
/**
 * `local/` and the name of a model or the path of its folder, or `provider/model` such as
 * `ollama/nomic-embed-text`; none searches by words alone.
 */
model: string | null, 
/**
 * Folders of `documents.folders` whose text may be sent to the service, where the model is one on another computer.
 */
remote_folders: Array<string>, 
/**
 * Whether vectors are made while the computer runs on its battery.
 */
on_battery: boolean, };

/**
 * One thing that has to be known of how a run ended: what stopped it, what became of its answer, or what
 * the answer does not rest on.
 */
export type EndReason = { "code": "cost_limit", millionths: number, } | { "code": "token_limit", tokens: number, } | { "code": "limit_near" } | { "code": "step_limit", steps: number, } | { "code": "time_target" } | { "code": "answer_wanted" } | { "code": "report_wanted" } | { "code": "cancelled" } | { "code": "same_calls" } | { "code": "context_full" } | { "code": "reply_cut_off" } | { "code": "refused" } | { "code": "report_refused" } | { "code": "no_report" } | { "code": "nothing_sent" } | { "code": "thoughts_cut_off", tokens: number, } | { "code": "model_failed", message: string, error?: ModelError | null, } | { "code": "researchers_failed", round: number, } | { "code": "researchers_stopped", round: number, } | { "code": "all_researchers_stopped" } | { "code": "no_researcher_found_anything" } | { "code": "not_finished" } | { "code": "stopped_by_person" } | { "code": "not_started" } | { "code": "interrupted" } | { "code": "broke_down" } | { "code": "not_saved", why: string, } | { "code": "journal_unreadable" } | { "code": "breaks_off" } | { "code": "without_model" } | { "code": "no_answer_written" } | { "code": "no_answer_and_no_page" } | { "code": "no_complete_answer" } | { "code": "nothing_left_for_answer" } | { "code": "answer_uses_what_was_found" } | { "code": "report_uses_what_was_found" } | { "code": "answer_cut_there" } | { "code": "answer_cut_off" } | { "code": "report_cut_off" } | { "code": "report_cut_with_findings" } | { "code": "report_without_sources" } | { "code": "findings_instead" } | { "code": "no_report_yet" } | { "code": "put_together" } | { "code": "nothing_found_yet" } | { "code": "nothing_answers" } | { "code": "taken_over", why: string, model: string, error?: ModelError | null, } | { "code": "unread_attachments", names: Array<string>, causes?: Array<Cause>, } | { "code": "own_knowledge" } | { "code": "told", text: string, } | { "code": "unknown" };

/**
 * How a turn ended.
 */
export type Ending = { state: TurnState, 
/**
 * Why it ended so: never empty unless the state is `answered`; there, too, when something about the answer
 * has to be known.
 */
reason?: Reasons, 
/**
 * Markdown with `[n]`.
 */
answer: string, sources: Array<Source>, citations: Array<Citation>, 
/**
 * Its statements, in order.
 */
statements?: Array<Statement>, steps: number, usage: Usage, 
/**
 * Who answered, when it was not the model that was asked first.
 */
model?: string, 
/**
 * What went wrong and decided who answered, or how: a model that failed, most often.
 */
incident?: Incident, 
/**
 * Questions that may come next, as the model proposes them.
 */
follow_ups?: Array<string>, 
/**
 * What a second look by the model came to; none where there was none.
 */
check?: SecondLook, 
/**
 * How a deep run came to its report; none for quick runs.
 */
method?: Method, 
/**
 * What this run made of the oldest turns of its thread, because they no longer fitted.
 */
summary?: EarlierSummary, 
/**
 * What the model calls the thread; only in first answers, and not kept with the turn.
 */
title?: ThreadTitle, };

/**
 * What happened in a run. Faces fold these in order; they hold no other knowledge of the run.
 */
export type Event = { "type": "started", question: string, effort: Effort, max_steps: number, model: string, mode?: Mode, 
/**
 * What the model was told of what the person wants remembered.
 */
memories?: Array<string>, } | { "type": "indexing", done: number, total: number, } | { "type": "step_started", step: number, } | { "type": "reasoning", step: number, text: string, } | { "type": "searching", step: number, queries: Array<string>, 
/**
 * How new the results are wanted.
 */
range?: TimeRange, 
/**
 * Where it is searched.
 */
tool?: SearchTool, } | { "type": "search_done", step: number, query: string, 
/**
 * Which search backend answered; empty when none did.
 */
backend: string, count: number, results: Array<ResultLine>, 
/**
 * Why it came back with nothing, in English, as the model reads it.
 */
error?: string, 
/**
 * The same as facts.
 */
cause?: Cause, } | { "type": "reading", step: number, url: string, title: string, } | { "type": "page_read", step: number, url: string, title: string, number: number, words: number, } | { "type": "extracting", step: number, url: string, number: number, } | { "type": "page_failed", step: number, url: string, 
/**
 * In English, as the model reads it.
 */
reason: string, 
/**
 * The same as facts.
 */
cause?: Cause, } | { "type": "calling", step: number, call: number, server: string, tool: string, 
/**
 * As JSON.
 */
arguments: string, } | { "type": "called", step: number, call: number, 
/**
 * What it returned, by its numbers; handles while the run goes on.
 */
numbers?: Array<number>, error?: string, 
/**
 * The same as facts; none in journals of earlier versions.
 */
cause?: Cause, 
/**
 * The person did not allow it, or nobody was there to do so.
 */
refused?: boolean, } | { "type": "call_progress", step: number, call: number, done: number, total?: number, message?: string, } | { "type": "form_asked", id: number, form: Form, } | { "type": "form_closed", id: number, } | { "type": "held", step: number, call: number, part: number, what: Outgoing, waits: boolean, } | { "type": "released", step: number, call: number, part: number, allowed: boolean, } | { "type": "answer_delta", text: string, } | { "type": "answer_reset" } | { "type": "checking", statements: number, } | { "type": "compacted", step: number, before: number, after: number, } | { "type": "summarising", turns: number, } | { "type": "summarised", turns: number, } | { "type": "thread_filling", percent: number, } | { "type": "notice", notice: Notice, } | { "type": "incident", incident: Incident, } | { "type": "sources", sources: Array<Source>, } | { "type": "usage", usage: Usage, context: number, max_context: number, } | { "type": "phase", phase: DeepPhase, round: number, } | { "type": "plan_made", plan: Plan, waits: boolean, } | { "type": "researcher_started", researcher: ResearcherId, task: Task, } | { "type": "researcher", researcher: ResearcherId, event: Event, } | { "type": "researcher_ended", researcher: ResearcherId, findings: Findings, } | { "type": "report_injected", from: ResearcherId, to: ResearcherId, } | { "type": "decided", round: number, decision: Decision, tasks: Array<Task>, } | { "type": "progress", progress: Progress, } | { "type": "ended", ending: Ending, };

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
 * What can be entered.
 */
export type FieldKind = { "type": "text" } | { "type": "number", whole: boolean, least?: number, most?: number, } | { "type": "yes_no" } | { "type": "choice", options: Array<FormOption>, several: boolean, };

/**
 * Files of one kind.
 */
export type FileKind = { 
/**
 * The end of their names without the dot; empty for names without one, and for all kinds that are not named.
 */
ending: string, files: number, };

/**
 * How a researcher ended.
 */
export type Findings = { state: TurnState, 
/**
 * Never empty unless the state is `answered`.
 */
reason?: Reasons, 
/**
 * Its report in Markdown; empty where it wrote none.
 */
report: string, 
/**
 * Pages that it read.
 */
pages: number, };

/**
 * Where a run looks for answers.
 */
export type Focus = "web" | "documents" | "both";

/**
 * A folder of documents.
 */
export type FolderStatus = { 
/**
 * As it is in the settings.
 */
folder: string, 
/**
 * It is there and can be looked into.
 */
exists: boolean, files: number, passages: number, 
/**
 * Documents by their kind, the most frequent first, those that could not be read among them.
 */
kinds: Array<FileKind>, 
/**
 * What could not be read, by path.
 */
skipped: Array<SkippedFile>, 
/**
 * Documents that were read in part.
 */
partly: Array<SkippedFile>, 
/**
 * Files of kinds that are not read, the most frequent first.
 */
other: Array<FileKind>, 
/**
 * Files and folders that are hidden: their names begin with a dot.
 */
hidden: number, 
/**
 * Files and folders that an ignore file or the patterns of the settings leave out.
 */
ignored: number, };

/**
 * A small form, in the words of a server.
 */
export type Form = { 
/**
 * Which server asks.
 */
server: string, message: string, fields: Array<FormField>, };

/**
 * One of its fields.
 */
export type FormField = { 
/**
 * What the server calls it.
 */
name: string, title: string, description?: string, required: boolean, kind: FieldKind, 
/**
 * What it holds at first.
 */
default?: unknown, };

/**
 * Something that can be chosen.
 */
export type FormOption = { value: string, label: string, };

/**
 * What a file is made for.
 */
export type Format = "markdown" | "html" | "pdf" | "docx" | "json" | "bibtex" | "ris" | "csl_json";

/**
 * An instance that answers on this computer, with a verdict.
 */
export type FoundSearxng = { address: string, 
/**
 * Whether it offers JSON, without which it cannot be used.
 */
json: boolean, };

/**
 * A server in the file of another program.
 */
export type FoundServer = { 
/**
 * The program, such as `Cursor`.
 */
program: string, 
/**
 * The name that it has there, made to fit.
 */
name: string, 
/**
 * What is started or reached, on one line.
 */
launch: string, 
/**
 * Whether the name is already in use.
 */
known: boolean, 
/**
 * Whether it is in use for this very server.
 */
same: boolean, };

/**
 * How far a decision about a call reaches.
 */
export type GrantScope = "once" | "research" | "always";

/**
 * Which call of a turn is held back.
 */
export type HeldId = { 
/**
 * Whose call it is in a deep run.
 */
researcher?: ResearcherId, step: number, 
/**
 * The call within its step, from 0.
 */
call: number, 
/**
 * The address or query within its call, from 0.
 */
part: number, };

/**
 * One hook: an address that gets a request, or a program that is started.
 */
export type Hook = { 
/**
 * Whether it is called at all.
 */
enabled: boolean, 
/**
 * The address of a webhook.
 */
url: string | null, 
/**
 * The program that is started in its place.
 */
command: string | null, 
/**
 * Its arguments; `{question}`, `{state}`, `{thread}`, `{turn}` and `{event}` are filled in. No shell reads them.
 */
args: Array<string>, 
/**
 * Whether requests carry a signature, made with a secret that is kept like keys.
 */
signed: boolean, 
/**
 * The events that it is called for.
 */
on: Array<HookEvent>, 
/**
 * Seconds that a delivery may take.
 */
timeout: number, };

/**
 * An event that a hook can be called for.
 */
export type HookEvent = "answered" | "failed" | "changed";

/**
 * A hook as it is listed.
 */
export type HookView = { name: string, hook: Hook, 
/**
 * Where deliveries go, on one line.
 */
target: string, 
/**
 * Deliveries that are still to be made.
 */
waiting: number, 
/**
 * The newest one that was tried.
 */
last: Delivery | null, };

/**
 * How the hotkey stands.
 */
export type HotkeyState = "off" | "registering" | "works" | "paused" | "refused" | "unavailable";

/**
 * How the hotkey stands.
 */
export type HotkeyView = { wanted: string, state: HotkeyState, 
/**
 * A sentence for the person; empty when it works.
 */
message: string, 
/**
 * Others that would work.
 */
offers: Array<string>, };

/**
 * How an import ended.
 */
export type ImportOutcome = { "type": "imported" } & Imported | { "type": "refused" } & BrokenLines;

/**
 * What was taken in.
 */
export type Imported = { threads: number, 
/**
 * Threads that were there already.
 */
known: number, 
/**
 * What came besides threads: spaces, memories, templates, saved searches and watched questions.
 */
items: number, 
/**
 * Lines that could not be read and were left out.
 */
broken: number, };

/**
 * Something that went wrong, or has to be waited for.
 */
export type Incident = { kind: IncidentKind, 
/**
 * The service as people know it, such as `OpenAI` or `Wikipedia`; empty where it concerns no single service.
 */
service: string, 
/**
 * The HTTP status, where there was one.
 */
status?: number, 
/**
 * A number that belongs to the kind: tokens of a window or an output limit, turns left out, requests a minute.
 */
amount?: number, action: IncidentAction, 
/**
 * The service's own words, shortened.
 */
said?: string, 
/**
 * Why a search service failed, as facts.
 */
cause?: Cause, };

/**
 * What is done about it.
 */
export type IncidentAction = { "type": "retry", wait_ms: number, } | { "type": "next_model", model: string, } | { "type": "others" } | { "type": "shorten" } | { "type": "more_output" } | { "type": "without_model" } | { "type": "none" };

/**
 * What went wrong.
 */
export type IncidentKind = "rate_limited" | "own_limit" | "server_error" | "unreachable" | "timed_out" | "broken_reply" | "key_refused" | "no_balance" | "unknown_model" | "wrong_address" | "rejected" | "context_full" | "cut_off_thinking" | "tools_in_text" | "turns_left_out" | "search_failed";

/**
 * Files that are being read into the index.
 */
export type IndexingProgress = { done: number, total: number, };

/**
 * A search service that is described wholly in the settings.
 */
export type JsonBackend = { 
/**
 * The address, with `{query}`, and if wanted `{count}`, `{language}`, `{country}` and `{key}`, such as
 * `https://search.example.org/api?q={query}&n={count}`.
 */
url: string, 
/**
 * JSON that is sent with POST, with the same placeholders; a GET request is sent without it.
 */
body: string | null, 
/**
 * Headers of the request; values may hold `{key}`.
 */
headers: { [key in string]: string }, 
/**
 * Where the list of results is, such as `data.items`; empty when the reply itself is the list.
 */
results: string, 
/**
 * Where a result's title is, such as `title` or `page.name`.
 */
title: string, 
/**
 * Where its address is.
 */
link: string, 
/**
 * Where its text is.
 */
snippet: string, 
/**
 * Where its date is; left out where there is none.
 */
date: string | null, };

/**
 * Where a key comes from.
 */
export type KeyOrigin = "none" | "variable" | "keyring" | "file" | "session";

/**
 * Where keys are kept that were entered. Environment variables come before all of them.
 */
export type KeyPlace = "keyring" | "file" | "session";

/**
 * Where a provider's key comes from.
 */
export type KeyStatus = { provider: string, origin: KeyOrigin, 
/**
 * The variable that is looked at first, if any.
 */
variable: string | null, 
/**
 * Why it could not be told, as a sentence.
 */
trouble: string | null, };

/**
 * In which order several keys of one provider are used.
 */
export type KeyStrategy = "fallback" | "round_robin";

/**
 * How the system's keyring stands.
 */
export type KeyringView = "works" | "locked" | "no_collection" | "missing" | "silent";

/**
 * How the place of keys stands.
 */
export type KeysView = { place: KeyPlace, keyring: KeyringView, 
/**
 * A sentence about the keyring.
 */
message: string, 
/**
 * Whether there is a file with keys.
 */
file_exists: boolean, 
/**
 * Whether it has been opened with its passphrase.
 */
file_open: boolean, };

/**
 * A kind of provider.
 */
export type KindView = { kind: ProviderKind, 
/**
 * Its name as the service writes it.
 */
label: string, answers: boolean, finds: boolean, reads: boolean, 
/**
 * Whether its name alone is enough to use it.
 */
known: boolean, 
/**
 * Whether it is still offered to somebody who does not have it yet.
 */
offered: boolean, needs_key: boolean, 
/**
 * Its own address, where it has one.
 */
base_url: string | null, 
/**
 * Where a key is made.
 */
key_page: string | null, };

/**
 * The language of windows, terminal and exports. Answers are in the language of the question.
 */
export type Language = "system" | "en" | "de";

/**
 * A turn in which the words of a search were found.
 */
export type LibraryHit = { turn: TurnId, 
/**
 * A stretch of its text.
 */
pieces: Array<Piece>, };

/**
 * Some rows of the library: newest first, or best first if there are words to look for.
 */
export type LibraryPage = { rows: Array<LibraryRow>, 
/**
 * Whether there are rows behind these.
 */
more: boolean, };

/**
 * Which threads to show. All conditions have to hold.
 */
export type LibraryQuery = { 
/**
 * Words that must occur in one turn's question, answer or sources; empty for all threads.
 */
text: string, 
/**
 * Changed at this time or later, in Unix milliseconds.
 */
since_ms: number | null, 
/**
 * Changed before this time, in Unix milliseconds.
 */
until_ms: number | null, effort: Effort | null, 
/**
 * Threads with at least one run of this kind.
 */
mode: Mode | null, 
/**
 * A host that one of its sources has.
 */
site: string | null, 
/**
 * Only what is pinned.
 */
pinned: boolean, tag: string | null, 
/**
 * The id of the space that they belong to.
 */
space?: string, 
/**
 * Rows to leave out at the beginning.
 */
offset: number, 
/**
 * Rows to return at most, from 1 to 200.
 */
limit: number, };

/**
 * A thread in the library.
 */
export type LibraryRow = { id: ThreadId, title: string, 
/**
 * Unix time in milliseconds of the last change.
 */
updated_ms: number, 
/**
 * Of its last turn.
 */
state: TurnState, pinned: boolean, tags: Array<string>, turns: number, sources: number, 
/**
 * Of its last turn.
 */
effort: Effort, 
/**
 * Deep where any run of the thread was.
 */
mode: Mode, 
/**
 * Of all runs together.
 */
duration_ms: number, 
/**
 * Of all runs together, in millionths of a US dollar.
 */
cost: number, 
/**
 * Where the words were found.
 */
hit: LibraryHit | null, 
/**
 * One line about it, as the model wrote it; empty where there is none.
 */
description: string, 
/**
 * How the answer of its last turn begins, as text without marks.
 */
beginning: string, 
/**
 * The name of the space that it belongs to.
 */
space?: string, };

/**
 * A model that can run inside Nexi.
 */
export type LocalModel = { 
/**
 * As the settings name it.
 */
name: string, 
/**
 * Bytes of its files.
 */
size: number, multilingual: boolean, fetched: boolean, };

/**
 * A program on this computer that models answer in.
 */
export type LocalService = { 
/**
 * The id of its vendor.
 */
vendor: string, 
/**
 * Its name in the settings: the one it has there already, or its vendor's.
 */
provider: string, 
/**
 * As people know it.
 */
label: string, models: Array<CatalogModel>, };

/**
 * What keeps vectors from being made, or does not.
 */
export type MeaningState = { "kind": "off" } | { "kind": "ready" } | { "kind": "incomplete" } | { "kind": "building", done: number, total: number, } | { "kind": "not_allowed" } | { "kind": "on_battery" } | { "kind": "not_fetched" } | { "kind": "fetching", done: number, total: number, } | { "kind": "failed", message: string, };

/**
 * How searching by meaning stands.
 */
export type MeaningStatus = { 
/**
 * As the settings name it; none where documents are searched by words alone.
 */
model: string | null, 
/**
 * Whether the texts stay on this computer.
 */
is_local: boolean, state: MeaningState, 
/**
 * Passages of the folders, and how many of them have a vector.
 */
passages: number, vectors: number, 
/**
 * What a service on another computer would be sent, folder by folder.
 */
remote: Array<RemoteFolder>, 
/**
 * Models that can be fetched.
 */
known: Array<LocalModel>, };

/**
 * Something the person wants Nexi to remember, such as what they work with or how they like answers.
 */
export type Memory = { id: string, text: string, 
/**
 * The id of the space in which it is told; none is everywhere.
 */
space?: string, 
/**
 * Unix time in milliseconds.
 */
created_ms: number, };

/**
 * How a deep run came to its report.
 */
export type Method = { title: string, rounds: number, researchers: number, 
/**
 * Queries that were asked.
 */
searches: number, 
/**
 * Pages that were read.
 */
pages: number, 
/**
 * Pages that could not be read.
 */
unread: number, 
/**
 * What was to be found out and was not, in English: a task's title and why.
 */
open?: Array<string>, 
/**
 * The same as facts; empty in reports of earlier versions.
 */
unfinished?: Array<Unfinished>, };

/**
 * Which kind of run answers a question.
 */
export type Mode = "quick" | "deep";

/**
 * A model of the settings.
 */
export type ModelChoice = { 
/**
 * The provider's name, or `builtin`.
 */
name: string, label: string, };

/**
 * What went wrong with a model, in terms a caller can act on.
 */
export type ModelError = { "kind": "unauthorized", provider: string, status: number, said?: string, } | { "kind": "key_wanted", provider: string, said?: string, } | { "kind": "unusable_key", provider: string, } | { "kind": "no_balance", provider: string, said?: string, } | { "kind": "not_found", provider: string, what: string, } | { "kind": "unknown_model", provider: string, model: string, } | { "kind": "wrong_address", provider: string, address: string, } | { "kind": "web_page", provider: string, } | { "kind": "rejected", provider: string, status: number, message: string, } | { "kind": "context_full", provider: string, window: number | null, prompt: number | null, } | { "kind": "rate_limited", provider: string, retry_after: { secs: number, nanos: number } | null, said?: string, } | { "kind": "server", provider: string, status: number, retry_after: { secs: number, nanos: number } | null, said?: string, } | { "kind": "unreachable", provider: string, message: string, } | { "kind": "tls", provider: string, message: string, } | { "kind": "silent", provider: string, after: { secs: number, nanos: number }, } | { "kind": "endless", provider: string, after: { secs: number, nanos: number }, } | { "kind": "broken", provider: string, } | { "kind": "malformed", provider: string, why?: BadReply | null, message?: string, } | { "kind": "runaway", provider: string, why?: BadReply | null, message?: string, } | { "kind": "no_key", provider: string, variable: string, } | { "kind": "cancelled" };

/**
 * An entry of the settings' own table.
 */
export type ModelFacts = { 
/**
 * The context window, in tokens.
 */
context?: number | null, 
/**
 * US dollars for a million tokens read.
 */
input?: number | null, 
/**
 * US dollars for a million tokens written.
 */
output?: number | null, 
/**
 * US dollars for a million tokens that the service had cached.
 */
cached?: number | null, };

/**
 * What this month has cost and may cost.
 */
export type MonthUsage = { 
/**
 * In millionths of a US dollar.
 */
spent: number, 
/**
 * In US dollars, by the settings.
 */
limit: number | null, };

/**
 * What the network guard lets through, and the way out.
 */
export type Network = { 
/**
 * `host` or `host:port` on the local network that pages may be read from.
 */
allowed_private_hosts: Array<string>, 
/**
 * `system`, `none`, or the address of a proxy (`http://`, `https://`, `socks5://`, `socks5h://`).
 */
proxy: string, 
/**
 * Files with certificates (PEM) that are trusted besides the system's.
 */
root_certificates: Array<string>, 
/**
 * Whether pages that nobody has asked for yet are fetched only where robots.txt allows it.
 */
respect_robots: boolean, };

/**
 * A hook as a person enters it.
 */
export type NewHook = { name: string, 
/**
 * An address, or a program with its arguments as one would type them.
 */
target: string, on: Array<HookEvent>, signed: boolean, };

/**
 * A statement of an answer that the one before it did not make, nor its sources.
 */
export type NewStatement = { 
/**
 * As plain text without citations.
 */
text: string, 
/**
 * Byte of the answer where it begins.
 */
start: number, 
/**
 * Byte just behind it, its citations included.
 */
end: number, 
/**
 * What the answer before it said instead.
 */
before?: string, };

/**
 * A server as a person enters it.
 */
export type NewToolServer = { name: string, 
/**
 * An address, or a program with its arguments as one would type them.
 */
launch: string, 
/**
 * `NAME=VALUE`, one a line.
 */
env: string, 
/**
 * Names of variables with secrets.
 */
secrets: Array<string>, };

/**
 * Why a question could not be checked.
 */
export type NotChecked = "failed" | "month_is_spent" | "price_unknown";

/**
 * Something to know that changes nothing in how the run goes on.
 */
export type Notice = { "code": "plan_unreadable" } | { "code": "next_model", why: string, model: string, } | { "code": "resumed" } | { "code": "file_unread", name: string, why: string, } | { "code": "folder_unread", folder: string, } | { "code": "documents_still_read" } | { "code": "not_indexed", why: string, } | { "code": "told", text: string, } | { "code": "unknown" };

/**
 * How text is recognised on scanned pages and pictures, by Tesseract.
 */
export type Ocr = { 
/**
 * Whether scanned pages and pictures are read.
 */
enabled: boolean, 
/**
 * Their languages, as Tesseract names them, such as `eng` and `deu`; the first one counts most.
 */
languages: Array<string>, 
/**
 * Whether pages are read while the computer runs on its battery.
 */
on_battery: boolean, };

/**
 * What keeps scanned pages from being read, or does not.
 */
export type OcrState = { "kind": "off" } | { "kind": "ready" } | { "kind": "incomplete" } | { "kind": "running" } | { "kind": "on_battery" } | { "kind": "not_installed", programs: Array<string>, } | { "kind": "no_language", languages: Array<string>, } | { "kind": "failed", message: string, };

/**
 * How the reading of scanned pages stands.
 */
export type OcrStatus = { state: OcrState, 
/**
 * Scanned pages of the folders, and pictures where they are looked at, and how many of them were read.
 */
pages: number, read: number, 
/**
 * Languages that Tesseract has models for here.
 */
installed: Array<string>, };

/**
 * Something that would leave this computer.
 */
export type Outgoing = { "type": "address", url: string, } | { "type": "query", text: string, } | { "type": "call", server: string, tool: string, arguments: Array<ShownArgument>, 
/**
 * Whether it says that it changes nothing, so that more than this call can be granted.
 */
reads: boolean, 
/**
 * Whether all calls from now on can be granted.
 */
lasting: boolean, 
/**
 * Whether the arguments hold what is found only in private text.
 */
private: boolean, 
/**
 * What the tool says of itself, in the words that were approved.
 */
about: string, };

/**
 * What the window shows before anything is asked.
 */
export type Overview = { 
/**
 * No settings have been made yet.
 */
first_run: boolean, model: string, effort: Effort, 
/**
 * The models that a question can be put to, in order.
 */
models: Array<ModelChoice>, 
/**
 * Whether there is a web search to choose.
 */
has_web: boolean, 
/**
 * Whether there are documents besides the handbook.
 */
has_folders: boolean, 
/**
 * What is wrong in the settings file, where the defaults count.
 */
mistakes: Array<string>, warnings: Array<string>, version: string, settings_file: string, hotkey: string, offer_clipboard: boolean, 
/**
 * Whether keys are in a file that has not been opened yet.
 */
keys_locked: boolean, 
/**
 * Whether threads can be shared with a team.
 */
has_team: boolean, };

/**
 * What went wrong here, on this computer.
 */
export type OwnCause = { "code": "search_broke" } | { "code": "reading_broke" } | { "code": "call_broke" } | { "code": "holds_private", tool: string, } | { "code": "not_set_up", tool: string, } | { "code": "unknown_call" } | { "code": "documents_unsearched" } | { "code": "documents_unsearched_for", message: string, } | { "code": "bad_pattern", pattern: string, message: string, } | { "code": "empty_pattern" } | { "code": "file_unread" } | { "code": "file_not_read", name: string, why: string, } | { "code": "file_left_out", name: string, why: string, } | { "code": "file_not_listed", name: string, } | { "code": "no_earlier_answer" } | { "code": "library_unread" } | { "code": "key_unread", service: string, message: string, } | { "code": "hook_secret", message: string, } | { "code": "no_hook_secret", message: string, } | { "code": "vector_count", service: string, vectors: number, texts: number, } | { "code": "held_back" } | { "code": "journal_unreadable" };

/**
 * What keeps the packages of a Linux system.
 */
export type PackageManager = "dpkg" | "rpm";

/**
 * What is kept of pages that were read.
 */
export type PageCacheSettings = { 
/**
 * Whether pages are kept at all.
 */
enabled: boolean, 
/**
 * How much room they may take up, in MiB; the pages that were not used for longest make room.
 */
max_mib: number, };

/**
 * A page of a document as a picture.
 */
export type PageView = { 
/**
 * From 1.
 */
number: number, 
/**
 * As an address that holds the picture itself.
 */
image: string, 
/**
 * Where the marked words stand: left, top, width and height as shares of the page.
 */
marks: Array<[number, number, number, number]>, };

/**
 * A part of a window.
 */
export type Part = "library" | "help" | "keys" | "documents" | "search" | "models" | "reading" | "answers" | "tools" | "effort" | "usage" | "deep" | "prompts" | "memory" | "spaces" | "watched" | "hooks" | "templates" | "app" | "network" | "privacy" | "data" | "about";

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
page?: number, 
/**
 * Where it begins in a document with other places, such as slides or the rows of a table.
 */
place?: Place, };

/**
 * The part of a document that a passage fills: what reading takes as a range, and what people call it.
 */
export type PassagePlace = { 
/**
 * The first and last of its lines; of its pages where `place` is one; else of the document's places. From 1.
 */
from: number, to: number, 
/**
 * What the first is called, where the document has more than lines.
 */
place?: Place | null, };

/**
 * A piece of a text, marked if it is what was looked for.
 */
export type Piece = { text: string, hit: boolean, };

/**
 * A place in a document that is not a file of lines. Numbers count from 1.
 */
export type Place = { "type": "page", number: number, } | { "type": "slide", number: number, } | { "type": "section", name: string, } | { "type": "paragraph", number: number, } | { "type": "chapter", name: string, } | { "type": "row", sheet: string, cells: string, } | { "type": "cell", number: number, } | { "type": "message", name: string, } | { "type": "time", at: string, };

/**
 * How a deep run is meant to go.
 */
export type Plan = { 
/**
 * What the report may be called.
 */
title: string, 
/**
 * From 1 to 3.
 */
complexity: number, 
/**
 * Rounds after which the report should be written.
 */
target_rounds: number, 
/**
 * One for each researcher of the first round.
 */
tasks: Array<Task>, 
/**
 * Tools of the person's own that researchers may call once the plan is approved.
 */
tools?: Array<PlannedTool>, };

/**
 * What happens between a plan and its first researcher.
 */
export type PlanApproval = "ask" | "go";

/**
 * A tool of the person's own in a plan.
 */
export type PlannedTool = { 
/**
 * What models call it.
 */
name: string, server: string, tool: string, 
/**
 * How often all researchers together may call it.
 */
calls: number, };

/**
 * How answers of models should be. What a question asks for takes precedence.
 */
export type Preferences = { 
/**
 * The language of answers, in any words, such as `German`; none is that of the question.
 */
language: string | null, 
/**
 * The units in which quantities are given; without it those of the source.
 */
units: Units | null, 
/**
 * How long answers are; without it as long as the question asks for.
 */
length: AnswerLength | null, };

/**
 * Something wrong with a setting, as a sentence.
 */
export type ProblemView = { 
/**
 * Such as `providers.work.base_url`.
 */
field: string, 
/**
 * What would be right; it follows the name of the field.
 */
message: string, };

/**
 * How far a deep run is.
 */
export type Progress = { 
/**
 * Units of work that are done: calls of tools, reports, and the final one.
 */
done: number, 
/**
 * Units that are planned; more when rounds are added.
 */
planned: number, 
/**
 * More rounds than planned: nobody knows how far it is.
 */
exploring: boolean, };

/**
 * A prompt that can be changed.
 */
export type PromptView = { name: string, 
/**
 * Ours.
 */
text: string, 
/**
 * Names in braces that must stay in it.
 */
placeholders: Array<string>, };

/**
 * The prompts in use: ours, except where the settings say otherwise.
 */
export type Prompts = { [key in string]: string };

/**
 * A service that answers, finds or reads.
 */
export type Provider = { 
/**
 * What kind of service it is.
 */
type: ProviderKind, 
/**
 * Its address; for models, the one that most often ends in `/v1`.
 */
base_url: string | null, 
/**
 * Jina's search address.
 */
search_url: string | null, 
/**
 * Jina's reader address.
 */
reader_url: string | null, 
/**
 * The ID of the model.
 */
model: string | null, 
/**
 * The environment variable that holds the key.
 */
api_key_env: string | null, 
/**
 * Variables that hold further keys of the same service.
 */
more_key_envs: Array<string>, 
/**
 * In which order several keys are used.
 */
key_strategy: KeyStrategy, 
/**
 * Requests a minute that are made at most.
 */
requests_per_minute: number | null, 
/**
 * False for models that have no tool calling: they are driven by JSON in their text.
 */
tools: boolean | null, 
/**
 * The language of results, such as `en`.
 */
language: string | null, 
/**
 * Google's id of the search engine (`cx`).
 */
engine_id: string | null, 
/**
 * Stack Exchange's site, such as `stackoverflow`.
 */
site: string | null, 
/**
 * The description of a `json` backend.
 */
json: JsonBackend | null, 
/**
 * Whether SearXNG is run by Nexi itself, in a container.
 */
managed: boolean, 
/**
 * The service that it is treated as, where its address does not tell: most often because a gateway stands in front
 * of it. It says nothing of whose key is sent.
 */
preset: string | null, 
/**
 * Which of the two OpenAI wire formats is spoken.
 */
api: ChatWire, 
/**
 * How much the model reasons, in place of the setting for all.
 */
thinking: Thinking | null, 
/**
 * Whom Wikipedia may contact about our requests: an address of mail or of a page.
 */
contact: string | null, 
/**
 * The container image of a managed SearXNG.
 */
image: string | null, 
/**
 * Memory that a managed SearXNG may use, in MiB.
 */
memory_mib: number | null, 
/**
 * A file of SearXNG's own settings, laid over ours.
 */
settings_file: string | null, };

/**
 * What kind of service a provider is.
 */
export type ProviderKind = "openai_compatible" | "anthropic" | "gemini" | "ollama" | "searxng" | "jina" | "wikipedia" | "duckduckgo" | "brave" | "tavily" | "serper" | "serpapi" | "exa" | "firecrawl" | "linkup" | "perplexity" | "google" | "stackexchange" | "json" | "postgres" | "nvd" | "kev" | "github_advisories" | "osv";

/**
 * The reasons of an ending, in the order of the sentences.
 */
export type Reasons = Array<EndReason>;

/**
 * A version that can be had.
 */
export type Release = { version: string, 
/**
 * What is new in it, as cleaned HTML; empty where nobody said.
 */
notes: string, 
/**
 * Where it can be had by hand.
 */
page: string | null, };

/**
 * A folder and what sending its text to a service means.
 */
export type RemoteFolder = { 
/**
 * As it is in the settings.
 */
folder: string, allowed: boolean, passages: number, 
/**
 * About as many.
 */
tokens: number, 
/**
 * In US dollars, where the price is known.
 */
cost: number | null, };

/**
 * A researcher of a deep run: its round and its number there, both from 1. Written as `1.2`.
 */
export type ResearcherId = string;

/**
 * One search result, as frontends show it.
 */
export type ResultLine = { title: string, url: string, };

/**
 * Whether results that are not for children are left out.
 */
export type SafeSearch = "off" | "moderate" | "strict";

/**
 * A search of the library that is kept under a name. Its time is counted from the day on which it is looked at.
 */
export type SavedSearch = { name: string, text: string, 
/**
 * Changed within so many days; 0 for any time.
 */
days: number, effort: Effort | null, mode: Mode | null, site: string | null, pinned: boolean, tag: string | null, 
/**
 * The id of a space.
 */
space: string | null, };

/**
 * How often a question is asked again. As text it is `6h`, `1d`, `2w` or `1d at 08:00`.
 */
export type Schedule = { 
/**
 * Minutes between two checks: an hour at least, a year at most.
 */
minutes: number, 
/**
 * The minute of the day, by the clock of this computer; only with whole days.
 */
at?: number, };

/**
 * Options of all search backends; those that have no such option do without.
 */
export type SearchOptions = { 
/**
 * Results taken of one query.
 */
count: number, 
/**
 * The language of results, such as `en`; a provider's own language comes first.
 */
language: string | null, 
/**
 * The country of results, in two letters such as `us`.
 */
country: string | null, 
/**
 * Whether results that are not for children are left out.
 */
safe_search: SafeSearch, 
/**
 * Hosts whose results alone are taken; all where none is named.
 */
include_sites: Array<string>, 
/**
 * Hosts whose results are left out.
 */
exclude_sites: Array<string>, 
/**
 * Hosts whose results stand behind all others.
 */
demote_sites: Array<string>, 
/**
 * Hosts whose results stand in front of all others.
 */
prefer_sites: Array<string>, 
/**
 * Web backends that are asked at the same time and whose results are merged; the next ones are
 * asked when these found nothing. With 0, those that cost nothing are asked together and each of
 * the others by itself. Documents are always asked beside them.
 */
at_once: number, };

/**
 * Where a query goes.
 */
export type SearchTool = "web" | "stackexchange" | "security" | "grep" | "library";

/**
 * The model's second look at the statements that were not supported.
 */
export type SecondLook = { 
/**
 * Statements that were looked at.
 */
looked_at: number, 
/**
 * Those of which it showed the words that support them.
 */
confirmed: number, 
/**
 * Those that it changed, in the order of the answer.
 */
corrections: Array<Correction>, 
/**
 * It was requested and failed: there was no reply, or none that could be read.
 */
failed?: boolean, };

/**
 * Another model's answer from the same sources, beside the first.
 */
export type SecondOpinion = { 
/**
 * Who gave it.
 */
model: string, 
/**
 * Markdown with `[n]`, the numbers of the thread.
 */
answer: string, citations: Array<Citation>, statements: Array<Statement>, 
/**
 * First those of the first answer, in its order, then those that only the second has.
 */
compared: Array<Compared>, usage: Usage, };

/**
 * Everything that can be set, with defaults that work on a fresh machine.
 */
export type Settings = { 
/**
 * How much work goes into a question for which nothing else is chosen: up to 8, 16 or 32 steps.
 */
default_effort: Effort, 
/**
 * Models to try, in order: names of providers, `provider/model` for another model of the same
 * key, or `builtin`.
 */
llm_backends: Array<string>, 
/**
 * A cheaper model for requests beside the conversation, named like those of `llm_backends`.
 */
side_model: string | null, 
/**
 * What `side_model` is asked for.
 */
side_tasks: Array<SideTask>, 
/**
 * Who looks at statements that their sources do not seem to support.
 */
check: AnswerCheck, 
/**
 * Whether models may search earlier questions and answers.
 */
past_research: boolean, 
/**
 * How much models reason before they answer.
 */
thinking: Thinking, 
/**
 * Models that are offered first, as `provider/model`.
 */
favourite_models: Array<string>, 
/**
 * Search backends to try, in order: names of providers, or `documents`.
 */
search_backends: Array<string>, 
/**
 * Readers to try, in order: names of providers, or `builtin`.
 */
fetch_backends: Array<string>, 
/**
 * The model's context window, in tokens.
 */
max_context: number, 
/**
 * Compaction begins when the conversation fills this share of the window.
 */
auto_compact_thresh: number, 
/**
 * Length of the summary that compaction asks for, in words.
 */
compact_target_words: number, 
/**
 * How many of the newest assistant messages survive compaction with their tool results.
 */
preserve_last_n_messages: number, 
/**
 * How long one reply of a model may be, in tokens; never more than half of `max_context`.
 */
max_output_tokens: number, 
/**
 * By which tokens are counted.
 */
tokenizer_encoding: string, 
/**
 * Seconds that a search or reader service may take.
 */
provider_timeout: number, 
/**
 * Seconds that a model may go without sending anything of its reply.
 */
model_timeout: number, 
/**
 * Seconds that one reply of a model may take as a whole.
 */
model_total_timeout: number, 
/**
 * How often a model is asked again after a passing failure.
 */
llm_max_retries: number, 
/**
 * Seconds after which the answer is asked for.
 */
time_target: number | null, 
/**
 * Steps that one question may take at most, whatever its effort: requests to the model, each with the calls it makes.
 */
max_steps: number | null, 
/**
 * Tokens that one question may use.
 */
max_tokens: number | null, 
/**
 * US dollars that one question may cost. A run with a model whose price is not known does not
 * start then.
 */
max_cost: number | null, 
/**
 * US dollars that all questions of a month may cost before the person is asked.
 */
max_cost_month: number | null, 
/**
 * The database of the team library, by its name in `providers`: threads can be shared there, and those of others found.
 */
team_library: string | null, 
/**
 * Pages that are fetched, for one question, before the model has asked for them; 0 turns it off.
 */
pages_ahead: number, 
/**
 * The language of windows, terminal and exports. It is taken on when Nexi starts.
 */
language: Language, 
/**
 * How answers should be.
 */
preferences: Preferences, 
/**
 * Deep research.
 */
deep: Deep, 
/**
 * Your own files.
 */
documents: Documents, 
/**
 * Searching documents by meaning.
 */
embeddings: Embeddings, 
/**
 * Reading scanned pages and pictures.
 */
ocr: Ocr, 
/**
 * Questions that are asked again by themselves.
 */
watched: Watched, 
/**
 * The way to the network, and what of it may be visited.
 */
network: Network, 
/**
 * Options of all search backends.
 */
search: SearchOptions, 
/**
 * Pages that are kept.
 */
cache: PageCacheSettings, 
/**
 * Services that answer, find or read, by name.
 */
providers: { [key in string]: Provider }, 
/**
 * Context windows and prices by the model's name, before those that Nexi knows.
 */
models: { [key in string]: ModelFacts }, 
/**
 * Prompts that replace ours.
 */
prompts: Prompts, 
/**
 * Servers of tools, by name.
 */
tools: { [key in string]: ToolServer }, 
/**
 * Commands that models may run, by name.
 */
commands: { [key in string]: ToolCommand }, 
/**
 * Webhooks and programs that are called after research, by name.
 */
hooks: { [key in string]: Hook }, 
/**
 * The desktop app.
 */
desktop: Desktop, 
/**
 * Where keys are kept that were entered.
 */
keys: KeyPlace, };

/**
 * Everything the settings window shows.
 */
export type SettingsView = { settings: Settings, defaults: Settings, 
/**
 * What is wrong with the file, and what in it has no effect.
 */
problems: Array<ProblemView>, warnings: Array<ProblemView>, settings_file: string, data_folder: string, version: string, prompts: Array<PromptView>, kinds: Array<KindView>, 
/**
 * Services of models with a preset.
 */
vendors: Array<VendorView>, 
/**
 * The day on which prices were taken over, as `YYYY-MM-DD`.
 */
prices: string, };

/**
 * How a thread of one's own is shared.
 */
export type SharedFacts = { 
/**
 * The role whose members may see it; none is everybody.
 */
role: string | null, 
/**
 * Because its space is.
 */
by_space: boolean, 
/**
 * Whether answers that rest on private text go along.
 */
private: boolean, 
/**
 * How many answers do not.
 */
held: number, 
/**
 * What the team library is still to be told of it.
 */
waiting: number, };

/**
 * One argument of a call.
 */
export type ShownArgument = { name: string, value: string, };

/**
 * A kind of request that `side_model` may be asked for.
 */
export type SideTask = "planning" | "extraction" | "selection" | "compaction" | "check" | "evaluation";

/**
 * What went wrong with a sign-in. Sentences follow the name of the server, and a colon.
 */
export type SignInCause = { "code": "lacks_scope", scope: string, } | { "code": "lacks_right" } | { "code": "slow" } | { "code": "moved", before: string, now: string, } | { "code": "no_registration" } | { "code": "no_address" } | { "code": "other_address" } | { "code": "timed_out", minutes: number, } | { "code": "unsafe_address", address: string, } | { "code": "unvisited_address", address: string, message: string, } | { "code": "not_offered" } | { "code": "expired" } | { "code": "not_kept", message: string, } | { "code": "no_pkce" } | { "code": "no_codes" } | { "code": "other_provider", named: string, wanted: string, } | { "code": "unnamed_provider", wanted: string, } | { "code": "not_registered", message: string, } | { "code": "unusable_token", message: string, } | { "code": "bad_token" } | { "code": "not_renewed", message: string, } | { "code": "provider_unreached", servers: string, } | { "code": "no_description", message: string, } | { "code": "failed", message: string, } | { "code": "port_taken", port: number, message: string, } | { "code": "port_closed" } | { "code": "declined" } | { "code": "declined_saying", said: string, } | { "code": "refused", said: string, } | { "code": "no_code" };

/**
 * Why a document was left out.
 */
export type SkipReason = { "type": "too_large", max_mib: number, } | { "type": "not_text" } | { "type": "unreadable", message: string, } | { "type": "encrypted" } | { "type": "no_text" } | { "type": "scanned", waits: boolean, } | { "type": "nothing_recognised" } | { "type": "not_recognised" } | { "type": "damaged" } | { "type": "too_complex" } | { "type": "too_slow" } | { "type": "archive" } | { "type": "link" } | { "type": "no_file" } | { "type": "bad_name" } | { "type": "cut" } | { "type": "parts", names: Array<string>, };

/**
 * A document that could not be read, or not as a whole.
 */
export type SkippedFile = { path: string, reason: SkipReason, 
/**
 * The reason as a part of a sentence.
 */
message: string, };

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
export type SourceText = { number: number, url: string, title: string, 
/**
 * Who wrote it, where that is known.
 */
byline: string | null, date: string | null, 
/**
 * When it was fetched, in Unix milliseconds.
 */
fetched_ms: number, text: string, passages: Array<Passage>, 
/**
 * For every line of `text` the line of the file; empty where they are the same.
 */
lines: Array<number>, 
/**
 * The text as cleaned HTML, where it is Markdown and not too long.
 */
html: string | null, 
/**
 * Whether its pages can be shown as pictures.
 */
pictures: boolean, };

/**
 * A space: what the person wants for all threads in it.
 */
export type Space = { id: string, name: string, 
/**
 * Instructions for models, sent with every question in it; empty if there are none.
 */
instructions: string, 
/**
 * Folders and files that are searched in it in place of those of the settings; empty where those are.
 */
folders: Array<string>, 
/**
 * Who is asked in it; none as by the settings.
 */
model: string | null, 
/**
 * Unix time in milliseconds.
 */
created_ms: number, 
/**
 * How many threads belong to it.
 */
threads: number, };

/**
 * What a person sets of a space.
 */
export type SpaceDraft = { name: string, instructions: string, folders: Array<string>, model: string | null, };

/**
 * A sentence of an answer that says something which can be true or false.
 */
export type Statement = { 
/**
 * Byte of the answer where it begins.
 */
start: number, 
/**
 * Byte just behind it, its citations included.
 */
end: number, 
/**
 * The best that any of its citations found, and the worst of its parts where it cites for several.
 */
support: Support, };

/**
 * How well a sentence of an answer is supported by what it cites, as far as words, numbers and names can tell.
 * Ordered from well to badly supported.
 */
export type Support = "supported" | "partly_supported" | "uncited" | "not_supported" | "contradicted";

/**
 * What became of a question.
 */
export type Taken = { "type": "begun" } & Begun | { "type": "price_unknown", model: string, message: string, } | { "type": "month_is_spent", 
/**
 * In millionths of a US dollar, both of them.
 */
spent: number, limit: number, message: string, };

/**
 * What one researcher is to find out.
 */
export type Task = { 
/**
 * A few words.
 */
title: string, 
/**
 * What is to be found out, as a sentence or two.
 */
goal: string, 
/**
 * What to search for first; may be empty.
 */
queries: Array<string>, };

/**
 * Whose a shared thread is that is looked at.
 */
export type TeamFacts = { author: string, 
/**
 * Whether that is the person themselves, who no longer has it here.
 */
own: boolean, };

/**
 * Some shared threads: newest first, or best first if there are words to look for.
 */
export type TeamPage = { rows: Array<TeamRow>, 
/**
 * Whether there are rows behind these.
 */
more: boolean, };

/**
 * A shared thread in the team library.
 */
export type TeamRow = { 
/**
 * Its name among those that are shared, by which it is opened.
 */
id: ThreadId, title: string, 
/**
 * One line about it; empty where there is none.
 */
description: string, tags: Array<string>, 
/**
 * The name of the author's space that it belongs to.
 */
space: string | null, 
/**
 * Who shared it: a user of the database.
 */
author: string, 
/**
 * Whether that is the person themselves.
 */
own: boolean, 
/**
 * The role whose members may see it; none is everybody.
 */
role: string | null, 
/**
 * Whose thread it goes on from.
 */
origin: string | null, turns: number, 
/**
 * Unix time in milliseconds of its last turn.
 */
updated_ms: number, 
/**
 * Where the words were found.
 */
pieces: Array<Piece>, };

/**
 * Which shared threads to show. All conditions have to hold.
 */
export type TeamSearch = { 
/**
 * Words that must occur in one turn's question or answer, or in the title; empty for all threads.
 */
text: string, 
/**
 * With a turn at this time or later, in Unix milliseconds.
 */
since_ms: number | null, tag: string | null, 
/**
 * Rows to leave out at the beginning.
 */
offset: number, 
/**
 * Rows to return at most, from 1 to 200.
 */
limit: number, };

/**
 * How sharing stands.
 */
export type TeamStatus = { 
/**
 * The database of the team library, by its name in the settings; none where there is none.
 */
library: string | null, 
/**
 * Threads of one's own that are shared.
 */
shared: number, 
/**
 * Answers of these that are held back, because they rest on private text.
 */
held: number, 
/**
 * What the team library is still to be told.
 */
waiting: number, 
/**
 * Why it could not be told the last time; a sentence.
 */
trouble: string | null, 
/**
 * The ids of the spaces whose threads are shared.
 */
spaces: Array<string>, };

/**
 * A question that is asked often, under a name that is typed after `/`.
 */
export type Template = { id: string, 
/**
 * Lowercase letters, digits and hyphens.
 */
name: string, text: string, 
/**
 * The names of its fields, in the order of the text, each once.
 */
fields: Array<string>, };

/**
 * Colours of the windows.
 */
export type Theme = "system" | "light" | "dark";

/**
 * How much a model reasons before it answers; every family of models has its own words for it.
 */
export type Thinking = "auto" | "off" | "low" | "medium" | "high";

/**
 * What is known of a thread besides its turns.
 */
export type ThreadFacts = { id: ThreadId, title: string, pinned: boolean, 
/**
 * It is nowhere but in memory.
 */
private: boolean, tags: Array<string>, 
/**
 * One line about it; empty where there is none.
 */
description: string, 
/**
 * The name of the space that it belongs to.
 */
space?: string, 
/**
 * Its question is asked again by itself.
 */
watched: boolean, 
/**
 * How it is shared, if it is.
 */
shared?: SharedFacts, 
/**
 * Whose it is, where it is but looked at in the team library.
 */
team?: TeamFacts, 
/**
 * Whose shared thread it goes on from.
 */
origin?: string, };

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
updated_ms: number, state: TurnState, pinned: boolean, 
/**
 * Kept in memory only.
 */
private: boolean, 
/**
 * Its question is asked again by itself.
 */
watched: boolean, 
/**
 * The id of the space that it belongs to.
 */
space?: string, };

/**
 * What the model calls a thread after its first answer.
 */
export type ThreadTitle = { 
/**
 * A few words.
 */
title: string, 
/**
 * One line about what it is about.
 */
description?: string, };

/**
 * A thread as it is opened: every turn, the newest ones in full.
 */
export type ThreadView = { thread: ThreadFacts, outlines: Array<TurnOutline>, 
/**
 * The last ones; the others are asked for when they come into sight.
 */
turns: Array<TurnView>, };

/**
 * How new results should be.
 */
export type TimeRange = "day" | "week" | "month" | "year";

/**
 * What went wrong with a server or a command. Sentences follow the name of what they are of, and a colon.
 */
export type ToolCause = { "code": "silent_call", seconds: number, } | { "code": "unreadable_reply" } | { "code": "not_answered", seconds: number, } | { "code": "unreached", message: string, } | { "code": "stopped_starting", program: string, message: string, } | { "code": "stopped_saying", program: string, said: string, } | { "code": "not_found", program: string, } | { "code": "not_started", program: string, message: string, } | { "code": "no_pipes" } | { "code": "answered", said: string, } | { "code": "closed" } | { "code": "not_sent", message: string, } | { "code": "did_not_end", seconds: number, } | { "code": "stopped" } | { "code": "changed" } | { "code": "gone" } | { "code": "not_approved" } | { "code": "no_keys" } | { "code": "missing_secret", variable: string, server: string, } | { "code": "network_settings" } | { "code": "needs_sign_in", server: string, } | { "code": "ended", said: string, } | { "code": "ended_with", exit: number, said: string, } | { "code": "ended_silently" } | { "code": "ended_silently_with", exit: number, } | { "code": "missing_argument", name: string, } | { "code": "hyphen_argument", name: string, } | { "code": "odd_argument", name: string, } | { "code": "no_reason" } | { "code": "said", said: string, } | { "code": "not_allowed" } | { "code": "nobody_asked" } | { "code": "holds_private" };

/**
 * A command that a model may run, with arguments of its own in the places that the person gave it.
 */
export type ToolCommand = { 
/**
 * Whether it is offered to models.
 */
enabled: boolean, 
/**
 * What it does, for models.
 */
description: string, 
/**
 * The program that is started.
 */
program: string, 
/**
 * Its arguments; `{name}` stands for the argument of this name. Nothing is read by a shell.
 */
args: Array<string>, 
/**
 * What each argument means, by its name.
 */
arguments: { [key in string]: string }, 
/**
 * The argument that the program reads from its standard input, if any.
 */
input: string | null, 
/**
 * Whether it changes nothing, so that more than one call can be allowed at once.
 */
reads: boolean, 
/**
 * Seconds that it may take.
 */
timeout: number, 
/**
 * Whether what it prints is nobody's private text.
 */
public: boolean, 
/**
 * Whether it sends nothing away from this computer.
 */
local: boolean, };

/**
 * A tool as its server describes it. Approval is of these words: whatever differs has to be approved again.
 */
export type ToolDefinition = { name: string, title?: string, description: string, 
/**
 * JSON Schema of the arguments.
 */
parameters: unknown, 
/**
 * Whether it says that it changes nothing.
 */
reads: boolean, };

/**
 * A server of tools, which is a program or an address.
 */
export type ToolServer = { 
/**
 * Whether its tools are offered to models.
 */
enabled: boolean, 
/**
 * The program that is started.
 */
command: string | null, 
/**
 * Its arguments.
 */
args: Array<string>, 
/**
 * Environment variables that it gets besides the usual ones.
 */
env: { [key in string]: string }, 
/**
 * Environment variables whose values are kept like keys.
 */
secrets: Array<string>, 
/**
 * The address of a server that is reached over HTTP.
 */
url: string | null, 
/**
 * What Nexi is called by the one that signs people in to this address, where that registers no programs by itself.
 */
client_id: string | null, 
/**
 * The port of this computer at which a sign-in comes back; any free one if it is none.
 */
redirect_port: number | null, 
/**
 * What a sign-in asks to be allowed; what the server names if it is empty.
 */
scopes: Array<string>, 
/**
 * Seconds that a call may take without a sign of progress.
 */
timeout: number, 
/**
 * Whether what it returns is nobody's private text.
 */
public: boolean, 
/**
 * Whether it sends nothing away from this computer.
 */
local: boolean, };

/**
 * A server, or all commands, with what is known of its tools.
 */
export type ToolServerView = { name: string, 
/**
 * What is started or reached, on one line.
 */
launch: string, 
/**
 * Whether it is reached over HTTP.
 */
remote: boolean, enabled: boolean, 
/**
 * The line that was approved, where it is another one by now.
 */
approved_launch?: string, tools: Array<ToolView>, };

/**
 * How a tool stands.
 */
export type ToolState = "new" | "approved" | "changed" | "gone";

/**
 * One tool.
 */
export type ToolView = { definition: ToolDefinition, state: ToolState, 
/**
 * What was approved, where it is something else by now.
 */
approved?: ToolDefinition, 
/**
 * Whether all its calls are granted.
 */
granted: boolean, };

/**
 * A turn as it is kept: all that a frontend needs to show it again.
 */
export type Turn = { id: TurnId, thread: ThreadId, question: string, effort: Effort, mode: Mode, model: string, 
/**
 * Unix time in milliseconds when it was asked.
 */
asked_ms: number, duration_ms: number, 
/**
 * The ending, or what is known of it so far while the state is `running` or `interrupted`.
 */
ending: Ending, 
/**
 * What another model was asked about it afterwards.
 */
second?: SecondOpinion, 
/**
 * What it says that an earlier answer to the same question did not.
 */
change?: AnswerChange, 
/**
 * The run's events without answer deltas.
 */
events: Array<EventEnvelope>, };

/**
 * One question with its run and its answer. 32 lower-case hex digits that sort by time.
 */
export type TurnId = string;

/**
 * A turn before its answer is shown: long threads are opened so.
 */
export type TurnOutline = { id: TurnId, question: string, state: TurnState, 
/**
 * Bytes of its answer, by which its height can be guessed.
 */
length: number, };

/**
 * How a run stands. Every run ends in one of the last six.
 */
export type TurnState = "running" | "answered" | "partial" | "nothing_found" | "cancelled" | "failed" | "interrupted";

/**
 * A turn with its answer as safe HTML.
 */
export type TurnView = { turn: Turn, html: string, 
/**
 * What another model answered, as safe HTML.
 */
second_html?: string, };

/**
 * What is noticed of a question while it is typed.
 */
export type TypedHints = { 
/**
 * An earlier question that is much like it.
 */
before?: AskedBefore, 
/**
 * It is about something else than the thread that it is typed into.
 */
new_topic: boolean, };

/**
 * A task that came to no report.
 */
export type Unfinished = { title: string, reason: Reasons, };

/**
 * The units in which quantities are given.
 */
export type Units = "metric" | "imperial";

/**
 * Why there is no new version to be had. But for the last, nothing was changed.
 */
export type UpdateFailure = { "code": "unreachable", "params": { why: string, } } | { "code": "no_release" } | { "code": "not_for_this_system" } | { "code": "download_broke", "params": { why: string, } } | { "code": "bad_signature" } | { "code": "other_version", "params": { signed: string, } } | { "code": "no_backup", "params": { why: string, } } | { "code": "not_replaced", "params": { why: string, } } | { "code": "not_restored", "params": { path: string, } };

/**
 * How this copy of Nexi comes to a new version.
 */
export type UpdateMeans = { "type": "itself" } | { "type": "package", manager: PackageManager, } | { "type": "by_hand" };

/**
 * How far an update is.
 */
export type UpdateState = { "type": "idle" } | { "type": "checking" } | { "type": "current" } | { "type": "available", release: Release, } | { "type": "downloading", version: string, done: number, total: number | null, } | { "type": "installing", version: string, } | { "type": "ready", version: string, } | { "type": "failed", failure: UpdateFailure, 
/**
 * Where it can be tried again at once.
 */
release: Release | null, };

/**
 * Everything that is shown of new versions.
 */
export type UpdateView = { 
/**
 * The one that runs.
 */
version: string, means: UpdateMeans, 
/**
 * Whether this copy was told where releases are: one that somebody built was not.
 */
can_look: boolean, 
/**
 * Whether Nexi ends while it is replaced.
 */
ends: boolean, state: UpdateState, 
/**
 * The version before, where it was kept.
 */
previous: string | null, };

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
estimated: boolean, 
/**
 * Tokens of the prompt that the service had cached, which cost less.
 */
cached?: number, };

/**
 * What sums are made of.
 */
export type UsageBy = "day" | "month" | "model" | "service" | "space";

/**
 * What was used on one day, in one month, or of one model or service.
 */
export type UsageRow = { 
/**
 * `2026-11-26`, `2026-11`, `gpt-x · work` or `work`; empty for the sum of all.
 */
name: string, 
/**
 * Second opinions are no questions of their own.
 */
questions: number, prompt_tokens: number, 
/**
 * Part of those of the prompt.
 */
cached_tokens: number, completion_tokens: number, 
/**
 * In millionths of a US dollar; 0 where no price is known.
 */
cost: number, duration_ms: number, };

/**
 * What was used in some time.
 */
export type UsageTable = { 
/**
 * Days and months newest first, models and services dearest first.
 */
rows: Array<UsageRow>, total: UsageRow, month: MonthUsage, };

/**
 * A service with a preset.
 */
export type Vendor = { 
/**
 * Its name in the settings, in chains and on the command line.
 */
id: string, 
/**
 * Its name as people know it.
 */
label: string, 
/**
 * The wire format.
 */
type: ProviderKind, 
/**
 * Empty where everybody has an address of their own.
 */
base_url: string, 
/**
 * The variable its keys are in by convention; empty for services that want none.
 */
key_env: string, 
/**
 * The page on which its keys are made; empty for services that want none.
 */
key_page: string, 
/**
 * What its keys begin with, where that tells them from all others.
 */
key_prefix: string, 
/**
 * A model to begin with.
 */
model: string, 
/**
 * It runs on the person's own computer: nothing costs anything.
 */
local: boolean, };

/**
 * A service of models with a preset.
 */
export type VendorView = { vendor: Vendor, 
/**
 * Whether it cannot be asked without a key.
 */
needs_key: boolean, };

/**
 * How a test went.
 */
export type Verdict = "works" | "refused" | "no_balance" | "offline" | "slow" | "limited" | "unknown_model" | "wrong_address" | "other";

/**
 * Events of a run.
 */
export type WatchMessage = { 
/**
 * Milliseconds since the run began.
 */
elapsed_ms: number, 
/**
 * Without the deltas of the answer, which are in `answer`.
 */
events: Array<EventEnvelope>, 
/**
 * The answer so far, when it has changed.
 */
answer?: AnswerBlocks, };

/**
 * What became of a question that was to be watched.
 */
export type WatchTaken = { "type": "watched" } | { "type": "price_unknown", message: string, } | { "type": "leans_on_context", message: string, };

/**
 * How questions are asked again by themselves.
 */
export type Watched = { 
/**
 * US dollars that the checks of all watched questions may cost in a calendar month.
 */
max_cost_month: number, 
/**
 * Whether questions are checked while the computer runs on its battery.
 */
on_battery: boolean, 
/**
 * Whether questions are checked on networks that cost by use.
 */
on_metered: boolean, };

/**
 * How a watched question is asked.
 */
export type WatchedHow = { effort: Effort | null, mode: Mode, focus: Focus, 
/**
 * The name of a provider, or `builtin`; none takes the settings' order.
 */
provider: string | null, 
/**
 * What one check may cost, in US dollars; none takes the settings'.
 */
max_cost: number | null, 
/**
 * No cost limit counts, because the price of the model is not known.
 */
any_cost: boolean, 
/**
 * Folders to search besides those of the settings.
 */
folders: Array<string>, 
/**
 * Whether those alone are searched.
 */
only_folders: boolean, 
/**
 * Hosts of the web to search, and no others.
 */
sites: Array<string>, };

/**
 * A question that is asked again by itself.
 */
export type WatchedQuestion = { id: string, 
/**
 * Where its answers stand.
 */
thread: ThreadId, question: string, how: WatchedHow, schedule: Schedule, paused: boolean, created_ms: number, 
/**
 * When it is to be checked again, in Unix milliseconds.
 */
next_ms: number, 
/**
 * When it was checked last; none where it never was.
 */
checked_ms: number | null, outcome: CheckOutcome | null, 
/**
 * The answer that the next one is compared with.
 */
compared_with: TurnId | null, 
/**
 * Checks in a row that gave no answer.
 */
failures: number, checks: number, changes: number, 
/**
 * What its checks have cost, in millionths of a US dollar.
 */
spent: number, };
