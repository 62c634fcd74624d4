// The words about questions that are asked often.

export const templates = {
  list: "Templates",
  /** @param {string} field */
  fillIn: (field) => `Fill in “${field}” first`,
  save: "Save as template…",
  saveNote: "Ask it again with / and its name; what you put in braces is filled in each time",
  title: "Save a template",
  name: "Name", nameHelp: "Lowercase letters, digits and hyphens. You type it after /.",
  text: "Question", textHelp: "What stands in braces is filled in each time: Compare {product} with {other}.",
  keep: "Save",
  /** @param {string} name */
  kept: (name) => `Saved. Type /${name} to ask it.`,
  all: "Templates", none: "There is no template yet. A question that you ask often becomes one in the menu below its answer, or here.",
  new: "New template", newHelp: "A question with fields in braces.", add: "Add", edit: "Edit", remove: "Remove", removed: "Template removed", undo: "Undo", cancel: "Cancel",
};
