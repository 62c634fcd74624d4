// The words about long threads.

export const long = {
  /** @param {number} turns */
  summarising: (turns) => `Summarising ${turns === 1 ? "1 earlier question" : `${turns} earlier questions`}…`,
  /** @param {number} turns */
  answeredWith: (turns) => `Answered with a summary of ${turns === 1 ? "1 earlier question" : `${turns} earlier questions`}`,
  /** @param {number} turns */
  next: (turns) => `The next question starts from a summary of ${turns === 1 ? "1 earlier question" : `${turns} earlier questions`}`,
  /** @param {number} percent */
  filling: (percent) => `Earlier questions and answers fill ${percent}% of the room the model has for them.`,
  summarise: "Summarise thread", working: "Summarising the thread…", done: "Thread summarised", newThread: "Start a new thread",
  newTopic: "This looks like another topic.",
};
