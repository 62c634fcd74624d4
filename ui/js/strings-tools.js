// The words about tools of the person's own: calls, grants and forms in a research, and the page of the settings.

/** The name that commands have in place of a server's. */
export const COMMANDS = "command";

export const tools = {
  waiting: "Waiting for you",
  using: "Using a tool", returned: "Returned by a tool",
  /** What a step says of its calls. @type {Record<"waiting" | "running" | "done" | "refused" | "failed", (who: string) => string>} */
  states: {
    waiting: (who) => `Waiting to use ${who}`, running: (who) => `Using ${who}`, done: (who) => `Used ${who}`,
    refused: (who) => `Did not use ${who}`, failed: (who) => `Tried to use ${who}`,
  },
  refused: "not allowed", failed: "failed", commands: "your commands",
  ask: {
    title: "The model wants to use a tool",
    /** @param {boolean} command */
    wants: (command) => (command ? "The model wants to run your command " : "The model wants to use "),
    from: " from ",
    about: "What this tool does",
    changes: "This tool may change things.",
    /** @param {string} server @param {boolean} command */
    private: (server, command) => `This call may contain text found only in your documents, earlier answers or other tool results. Allowing it sends this call to ${command ? "this command" : server}.`,
    noArguments: "No arguments.", patience: "No answer within five minutes counts as Don't allow.",
    /** @param {number} at @param {number} all */
    position: (at, all) => `${at} of ${all}`,
    refuse: "Don't allow", once: "Allow once", research: "Allow for this research", always: "Always allow",
  },
  plan: {
    title: "Tools", help: "Starting also allows these calls. Nexi still asks before it sends your private text.",
    /** @param {string} tool @param {string} server @param {number} calls */
    tool: (tool, server, calls) => `${server === COMMANDS ? `Your command ${tool}` : `${tool} from ${server}`}, up to ${calls === 1 ? "1 call" : `${calls} calls`}`,
  },
  form: {
    /** @param {string} server */
    title: (server) => `${server} asks`,
    note: "What you enter goes to this tool server. The model sees only what the server returns.",
    send: "Send", decline: "Don't answer", none: "No selection", required: "required",
    /** @param {number | undefined} least @param {number | undefined} most */
    range: (least, most) => (least !== undefined && most !== undefined ? `From ${least} to ${most}.` : least !== undefined ? `${least} or more.` : most !== undefined ? `${most} or less.` : ""),
  },
  settings: {
    servers: "Tool servers", serversHelp: "Programs and services that offer tools over MCP. Models get a tool only after you approve it, exactly as its server describes it. Nexi asks before every call until you allow more.",
    none: "There are no tool servers yet.",
    launchRun: "Runs", launchReach: "Connects to", wasApproved: "You approved:",
    otherLaunch: "The command or address has changed since you approved it. Check the tools and approve them again.",
    unapproved: "No tools approved yet",
    check: "Check tools", checkAgain: "Check again", starting: "Starting…", connecting: "Connecting…", done: "Done",
    /** @param {string} name */
    failed: (name) => `${name} could not be asked`,
    unchanged: "No changes since you approved these tools.",
    runTitle: "Start this program?", reachTitle: "Connect to this address?",
    runHelp: "Nexi runs this program on your computer, with your permissions. Start only what you trust.",
    reachHelp: "Nexi sends requests to this address. Connect only to what you trust.",
    start: "Start", connect: "Connect", cancel: "Cancel",
    remove: "Remove", removeTitle: "Remove this server?", removeHelp: "This also deletes its secrets and your approvals.",
    enabled: "Offer its tools",
    isPublic: "Results are public", isPublicHelp: "Turn on for tools that read public sources. Otherwise Nexi treats results as your private text and keeps them out of web searches.",
    isLocal: "Works offline", isLocalHelp: "Turn on only if this server never sends data from this computer. Nexi then passes it private text without an extra warning, and offers it when you search only your documents.",
    reads: "Read-only", readsHelp: "According to its server", writes: "May change things",
    alwaysAsks: "Always asks, because it may change things",
    states: { new: "New", approved: "Approved", changed: "Changed", gone: "No longer offered" },
    nothing: "This server offers no tools.", noDescription: "(no description)", arguments: "Arguments", before: "Before", now: "Now",
    changedKind: "Was read-only and may now change things.", changedToReads: "Could change things and now claims to be read-only.", changedArguments: "The arguments have changed.", changedTitle: "The title has changed.",
    /** @param {number} count */
    approve: (count) => (count === 1 ? "Approve 1 tool" : `Approve ${count} tools`),
    revoke: "Revoke",
    calls: "Calls", asks: "Ask each time", always: "Always allow",
    /** @param {string} name */
    secret: (name) => `Enter ${name}`, key: "Enter a bearer token", secretHelp: "Stored with your API keys; Nexi never shows it again.", stored: "Stored",
    signIn: {
      button: "Sign in", out: "Sign out", done: "Signed in", connecting: "Connecting…",
      /** @param {string} name */
      title: (name) => `Sign in to ${name}?`,
      help: "Nexi opens this address in your browser. After you sign in there, this server gets a token that Nexi stores with your API keys.",
      open: "Open browser",
      /** @param {string} name */
      waiting: (name) => `Signing in to ${name}`,
      waitingHelp: "Complete the sign-in in your browser. Nexi then continues automatically.",
      /** @param {string} name */
      signedIn: (name) => `Signed in to ${name}`,
      /** @param {string} name */
      signedOut: (name) => `Signed out of ${name}`,
    },
    add: "Add a server", name: "Name", nameHelp: "Lowercase letters, digits and hyphens.", launch: "Program or address",
    launchHelp: "For example npx -y @modelcontextprotocol/server-filesystem ~/notes, or https://mcp.example.org/mcp", env: "Environment variables", envHelp: "One NAME=VALUE per line; no secrets.",
    secrets: "Secret environment variables", secretsHelp: "Their names, separated by commas. You enter their values after adding the server.", more: "More", addServer: "Add",
    others: "From other programs", othersHelp: "Servers that Claude Desktop, Cursor or VS Code use on this computer.", find: "Find servers", noOthers: "No tool servers found in Claude Desktop, Cursor or VS Code.", known: "Added", taken: "The name is already in use", take: "Import",
    commands: "Commands", commandsHelp: "Programs of your own that models may run, set in the settings file under [commands.NAME]. They run without a shell and need no approval.", noCommands: "No commands are set.",
  },
};
