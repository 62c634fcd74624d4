-- What the person has approved of tool servers: the program or address, and each tool word for word.
CREATE TABLE tool_servers (
    name TEXT PRIMARY KEY,
    launch TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE approved_tools (
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    -- JSON: name, title, description, schema, hints.
    definition TEXT NOT NULL,
    -- Whether every call is granted.
    granted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;
