// The space that the research window looked at last; it may have been closed since.

const KEPT = "space";

/** @returns {string | null} */
export const lastSpace = () => localStorage.getItem(KEPT);

/** @param {string | null} id null for all threads */
export function keepSpace(id) {
  if (id) localStorage.setItem(KEPT, id);
  else localStorage.removeItem(KEPT);
}
