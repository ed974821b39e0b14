"""The data for the Python builders, and functions that write pages and their expected content."""

import json
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
DATA = json.loads((HERE.parent / "data.json").read_text())
SHOP, FORUM, LIST = DATA["shop"], DATA["forum"], DATA["list"]
OUT = pathlib.Path(os.environ["RAW"])


def keep(template, name, *, url, html, kind, title, records=(), texts=(), absent=()):
    """Writes a rendered page and its expected content."""
    folder = OUT / template
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.html").write_text(html)
    truth = {"url": url, "kind": kind, "title": title, "records": list(records), "texts": list(texts)}
    if absent:
        truth["absent"] = list(absent)
    (folder / f"{name}.json").write_text(json.dumps(truth, ensure_ascii=False))


def card(name, price, *more):
    return {"kind": "card", "name": name, "price": price, "texts": list(more)}


def related(name, price):
    return card(name, price) | {"kind": "related"}


def row(*cells, name=None):
    return {"kind": "row", "texts": list(cells)} | ({"name": name} if name else {})


def post(author, date, *text):
    return {"kind": "post", "author": author, "date": date, "texts": list(text)}


def review(author, *text):
    return {"kind": "review", "author": author, "texts": list(text)}


def call(app, address, host):
    """Requests a page from a WSGI application."""
    import io
    import urllib.parse
    import wsgiref.util

    path, _, query = address.partition("?")
    environ = {"PATH_INFO": urllib.parse.unquote(path), "QUERY_STRING": query, "HTTP_HOST": host, "SCRIPT_NAME": ""}
    wsgiref.util.setup_testing_defaults(environ)
    environ |= {"SERVER_NAME": host, "wsgi.input": io.BytesIO(), "REMOTE_ADDR": "127.0.0.1"}
    statuses, chunks = [], []
    start = lambda status, headers, error=None: statuses.append(status) or chunks.append  # noqa: E731
    body = b"".join(app(environ, start)) or b"".join(chunks)
    assert statuses[-1].startswith("200"), (address, statuses)
    return body.decode()
