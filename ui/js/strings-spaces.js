// The words about spaces: threads that belong together, with their documents, instructions and memories.

/** @param {number} count */
const threads = (count) => (count === 1 ? "1 thread" : `${count.toLocaleString()} threads`);

export const spaces = {
  all: "All threads", any: "Any space", choose: "Space", manage: "Manage spaces…",
  /** @param {string} name */
  inside: (name) => `Showing ${name} and asking in it`,
  ofSpace: "Model of the space",
  move: "Move to space…", moved: "Moved", none: "No space", noneYet: "No spaces yet. Create one in Settings, Spaces.",
  threads,
  // In the settings.
  list: "Spaces", empty: "No spaces yet.",
  add: "New space", addHelp: "For example a project, a course or a trip.",
  name: "Name",
  instructions: "Instructions", instructionsHelp: "Models are told this with every question in the space.",
  folders: "Documents", foldersHelp: "Folders and files, one per line. They are searched instead of your other documents; leave this empty to search those.", chooseFolder: "Choose a folder…",
  model: "Model", modelHelp: "For example openai/gpt-6-luna. Leave it empty for the usual model.",
  save: "Save", create: "Create", created: "Space created", edit: "Edit", cancel: "Cancel",
  remove: "Remove", removeTitle: "Remove this space?",
  /** @param {number} count */
  removeHelp: (count) => `This also deletes its memories. Its ${threads(count)} ${count === 1 ? "stays" : "stay"} in the library.`,
  everywhere: "Everywhere",
  /** @param {string} name */
  only: (name) => `In ${name}`,
  /** @param {string} name @param {string} text */
  kept: (name, text) => `Remembered in ${name}: ${text}`,
  where: "Where it applies",
};
