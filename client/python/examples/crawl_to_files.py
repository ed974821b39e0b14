"""Crawls a site and writes each page as a Markdown file: python crawl_to_files.py https://example.com pages"""

from __future__ import annotations

import pathlib
import re
import sys

from winnow_client import JobFailedError, Winnow


def main(url: str, folder: pathlib.Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    with Winnow() as winnow:
        job = winnow.start_crawl(url, limit=50, scrape_options={"formats": ["markdown"]})
        print(f"crawl {job.id}")
        count = 0
        try:
            for page in job:
                count += 1
                # A URL is untrusted text, so the file name must not contain path characters.
                name = re.sub(r"[^A-Za-z0-9]+", "-", page["metadata"]["sourceURL"]).strip("-")[:120]
                (folder / f"{count:05}-{name}.md").write_text(page.get("markdown", ""), encoding="utf-8")
        except JobFailedError as error:
            print(f"The crawl ended early: {error}", file=sys.stderr)
            return 1
        for failed in job.errors()["errors"]:
            print(f"{failed['url']}: {failed['error']}", file=sys.stderr)
    print(f"{count} pages in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
