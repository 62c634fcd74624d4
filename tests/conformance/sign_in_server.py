"""A server of FastMCP that wants a sign-in; the port is the argument."""

import sys

from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions
from fastmcp.server.auth.providers import in_memory

port = int(sys.argv[1])
in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = 3
options = ClientRegistrationOptions(enabled=True, valid_scopes=["cards"], default_scopes=["cards"])
provider = in_memory.InMemoryOAuthProvider(base_url=f"http://127.0.0.1:{port}", client_registration_options=options, required_scopes=["cards"])
server = FastMCP("cards", auth=provider)


@server.tool(annotations={"readOnlyHint": True})
def whoami() -> str:
    """Says whose card this is."""
    return "The library card 4711 belongs to Ada Lund."


server.run(transport="http", host="127.0.0.1", port=port, show_banner=False)
