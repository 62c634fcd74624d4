// The words about tools of the person's own: calls, grants and forms in a research, and the page of the settings.

export const tools = {
  waiting: "Waiting for you",
  using: "Using a tool", returned: "Returned by a tool",
  /** @param {string[]} names */
  used: (names) => `Used ${names.join(", ")}`,
  ask: {
    title: "The model wants to use a tool",
    /** @param {string} tool @param {string} server */
    wants: (tool, server) => `The model wants to use ${tool} of ${server}.`,
    changes: "This tool may change things.",
    private: "The call contains text found only in your documents, earlier answers or tool results. It may carry that text away.",
    noArguments: "No arguments.",
    refuse: "Don't allow", once: "Allow once", research: "Allow for this research", always: "Always allow",
  },
  form: {
    /** @param {string} server */
    title: (server) => `${server} asks you something`,
    note: "What you enter goes to this tool server. The model sees only what the server returns.",
    send: "Send", decline: "Don't answer", none: "No choice", required: "required", yes: "Yes", no: "No",
  },
  settings: {
    servers: "Tool servers", serversHelp: "Programs and addresses that offer tools over MCP. A tool is offered to models once you have approved it, word for word as its server describes it. Each call is asked about until you allow more.",
    none: "There are no tool servers yet.",
    launchRun: "Runs", launchReach: "Connects to", wasApproved: "Approved was:",
    otherLaunch: "Something else starts than you approved. Look at the tools and approve them again.",
    unapproved: "No tool approved yet",
    look: "Look at tools", lookAgain: "Look again", starting: "Starting and asking…", hide: "Hide tools",
    runTitle: "Start this program?", reachTitle: "Connect to this address?",
    runHelp: "Nexi runs this program on your computer, with your permissions. Start only what you trust.",
    reachHelp: "Nexi sends requests to this address. Connect only to what you trust.",
    start: "Start", connect: "Connect", cancel: "Cancel",
    remove: "Remove", removeTitle: "Remove this server?", removeHelp: "Its secrets and your approvals go with it.",
    on: "On", enabled: "Offer its tools",
    isPublic: "Its results are public", isPublicHelp: "Otherwise results count as your private text and are kept from the web.",
    isLocal: "Sends nothing away", isLocalHelp: "Turn on only if it works on this computer alone. Calls may then contain your private text.",
    reads: "Reads", writes: "May change things",
    states: { new: "New", approved: "Approved", changed: "Changed", gone: "No longer offered" },
    nothing: "This server offers no tools.", noDescription: "(no description)", arguments: "Arguments",
    /** @param {number} count */
    approve: (count) => (count === 1 ? "Approve 1 tool" : `Approve ${count} tools`),
    approved: "Approved", withdraw: "Withdraw",
    calls: "Calls", asks: "Ask each time", always: "Always allow",
    /** @param {string} name */
    secret: (name) => `Store ${name}`, key: "Store a key", secretHelp: "It goes where your keys are stored and is never shown again.", stored: "Stored",
    add: "Add a server", name: "Name", nameHelp: "Small letters, digits and hyphens.", launch: "Program or address",
    launchHelp: "For example npx -y @modelcontextprotocol/server-filesystem ~/notes, or https://mcp.example.org/mcp", env: "Environment variables", envHelp: "One NAME=VALUE per line; no secrets.",
    secrets: "Names of secret variables", secretsHelp: "Separated by commas. You store their values afterwards.", more: "More", addServer: "Add",
    others: "From other programs", othersHelp: "Servers that Claude Desktop, Cursor or VS Code use on this computer.", find: "Look for servers", noOthers: "None found.", known: "Added", take: "Add",
    commands: "Commands", commandsHelp: "Programs of your own that models may run, set in the settings file under [commands.NAME]. Nothing is read by a shell.", noCommands: "No commands are set.",
  },
};
