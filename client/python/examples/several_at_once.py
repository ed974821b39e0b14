"""Scrapes several pages concurrently and prints their titles: python several_at_once.py https://example.com https://example.org"""

from __future__ import annotations

import asyncio
import sys

from winnow_client import AsyncWinnow, ScrapeError


async def title_of(winnow: AsyncWinnow, url: str) -> str:
    try:
        page = await winnow.scrape(url, formats=["markdown"], timeout=30_000)
    except ScrapeError as error:
        return f"{url}: {error.code}"
    return f"{url}: {page['metadata'].get('title', 'no title')}"


async def main(urls: list[str]) -> None:
    async with AsyncWinnow() as winnow:
        for line in await asyncio.gather(*(title_of(winnow, url) for url in urls)):
            print(line)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
