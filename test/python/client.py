"""Uses the service as Python programs do: with the published client, sync or async.

The argument contains a folder with files. See published.py for the other arguments and the output.
"""

import asyncio
import pathlib
import sys
from typing import List, Optional

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v2.types import HighlightsFormat, JsonFormat, ParseOptions, PDFParser, QuestionFormat, ScrapeOptions
from published import config, get_error, resolve, run, site
from pydantic import BaseModel, Field

Client = AsyncFirecrawl if config["kind"] == "AsyncFirecrawl" else Firecrawl
client = Client(api_key=config["key"], api_url=config["url"])


async def scrape():
    return await resolve(
        client.scrape(
            f"{site}/article",
            formats=["markdown", "links", "rawHtml", "images"],
            only_main_content=True,
            exclude_tags=["table"],
            headers={"x-mine": "yes"},
            timeout=30_000,
            location={"country": "DE", "languages": ["de-DE"]},
            proxy="basic",
            max_age=0,
            store_in_cache=False,
            integration="test",
        )
    )


async def scrape_in_a_browser():
    return await resolve(
        client.scrape(
            f"{site}/app/actions",
            formats=["markdown", {"type": "screenshot", "full_page": True, "quality": 40}],
            only_main_content=False,
            wait_for=1,
            mobile=True,
            actions=[{"type": "click", "selector": "#add"}, {"type": "wait", "milliseconds": 10}],
        )
    )


async def scrape_failing():
    return await get_error(lambda: client.scrape("http://no-such-host.invalid/"))


async def scrape_with_a_wrong_key():
    other_client = Client(api_key="fc-wrong", api_url=config["url"])
    return await get_error(lambda: other_client.scrape(f"{site}/pages/1"))


async def crawl():
    return await resolve(
        client.crawl(
            url=f"{site}/tree",
            limit=6,
            max_discovery_depth=2,
            include_paths=["^/tree"],
            exclude_paths=["/nothing"],
            sitemap="skip",
            ignore_query_parameters=True,
            max_concurrency=4,
            scrape_options=ScrapeOptions(formats=["markdown", "links"], max_age=0),
            poll_interval=1,
            timeout=40,
        )
    )


async def cancel_a_crawl():
    started = await resolve(client.start_crawl(url=f"{site}/hang?{config['kind']}"))
    active = await resolve(client.active_crawls())
    running = await resolve(client.get_crawl_status(started.id))
    cancelled = await resolve(client.cancel_crawl(started.id))
    ended = await resolve(client.get_crawl_status(started.id))
    return {
        "id": started.id,
        "active": [item.id for item in active.crawls],
        "running": running.status,
        "cancelled": cancelled,
        "ended": ended.status,
        "errors": await resolve(client.get_crawl_errors(started.id)),
        "again": await resolve(client.cancel_crawl(started.id)),
    }


async def batch():
    urls = [f"{site}/pages/{number}" for number in range(1, 6)]
    return await resolve(
        client.batch_scrape(
            urls, formats=["markdown"], ignore_invalid_urls=True, max_concurrency=2, poll_interval=1
        )
    )


async def cancel_a_batch():
    started = await resolve(client.start_batch_scrape([f"{site}/hang?{config['kind']}-batch"], formats=["markdown"]))
    running = await resolve(client.get_batch_scrape_status(started.id))
    cancelled = await resolve(client.cancel_batch_scrape(started.id))
    ended = await resolve(client.get_batch_scrape_status(started.id))
    return {
        "running": running.status,
        "cancelled": cancelled,
        "ended": ended.status,
        "errors": await resolve(client.get_batch_scrape_errors(started.id)),
    }


async def map_a_site():
    return await resolve(client.map(f"{site}/shop", search="product 12", sitemap="skip", limit=20, timeout=30_000))


async def search():
    for path in ["guide/tides", "guide/ferries", "news/storm"]:
        await resolve(client.scrape(f"{site}/library/{path}"))
    search_once = lambda: resolve(client.search("harbour tide", sources=["web", "images", "news"], limit=5))
    results = await search_once()
    # The service indexes pages after they were scraped.
    for _ in range(100):
        if results.news:
            break
        await asyncio.sleep(0.2)
        results = await search_once()
    scraped = await resolve(
        client.search(
            "moorings", limit=3, tbs="qdr:y9", timeout=30_000, scrape_options=ScrapeOptions(formats=["markdown"])
        )
    )
    return {"found": results, "scraped": scraped}


class Maker(BaseModel):
    name: str
    city: Optional[str] = None


class Lamp(BaseModel):
    title: str
    price: float = Field(description="The price of the lamp")
    weight_kg: Optional[float] = None
    maker: Optional[Maker] = None
    colours: List[str] = []


async def reading():
    create_formats = lambda: [
        JsonFormat(schema=Lamp),
        "summary",
        QuestionFormat(question="When was the lamp shown in Lund?"),
        HighlightsFormat(query="What is the shade made of?"),
    ]
    url = f"{site}/lamps/desk"
    scraped = await resolve(client.scrape(url, formats=create_formats()))
    crawled = await resolve(
        client.crawl(
            url=url,
            limit=1,
            sitemap="skip",
            scrape_options=ScrapeOptions(formats=create_formats()),
            poll_interval=1,
            timeout=40,
        )
    )
    search_once = lambda: resolve(
        client.search("quellmark lighthouse", limit=3, scrape_options=ScrapeOptions(formats=create_formats()))
    )
    # Other pages mention lighthouses, too. This page is found as soon as it is indexed.
    find_lamps = lambda results: [
        page for page in results.web or [] if "/lamps/desk" in str(getattr(page, "metadata", ""))
    ]
    lamps = find_lamps(await search_once())
    for _ in range(100):
        if lamps:
            break
        await asyncio.sleep(0.2)
        lamps = find_lamps(await search_once())
    return {
        "scraped": scraped,
        "lamp": Lamp.model_validate(scraped.json),
        "crawled": crawled.data[0],
        "found": lamps[0],
        "parsed": await resolve(
            client.parse(
                b"<main><h1>Fog</h1><p>The fog lifts at noon in most harbours.</p></main>",
                filename="fog.html",
                options=ParseOptions(formats=["summary", QuestionFormat(question="When does the fog lift?")]),
            )
        ),
    }


async def parse():
    pdf_options = ParseOptions(formats=["markdown"], parsers=[PDFParser(max_pages=1, pages=True)])
    docx_options = ParseOptions(
        formats=["markdown", "html"], include_tags=["table"], only_main_content=False, timeout=30_000
    )
    with open(f"{config['files']}/lighthouse.docx", "rb") as file:
        return {
            "plain": await resolve(client.parse(b"<main><h1>Fog</h1></main>", filename="fog.html")),
            "path": await resolve(client.parse(f"{config['files']}/lamps.pdf", options=pdf_options)),
            "opened": await resolve(client.parse(file, options=docx_options)),
            "damaged": await get_error(lambda: client.parse(b"PK\x03\x04 and no more", filename="a.docx")),
        }


async def browser():
    session = await resolve(client.browser(ttl=60, activity_ttl=30, stream_web_view=True))
    execute = lambda code, **options: resolve(client.browser_execute(session.id, code, timeout=20, **options))
    list_active = lambda: resolve(client.list_browsers(status="active"))
    return {
        "session": session,
        "bash": await execute("echo $((6 * 7))"),
        "node": await execute(f"await page.goto('{site}/pages/6'); page.url()", language="node"),
        "python": await execute("await page.title()", language="python"),
        "listed": [item.id for item in (await list_active()).sessions],
        "deleted": await resolve(client.delete_browser(session.id)),
        "gone": [item.id for item in (await list_active()).sessions],
        "late": await get_error(lambda: client.browser_execute(session.id, "true")),
    }


async def interact():
    document = await resolve(client.scrape(f"{site}/pages/5"))
    scrape_id = document.metadata.scrape_id
    return {
        "ran": await resolve(client.interact(scrape_id, "await page.title()", timeout=30)),
        "shell": await resolve(client.interact(scrape_id, "echo here", language="bash")),
        "failed": await get_error(lambda: client.interact(scrape_id, "throw new Error('no luck')")),
        "stopped": await resolve(client.stop_interaction(scrape_id)),
        "late": await get_error(lambda: client.interact(scrape_id, "1")),
    }


async def usage():
    return {
        "concurrency": await resolve(client.get_concurrency()),
        "credits": await resolve(client.get_credit_usage()),
        "tokens": await resolve(client.get_token_usage()),
        "queue": await resolve(client.get_queue_status()),
    }


steps = [
    *[scrape, scrape_in_a_browser, scrape_failing, scrape_with_a_wrong_key],
    *[crawl, cancel_a_crawl, batch, cancel_a_batch, map_a_site, search, reading, parse, browser, interact, usage],
]

run(steps)
