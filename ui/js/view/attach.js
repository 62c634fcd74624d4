// What is given along with a question: chips above the text, a list behind `@`, a button, pasted texts and files.

/** @import { Chip } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { toggleMenu } from "./menu.js";
import { optionList } from "./options.js";

/** A pasted text of more characters than this becomes a chip. */
const LONG = 4000;
/** How long, in milliseconds, somebody must have stopped typing before the list is asked for. */
const PAUSE = 80;
/** Chips of one question. */
const MOST = 20;

const words = strings.attach;

/**
 * @param {HTMLTextAreaElement} input where the question is written
 * @param {() => void} onchange something was added or removed
 */
export function attachments(input, onchange) {
  /** @type {Chip[]} */
  let chips = [];
  /** Where the `@` stands whose list is open. */
  let nameAt = 0;
  let asked = 0;
  let timer = 0;

  const row = h("div", { class: "chips", role: "list", "aria-label": words.attached, hidden: true });
  const list = optionList(input, {
    id: `${input.id}-at`,
    label: words.suggestions,
    content: (/** @type {Chip} */ chip) => [
      h("b", { "aria-hidden": "true" }, mark(chip)),
      h("span", { class: "label", dir: "auto" }, chip.label),
      h("small", { dir: "auto" }, chip.note),
    ],
    take,
    closed: () => {
      asked += 1;
    },
  });
  /** Shown while something is dragged over the window. */
  const hint = h("div", { class: "drop-hint", "aria-hidden": "true" }, words.dropHere);
  const button = h(
    "button",
    {
      class: "pill attach",
      type: "button",
      id: "attach",
      title: words.help,
      "aria-label": words.help,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      onclick: () =>
        toggleMenu(button, words.help, [
          { label: words.files, run: () => choose(false) },
          { label: words.folder, note: words.folderNote, run: () => choose(true) },
          { label: words.byName, note: words.byNameNote, run: () => openByName() },
        ]),
    },
    "+",
  );

  /** @param {boolean} folder */
  async function choose(folder) {
    add((await attempt(host.attachChoose(folder))) ?? []);
    input.focus();
  }

  function openByName() {
    const before = input.value.slice(0, input.selectionStart);
    input.setRangeText(before === "" || /\s$/.test(before) ? "@" : " @", input.selectionStart, input.selectionEnd, "end");
    input.focus();
    input.dispatchEvent(new Event("input"));
  }

  /** @param {Chip[]} more */
  function add(more) {
    const fresh = more.filter(
      (chip) => !chips.some((known) => known.kind === chip.kind && known.label === chip.label && known.note === chip.note),
    );
    if (chips.length + fresh.length > MOST) toast(words.tooMany({ most: MOST }));
    chips = [...chips, ...fresh].slice(0, MOST);
    draw();
  }

  function draw() {
    row.hidden = chips.length === 0;
    row.replaceChildren(
      ...chips.map((chip) =>
        h(
          "span",
          { class: "chip-file", role: "listitem", title: chip.note || chip.label },
          h("b", { "aria-hidden": "true" }, mark(chip)),
          h("span", { dir: "auto" }, chip.label),
          h(
            "button",
            {
              type: "button",
              "aria-label": words.remove({ label: chip.label }),
              onclick: () => {
                chips = chips.filter((known) => known !== chip);
                draw();
                input.focus();
              },
            },
            "×",
          ),
        ),
      ),
    );
    onchange();
  }

  /** What stands behind the last `@` before the caret; none where there is none. @returns {{ at: number, typed: string } | null} */
  function typedName() {
    const before = input.value.slice(0, input.selectionStart);
    const at = before.lastIndexOf("@");
    if (at < 0 || (at > 0 && !/\s/.test(before[at - 1])) || input.selectionStart !== input.selectionEnd) return null;
    const typed = before.slice(at + 1);
    return typed.length > 60 || typed.includes("\n") || /\s\s$/.test(typed) ? null : { at, typed };
  }

  function look() {
    const name = typedName();
    clearTimeout(timer);
    if (!name) {
      list.close();
      return;
    }
    asked += 1;
    const mine = asked;
    timer = window.setTimeout(async () => {
      const found = await host.attachSuggest(name.typed).catch(() => []);
      // Something else was typed meanwhile.
      if (mine !== asked) return;
      nameAt = name.at;
      // An address of mail, or a word nobody has a document for, is no question for a list.
      if (found.length === 0 && name.typed.length > 2) list.close();
      else list.show(found, words.none);
    }, PAUSE);
  }

  /** @param {Chip} chip */
  function take(chip) {
    input.setRangeText("", nameAt, input.selectionStart, "end");
    add([chip]);
    input.focus();
    input.dispatchEvent(new Event("input"));
  }

  /** Whether the list, or the chips, took the key. @param {KeyboardEvent} event */
  function onKey(event) {
    if (list.onKey(event)) return true;
    // The last chip goes as a letter would.
    if (event.key !== "Backspace" || input.value !== "" || chips.length === 0) return false;
    chips = chips.slice(0, -1);
    draw();
    return true;
  }

  input.addEventListener("input", look);
  input.addEventListener("click", look);
  /**
   * Attaches what is too long for a question, or the address of a page; whether it did. @param {Event} event @param {string} text
   */
  function attachedAs(event, text) {
    const isAddress = /^https?:\/\/\S+$/i.test(text.trim());
    if (!isAddress && text.length <= LONG) return false;
    event.preventDefault();
    attempt(isAddress ? host.attachAddress(text) : host.attachText(text)).then((chips) => {
      if (chips) add(chips);
      // What cannot be attached can still be asked about.
      else if (isAddress) input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
    });
    return true;
  }
  input.addEventListener("drop", (event) => {
    if (attachedAs(event, event.dataTransfer?.getData("text/plain") ?? "")) input.focus();
  });
  input.addEventListener("paste", async (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (attachedAs(event, text)) return;
    // Of a picture the page learns nothing, not even that there is one.
    if (text === "" || event.clipboardData?.types.some((type) => type === "Files" || type === "text/uri-list")) {
      const files = (await attempt(host.attachClipboard())) ?? [];
      add(files);
      // What a file manager puts there as text is the path of what is attached now.
      if (files.length > 0 && text !== "" && input.value.includes(text)) {
        input.value = input.value.replace(text, "");
        input.dispatchEvent(new Event("input"));
      }
    }
  });

  return {
    row,
    menu: list.element,
    button,
    hint,
    add,
    onKey,
    close: list.close,
    ids: () => chips.map((chip) => chip.id),
    has: () => chips.length > 0,
    /** Takes these chips away, or all. @param {number[]} [sent] */
    clear(sent) {
      chips = sent ? chips.filter((chip) => !sent.includes(chip.id)) : [];
      draw();
    },
  };
}

/** What a chip is, in few letters. @param {Chip} chip */
function mark(chip) {
  if (chip.kind === "file") {
    const end = /\.([A-Za-z0-9]{1,5})$/.exec(chip.label)?.[1];
    return end ? end.toUpperCase() : words.marks.file;
  }
  return words.marks[chip.kind];
}
