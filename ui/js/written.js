// Files that were written for the person.

import { attempt, toast } from "./dom.js";
import * as host from "./host.js";
import { strings } from "./strings.js";

/** Says that a file was written, and offers to show it. @param {string} text */
export function toastWritten(text) {
  toast(text, { label: strings.exporting.show, run: () => attempt(host.showWritten()) });
}
