"""Calls the service through a proxy that fails like networks and proxies do. See steps.py for the argument and the
output.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from steps import Client, config, get_error, resolve, run

url = f"{config['site']}/pages/1"
kind = config["kind"]


def create_client(fault, **options):
    """Creates a client whose base URL selects the fault of the proxy."""
    return Client(f"{config['gate']}/{fault}-{kind}", config["key"], **options)


async def limited():
    return (await resolve(create_client("limited").scrape(url)))["metadata"]["sourceURL"]


async def limited_for_long():
    return await get_error(lambda: create_client("limited-for-long").scrape(url))


async def stopping():
    # The call is rejected before any work, so even a call with side effects is repeated.
    return await get_error(lambda: create_client("stopping").operator.create_team("x"))


async def lost_start():
    job = await resolve(create_client("lost").start_batch([url]))
    done = await resolve(job.wait())
    return {"status": done["status"], "pages": len(done["data"])}


async def lost_effect():
    return await get_error(lambda: create_client("lost-effect").operator.create_team("x"))


async def lost_read():
    return await resolve(create_client("lost-read").team())


async def cut_short():
    return {
        "read": await resolve(create_client("cut").team()),
        "paid": await get_error(lambda: create_client("cut-paid").scrape(url)),
    }


async def not_the_service():
    html_client = create_client("html", retries=1)
    return {
        "page": await get_error(html_client.team),
        "moved": await get_error(lambda: create_client("moved").scrape(url)),
    }


async def nested_answer():
    return await get_error(create_client("nested", retries=0).team)


async def empty_answer():
    empty_client = create_client("empty", retries=0)
    calls = [empty_client.team, lambda: empty_client.scrape(url), lambda: empty_client.start_crawl(url)]
    return [await get_error(call) for call in calls]


async def silent():
    return await get_error(create_client("silent", timeout=1).team)


async def not_there():
    unreachable_client = Client("http://127.0.0.1:9", config["key"], retries=1)
    return await get_error(lambda: unreachable_client.scrape(url))


run(
    [
        *[limited, limited_for_long, stopping, lost_start, lost_effect, lost_read, cut_short, not_the_service],
        *[nested_answer, empty_answer, silent, not_there],
    ]
)
