// What can be done with a thread, wherever it is listed.

/** @import { Actions } from "../actions" */
/** @import { ThreadFacts, ThreadId } from "../protocol" */
/** @import { Item } from "./menu" */

import { attempt, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { askText } from "./ask.js";
import { showExport } from "./export.js";
import { moveToSpace } from "./spaces.js";
import { lookedAtItems, sharingItems } from "./team.js";
import { stopWatchingThread } from "./watch.js";

const long = strings.summary;
const spaces = strings.spaces;
const watched = strings.watched;

/** @typedef {{ id: ThreadId, title: string, pinned: boolean, tags: string[], private: boolean }} Thread */

/** @param {Thread} thread @param {Actions} actions @param {() => void} changed @param {ThreadFacts | null} [sharing] where there is a team that it can be shared with @returns {Item[]} */
export function threadMenu(thread, actions, changed, sharing = null) {
  // What somebody else has shared is theirs.
  if ("team" in thread && thread.team) return lookedAtItems(/** @type {ThreadFacts} */ (thread), actions);
  const words = strings.window.thread;
  /** @param {Promise<void>} work */
  const after = async (work) => {
    if ((await attempt(work.then(() => true))) === null) return false;
    changed();
    return true;
  };
  const keep = {
    label: words.keep,
    run: async () => {
      if (await after(host.keepThread(thread.id))) toast(words.kept);
    },
  };
  const order = [
    { label: thread.pinned ? words.unpin : words.pin, run: () => after(host.pinThread(thread.id, !thread.pinned)) },
    {
      label: words.tags,
      run: async () => {
        const text = await askText(words.tags, thread.tags.join(", "), words.tagsHelp);
        if (text !== null)
          after(
            host.tagThread(
              thread.id,
              text.split(",").map((tag) => tag.trim()),
            ),
          );
      },
    },
  ];
  return [
    ...(thread.private ? [keep] : order),
    {
      label: words.rename,
      run: async () => {
        const title = await askText(words.rename, thread.title, words.renameHelp);
        if (title) after(host.renameThread(thread.id, title));
      },
    },
    ...(thread.private ? [] : [{ label: spaces.move, run: () => void moveToSpace(thread.id, changed) }]),
    ...(sharing && !thread.private ? sharingItems(sharing, changed) : []),
    ...(actions.isOpen(thread.id) && actions.canSummarise() ? [{ label: long.summarise, run: () => void actions.summarise() }] : []),
    ...(actions.isWatched(thread.id) ? [{ label: watched.stop, run: () => void stopWatchingThread(thread.id, changed) }] : []),
    { label: words.export, run: () => showExport(thread.id, null) },
    ...(thread.private
      ? []
      : [{ label: words.copyLink, run: () => attempt(host.copyText(`nexi://thread/${thread.id}`).then(() => toast(words.copiedLink))) }]),
    {
      label: words.delete,
      danger: true,
      run: async () => {
        const wasOpen = actions.isOpen(thread.id);
        if (!(await after(host.deleteThread(thread.id)))) return;
        actions.left(thread.id);
        if (thread.private) toast(words.deleted);
        else
          toast(words.deleted, {
            label: words.undo,
            run: async () => {
              if (!(await after(host.restoreThread(thread.id)))) return;
              if (wasOpen) actions.openThread(thread.id);
              else actions.refresh();
            },
          });
      },
    },
  ];
}
