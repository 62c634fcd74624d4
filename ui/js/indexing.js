// How far the index is, for as long as somebody waits for it.

/** @import { IndexingProgress } from "./protocol" */

import * as host from "./host.js";

/** Milliseconds between two looks. */
const AGAIN = 250;

/**
 * Waits for some work, and tells how far the index is meanwhile.
 * @template T
 * @param {Promise<T>} work @param {(progress: IndexingProgress) => void} tell @returns {Promise<T>}
 */
export async function withIndexing(work, tell) {
  let over = false;
  const look = async () => {
    const progress = await host.indexing().catch(() => null);
    if (over) return;
    if (progress && progress.total > 0) tell(progress);
    setTimeout(look, AGAIN);
  };
  setTimeout(look, AGAIN);
  try {
    return await work;
  } finally {
    over = true;
  }
}
