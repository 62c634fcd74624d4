"""Tries the MCP server with the official Python client, over stdio and HTTP.

usage: mcp_client.py URL TOKEN COMMAND...
"""

import asyncio
import sys
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

try:
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
except ImportError:
    from mcp.client.streamable_http import streamablehttp_client

URL, TOKEN, *COMMAND = sys.argv[1:]


def either(thing, *names):
    """An attribute under its old or its new name."""
    for name in names:
        if hasattr(thing, name):
            return getattr(thing, name)
    raise AttributeError(names)


ASKED = []


async def plan(context, params):
    """The person at the client leaves the first task out."""
    ASKED.append(params.message)
    return types.ElicitResult(action="accept", content={"leave_out": "1", "add": ""})


async def use(session, way):
    ASKED.clear()
    hello = await session.initialize()
    assert either(hello, "server_info", "serverInfo").name == "nexi", hello
    tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools] == ["research", "search", "read", "library"], tools
    told = []

    async def progress(done, total, message):
        told.append((done, message))

    # The client checks structured results against the schema the tool promised.
    answer = await session.call_tool("research", {"query": "Where does Nexi keep my keys?", "effort": "s"}, progress_callback=progress)
    assert not either(answer, "is_error", "isError"), answer
    assert "keyring" in answer.content[0].text, answer
    report = either(answer, "structured_content", "structuredContent")
    assert report["state"] == "answered" and report["sources"], report
    assert told and all(a[0] < b[0] for a, b in zip(told, told[1:])), told
    found = await session.call_tool("search", {"queries": ["keys"]})
    assert either(found, "structured_content", "structuredContent")["searches"][0]["results"], found
    url = next(source["url"] for source in report["sources"] if "keyring" in str(source["passages"]).lower())
    read = await session.call_tool("read", {"urls": [url], "instructions": "keyring"})
    assert "keyring" in read.content[0].text.lower(), read
    known = await session.call_tool("library", {"text": "keyring"})
    uri = either(known, "structured_content", "structuredContent")["results"][0]["uri"]
    listed = await session.list_resources()
    assert any(str(resource.uri) == uri for resource in listed.resources), listed
    content = (await session.read_resource(uri)).contents[0]
    assert "keyring" in content.text, content
    deep = await session.call_tool("research", {"query": "Where are keys kept? Which key opens the popup?", "deep": True, "verbose": True})
    text = deep.content[0].text
    # Later protocols let no server ask in the middle of a call; the plan is carried out as it is then.
    may_ask = either(hello, "protocol_version", "protocolVersion") < "2026"
    assert bool(ASKED) == may_ask, ASKED
    assert ("begins: Where are keys kept" in text) != may_ask and "begins: Which key opens the popup?" in text, text
    refused = await session.call_tool("research", {"query": "x", "effort": "xl"})
    assert either(refused, "is_error", "isError"), refused
    print(f"mcp {version('mcp')} for Python, {way}: four tools, {len(told)} notes of progress, resources, structured results valid, {'the plan was shown' if ASKED else 'no plan'}")


async def main():
    async with stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])) as (read, write, *_):
        async with ClientSession(read, write, elicitation_callback=plan) as session:
            await use(session, "stdio")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    if "streamable_http_client" in globals():
        async with create_mcp_http_client(headers=headers) as client:
            async with streamable_http_client(URL, http_client=client) as (read, write, *_):
                async with ClientSession(read, write, elicitation_callback=plan) as session:
                    await use(session, "HTTP")
    else:
        async with streamablehttp_client(URL, headers=headers) as (read, write, *_):
            async with ClientSession(read, write, elicitation_callback=plan) as session:
                await use(session, "HTTP")


asyncio.run(main())
