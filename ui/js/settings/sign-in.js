// Signing in to a tool server, in the browser.

/** @import { ToolServerView } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { confirmed, dialog } from "../view/ask.js";

const words = strings.servers.signIn;

/**
 * What went wrong stays in `trouble` until the next try. `draw` is called whenever the sign-in may be another one.
 * @param {ToolServerView} server @param {HTMLElement} trouble
 * @returns {{ element: HTMLElement, draw: () => void }}
 */
export function signIn(server, trouble) {
  const place = h("span", { class: "sign-in" });
  const draw = async () => {
    // Only the place of keys knows, and it may be locked: then it is as if nobody had signed in.
    const signedIn = await host.isSignedIn(server.name).catch(() => false);
    place.replaceChildren(...(signedIn ? [h("span", { class: "badge" }, words.done), leave()] : [enter()]));
  };
  const enter = () => {
    const button = /** @type {HTMLButtonElement} */ (
      h(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: async () => {
            trouble.hidden = true;
            button.disabled = true;
            button.textContent = words.connecting;
            const problem = await begin(server).then(
              () => null,
              (error) => String(error),
            );
            trouble.hidden = problem === null;
            trouble.replaceChildren(h("p", {}, problem ?? ""));
            draw();
          },
        },
        words.button,
      )
    );
    return button;
  };
  const leave = () =>
    h(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: async () => {
          if ((await attempt(host.signOut(server.name).then(() => true))) === null) return;
          toast(words.signedOut({ name: server.name }));
          draw();
        },
      },
      words.out,
    );
  place.replaceChildren(enter());
  draw();
  return { element: place, draw };
}

/** @param {ToolServerView} server */
async function begin(server) {
  const { name, launch } = server;
  const { origin, pathname } = new URL(await host.beginSignIn(name, launch));
  // What stands behind it is long, and nothing that a person could judge.
  if (!(await confirmed(words.title({ name }), origin + pathname, words.help, words.open))) return host.cancelSignIn(name);
  let cancelled = false;
  const wait = dialog(words.waiting({ name }), (close) => [
    h("p", { class: "help", role: "status" }, words.waitingHelp),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: close }, strings.servers.cancel)),
  ]);
  wait.addEventListener("close", () => {
    cancelled = true;
    host.cancelSignIn(name);
  });
  try {
    await host.finishSignIn(name);
    toast(words.signedIn({ name }));
  } catch (error) {
    if (!cancelled) throw error;
  } finally {
    wait.close();
  }
}
