// Tools of the person's own: servers, what they offer, what is approved and allowed of it, and commands.

/** @import { Form } from "./form" */
/** @import { FoundServer, ToolServerView, ToolView } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { COMMANDS } from "../sentences.js";
import { strings } from "../strings.js";
import { confirmed, dialog } from "../view/ask.js";
import { formField, plainInput, row, save } from "./form.js";
import { signIn } from "./sign-in.js";

const words = strings.servers;

/** @param {Form} form @returns {Node[]} */
export function toolFields(form) {
  const list = h("div", { class: "tool-servers" });
  const commands = h("div", { class: "tool-servers" });
  const draw = async () => {
    const servers = (await attempt(host.toolServers())) ?? [];
    list.replaceChildren(
      ...(servers.length === 0 ? [h("p", { class: "help" }, words.none)] : servers.map((server) => card(form, server, draw))),
    );
  };
  const drawCommands = async () => {
    const views = (await attempt(host.toolCommands())) ?? [];
    commands.replaceChildren(
      ...(views.length === 0
        ? [h("p", { class: "help" }, words.noCommands)]
        : [h("ul", { class: "tool-list" }, ...views.map((view) => tool(COMMANDS, view, drawCommands, false)))]),
    );
  };
  draw();
  drawCommands();
  return [
    row(words.servers, words.serversHelp, list, { id: "tools", wide: true }).element,
    adding(form, draw),
    others(form, draw),
    row(words.commands, words.commandsHelp, commands, { id: "commands", wide: true }).element,
  ];
}

/** The settings as they are now, for what is drawn next. @param {Form} form */
async function refresh(form) {
  form.view = (await attempt(host.settings())) ?? form.view;
}

/** @param {Form} form @param {ToolServerView} server @param {() => void} redraw */
function card(form, server, redraw) {
  const settings = form.view.settings.tools[server.name];
  const body = h("div", { class: "tool-body" });
  const state = server.approved_launch
    ? h("p", { class: "caution" }, words.otherLaunch)
    : server.tools.length === 0
      ? h("p", { class: "help" }, words.unapproved)
      : null;
  const trouble = h("div", { class: "caution tool-trouble", role: "alert", hidden: true });
  const access = server.remote ? signIn(server, trouble) : null;
  const approved = () =>
    body.replaceChildren(
      ...(server.tools.length > 0
        ? [h("ul", { class: "tool-list" }, ...server.tools.map((view) => tool(server.name, view, redraw, true)))]
        : []),
    );
  const look = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        type: "button",
        class: "plain look",
        onclick: async () => {
          const known = server.tools.length > 0 && !server.approved_launch;
          if (!known && !(await agreed(server))) return;
          look.disabled = true;
          look.textContent = server.remote ? words.connecting : words.starting;
          trouble.hidden = true;
          const found = await host.lookAtTools(server.name, server.launch).catch((error) => String(error));
          look.disabled = false;
          look.textContent = words.checkAgain;
          if (typeof found === "string") {
            // It stays until the next try. A sign-in may have ended.
            access?.draw();
            trouble.hidden = false;
            trouble.replaceChildren(h("b", {}, words.failed({ name: server.name })), h("p", {}, found));
            return;
          }
          if (state) state.hidden = true;
          body.replaceChildren(offered(found, redraw, approved));
        },
      },
      words.check,
    )
  );
  const remove = h(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: async () => {
        if (!(await confirmed(words.removeTitle, server.launch, words.removeHelp, words.remove))) return;
        await attempt(host.removeToolServer(server.name));
        await refresh(form);
        redraw();
      },
    },
    words.remove,
  );
  approved();
  const secrets = access ? [access.element, secret(server.name, null)] : (settings?.secrets ?? []).map((name) => secret(server.name, name));
  return h(
    "section",
    { class: "tool-server", "data-server": server.name, "aria-label": server.name },
    h("div", { class: "tool-head" }, h("h2", {}, server.name), toggle(form, server.name, "enabled", words.enabled)),
    h(
      "p",
      { class: "launch" },
      h("span", { class: "help" }, server.remote ? words.launchReach : words.launchRun),
      h("code", { class: "outgoing", dir: "ltr" }, server.launch),
    ),
    server.approved_launch
      ? h(
          "p",
          { class: "launch" },
          h("span", { class: "help" }, words.wasApproved),
          h("code", { class: "outgoing", dir: "ltr" }, server.approved_launch),
        )
      : null,
    state,
    trouble,
    body,
    h("div", { class: "tool-acts" }, look, ...secrets, remove),
    h(
      "details",
      { class: "tool-more" },
      h("summary", {}, words.more),
      toggle(form, server.name, "public", words.isPublic, words.isPublicHelp),
      toggle(form, server.name, "local", words.isLocal, words.isLocalHelp),
    ),
  );
}

/** @param {Form} form @param {string} server @param {"enabled" | "public" | "local"} field @param {string} label @param {string} [help] */
function toggle(form, server, field, label, help) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "checkbox",
      role: "switch",
      class: "switch",
      checked: form.view.settings.tools[server]?.[field] ?? field === "enabled",
      onchange: async () => {
        const problem = await save(form, ["tools", server, field], input.checked);
        if (problem) toast(problem);
      },
    })
  );
  return h("label", { class: "tool-toggle" }, input, h("span", {}, label, help ? h("span", { class: "help" }, help) : null));
}

/** @param {string} server @param {string | null} name */
function secret(server, name) {
  const title = name === null ? words.key : words.secret({ name });
  return h(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        const input = /** @type {HTMLInputElement} */ (
          h("input", { type: "password", autocomplete: "off", spellcheck: false, "aria-label": title })
        );
        dialog(title, (close) => [
          h(
            "form",
            {
              onsubmit: async (/** @type {Event} */ event) => {
                event.preventDefault();
                if (input.value.trim() === "") return;
                if ((await attempt(host.setToolSecret(server, name, input.value.trim()).then(() => true))) === null) return;
                toast(words.stored);
                close();
              },
            },
            input,
            h("p", { class: "help" }, words.secretHelp),
            h(
              "div",
              { class: "buttons" },
              h("button", { type: "button", onclick: close }, words.cancel),
              h("button", { type: "submit", class: "go" }, title),
            ),
          ),
        ]);
        input.focus();
      },
    },
    title,
  );
}

/** Whether the person wants this started or reached. @param {ToolServerView} server */
const agreed = (server) =>
  confirmed(
    server.remote ? words.reachTitle : words.runTitle,
    server.launch,
    server.remote ? words.reachHelp : words.runHelp,
    server.remote ? words.connect : words.start,
  );

/**
 * What a server offers now, in full, to be approved: what only reads is proposed, what may change things is chosen by the person.
 * @param {ToolServerView} server @param {() => void} redraw @param {() => void} done
 */
function offered(server, redraw, done) {
  const fresh = server.tools.filter((view) => view.state === "new" || view.state === "changed");
  const chosen = new Set(fresh.filter((view) => view.definition.reads).map((view) => view.definition.name));
  const buttons = [0, 1].map(
    () =>
      /** @type {HTMLButtonElement} */ (
        h("button", {
          type: "button",
          class: "go approve",
          onclick: async () => {
            if ((await attempt(host.approveTools(server.name, server.launch, [...chosen]).then(() => true))) === null) return;
            redraw();
          },
        })
      ),
  );
  const count = () => {
    for (const button of buttons) {
      button.textContent = words.approve({ count: chosen.size });
      button.disabled = chosen.size === 0;
    }
  };
  count();
  /** @param {ToolView} view */
  const choice = (view) => {
    if (!fresh.includes(view)) return null;
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "checkbox",
        checked: chosen.has(view.definition.name),
        "aria-label": view.definition.name,
        onchange: () => {
          if (input.checked) chosen.add(view.definition.name);
          else chosen.delete(view.definition.name);
          count();
        },
      })
    );
    return input;
  };
  // A long list has the button at both ends.
  const [first, last] = buttons;
  const back = h("button", { type: "button", class: "plain", onclick: done }, words.done);
  return h(
    "div",
    { class: "tool-offer" },
    server.tools.length === 0
      ? h("p", { class: "help" }, words.nothing)
      : fresh.length === 0
        ? h("p", { class: "help" }, words.unchanged)
        : null,
    fresh.length > 4 ? first : null,
    h("ul", { class: "tool-list" }, ...server.tools.map((view) => inFull(view, choice(view)))),
    h("div", { class: "tool-acts" }, fresh.length > 0 ? last : null, server.tools.some((view) => view.state !== "new") ? back : null),
  );
}

/** @param {ToolView} view */
function head(view) {
  const { reads, name } = view.definition;
  return [
    h("b", { dir: "auto" }, name),
    h("span", { class: reads ? "badge" : "badge writes", title: reads ? words.readsHelp : undefined }, reads ? words.reads : words.writes),
  ];
}

/** @param {ToolView} view @param {HTMLElement | null} choice */
function inFull(view, choice) {
  const { definition, approved } = view;
  /** What is another line than before. @param {string} text @param {string} other */
  const marked = (text, other) => {
    const known = new Set(other.split("\n"));
    return text.split("\n").map((line) => (approved && !known.has(line) ? h("ins", {}, `${line}\n`) : `${line}\n`));
  };
  const json = (/** @type {unknown} */ value) => JSON.stringify(value, null, 1);
  const said = definition.description.trim() || words.noDescription;
  const otherWords = approved !== undefined && approved.description !== definition.description;
  const otherArguments = approved !== undefined && json(approved.parameters) !== json(definition.parameters);
  const notes =
    approved === undefined
      ? []
      : [
          approved.reads && !definition.reads ? words.changedKind : !approved.reads && definition.reads ? words.changedToReads : "",
          otherArguments ? words.changedArguments : "",
          (approved.title ?? "") !== (definition.title ?? "") ? words.changedTitle : "",
        ].filter(Boolean);
  return h(
    "li",
    { class: `tool ${view.state}`, "data-tool": definition.name },
    h("label", { class: "tool-name" }, choice, ...head(view), h("span", { class: `badge ${view.state}` }, words.states[view.state])),
    definition.title ? h("p", { class: "help", dir: "auto" }, definition.title) : null,
    ...notes.map((note) => h("p", { class: "caution" }, note)),
    otherWords && approved
      ? h(
          "div",
          {},
          h("span", { class: "help" }, words.before),
          h("pre", { class: "tool-text before", dir: "auto" }, h("del", {}, approved.description)),
          h("span", { class: "help" }, words.now),
        )
      : null,
    h("pre", { class: "tool-text", dir: "auto" }, ...marked(said, approved?.description ?? "")),
    h(
      "details",
      { open: otherArguments },
      h("summary", {}, words.arguments),
      h("pre", { class: "tool-text", dir: "ltr" }, ...marked(json(definition.parameters), approved ? json(approved.parameters) : "")),
    ),
  );
}

/** An approved tool and how its calls are treated. @param {string} server @param {ToolView} view @param {() => void} redraw @param {boolean} withdrawn whether approval can be taken back */
function tool(server, view, redraw, withdrawn) {
  const { name, reads } = view.definition;
  const choice = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        "aria-label": `${words.calls}: ${name}`,
        onchange: async () => {
          await attempt(host.grantTool(server, name, choice.value === "always"));
          redraw();
        },
      },
      h("option", { value: "asks", selected: !view.granted }, words.asks),
      h("option", { value: "always", selected: view.granted }, words.always),
    )
  );
  return h(
    "li",
    { class: "tool", "data-tool": name },
    h("div", { class: "tool-name" }, ...head(view)),
    h("p", { class: "help", dir: "auto" }, view.definition.description),
    h(
      "div",
      { class: "tool-acts" },
      reads ? choice : h("span", { class: "help" }, words.alwaysAsks),
      h("span", { class: "spring" }),
      withdrawn
        ? h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": `${words.revoke}: ${name}`,
              onclick: async () => {
                await attempt(host.withdrawTool(server, name));
                redraw();
              },
            },
            words.revoke,
          )
        : null,
    ),
  );
}

/** @param {Form} form @param {() => void} redraw */
function adding(form, redraw) {
  const name = plainInput("f-tool-name", "files");
  const launch = plainInput("f-tool-launch", "npx -y @modelcontextprotocol/server-filesystem ~/notes");
  const env = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "f-tool-env", rows: 2, spellcheck: false }));
  const secrets = plainInput("f-tool-secrets", "GITHUB_TOKEN");
  const wrong = h("p", { class: "caution", role: "alert", hidden: true });
  const element = h(
    "form",
    {
      class: "tool-add",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const added = { name: name.value, launch: launch.value, env: env.value, secrets: secrets.value.split(/[\s,]+/).filter(Boolean) };
        const problem = await host.addToolServer(added).then(
          () => null,
          (error) => String(error),
        );
        wrong.hidden = problem === null;
        wrong.textContent = problem ?? "";
        if (problem !== null) return;
        for (const control of [name, launch, env, secrets]) control.value = "";
        await refresh(form);
        redraw();
      },
    },
    formField(name, words.name, words.nameHelp),
    formField(launch, words.launch, words.launchHelp),
    h(
      "details",
      { class: "tool-more" },
      h("summary", {}, words.more),
      formField(env, words.env, words.envHelp),
      formField(secrets, words.secrets, words.secretsHelp),
    ),
    wrong,
    h("button", { type: "submit", class: "plain" }, words.addServer),
  );
  return row(words.add, "", element, { id: "add-tool-server", wide: true }).element;
}

/** @param {Form} form @param {() => void} redraw */
function others(form, redraw) {
  const list = h("ul", { class: "tool-list" });
  const find = async () => {
    const found = (await attempt(host.foreignToolServers())) ?? [];
    list.replaceChildren(...(found.length === 0 ? [h("li", { class: "help" }, words.noOthers)] : found.map(entry)));
  };
  /** @param {FoundServer} server */
  const entry = (server) =>
    h(
      "li",
      { class: "tool" },
      h(
        "div",
        { class: "tool-name" },
        h("b", {}, server.name),
        h("span", { class: "badge" }, server.program),
        h("span", { class: "spring" }),
        server.same
          ? h("span", { class: "help" }, words.known)
          : server.known
            ? h("span", { class: "help" }, words.taken)
            : h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  onclick: async () => {
                    if ((await attempt(host.takeOverToolServer(server.name, server.launch).then(() => true))) === null) return;
                    await refresh(form);
                    find();
                    redraw();
                  },
                },
                words.take,
              ),
      ),
      h("code", { class: "outgoing", dir: "ltr" }, server.launch),
    );
  return row(
    words.others,
    words.othersHelp,
    h("div", {}, h("button", { type: "button", class: "plain", id: "find-tools", onclick: find }, words.find), list),
    { id: "foreign-tools", wide: true },
  ).element;
}
