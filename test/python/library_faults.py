"""Calls the service through a proxy that fails like networks and proxies do. See steps.py for the argument and the
output.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from steps import Client, failure, given, of, run

url = f"{given['site']}/pages/1"
kind = given["kind"]


def through(fault, **options):
    """Creates a client whose base URL selects the fault of the proxy."""
    return Client(f"{given['gate']}/{fault}-{kind}", given["key"], **options)


async def limited():
    return (await of(through("limited").scrape(url)))["metadata"]["sourceURL"]


async def limited_for_long():
    return await failure(lambda: through("limited-for-long").scrape(url))


async def stopping():
    # The call is rejected before any work, so even a call with side effects is repeated.
    return await failure(lambda: through("stopping").operator.create_team("x"))


async def lost_start():
    job = await of(through("lost").start_batch([url]))
    done = await of(job.wait())
    return {"status": done["status"], "pages": len(done["data"])}


async def lost_effect():
    return await failure(lambda: through("lost-effect").operator.create_team("x"))


async def lost_read():
    return await of(through("lost-read").team())


async def cut_short():
    return {"read": await of(through("cut").team()), "paid": await failure(lambda: through("cut-paid").scrape(url))}


async def not_the_service():
    html_client = through("html", retries=1)
    return {"page": await failure(html_client.team), "moved": await failure(lambda: through("moved").scrape(url))}


async def nested_answer():
    return await failure(through("nested", retries=0).team)


async def empty_answer():
    empty_client = through("empty", retries=0)
    return [await failure(call) for call in [empty_client.team, lambda: empty_client.scrape(url), lambda: empty_client.start_crawl(url)]]


async def silent():
    return await failure(through("silent", timeout=1).team)


async def not_there():
    unreachable_client = Client("http://127.0.0.1:9", given["key"], retries=1)
    return await failure(lambda: unreachable_client.scrape(url))


run(
    [
        *[limited, limited_for_long, stopping, lost_start, lost_effect, lost_read, cut_short, not_the_service],
        *[nested_answer, empty_answer, silent, not_there],
    ]
)
