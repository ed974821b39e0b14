"""Extracts values and runs agents as Python programs do: with the published client, sync or async.

The first argument is a JSON object with the client class and the URLs of the service and the test site. The output
is one JSON object with the result of each step.
"""

import asyncio
import inspect
import json
import sys
import warnings

from firecrawl import AsyncFirecrawl, Firecrawl

warnings.simplefilter("ignore", DeprecationWarning)
config = json.loads(sys.argv[1])
site = config["site"]
Client = AsyncFirecrawl if config["kind"] == "AsyncFirecrawl" else Firecrawl
client = Client(api_key=config["key"], api_url=config["url"])
schema = config["schema"]


async def resolve(response):
    """Awaits the response of the async client. Both clients have the same methods."""
    return await response if inspect.isawaitable(response) else response


def to_json(value):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, dict):
        return {name: to_json(part) for name, part in value.items()}
    return [to_json(part) for part in value] if isinstance(value, list) else value


async def extracts():
    urls = [f"{site}/house", f"{site}/house/people"]
    started = await resolve(client.start_extract(urls, schema=schema, show_sources=True))
    first = await resolve(client.get_extract_status(started.id))
    ended = await resolve(
        client.extract(urls, schema=schema, show_sources=True, ignore_invalid_urls=True, poll_interval=1, timeout=30)
    )
    return {"started": started, "first": first, "ended": ended}


async def agents():
    ended = await resolve(
        client.agent([f"{site}/house"], prompt=config["prompt"], poll_interval=1, timeout=30, max_credits=50)
    )
    # A thread has the id of its first run.
    trace = await resolve(client.get_agent_trace(ended.thread_id))
    # The asyncio client cannot list agents or read threads: it calls a method that its HTTP client does not have.
    is_sync = Client is Firecrawl
    listed = client.list_agents().agents if is_sync else []
    thread = client.get_agent_thread(ended.thread_id, include_data=True) if is_sync else None
    snapshots = [event.artifact.snapshot_id for event in trace.events if event.type == "artifact.updated"]
    return {
        "ended": ended,
        "thread": thread,
        "listed": [item.id for item in listed],
        "types": [event.type for event in trace.events],
        "snapshot": await resolve(client.get_agent_snapshot(trace.id, snapshots[0])),
    }


async def cancelled():
    started = await resolve(client.start_agent(None, prompt="Wait"))
    running = await resolve(client.get_agent_status(started.id))
    done = await resolve(client.cancel_agent(started.id))
    ended = await resolve(client.get_agent_status(started.id))
    return {"started": started, "running": running, "done": done, "ended": ended}


async def main():
    steps = {"extracts": extracts, "agents": agents, "cancelled": cancelled}
    print(json.dumps({name: to_json(await step()) for name, step in steps.items()}))


asyncio.run(main())
