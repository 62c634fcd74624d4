// Files dropped on the window would replace the page; those of threads are taken in.

import { attempt, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

/** From now on, threads can be dropped on the window. */
export function takeDroppedThreads() {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file || !/\.jsonl?$/i.test(file.name)) return;
    const imported = await attempt(file.text().then(host.importThreads));
    if (imported) toast(strings.imported(imported));
  });
}
