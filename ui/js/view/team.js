// Sharing a thread with the team, and what stands below one that somebody else has shared.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { SharedFacts, ThreadFacts, ThreadId } from "../protocol" */
/** @import { Item } from "./menu" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";

const words = strings.team;

/** What a shared thread's badge explains. @param {SharedFacts} shared */
export const sharedHelp = (shared) =>
  [
    shared.role ? words.sharedWith({ role: shared.role }) : words.sharedHelp,
    shared.held > 0 ? words.held({ count: shared.held }) : "",
    shared.waiting > 0 ? words.waiting : "",
  ]
    .filter(Boolean)
    .join(" ");

/** What can be done about sharing a thread. @param {ThreadFacts} facts @param {() => void} changed @returns {Item[]} */
export function sharingItems(facts, changed) {
  const { shared } = facts;
  if (!shared) return [{ label: words.share, run: () => void shareThread(facts.id, null, changed) }];
  return [
    ...(shared.held > 0 ? [{ label: words.include, run: () => void shareThread(facts.id, shared, changed) }] : []),
    {
      label: words.withdraw,
      run: async () => {
        if ((await attempt(host.withdrawThread(facts.id).then(() => true))) === null) return;
        toast(words.withdrawn);
        changed();
      },
    },
  ];
}

/** Asks with whom a thread is shared, and shares it. @param {ThreadId} thread @param {SharedFacts | null} shared how it is shared already @param {() => void} changed */
function shareThread(thread, shared, changed) {
  const role = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      id: "share-role",
      value: shared?.role ?? "",
      autocomplete: "off",
      spellcheck: false,
      disabled: shared !== null,
    })
  );
  const documents = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: shared !== null }));
  const wrong = h("p", { class: "caution", role: "alert", hidden: true });
  dialog(words.shareTitle, (close) => [
    h(
      "form",
      {
        class: "form-column",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const done = await host.shareThread(thread, role.value, documents.checked).catch((error) => {
            wrong.textContent = String(error);
            wrong.hidden = false;
            return null;
          });
          if (!done) return;
          close();
          toast(done.waiting > 0 ? words.doneLater : done.held > 0 ? words.held({ count: done.held }) : words.done);
          changed();
        },
      },
      h("p", { class: "help" }, words.shareHelp),
      h("label", { htmlFor: role.id }, words.role),
      role,
      h("p", { class: "help" }, words.roleHelp),
      h("label", { class: "check" }, documents, h("span", {}, words.documents)),
      h("p", { class: "help" }, words.documentsHelp),
      wrong,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: close }, words.cancel),
        h("button", { class: "go", type: "submit" }, words.go),
      ),
    ),
  ]);
}

/** What can be done with a shared thread that is looked at. @param {ThreadFacts} facts @param {Actions} actions @returns {Item[]} */
export function lookedAtItems(facts, actions) {
  return [
    { label: words.continue, run: () => void actions.continueShared(facts.id) },
    ...(facts.team?.own
      ? [
          {
            label: words.withdraw,
            danger: true,
            run: async () => {
              if ((await attempt(host.withdrawShared(facts.id).then(() => true))) === null) return;
              toast(words.withdrawn);
              actions.left(facts.id);
            },
          },
        ]
      : []),
  ];
}

/** What stands in the place of the question field below a shared thread of somebody else. @param {Actions} actions */
export function sharedBar(actions) {
  const whose = h("p", { dir: "auto" });
  /** @type {ThreadId | null} */
  let thread = null;
  const go = h(
    "button",
    { type: "button", class: "go", id: "continue-shared", onclick: () => thread && void actions.continueShared(thread) },
    words.continue,
  );
  const element = h("div", { class: "dock-inner shared-bar", id: "shared-bar", hidden: true }, whose, go);
  return {
    element,
    /** @param {State} state @returns {boolean} whether it stands there */
    update(state) {
      const team = state.view === "thread" ? state.thread?.team : undefined;
      thread = state.thread?.id ?? null;
      element.hidden = !team;
      if (team) whose.textContent = team.own ? words.ofYourself : words.of({ author: team.author });
      return team !== undefined;
    },
  };
}
