"""Shared code of the programs that test the project's own client.

The first argument is a JSON object with the class of the client in `kind`. Each output line is the JSON of one
step: its name, and the value that the client returned or the error that it raised.
"""

import asyncio
import inspect
import json
import sys
import traceback

given = json.loads(sys.argv[1])
if "library" in given:
    sys.path.insert(0, given["library"])

import winnow_client
from winnow_client import WinnowError

is_async = given["kind"] == "AsyncWinnow"
Client = getattr(winnow_client, given["kind"])


async def of(result):
    """Awaits the response of the async client. Both clients have the same methods."""
    return await result if inspect.isawaitable(result) else result


async def each(items):
    if is_async:
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def describe_error(error):
    names = ["status", "code", "phase", "hint", "retry_after", "request_id", "details", "attempts", "job_id", "outcome", "reason"]
    fields = {name: getattr(error, name) for name in names if hasattr(error, name)}
    return {"kind": type(error).__name__, "message": str(error), **fields}


async def failure(call):
    """Returns the error that a call raised, even before it was sent."""
    try:
        return {"answer": await of(call())}
    except (WinnowError, ValueError, TypeError) as error:
        return describe_error(error)


def say(line):
    print(json.dumps(line), flush=True)


async def _main(steps):
    for step in steps:
        try:
            outcome = {"value": await step()}
        except Exception as error:
            outcome = {"error": {**describe_error(error), "trace": traceback.format_exc()[-1500:]}}
        say({"step": step.__name__, **outcome})


def run(steps):
    asyncio.run(_main(steps))
