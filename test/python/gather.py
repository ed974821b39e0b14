"""Extracts values and runs agents as Python programs do: with the published client, sync or async.

The first argument is a JSON object with the client class and the URLs of the service and the test site. The output
is one JSON object with the outcome of each step.
"""

import asyncio
import inspect
import json
import sys
import warnings

from firecrawl import AsyncFirecrawl, Firecrawl

warnings.simplefilter("ignore", DeprecationWarning)
given = json.loads(sys.argv[1])
site = given["site"]
Client = AsyncFirecrawl if given["kind"] == "AsyncFirecrawl" else Firecrawl
client = Client(api_key=given["key"], api_url=given["url"])
schema = given["schema"]


async def of(response):
    """Awaits the response of the async client. Both clients have the same methods."""
    return await response if inspect.isawaitable(response) else response


def plain(value):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


async def extracts():
    urls = [f"{site}/house", f"{site}/house/people"]
    started = await of(client.start_extract(urls, schema=schema, show_sources=True))
    first = await of(client.get_extract_status(started.id))
    ended = await of(
        client.extract(urls, schema=schema, show_sources=True, ignore_invalid_urls=True, poll_interval=1, timeout=30)
    )
    return {"started": started, "first": first, "ended": ended}


async def agents():
    ended = await of(client.agent([f"{site}/house"], prompt=given["prompt"], poll_interval=1, timeout=30, max_credits=50))
    # A thread has the id of its first run.
    trace = await of(client.get_agent_trace(ended.thread_id))
    # The asyncio client cannot read these: it calls a method that its HTTP client does not have.
    is_plain = Client is Firecrawl
    listed = client.list_agents().agents if is_plain else []
    thread = client.get_agent_thread(ended.thread_id, include_data=True) if is_plain else None
    snapshots = [event.artifact.snapshot_id for event in trace.events if event.type == "artifact.updated"]
    return {
        "ended": ended,
        "thread": thread,
        "listed": [item.id for item in listed],
        "types": [event.type for event in trace.events],
        "snapshot": await of(client.get_agent_snapshot(trace.id, snapshots[0])),
    }


async def cancelled():
    started = await of(client.start_agent(None, prompt="Wait"))
    running = await of(client.get_agent_status(started.id))
    done = await of(client.cancel_agent(started.id))
    return {"started": started, "running": running, "done": done, "ended": await of(client.get_agent_status(started.id))}


async def main():
    steps = {"extracts": extracts, "agents": agents, "cancelled": cancelled}
    print(json.dumps({name: plain(await step()) for name, step in steps.items()}))


asyncio.run(main())
