"""What the programs that try the published client share, for either version of the API. The first argument is a JSON object, with
where the service and the test site are.

Each line that is printed is the JSON of one step: its name, and what the client gave back or raised.
"""

import asyncio
import inspect
import json
import sys

given = json.loads(sys.argv[1])
site = given["site"]


async def of(call):
    """Both clients have the same methods; those of one have to be awaited."""
    return await call if inspect.isawaitable(call) else call


def plain(value, by_alias):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True, by_alias=by_alias)
    if isinstance(value, dict):
        return {name: plain(part, by_alias) for name, part in value.items()}
    return [plain(part, by_alias) for part in value] if isinstance(value, list) else value


def describe_error(error):
    return {
        "kind": type(error).__name__,
        "message": str(error),
        "status": getattr(error, "status_code", None),
        "code": getattr(error, "code", None),
    }


async def failure(call):
    """What a call raised. The client for asyncio hands some refusals over as answers."""
    try:
        return {"answer": await of(call())}
    except Exception as error:
        return describe_error(error)


async def _main(steps, by_alias):
    for step in steps:
        try:
            outcome = {"value": await step()}
        except Exception as error:
            outcome = {"error": describe_error(error)}
        print(json.dumps({"step": step.__name__, **plain(outcome, by_alias)}, default=str), flush=True)


def run(steps, by_alias=False):
    """`by_alias`: the names of fields as the API has them, and not as Python writes them."""
    asyncio.run(_main(steps, by_alias))
