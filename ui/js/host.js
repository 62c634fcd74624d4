// Each function is one command of the Rust side; which window may call which is said in tauri.conf.json.

/** @import { AppEvent, Backup, Begun, CatalogModel, CatalogService, Change, Chapter, Check, Chip, CitationStyle, CopyForm, DeletedItem, Delivery, DesktopView, DocumentHits, DocumentText, Effort, Focus, FolderStatus, Format, FoundSearxng, FoundServer, GrantScope, HeldId, HookView, ImportOutcome, IndexingProgress, KeyStatus, KeysView, LibraryPage, LibraryQuery, LocalService, MeaningStatus, Memory, Mode, NewHook, NewToolServer, OcrStatus, Overview, PageView, Part, Plan, ProblemView, ProviderKind, ResearcherId, SavedSearch, SettingsView, SharedFacts, SourceText, Space, SpaceDraft, Taken, TeamPage, TeamSearch, TeamStatus, Template, Thinking, ThreadFacts, ThreadId, ThreadSummary, ThreadView, ToolServerView, ToolView, TurnId, TurnView, TypedHints, UpdateView, WatchedQuestion, WatchMessage, WatchTaken } from "./protocol" */

import { channel, invoke } from "./bridge.js";
import { refusalLine } from "./sentences.js";

/** @param {string} command @param {object} [args] @returns {Promise<any>} */
const call = (command, args) =>
  invoke(command, args).catch((refusal) => {
    throw refusalLine(refusal);
  });

// Every window.

/** @returns {Promise<Overview>} */
export const overview = () => call("overview");
/** @param {(news: AppEvent) => void} onnews @returns {Promise<void>} */
export const listen = (onnews) => call("listen", { channel: channel(onnews) });
/** @param {"main" | "settings" | "setup"} which @param {Part | null} [part] @param {string | null} [find] what to look for among the settings @returns {Promise<void>} */
export const openWindow = (which, part = null, find = null) => call("open_window", { which, part, find });
/** Closes this window, as its own button would. @returns {Promise<void>} */
export const closeWindow = () => call("close_window");
/** @returns {Promise<DesktopView>} */
export const desktop = () => call("desktop");

// Asking and reading.

/** @typedef {{ question: string, thread: ThreadId | null, space?: string | null, effort: Effort, mode?: Mode, approve?: boolean | null, provider?: string | null, focus?: Focus, private?: boolean, thinking?: Thinking | null, any_cost?: boolean, over_month?: boolean, attached?: number[], instead_of?: TurnId | null }} Question */

/** @returns {Promise<CatalogService[]>} */
export const modelCatalog = () => call("model_catalog", {});

/** @param {string} name @param {boolean} favourite @returns {Promise<void>} */
export const favourModel = (name, favourite) => call("favour_model", { name, favourite });

/** What is worth telling while a question is typed; none when a search of the library came first. @param {string} typed @param {ThreadId | null} thread the one that is open @returns {Promise<TypedHints | null>} */
export const typedHints = (typed, thread) => call("typed_hints", { typed, thread });

// What is given along with a question. Chips are offered by the Rust side, which knows what they stand for.

/** @param {string} typed @returns {Promise<Chip[]>} */
export const attachSuggest = (typed) => call("attach_suggest", { typed });
/** Lets the person choose files, or folders. @param {boolean} folder @returns {Promise<Chip[]>} */
export const attachChoose = (folder) => call("attach_choose", { folder });
/** @param {string} text @returns {Promise<Chip[]>} */
export const attachText = (text) => call("attach_text", { text });
/** The address of a web page. @param {string} address @returns {Promise<Chip[]>} */
export const attachAddress = (address) => call("attach_address", { address });
/** Files in the clipboard, or the text of a picture; none where there is something else. @returns {Promise<Chip[]>} */
export const attachClipboard = () => call("attach_clipboard");
/** A document or folder of the person's. @param {string} path @returns {Promise<Chip[]>} */
export const attachDocument = (path) => call("attach_document", { path });

// Documents, and the reader beside an answer.

/** @param {string} typed @returns {Promise<DocumentHits>} */
export const searchDocuments = (typed) => call("search_documents", { typed });
/** @param {string} url @returns {Promise<DocumentText>} */
export const documentText = (url) => call("document", { url });
/** @param {TurnId} turn @param {number} number @param {number} page @param {string} quote @returns {Promise<PageView | null>} */
export const sourcePage = (turn, number, page, quote) => call("source_page", { turn, number, page, quote });
/** @param {string} url @param {number} page @param {string} quote @returns {Promise<PageView | null>} */
export const documentPage = (url, page, quote) => call("document_page", { url, page, quote });
/** @param {TurnId} turn @param {number} number @param {boolean} folder @returns {Promise<void>} */
export const openFile = (turn, number, folder) => call("open_file", { turn, number, folder });
/** @param {string} url @param {boolean} folder @returns {Promise<void>} */
export const openDocumentFile = (url, folder) => call("open_document_file", { url, folder });
/** Lets the person add a folder to those that are searched; whether one was added. @returns {Promise<boolean>} */
export const addFolder = () => call("add_folder");
/** @param {string} folder as the settings have it @returns {Promise<boolean>} */
export const removeFolder = (folder) => call("remove_folder", { folder });
/** @param {string} folder one that was removed @returns {Promise<boolean>} */
export const putFolderBack = (folder) => call("put_folder_back", { folder });
/** @param {string} folder @returns {Promise<void>} */
export const openFolder = (folder) => call("open_folder", { folder });

/** @param {Question} asked @returns {Promise<Taken>} */
export const ask = (asked) => call("ask", { asked });
/** Follows a run from its first event on; false when it is over. @param {TurnId} turn @param {(message: WatchMessage) => void} onmessage @returns {Promise<boolean>} */
export const watch = (turn, onmessage) => call("watch", { turn, channel: channel(onmessage) });
/** @param {TurnId} turn @returns {Promise<void>} */
export const stop = (turn) => call("stop", { turn });
/** @param {TurnId} turn @returns {Promise<void>} */
export const finishNow = (turn) => call("finish_now", { turn });
/** @param {TurnId} turn @param {ResearcherId} researcher @returns {Promise<void>} */
export const stopResearcher = (turn, researcher) => call("stop_researcher", { turn, researcher });
/** @param {TurnId} turn @param {Plan} plan @returns {Promise<void>} */
export const approvePlan = (turn, plan) => call("approve_plan", { turn, plan });
/** Opens the settings file in the system's editor. @returns {Promise<void>} */
export const openSettingsFile = () => call("open_settings_file");
/** Lets through what is held back, or does not. @param {TurnId} turn @param {HeldId} held @param {boolean} allowed @param {GrantScope} [scope] @returns {Promise<void>} */
export const permit = (turn, held, allowed, scope = "once") => call("permit", { turn, held, allowed, scope });
/** Fills in a form of a tool server; null declines. @param {TurnId} turn @param {number} form @param {Record<string, unknown> | null} values @returns {Promise<boolean>} */
export const fillForm = (turn, form, values) => call("fill_form", { turn, form, values });

// Tools of the person's own.
/** @returns {Promise<ToolServerView[]>} */
export const toolServers = () => call("tool_servers");
/** @returns {Promise<ToolView[]>} */
export const toolCommands = () => call("tool_commands");
/** Starts or reaches a server. @param {string} name @param {string} launch @returns {Promise<ToolServerView>} */
export const lookAtTools = (name, launch) => call("look_at_tools", { name, launch });
/** @param {string} name @param {string} launch @param {string[]} tools @returns {Promise<void>} */
export const approveTools = (name, launch, tools) => call("approve_tools", { name, launch, tools });
/** @param {string} server @param {string} tool @param {boolean} granted @returns {Promise<void>} */
export const grantTool = (server, tool, granted) => call("grant_tool", { server, tool, granted });
/** @param {string} server @param {string} tool @returns {Promise<void>} */
export const withdrawTool = (server, tool) => call("withdraw_tool", { server, tool });
/** @param {NewToolServer} server @returns {Promise<void>} */
export const addToolServer = (server) => call("add_tool_server", { server });
/** @param {string} name @returns {Promise<void>} */
export const removeToolServer = (name) => call("remove_tool_server", { name });
/** @param {string} server @param {string | null} variable @param {string | null} value @returns {Promise<void>} */
export const setToolSecret = (server, variable, value) => call("set_tool_secret", { server, variable, value });
/** Begins a sign-in to a server; the address at which the person signs in. @param {string} name @param {string} launch @returns {Promise<string>} */
export const beginSignIn = (name, launch) => call("begin_sign_in", { name, launch });
/** Opens the browser and waits for it. @param {string} name @returns {Promise<void>} */
export const finishSignIn = (name) => call("finish_sign_in", { name });
/** @param {string} name @returns {Promise<void>} */
export const cancelSignIn = (name) => call("cancel_sign_in", { name });
/** @param {string} name @returns {Promise<void>} */
export const signOut = (name) => call("sign_out", { name });
/** @param {string} name @returns {Promise<boolean>} */
export const isSignedIn = (name) => call("is_signed_in", { name });
/** Servers that other programs know. @returns {Promise<FoundServer[]>} */
export const foreignToolServers = () => call("foreign_tool_servers");
/** @param {string} name @param {string} launch @returns {Promise<void>} */
export const takeOverToolServer = (name, launch) => call("take_over_tool_server", { name, launch });

// Spaces.
/** @returns {Promise<Space[]>} */
export const spaces = () => call("spaces");
/** Makes a space, or changes the one with this id. @param {string | null} id @param {SpaceDraft} draft @returns {Promise<Space>} */
export const keepSpace = (id, draft) => call("keep_space", { id, draft });
/** @param {string} id @returns {Promise<void>} */
export const removeSpace = (id) => call("remove_space", { id });
/** @param {ThreadId} thread @param {string | null} space @returns {Promise<void>} */
export const moveToSpace = (thread, space) => call("move_to_space", { thread, space });

// Threads that are shared with a team.

/** @returns {Promise<TeamStatus>} */
export const teamStatus = () => call("team_status");
/** Shares a thread with the members of a role, or with everybody where it is empty. @param {ThreadId} thread @param {string} role @param {boolean} withPrivate whether answers that rest on private text go along @returns {Promise<SharedFacts>} */
export const shareThread = (thread, role, withPrivate) => call("share_thread", { thread, role, private: withPrivate });
/** @param {ThreadId} thread @returns {Promise<void>} */
export const withdrawThread = (thread) => call("withdraw_thread", { thread });
/** @param {ThreadId} share its name in the team library @returns {Promise<void>} */
export const withdrawShared = (share) => call("withdraw_shared", { share });
/** @param {string} space @param {boolean} on @returns {Promise<void>} */
export const shareSpace = (space, on) => call("share_space", { space, on });
/** @param {TeamSearch} wanted @returns {Promise<TeamPage>} */
export const teamThreads = (wanted) => call("team_threads", { wanted });
/** Brings a shared thread here; the id by which it is opened. @param {ThreadId} share @returns {Promise<ThreadId>} */
export const openShared = (share) => call("open_shared", { share });
/** Goes on from a shared thread in one of one's own. @param {ThreadId} share @returns {Promise<ThreadId>} */
export const continueShared = (share) => call("continue_shared", { share });

// Webhooks and commands that run after research.
/** @returns {Promise<HookView[]>} */
export const hooks = () => call("hooks");
/** @param {NewHook} hook @returns {Promise<void>} */
export const addHook = (hook) => call("add_hook", { hook });
/** @param {string} name @returns {Promise<void>} */
export const removeHook = (name) => call("remove_hook", { name });
/** Sends a test and waits for what comes of it. @param {string} name @returns {Promise<Delivery>} */
export const testHook = (name) => call("test_hook", { name });
/** @param {string} name @returns {Promise<void>} */
export const copyHookSecret = (name) => call("copy_hook_secret", { name });
/** @param {string} name @returns {Promise<void>} */
export const renewHookSecret = (name) => call("renew_hook_secret", { name });

/** Asks another model with the same sources. @param {TurnId} turn @param {string} model @returns {Promise<TurnView>} */
export const secondOpinion = (turn, model) => call("second_opinion", { turn, model });
/** Summarises the earlier turns of a thread; its last turn, which the summary is kept with. @param {ThreadId} thread @returns {Promise<TurnView>} */
export const summariseThread = (thread) => call("summarise_thread", { thread });
/** @param {TurnId} turn @param {ResearcherId} researcher @returns {Promise<string>} cleaned HTML */
export const researcherReport = (turn, researcher) => call("researcher_report", { turn, researcher });
/** @param {TurnId} turn @returns {Promise<string>} the file */
export const saveReport = (turn) => call("save_report", { turn });
/** What happened in a run, as a file; its path. @param {TurnId} turn @returns {Promise<string>} */
export const saveAudit = (turn) => call("save_audit", { turn });
/** @param {TurnId} turn @returns {Promise<Begun>} */
export const resume = (turn) => call("resume", { turn });
/** @param {TurnId} turn @param {boolean} including @returns {Promise<ThreadId | null>} */
export const branch = (turn, including) => call("branch", { turn, including });
/** The thread, where the turn was its only one and took it along. @param {TurnId} turn @returns {Promise<ThreadId | null>} */
export const deleteTurn = (turn) => call("delete_turn", { turn });
/** @param {TurnId} turn @returns {Promise<void>} */
export const restoreTurn = (turn) => call("restore_turn", { turn });
/** Of a space, or all. @param {string | null} space @returns {Promise<ThreadSummary[]>} */
export const threads = (space) => call("threads", { space });
/** @param {ThreadId} thread @returns {Promise<ThreadView>} */
export const openThread = (thread) => call("open_thread", { thread });
/** @param {ThreadId} thread @returns {Promise<ThreadFacts>} */
export const threadFacts = (thread) => call("thread_facts", { thread });
/** @param {TurnId[]} turns @returns {Promise<TurnView[]>} */
export const turnViews = (turns) => call("turn_views", { turns });
/** @param {TurnId} turn @param {number} number @returns {Promise<SourceText>} */
export const source = (turn, number) => call("source", { turn, number });
/** @param {TurnId} turn @param {number} number @param {number | null} passage @returns {Promise<void>} */
export const openSource = (turn, number, passage) => call("open_source", { turn, number, passage });
/** @param {TurnId} turn @param {number} place @returns {Promise<void>} */
export const openAnswerLink = (turn, place) => call("open_answer_link", { turn, place });
// Questions that are asked again by themselves. A schedule is written like `6h`, `1d at 08:00` or `2w`.

/** @returns {Promise<WatchedQuestion[]>} */
export const watchedQuestions = () => call("watched_questions");
/** @param {{ turn: TurnId, question: string, schedule: string, any_cost?: boolean, stands_alone?: boolean }} asked @returns {Promise<WatchTaken>} */
export const watchQuestion = (asked) => call("watch_question", { asked });
/** @param {string} id @param {string} schedule @returns {Promise<void>} */
export const scheduleWatched = (id, schedule) => call("schedule_watched", { id, schedule });
/** @param {string} id @param {boolean} paused @returns {Promise<void>} */
export const pauseWatched = (id, paused) => call("pause_watched", { id, paused });
/** @param {string} id @returns {Promise<void>} */
export const stopWatching = (id) => call("stop_watching", { id });
/** Asks again now; comes back when it is done. @param {string} id @returns {Promise<void>} */
export const checkWatched = (id) => call("check_watched", { id });
/** Writes what changed as a feed; its path. @returns {Promise<string>} */
export const saveWatchFeed = () => call("save_watch_feed");

// Questions that are asked often.

/** @returns {Promise<Template[]>} */
export const templates = () => call("templates");
/** @param {string | null} id the one whose place it takes @param {string} name @param {string} text @returns {Promise<Template>} */
export const keepTemplate = (id, name, text) => call("keep_template", { id, name, text });
/** @param {string} id @returns {Promise<void>} */
export const useTemplate = (id) => call("use_template", { id });
/** @param {string} id @returns {Promise<void>} */
export const removeTemplate = (id) => call("remove_template", { id });

// What the person wants remembered.

/** @returns {Promise<Memory[]>} */
export const memories = () => call("memories");
/** Keeps a memory everywhere or in a space, and whether it is new. @param {string} text @param {string | null} [space] @returns {Promise<[Memory, boolean]>} */
export const addMemory = (text, space = null) => call("add_memory", { text, space });
/** @param {string} id @param {string} text @returns {Promise<void>} */
export const changeMemory = (id, text) => call("change_memory", { id, text });
/** @param {string[]} ids @returns {Promise<void>} */
export const forgetMemories = (ids) => call("forget_memories", { ids });

/** Puts a text on the clipboard. @param {string} text @returns {Promise<void>} */
export const copyText = (text) => call("copy_text", { text });
/** Puts an answer on the clipboard. @param {TurnId} turn @param {CopyForm} form @returns {Promise<void>} */
export const copyAnswer = (turn, form) => call("copy_answer", { turn, form });
/** @returns {Promise<Chapter[]>} */
export const handbook = () => call("handbook");
/** @param {string} chapter @param {number} place @returns {Promise<void>} */
export const openHandbookLink = (chapter, place) => call("open_handbook_link", { chapter, place });

// The library.

/** None when a later question came first. @param {LibraryQuery} query @returns {Promise<LibraryPage | null>} */
export const library = (query) => call("library", { query });
/** @returns {Promise<[string, number][]>} */
export const tags = () => call("tags");
/** @returns {Promise<SavedSearch[]>} */
export const savedSearches = () => call("saved_searches");
/** @param {SavedSearch} search @returns {Promise<void>} */
export const saveSearch = (search) => call("save_search", { search });
/** @param {string} name @returns {Promise<void>} */
export const forgetSearch = (name) => call("forget_search", { name });
/** @param {ThreadId} thread @param {string} title @returns {Promise<void>} */
export const renameThread = (thread, title) => call("rename_thread", { thread, title });
/** @param {ThreadId} thread @param {boolean} pinned @returns {Promise<void>} */
export const pinThread = (thread, pinned) => call("pin_thread", { thread, pinned });
/** @param {ThreadId} thread @param {string[]} tags @returns {Promise<void>} */
export const tagThread = (thread, tags) => call("tag_thread", { thread, tags });
/** @param {ThreadId} thread @returns {Promise<void>} */
export const deleteThread = (thread) => call("delete_thread", { thread });
/** @param {ThreadId} thread @returns {Promise<void>} */
export const restoreThread = (thread) => call("restore_thread", { thread });
/** What was deleted and can be brought back. @returns {Promise<DeletedItem[]>} */
export const deleted = () => call("deleted");
/** Removes for good what was deleted: one item, or everything. @param {string | null} id @returns {Promise<void>} */
export const forgetDeleted = (id) => call("forget_deleted", { id });
/** @param {ThreadId} thread @returns {Promise<void>} */
export const keepThread = (thread) => call("keep_thread", { thread });
/** @param {ThreadId} thread @param {TurnId | null} turn @param {Format} format @param {CitationStyle} style @returns {Promise<string>} */
export const exportThread = (thread, turn, format, style) => call("export", { thread, turn, format, style });
/** @returns {Promise<void>} */
export const showWritten = () => call("show_written");
/** Letters of a file that are sent at once. */
const PIECE = 1 << 20;
/** Imports a file, which may be of any size. @param {Blob} file @param {boolean} skipBroken @returns {Promise<ImportOutcome>} */
export async function importThreads(file, skipBroken) {
  await call("import_begin", { skipBroken });
  const end = (/** @type {boolean} */ whole) => call("import_end", { whole });
  try {
    const reader = file
      .stream()
      .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
      .getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      text += value ?? "";
      if (text.length >= PIECE || (done && text !== "")) {
        await call("import_piece", { text });
        text = "";
      }
      if (done) break;
    }
  } catch (error) {
    // What the engine says about it is that the rest is missing.
    await end(false).catch(() => {});
    throw error instanceof TypeError ? refusalLine({ code: "not_utf8" }) : error;
  }
  return end(true);
}
/** Imports the file that was dropped last and refused, without its broken lines. @returns {Promise<void>} */
export const importRefused = () => call("import_refused");

// The popup.

/** @param {number} height @returns {Promise<number>} the largest height it may have */
export const popupSize = (height) => call("popup_size", { height });
/** @returns {Promise<number | null>} */
export const popupPainted = () => call("popup_painted");
/** @returns {Promise<void>} */
export const popupHide = () => call("popup_hide");
/** @param {boolean | null} pinned @returns {Promise<boolean>} */
export const popupPin = (pinned) => call("popup_pin", { pinned });
/** @returns {Promise<void>} */
export const popupDrag = () => call("popup_drag");
/** @param {ThreadId | null} thread @param {TurnId | null} [turn] @returns {Promise<void>} */
export const popupExpand = (thread, turn = null) => call("popup_expand", { thread, turn });

// Settings and setup.

/** @returns {Promise<SettingsView>} */
export const settings = () => call("settings");
/** @param {Change[]} changes @returns {Promise<ProblemView[]>} */
export const checkSettings = (changes) => call("check_settings", { changes });
/** @param {Change[]} changes @returns {Promise<ProblemView[]>} what is wrong; nothing has changed then */
export const changeSettings = (changes) => call("change_settings", { changes });
/** @returns {Promise<KeysView>} */
export const keys = () => call("keys");
/** @param {string[]} providers @returns {Promise<KeyStatus[]>} */
export const keyStatuses = (providers) => call("key_statuses", { providers });
/** @param {string} provider @param {string} key @returns {Promise<void>} */
export const setKey = (provider, key) => call("set_key", { provider, key });
/** @param {string} provider @returns {Promise<void>} */
export const removeKey = (provider) => call("remove_key", { provider });
/** @param {string} passphrase @returns {Promise<void>} */
export const unlockKeys = (passphrase) => call("unlock_keys", { passphrase });
/** @param {string} name @param {Change[]} changes @param {string | null} key @returns {Promise<Check>} */
export const checkProvider = (name, changes, key) => call("check_provider", { name, changes, key });
/** @param {string} name @param {Change[]} changes @param {string | null} key @returns {Promise<CatalogModel[]>} */
export const listModels = (name, changes, key) => call("list_models", { name, changes, key });
/** @param {ProviderKind} kind @param {string | null} vendor @returns {Promise<void>} */
export const openKeyPage = (kind, vendor) => call("open_key_page", { kind, vendor });
/** @param {string} text @returns {Promise<string[]>} */
export const importSettings = (text) => call("import_settings", { text });
/** @typedef {{ since: string | null, by: import("./protocol").UsageBy }} UsageWanted */
/** What questions have used. @param {UsageWanted} wanted @returns {Promise<import("./protocol").UsageTable>} */
export const usage = (wanted) => call("usage", wanted);
/** The same as a file; its path. @param {UsageWanted} wanted @returns {Promise<string>} */
export const saveUsage = (wanted) => call("save_usage", wanted);
/** @returns {Promise<[string, number]>} */
export const backUp = () => call("back_up");
/** @returns {Promise<void>} */
/** What is indexed of each folder, and what is left out. @returns {Promise<FolderStatus[]>} */
export const folders = () => call("folders");

/** How far the files are that are being read into the index. @returns {Promise<IndexingProgress | null>} */
export const indexing = () => call("indexing");
/** How finding documents by meaning stands. @returns {Promise<MeaningStatus>} */
export const meaning = () => call("meaning");
/** How the reading of scanned pages and pictures stands. @returns {Promise<OcrStatus>} */
export const ocr = () => call("ocr");
/** Begins to fetch an embedding model. @param {string} model @returns {Promise<void>} */
export const fetchModel = (model) => call("fetch_model", { model });
/** @returns {Promise<void>} */
export const stopFetching = () => call("stop_fetching");

/** The backups of the library, newest first. @returns {Promise<Backup[]>} */
export const backups = () => call("backups");
/** Puts a backup in the place of the library; the name of what was there. @param {string} name @returns {Promise<string>} */
export const restoreBackup = (name) => call("restore_backup", { name });

// New versions of Nexi.

/** @returns {Promise<UpdateView>} */
export const updates = () => call("updates");
/** @returns {Promise<void>} */
export const checkForUpdates = () => call("check_for_updates");
/** Begins it; {@link updates} tells how far it is. @returns {Promise<void>} */
export const installUpdate = () => call("install_update");
/** Puts the version before back. @returns {Promise<void>} */
export const goBack = () => call("go_back");
/** @returns {Promise<void>} */
export const openReleasePage = () => call("open_release_page");
/** @returns {Promise<void>} */
export const restart = () => call("restart");

export const openDataFolder = () => call("open_data_folder");
/** @returns {Promise<string | null>} */
export const chooseFolder = () => call("choose_folder");
/** @returns {Promise<[number, number] | null>} */
export const keptPages = () => call("kept_pages");
/** @returns {Promise<void>} */
export const clearPages = () => call("clear_pages");
/** @returns {Promise<FoundSearxng[]>} */
export const findSearxng = () => call("find_searxng");
/** @returns {Promise<LocalService[]>} */
export const localServices = () => call("local_services");
/** @returns {Promise<any>} */
export const setupProgress = () => call("setup_progress");
/** @param {object} progress @returns {Promise<void>} */
export const rememberSetup = (progress) => call("remember_setup", { progress });
/** @param {string | null} question @returns {Promise<void>} */
export const finishSetup = (question) => call("finish_setup", { question });
