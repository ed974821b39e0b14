"""Input of a type checker that is never run. The checker must report each line with a `type: ignore` comment."""

from winnow_client import AsyncWinnow, Winnow
from winnow_client.types import Document, ScrapeOptions


def check_sync_client(winnow: Winnow) -> str:
    winnow.scrape("https://example.com", only_main_contents=True)  # type: ignore[call-arg]
    winnow.scrape("https://example.com", max_age="an hour")  # type: ignore[arg-type]
    winnow.scrape("https://example.com", formats=["markdwn"])  # type: ignore[list-item]
    winnow.crawl(["https://example.com"])  # type: ignore[arg-type]
    winnow.start_crawl("https://example.com").download("pdf")  # type: ignore[arg-type]
    page: Document = winnow.scrape("https://example.com", formats=["markdown", {"type": "screenshot", "fullPage": True}])
    page["markdwn"]  # type: ignore[typeddict-item]
    return page["metadata"]["statusCode"]  # type: ignore[return-value]


async def check_async_client(winnow: AsyncWinnow, options: ScrapeOptions) -> list[str]:
    for page in winnow.crawl_job("id"):  # type: ignore[attr-defined]
        del page
    with winnow:  # type: ignore[attr-defined]
        pass
    job = await winnow.start_batch(["https://example.com"], formats=["links"])
    await winnow.crawl("https://example.com", limit=3, scrape_options=options)
    return [link async for page in job for link in page["links"]]
