// The words about spaces: threads that belong together, with their documents, instructions and memories.

/** @param {number} count */
const threads = (count) => (count === 1 ? "1 thread" : `${count.toLocaleString()} threads`);

export const spaces = {
  all: "All threads", choose: "Space", manage: "Manage spaces…", make: "New space…",
  /** @param {string} name */
  inside: (name) => `New questions and the list of threads are in ${name}`,
  move: "Move to space…", moved: "Moved", none: "No space", noneYet: "There is no space yet. Make one in Settings, Spaces.",
  threads,
  // In the settings.
  list: "Spaces", empty: "There is no space yet.",
  add: "New space", addHelp: "For example a project, a course or a trip.",
  name: "Name",
  instructions: "Instructions", instructionsHelp: "Models are told this with every question in the space.",
  folders: "Documents", foldersHelp: "Folders and files, one a line. They are searched in place of your other documents; leave this empty to search those.", chooseFolder: "Choose a folder…",
  model: "Model", modelHelp: "For example openai/gpt-6-luna. Leave it empty for the usual model.",
  save: "Save", create: "Create", created: "Space created", edit: "Edit", cancel: "Cancel",
  remove: "Remove", removeTitle: "Remove this space?",
  /** @param {number} count */
  removeHelp: (count) => `This also deletes its memories. Its ${threads(count)} stay in the library.`,
  everywhere: "Everywhere",
  /** @param {string} name */
  only: (name) => `In ${name}`,
  where: "Where it applies",
};
