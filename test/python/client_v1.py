"""Uses the service as programs in Python do that speak the first version of the API: with the published client, of either kind.

The first argument is a JSON object: which client, and where the service and the test site are. Each line that is printed is the JSON of
one step: its name, and what the client gave back or raised.
"""

import asyncio
import inspect
import json
import sys
import warnings

from firecrawl.v1 import AsyncV1FirecrawlApp, V1FirecrawlApp
from firecrawl.v1.client import (
    AsyncV1CrawlWatcher,
    V1ChangeTrackingOptions,
    V1CrawlWatcher,
    V1JsonConfig,
    V1LocationConfig,
    V1ScrapeOptions,
)
from pydantic import BaseModel

warnings.simplefilter("ignore")
given = json.loads(sys.argv[1])
site = given["site"]
is_async = given["kind"] == "AsyncV1FirecrawlApp"
Client = AsyncV1FirecrawlApp if is_async else V1FirecrawlApp
Watcher = AsyncV1CrawlWatcher if is_async else V1CrawlWatcher
client = Client(api_key=given["key"], api_url=given["url"])


class Lamp(BaseModel):
    price: float


async def of(answer):
    """Both clients have the same methods; those of one have to be awaited."""
    return await answer if inspect.isawaitable(answer) else answer


def plain(value):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True, by_alias=True)
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


async def scrape():
    return await of(
        client.scrape_url(
            f"{site}/lamps/desk",
            formats=["markdown", "links", "rawHtml", "json", "changeTracking"],
            json_options=V1JsonConfig(schema=Lamp, prompt="The price"),
            change_tracking_options=V1ChangeTrackingOptions(modes=["git-diff"], tag=given["kind"]),
            only_main_content=True,
            exclude_tags=["table"],
            timeout=30_000,
            location=V1LocationConfig(country="DE", languages=["de-DE"]),
            proxy="basic",
            mobile=False,
            skip_tls_verification=True,
            parse_pdf=True,
        )
    )


async def scrape_again():
    return await of(
        client.scrape_url(
            f"{site}/turning?{given['kind']}",
            formats=["markdown", "changeTracking"],
            change_tracking_options=V1ChangeTrackingOptions(modes=["git-diff"]),
        )
    )


async def failing():
    try:
        await of(client.scrape_url("http://no-such-host.invalid/"))
    except Exception as error:
        return str(error)


async def crawl():
    return await of(
        client.crawl_url(
            f"{site}/tree",
            limit=6,
            max_depth=5,
            include_paths=["^/tree"],
            exclude_paths=["/nothing"],
            ignore_sitemap=True,
            allow_backward_links=False,
            deduplicate_similar_urls=True,
            ignore_query_parameters=True,
            scrape_options=V1ScrapeOptions(formats=["markdown", "links"]),
            poll_interval=1,
        )
    )


async def cancel_a_crawl():
    started = await of(client.async_crawl_url(f"{site}/hang?{given['kind']}"))
    running = await of(client.check_crawl_status(started.id))
    cancelled = await of(client.cancel_crawl(started.id))
    ended = await of(client.check_crawl_status(started.id))
    errors = await of(client.check_crawl_errors(started.id))
    return {"running": running.status, "cancelled": cancelled, "ended": ended.status, "errors": errors}


async def batch():
    urls = [f"{site}/pages/{number}" for number in range(1, 4)]
    return await of(client.batch_scrape_urls(urls, formats=["markdown"], poll_interval=1))


async def watch():
    started = await of(client.async_crawl_url(f"{site}/tree", limit=3))
    watched = Watcher(started.id, client)
    told = {"documents": 0, "ends": []}

    def count(_):
        told["documents"] += 1

    watched.add_event_listener("document", count)
    watched.add_event_listener("done", lambda detail: told["ends"].append(detail["status"]))
    await watched.connect()
    return told


async def map_a_site():
    return await of(client.map_url(f"{site}/shop", search="product 12", ignore_sitemap=True, limit=20))


async def search():
    await of(client.scrape_url(f"{site}/library/guide/tides"))
    for _ in range(100):
        found = await of(client.search("harbour tide", limit=3, scrape_options=V1ScrapeOptions(formats=["markdown"])))
        data = found["data"] if isinstance(found, dict) else found.data
        if data:
            return data
        await asyncio.sleep(0.2)


async def extract():
    return await of(client.extract([f"{site}/lamps/desk"], schema=Lamp, show_sources=True))


async def usage():
    return {"credits": await of(client.get_credit_usage()), "tokens": await of(client.get_token_usage())}


steps = [
    *[scrape, scrape_again, scrape_again, failing, crawl, cancel_a_crawl, batch, watch, map_a_site, search],
    *[extract, usage],
]


async def main():
    for step in steps:
        try:
            outcome = {"value": await step()}
        except Exception as error:
            outcome = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"step": step.__name__, **plain(outcome)}, default=str), flush=True)


asyncio.run(main())
