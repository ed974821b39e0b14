"""Uses the service with the project's own client: every method, sync or async. See steps.py for the argument and the
output.
"""

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from pydantic import BaseModel
from steps import Client, each, failure, given, is_async, of, run

site = given["site"]
files = pathlib.Path(given["files"])
client = Client(given["url"] + "/v2/", given["key"])
name_prefix = f"py-{given['kind']}"


async def scrape():
    document = await of(
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
    repeated = await of(client.scrape_result(document["metadata"]["scrapeId"]))
    return {"document": document, "same": repeated["markdown"] == document["markdown"]}


class Lamp(BaseModel):
    title: str
    price: float


async def scrape_by_a_model():
    document = await of(client.scrape(f"{site}/lamps/desk", formats=[{"type": "json", "schema": Lamp}]))
    return document["json"]


async def refusals():
    other_client = Client(given["url"], "fc-wrong")
    return {
        "repr": repr(client),
        "unknown_option": await failure(lambda: client.scrape(f"{site}/article", no_such_option=1)),
        "no_such_host": await failure(lambda: client.scrape("http://no-such-host.invalid/")),
        "wrong_key": await failure(lambda: other_client.scrape(f"{site}/article")),
        "no_such_job": await failure(lambda: client.crawl_job("00000000-0000-4000-8000-000000000000").progress()),
        "job_of_a_path": await failure(lambda: client.crawl_job("../team/me").progress()),
        "not_an_operator": await failure(lambda: client.operator.teams()),
        "one_string": await failure(lambda: client.start_batch("https://example.com")),
        "bytes_without_a_name": await failure(lambda: client.parse(b"text")),
        "not_json": await failure(lambda: client.request("POST", "/v2/scrape", body={"url": {1}})),
        "key_with_a_line_break": await failure(lambda: Client(given["url"], "fc-a\r\nx: y")),
        "no_address": await failure(lambda: Client("localhost:3002")),
    }


async def parse():
    plain = b"<main><h1>Fog</h1></main>"
    with open(files / "lighthouse.docx", "rb") as file:
        return {
            "plain": await of(client.parse(plain, name="fog.html")),
            "path": await of(client.parse(files / "lamps.pdf", parsers=[{"type": "pdf", "maxPages": 1}])),
            "opened": await of(client.parse(file, formats=["html"], include_tags=["table"], only_main_content=False)),
            "damaged": await failure(lambda: client.parse(b"PK\x03\x04 and no more", name="a.docx")),
        }


async def pages_of_a_crawl():
    job = await of(client.start_crawl(f"{site}/tree", limit=6, sitemap="skip", scrape_options={"formats": ["links"]}))
    pages = [page["metadata"]["sourceURL"] async for page in each(job)]
    reopened_job = client.crawl_job(job.id)
    remaining = [page["metadata"]["sourceURL"] async for page in each(reopened_job.pages(skip=4, page_size=1))]
    lines = b"".join([chunk async for chunk in each(reopened_job.download())]).decode().splitlines()
    await of(reopened_job.save(files / f"{name_prefix}.zip", "zip"))
    table = b"".join([chunk async for chunk in each(reopened_job.download("csv"))]).decode()
    return {
        "pages": pages,
        "rest": remaining == pages[4:],
        "progress": await of(reopened_job.progress()),
        "errors": await of(reopened_job.errors()),
        "lines": len(lines),
        "zip": (files / f"{name_prefix}.zip").read_bytes()[:2].decode(),
        "drafts": [path.name for path in files.glob(f".{name_prefix}*")],
        "rows": len(table.strip().splitlines()) >= 7,
        "nothing_to_retry": await failure(reopened_job.retry),
    }


async def crawl():
    return await of(client.crawl(f"{site}/tree/a", limit=3, sitemap="skip"))


async def batch():
    urls = [f"{site}/pages/{number}" for number in range(1, 4)]
    done = await of(client.batch([*urls, "http://no-such-host.invalid/"]))
    job = client.batch_job(done["id"])
    repeated = await of(job.retry())
    return {
        "done": done,
        "failed": (await of(job.errors()))["errors"],
        "started": repeated.started["count"],
        "again": await of(repeated.wait()),
    }


async def cancelled_jobs():
    job = await of(client.start_batch([f"{site}/hang?{name_prefix}"]))
    late = await failure(lambda: job.wait(timeout=0.5))
    await of(job.cancel())
    by_me = [page async for page in each(job)]
    other_client = client.batch_job(job.id)

    async def read():
        return [page async for page in each(other_client)]

    return {
        "late": late,
        "by_me": by_me,
        "by_another": await failure(read),
        "waited": await of(other_client.wait()),
        "again": await failure(other_client.cancel),
    }


async def several_at_once():
    urls = [f"{site}/pages/{number}" for number in range(20, 24)]
    if not is_async:
        return [(await of(client.scrape(url)))["metadata"]["sourceURL"] for url in urls] == urls
    done = await asyncio.gather(*(client.scrape(url) for url in urls))
    return [document["metadata"]["sourceURL"] for document in done] == urls


async def map_a_site():
    return await of(client.map(f"{site}/tree", sitemap="skip", limit=5))


async def search():
    await of(client.scrape(f"{site}/library/guide/tides"))
    search_once = lambda: of(client.search("harbour tide", sources=["web"], limit=5, scrape_options={"formats": ["markdown"]}))
    found = await search_once()
    # The service indexes pages after they were scraped.
    for _ in range(100):
        if found["web"]:
            break
        await asyncio.sleep(0.2)
        found = await search_once()
    return found


async def browser():
    async def steps(session):
        other = await of(client.browser_session(session.id))
        return {
            "cdp": session.cdp_url,
            "live": session.live_view_url,
            "expires": session.expires_at,
            "node": await of(session.execute(f"await page.goto('{site}/pages/6'); page.url()", timeout=20)),
            "bash": await of(other.execute("echo $((6 * 7))", language="bash")),
            "status": (await of(other.status()))["status"],
            "listed": session.id in [item["id"] for item in await of(client.list_browsers(status="active"))],
        }

    if is_async:
        async with await client.open_browser(ttl=60, activity_ttl=30) as session:
            results = await steps(session)
    else:
        with client.open_browser(ttl=60, activity_ttl=30) as session:
            results = await steps(session)
    closed = await of(session.close())
    return {**results, "closed": closed, "late": await failure(lambda: session.execute("1"))}


async def interact():
    document = await of(client.scrape(f"{site}/pages/5"))
    scrape_id = document["metadata"]["scrapeId"]
    return {
        "ran": await of(client.interact(scrape_id, "await page.title()", timeout=30)),
        "shell": await of(client.interact(scrape_id, "echo here", language="bash")),
        "neither": await failure(lambda: client.interact(scrape_id)),
        "stopped": await of(client.stop_interact(scrape_id)),
        "late": await failure(lambda: client.interact(scrape_id, "1")),
    }


async def team():
    return {
        "team": await of(client.team()),
        "credits": await of(client.credits()),
        "usage": await of(client.usage(days=2)),
        "activity": await of(client.activity(endpoint="map", limit=1)),
        "capabilities": await of(client.capabilities()),
        "asked": await of(client.ask("Why did the scrape of http://no-such-host.invalid/ fail?", rationale="A report")),
        "request": await of(client.request("GET", "/v2/team/queue-status")),
        "bad_path": await failure(lambda: client.request("GET", "//example.com/")),
    }


async def closing():
    other_client = Client(given["url"], given["key"])
    if is_async:
        async with other_client:
            await other_client.team()
    else:
        with other_client:
            other_client.team()
    await of(client.close())
    return True


run(
    [
        *[scrape, scrape_by_a_model, refusals, parse, pages_of_a_crawl, crawl, batch, cancelled_jobs, several_at_once],
        *[map_a_site, search, browser, interact, team, closing],
    ]
)
