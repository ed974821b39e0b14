"""Uses the service as Python programs with version 1 of the API do: with the published client, sync or async.

See published.py for the argument and the output.
"""

import asyncio
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from firecrawl.v1 import AsyncV1FirecrawlApp, V1FirecrawlApp
from firecrawl.v1.client import (
    AsyncV1CrawlWatcher,
    V1ChangeTrackingOptions,
    V1CrawlWatcher,
    V1JsonConfig,
    V1LocationConfig,
    V1ScrapeOptions,
)
from published import config, get_error, resolve, run, site
from pydantic import BaseModel

warnings.simplefilter("ignore")
is_async = config["kind"] == "AsyncV1FirecrawlApp"
Client = AsyncV1FirecrawlApp if is_async else V1FirecrawlApp
Watcher = AsyncV1CrawlWatcher if is_async else V1CrawlWatcher
client = Client(api_key=config["key"], api_url=config["url"])


class Lamp(BaseModel):
    price: float


async def scrape():
    return await resolve(
        client.scrape_url(
            f"{site}/lamps/desk",
            formats=["markdown", "links", "rawHtml", "json", "changeTracking"],
            json_options=V1JsonConfig(schema=Lamp, prompt="The price"),
            change_tracking_options=V1ChangeTrackingOptions(modes=["git-diff"], tag=config["kind"]),
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
    return await resolve(
        client.scrape_url(
            f"{site}/turning?{config['kind']}",
            formats=["markdown", "changeTracking"],
            change_tracking_options=V1ChangeTrackingOptions(modes=["git-diff"]),
        )
    )


async def failing():
    return await get_error(lambda: client.scrape_url("http://no-such-host.invalid/"))


async def crawl():
    return await resolve(
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
    started = await resolve(client.async_crawl_url(f"{site}/hang?{config['kind']}"))
    running = await resolve(client.check_crawl_status(started.id))
    cancelled = await resolve(client.cancel_crawl(started.id))
    ended = await resolve(client.check_crawl_status(started.id))
    errors = await resolve(client.check_crawl_errors(started.id))
    return {"running": running.status, "cancelled": cancelled, "ended": ended.status, "errors": errors}


async def batch():
    urls = [f"{site}/pages/{number}" for number in range(1, 4)]
    return await resolve(client.batch_scrape_urls(urls, formats=["markdown"], poll_interval=1))


async def watch():
    started = await resolve(client.async_crawl_url(f"{site}/tree", limit=3))
    watcher = Watcher(started.id, client)
    counts = {"documents": 0, "ends": []}

    def count(_):
        counts["documents"] += 1

    watcher.add_event_listener("document", count)
    watcher.add_event_listener("done", lambda detail: counts["ends"].append(detail["status"]))
    await watcher.connect()
    return counts


async def map_a_site():
    return await resolve(client.map_url(f"{site}/shop", search="product 12", ignore_sitemap=True, limit=20))


async def search():
    await resolve(client.scrape_url(f"{site}/library/guide/tides"))
    for _ in range(100):
        response = await resolve(
            client.search("harbour tide", limit=3, scrape_options=V1ScrapeOptions(formats=["markdown"]))
        )
        data = response["data"] if isinstance(response, dict) else response.data
        if data:
            return data
        await asyncio.sleep(0.2)


async def extract():
    return await resolve(client.extract([f"{site}/lamps/desk"], schema=Lamp, show_sources=True))


async def usage():
    return {"credits": await resolve(client.get_credit_usage()), "tokens": await resolve(client.get_token_usage())}


steps = [
    *[scrape, scrape_again, scrape_again, failing, crawl, cancel_a_crawl, batch, watch, map_a_site, search],
    *[extract, usage],
]

run(steps, by_alias=True)
