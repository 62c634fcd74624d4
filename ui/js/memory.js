// What the person wants remembered: lines that begin with # are kept and not asked.

import { attempt, h, toast } from "./dom.js";
import * as host from "./host.js";
import { strings } from "./strings.js";

const spaces = strings.spaces;

/** Letters of the longest line that is taken for a memory: a question may begin with a heading. */
const LONGEST = 300;

/** What a typed line wants remembered; null where it is a question. @param {string} typed @returns {string | null} */
export function memoryIn(typed) {
  if (typed.length > LONGEST || typed.includes("\n")) return null;
  return /^#\s+(\S.*)$/.exec(typed)?.[1] ?? null;
}

/**
 * Keeps a memory everywhere or in a space, and offers to take that back; whether it was kept.
 * @param {string} text @param {boolean} isPrivate @param {{ id: string, name: string } | null} [space] @returns {Promise<boolean>}
 */
export async function keep(text, isPrivate, space = null) {
  if (isPrivate) {
    toast(strings.window.memory.private);
    return false;
  }
  const kept = await attempt(host.addMemory(text, space?.id ?? null));
  if (!kept) return false;
  const [memory, isNew] = kept;
  // What was there before is not taken away by taking this back.
  toast(
    space
      ? spaces.kept({ name: space.name, text: memory.text })
      : strings.window.memory.kept({ text: memory.text.length > 80 ? `${memory.text.slice(0, 80)}…` : memory.text }),
    isNew ? { label: strings.window.thread.undo, run: () => attempt(host.forgetMemories([memory.id])) } : undefined,
  );
  return true;
}

/** What the model was told of it, to be unfolded; null where it was told nothing. @param {string[]} memories @returns {HTMLElement | null} */
export function toldView(memories) {
  if (memories.length === 0) return null;
  return h(
    "details",
    { class: "told" },
    h("summary", {}, strings.window.memory.told({ count: memories.length })),
    h("ul", {}, ...memories.map((text) => h("li", { dir: "auto" }, text))),
  );
}
