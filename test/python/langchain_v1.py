"""Loads documents with LangChain's loader and the last client with which it supported version 1 of the API.

The first argument is a JSON object with the URLs of the service and the test site. Each output line is the JSON of
one mode: its documents, or the raised error.
"""

import json
import sys
import warnings

from langchain_community.document_loaders.firecrawl import FireCrawlLoader

warnings.simplefilter("ignore")
config = json.loads(sys.argv[1])
site = config["site"]
schema = {"type": "object", "properties": {"price": {"type": "number", "description": "Price"}}}

modes = {
    "scrape": (f"{site}/lamps/desk", {"onlyMainContent": False, "timeout": 30000}),
    # Options of version 0, which the loader translates.
    "scrape_with_older_options": (f"{site}/lamps/desk", {"includeHtml": True, "includeMarkdown": False}),
    "crawl": (f"{site}/lamps", {"limit": 3, "maxDepth": 2, "scrapeOptions": {"formats": ["markdown"]}}),
    "map": (f"{site}/shop", {"limit": 5}),
    "extract": (f"{site}/lamps/desk", {"prompt": "The price", "schema": schema}),
}

for name, (url, params) in modes.items():
    mode = name.split("_")[0]
    loader = FireCrawlLoader(url, api_key=config["key"], api_url=config["url"], mode=mode, params=params)
    try:
        documents = [{"text": document.page_content, "metadata": document.metadata} for document in loader.load()]
        outcome = {"value": documents}
    except Exception as error:
        outcome = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"step": name, **outcome}), flush=True)
