// The research window, put together: the store, what can be done, its parts, and one render a frame.

/** @import { Parts } from "./actions" */

import "./context-menu.js";
import { createActions } from "./actions.js";
import { remember } from "./actions/threads.js";
import { clock } from "./clock.js";
import { closesByKey } from "./closing.js";
import { attempt, byId, toast } from "./dom.js";
import { draftOf, forgetDraft, keepSoon, writtenIn } from "./drafts.js";
import { followRuns } from "./following.js";
import * as host from "./host.js";
import { onAppEvent } from "./news.js";
import { listenForKeys } from "./shortcuts.js";
import { createStore } from "./store.js";
import { cardFollows, cardStays } from "./view/card.js";
import { composer } from "./view/composer.js";
import { documentsView } from "./view/documents.js";
import { flow } from "./view/flow.js";
import { helpView } from "./view/help.js";
import { libraryView } from "./view/library.js";
import { showMistakes } from "./view/mistakes.js";
import { renderRail } from "./view/rail.js";
import { reader } from "./view/reader.js";
import { side } from "./view/side.js";
import { sharedBar } from "./view/team.js";
import { renderHead } from "./view/thread-head.js";

const store = createStore();
const { state } = store;
const parts = /** @type {Parts} */ ({});
const actions = createActions(store, parts);
Object.assign(parts, {
  box: composer(actions),
  library: libraryView(actions),
  help: helpView(() => actions.showKeys()),
  documents: documentsView(actions),
  pane: reader(actions),
  conversation: flow(byId("flow"), actions),
  beside: side(byId("flow"), state, actions),
  runs: followRuns(store, () => {
    actions.refreshThreads();
    // A first answer gives the thread its name.
    actions.reread();
  }),
});
const bar = sharedBar(actions);
const { box, library, help, documents, pane, conversation, beside } = parts;
// The time of a run goes on while nothing else happens.
const goOn = clock(() => conversation.tick());

function render() {
  const running = state.turns.some((turn) => turn.state === "running");
  renderRail(state, actions);
  byId("app").dataset.view = state.view;
  const page =
    state.view === "library"
      ? library.element
      : state.view === "help"
        ? help.element
        : state.view === "documents"
          ? documents.element
          : null;
  // Put in once: an element that is moved loses the focus.
  if (byId("page").firstElementChild !== page) byId("page").replaceChildren(...(page ? [page] : []));
  byId("page").hidden = state.view === "thread";
  byId("flow").hidden = state.view !== "thread";
  // Documents are asked where they are looked at.
  byId("dock").hidden = state.view !== "thread" && state.view !== "documents";
  conversation.render(state);
  box.update(state, running);
  box.element.hidden = bar.update(state);
  renderHead(state, actions);
  beside.render();
  cardStays();
  goOn(running);
  if (document.documentElement.dataset.ready)
    document.title = state.view === "thread" && state.thread ? `${state.thread.title.slice(0, 80)} – Nexi` : "Nexi";
}

store.shownBy(render);
listenForKeys(state, actions, library, pane);
closesByKey();
document.addEventListener("scroll", cardFollows, true);
window.addEventListener("resize", cardFollows);
window.addEventListener("pagehide", actions.putAway);
// A terminal or another program may have asked meanwhile.
window.addEventListener("focus", () => void actions.refresh());
box.input.addEventListener("input", () => keepSoon(actions.putAway));

async function start() {
  byId("dock").append(box.element, bar.element);
  const [overview] = await Promise.all([attempt(host.overview()), actions.refreshThreads()]);
  showMistakes(overview);
  store.set({ overview, effort: overview?.effort ?? state.effort });
  for (const warning of overview?.warnings ?? []) toast(warning);
  box.draft(draftOf(null));
  const open = location.hash.slice(1) || (writtenIn() ?? "");
  if (/^[0-9a-f]{32}$/.test(open))
    await host.openThread(open).then(
      () => actions.openThread(open),
      () => {
        remember(null);
        forgetDraft(open);
      },
    );
  else box.input.focus();
  await attempt(host.listen((news) => onAppEvent(news, { state, actions, box, documents })));
  document.documentElement.dataset.ready = "true";
  store.set({});
}

start();
