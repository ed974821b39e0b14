"""Shared code of the programs that test the project's own client.

The first argument is a JSON object with the class of the client in `kind`. Each output line is the JSON of one
step: its name, and the value that the client returned or the error that it raised.
"""

import asyncio
import inspect
import json
import sys
import traceback

config = json.loads(sys.argv[1])
if "library" in config:
    sys.path.insert(0, config["library"])

import winnow_client
from winnow_client import WinnowError

is_async = config["kind"] == "AsyncWinnow"
Client = getattr(winnow_client, config["kind"])


async def resolve(result):
    """Awaits the response of the async client. Both clients have the same methods."""
    return await result if inspect.isawaitable(result) else result


async def iterate(items):
    if is_async:
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def describe_error(error):
    names = [
        *["status", "code", "phase", "hint", "retry_after", "request_id"],
        *["details", "attempts", "job_id", "outcome", "reason"],
    ]
    fields = {name: getattr(error, name) for name in names if hasattr(error, name)}
    return {"kind": type(error).__name__, "message": str(error), **fields}


async def get_error(call):
    """Returns the error that a call raised, also before it was sent; otherwise the response."""
    try:
        return {"answer": await resolve(call())}
    except (WinnowError, ValueError, TypeError) as error:
        return describe_error(error)


def print_line(line):
    print(json.dumps(line), flush=True)


async def _main(steps):
    for step in steps:
        try:
            outcome = {"value": await step()}
        except Exception as error:
            outcome = {"error": {**describe_error(error), "trace": traceback.format_exc()[-1500:]}}
        print_line({"step": step.__name__, **outcome})


def run(steps):
    asyncio.run(_main(steps))
