"""Shared code of the programs that test the published client, for either version of the API.

The first argument is a JSON object with the URLs of the service and the test site. Each output line is the JSON of
one step: its name, and the value that the client returned or the error that it raised.
"""

import asyncio
import inspect
import json
import sys

config = json.loads(sys.argv[1])
site = config["site"]


async def resolve(call):
    """Awaits the response of the async client. Both clients have the same methods."""
    return await call if inspect.isawaitable(call) else call


def to_json(value, by_alias):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True, by_alias=by_alias)
    if isinstance(value, dict):
        return {name: to_json(part, by_alias) for name, part in value.items()}
    return [to_json(part, by_alias) for part in value] if isinstance(value, list) else value


def describe_error(error):
    return {
        "kind": type(error).__name__,
        "message": str(error),
        "status": getattr(error, "status_code", None),
        "code": getattr(error, "code", None),
    }


async def get_error(call):
    """Returns the error that a call raised, or the response. The asyncio client returns some errors as responses."""
    try:
        return {"answer": await resolve(call())}
    except Exception as error:
        return describe_error(error)


async def _main(steps, by_alias):
    for step in steps:
        try:
            outcome = {"value": await step()}
        except Exception as error:
            outcome = {"error": describe_error(error)}
        print(json.dumps({"step": step.__name__, **to_json(outcome, by_alias)}, default=str), flush=True)


def run(steps, by_alias=False):
    """Runs the steps. With `by_alias`, fields have the names of the API instead of Python names."""
    asyncio.run(_main(steps, by_alias))
