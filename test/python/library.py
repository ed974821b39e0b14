"""Uses the service with the project's own client: every method, sync or async. See steps.py for the argument and the
output.
"""

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from pydantic import BaseModel
from steps import Client, config, get_error, is_async, iterate, resolve, run

site = config["site"]
files = pathlib.Path(config["files"])
client = Client(config["url"] + "/v2/", config["key"])
name_prefix = f"py-{config['kind']}"


async def scrape():
    document = await resolve(
        client.scrape(
            f"{site}/article",
            formats=["markdown", "links", {"type": "screenshot", "fullPage": True, "quality": 40}],
            only_main_content=True,
            exclude_tags=["table"],
            location={"country": "DE", "languages": ["de-DE"]},
            max_age=0,
            timeout=30_000,
        )
    )
    repeated = await resolve(client.scrape_result(document["metadata"]["scrapeId"]))
    return {"document": document, "same": repeated["markdown"] == document["markdown"]}


class Lamp(BaseModel):
    title: str
    price: float


async def scrape_by_a_model():
    document = await resolve(client.scrape(f"{site}/lamps/desk", formats=[{"type": "json", "schema": Lamp}]))
    return document["json"]


async def refusals():
    other_client = Client(config["url"], "fc-wrong")
    return {
        "repr": repr(client),
        "unknown_option": await get_error(lambda: client.scrape(f"{site}/article", no_such_option=1)),
        "no_such_host": await get_error(lambda: client.scrape("http://no-such-host.invalid/")),
        "wrong_key": await get_error(lambda: other_client.scrape(f"{site}/article")),
        "no_such_job": await get_error(lambda: client.crawl_job("00000000-0000-4000-8000-000000000000").progress()),
        "job_of_a_path": await get_error(lambda: client.crawl_job("../team/me").progress()),
        "not_an_operator": await get_error(lambda: client.operator.teams()),
        "one_string": await get_error(lambda: client.start_batch("https://example.com")),
        "bytes_without_a_name": await get_error(lambda: client.parse(b"text")),
        "not_json": await get_error(lambda: client.request("POST", "/v2/scrape", body={"url": {1}})),
        "key_with_a_line_break": await get_error(lambda: Client(config["url"], "fc-a\r\nx: y")),
        "no_address": await get_error(lambda: Client("localhost:3002")),
    }


async def parse():
    html = b"<main><h1>Fog</h1></main>"
    with open(files / "lighthouse.docx", "rb") as file:
        return {
            "plain": await resolve(client.parse(html, name="fog.html")),
            "path": await resolve(client.parse(files / "lamps.pdf", parsers=[{"type": "pdf", "maxPages": 1}])),
            "opened": await resolve(
                client.parse(file, formats=["html"], include_tags=["table"], only_main_content=False)
            ),
            "damaged": await get_error(lambda: client.parse(b"PK\x03\x04 and no more", name="a.docx")),
        }


async def pages_of_a_crawl():
    job = await resolve(
        client.start_crawl(f"{site}/tree", limit=6, sitemap="skip", scrape_options={"formats": ["links"]})
    )
    pages = [page["metadata"]["sourceURL"] async for page in iterate(job)]
    reopened_job = client.crawl_job(job.id)
    remaining = [page["metadata"]["sourceURL"] async for page in iterate(reopened_job.pages(skip=4, page_size=1))]
    lines = b"".join([chunk async for chunk in iterate(reopened_job.download())]).decode().splitlines()
    await resolve(reopened_job.save(files / f"{name_prefix}.zip", "zip"))
    table = b"".join([chunk async for chunk in iterate(reopened_job.download("csv"))]).decode()
    return {
        "pages": pages,
        "rest": remaining == pages[4:],
        "progress": await resolve(reopened_job.progress()),
        "errors": await resolve(reopened_job.errors()),
        "lines": len(lines),
        "zip": (files / f"{name_prefix}.zip").read_bytes()[:2].decode(),
        "drafts": [path.name for path in files.glob(f".{name_prefix}*")],
        "rows": len(table.strip().splitlines()) >= 7,
        "nothing_to_retry": await get_error(reopened_job.retry),
    }


async def crawl():
    return await resolve(client.crawl(f"{site}/tree/a", limit=3, sitemap="skip"))


async def batch():
    urls = [f"{site}/pages/{number}" for number in range(1, 4)]
    done = await resolve(client.batch([*urls, "http://no-such-host.invalid/"]))
    job = client.batch_job(done["id"])
    repeated = await resolve(job.retry())
    return {
        "done": done,
        "failed": (await resolve(job.errors()))["errors"],
        "started": repeated.started["count"],
        "again": await resolve(repeated.wait()),
    }


async def cancelled_jobs():
    job = await resolve(client.start_batch([f"{site}/hang?{name_prefix}"]))
    late = await get_error(lambda: job.wait(timeout=0.5))
    await resolve(job.cancel())
    by_me = [page async for page in iterate(job)]
    other_client = client.batch_job(job.id)

    async def read():
        return [page async for page in iterate(other_client)]

    return {
        "late": late,
        "by_me": by_me,
        "by_another": await get_error(read),
        "waited": await resolve(other_client.wait()),
        "again": await get_error(other_client.cancel),
    }


async def several_at_once():
    urls = [f"{site}/pages/{number}" for number in range(20, 24)]
    if not is_async:
        return [(await resolve(client.scrape(url)))["metadata"]["sourceURL"] for url in urls] == urls
    done = await asyncio.gather(*(client.scrape(url) for url in urls))
    return [document["metadata"]["sourceURL"] for document in done] == urls


async def map_a_site():
    return await resolve(client.map(f"{site}/tree", sitemap="skip", limit=5))


async def search():
    await resolve(client.scrape(f"{site}/library/guide/tides"))
    search_once = lambda: resolve(
        client.search("harbour tide", sources=["web"], limit=5, scrape_options={"formats": ["markdown"]})
    )
    search_results = await search_once()
    # The service indexes pages after they were scraped.
    for _ in range(100):
        if search_results["web"]:
            break
        await asyncio.sleep(0.2)
        search_results = await search_once()
    return search_results


async def browser():
    async def steps(session):
        other = await resolve(client.browser_session(session.id))
        return {
            "cdp": session.cdp_url,
            "live": session.live_view_url,
            "expires": session.expires_at,
            "node": await resolve(session.execute(f"await page.goto('{site}/pages/6'); page.url()", timeout=20)),
            "bash": await resolve(other.execute("echo $((6 * 7))", language="bash")),
            "status": (await resolve(other.status()))["status"],
            "listed": session.id in [item["id"] for item in await resolve(client.list_browsers(status="active"))],
        }

    if is_async:
        async with await client.open_browser(ttl=60, activity_ttl=30) as session:
            results = await steps(session)
    else:
        with client.open_browser(ttl=60, activity_ttl=30) as session:
            results = await steps(session)
    closed = await resolve(session.close())
    return {**results, "closed": closed, "late": await get_error(lambda: session.execute("1"))}


async def interact():
    document = await resolve(client.scrape(f"{site}/pages/5"))
    scrape_id = document["metadata"]["scrapeId"]
    return {
        "ran": await resolve(client.interact(scrape_id, "await page.title()", timeout=30)),
        "shell": await resolve(client.interact(scrape_id, "echo here", language="bash")),
        "neither": await get_error(lambda: client.interact(scrape_id)),
        "stopped": await resolve(client.stop_interact(scrape_id)),
        "late": await get_error(lambda: client.interact(scrape_id, "1")),
    }


async def team():
    return {
        "team": await resolve(client.team()),
        "credits": await resolve(client.credits()),
        "usage": await resolve(client.usage(days=2)),
        "activity": await resolve(client.activity(endpoint="map", limit=1)),
        "capabilities": await resolve(client.capabilities()),
        "asked": await resolve(
            client.ask("Why did the scrape of http://no-such-host.invalid/ fail?", rationale="A report")
        ),
        "request": await resolve(client.request("GET", "/v2/team/queue-status")),
        "bad_path": await get_error(lambda: client.request("GET", "//example.com/")),
    }


async def closing():
    other_client = Client(config["url"], config["key"])
    if is_async:
        async with other_client:
            await other_client.team()
    else:
        with other_client:
            other_client.team()
    await resolve(client.close())
    return True


run(
    [
        *[scrape, scrape_by_a_model, refusals, parse, pages_of_a_crawl, crawl, batch, cancelled_jobs, several_at_once],
        *[map_a_site, search, browser, interact, team, closing],
    ]
)
