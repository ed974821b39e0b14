"""API calls of the client methods: path, body, response and retry policy."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Union, cast
from urllib.parse import quote

from ._call import Call, RetryRule, Upload, to_wire

if TYPE_CHECKING:
    from . import types as api
    from .results import SearchResult

_MAX_WORK_MS = 300_000
"""Maximum time that the service takes for one call."""
_MARGIN_SECONDS = 30
"""The service enforces its own time limit, so the client waits slightly longer."""
_OPEN_BROWSER_SECONDS = 60
_QUESTION_SECONDS = 60
_JOB_READ_RETRIES = 12
"""Retries while a job is read, to survive a restart of the service."""
_FIELDS = ("id", "cdpUrl", "liveViewUrl", "interactiveLiveViewUrl")

FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes]]


def scrape(url: str, options: api.ScrapeArguments) -> Call[api.Document]:
    # Actions may have effects, such as an order or a deletion.
    retry_rule = RetryRule.UNSTARTED if options.get("actions") else RetryRule.UNPAID
    return _work("/v2/scrape", {"url": url, **to_wire(options)}, read_document, retry_rule)


def scrape_result(scrape_id: str) -> Call[api.Document]:
    return Call("GET", f"/v2/scrape/{segment(scrape_id)}", read=read_document, expects=("data",))


def parse(file: FileSource, name: str | None, options: api.ParseArguments) -> Call[api.ParsedDocument]:
    file_name, opened = _opener(file, name)
    return Call(
        "POST",
        "/v2/parse",
        upload=Upload(file_name, opened, to_wire(options)),
        retry_rule=RetryRule.UNPAID,
        seconds=_seconds(options.get("timeout")),
        read=read_document,
        expects=("data",),
    )


def search(query: str, options: api.SearchArguments) -> Call[SearchResult]:
    def read(response: dict[str, Any]) -> SearchResult:
        rest = {name: value for name, value in response.items() if name not in ("success", "data")}
        return cast("SearchResult", {**response["data"], **rest})

    return _work("/v2/search", {"query": query, **to_wire(options)}, read)


def map_site(url: str, options: api.MapArguments) -> Call[api.PostMapResponse]:
    body = {"url": url, **to_wire(options)}
    seconds = _seconds(options.get("timeout"))
    return Call("POST", "/v2/map", body=body, retry_rule=RetryRule.UNPAID, seconds=seconds, expects=("links",))


def start_crawl(url: str, options: api.CrawlArguments) -> Call[dict[str, Any]]:
    return _start("/v2/crawl", {"url": url, **to_wire(options)})


def start_batch(urls: Sequence[str], options: api.BatchScrapeArguments) -> Call[dict[str, Any]]:
    return _start("/v2/batch/scrape", {"urls": _to_list(urls), **to_wire(options)})


def start_extract(urls: Sequence[str], options: api.ExtractArguments) -> Call[dict[str, Any]]:
    # Without URLs, the service searches for pages.
    body = {"urls": _to_list(urls)} if urls else {}
    return _start("/v2/extract", {**body, **to_wire(options)})


def start_agent(prompt: str, options: api.AgentArguments) -> Call[dict[str, Any]]:
    return _start("/v2/agent", {"prompt": prompt, **to_wire(options)})


def retry(job_path: str) -> Call[dict[str, Any]]:
    return Call("POST", f"{job_path}/retry", is_keyed=True, expects=("id",))


def job_pages(job_path: str, skip: int, limit: int) -> Call[api.JobStatus]:
    query = {"skip": skip, "limit": limit}
    return Call("GET", job_path, query, min_retries=_JOB_READ_RETRIES, expects=("status", "completed", "data"))


def job_status(job_path: str) -> Call[dict[str, Any]]:
    return Call("GET", job_path, min_retries=_JOB_READ_RETRIES, expects=("status",))


def job_errors(job_path: str) -> Call[api.GetCrawlErrorsResponse]:
    return Call("GET", f"{job_path}/errors")


def download(job_path: str, form: str) -> Call[Any]:
    return Call("GET", f"{job_path}/download", {"format": form}, streamed=True)


def cancel(job_path: str) -> Call[None]:
    return Call("DELETE", job_path, done_code="JOB_ALREADY_ENDED", read=_ignore)


def ask(question: str, options: api.SupportAskArguments) -> Call[api.SupportAnswer]:
    body = {"question": question, **to_wire(options)}
    seconds = _QUESTION_SECONDS + _MARGIN_SECONDS
    return Call("POST", "/v2/support/ask", body=body, retry_rule=RetryRule.UNPAID, seconds=seconds)


def interact(scrape_id: str, code: str | None, options: api.ScrapeInteractArguments) -> Call[api.InteractResult]:
    body = {} if code is None else {"code": code}
    default_seconds = 240 if code is None else 30
    return Call(
        "POST",
        f"/v2/scrape/{segment(scrape_id)}/interact",
        body={**body, **to_wire(options)},
        retry_rule=RetryRule.UNSTARTED,
        seconds=options.get("timeout", default_seconds) + _OPEN_BROWSER_SECONDS + _MARGIN_SECONDS,
    )


def stop_interact(scrape_id: str) -> Call[api.DeleteScrapeInteractResponse]:
    return Call("DELETE", f"/v2/scrape/{segment(scrape_id)}/interact")


def open_browser(options: api.BrowserArguments) -> Call[api.PostBrowserResponse]:
    seconds = _OPEN_BROWSER_SECONDS + _MARGIN_SECONDS
    return Call("POST", "/v2/browser", body=to_wire(options), retry_rule=RetryRule.UNSTARTED, seconds=seconds, expects=_FIELDS)


def browser(session_id: str) -> Call[api.GetBrowserByIdResponse]:
    return Call("GET", f"/v2/browser/{segment(session_id)}", expects=_FIELDS)


def close_browser(session_id: str) -> Call[api.DeleteBrowserByIdResponse]:
    return Call("DELETE", f"/v2/browser/{segment(session_id)}")


def execute(session_id: str, code: str, options: api.BrowserExecuteArguments) -> Call[api.PostBrowserExecuteResponse]:
    return Call(
        "POST",
        f"/v2/browser/{segment(session_id)}/execute",
        body={"code": code, **to_wire(options)},
        retry_rule=RetryRule.UNSTARTED,
        seconds=options.get("timeout", 30) + _MARGIN_SECONDS,
    )


def list_browsers(query: api.BrowserQuery) -> Call[list[api.Session]]:
    def read(response: dict[str, Any]) -> list[api.Session]:
        return cast("list[api.Session]", response["sessions"])

    return Call("GET", "/v2/browser", to_wire(query), read=read, expects=("sessions",))


def capabilities() -> Call[api.GetCapabilitiesResponse]:
    return Call("GET", "/v2/capabilities")


def activity(query: api.TeamActivityQuery) -> Call[api.GetTeamActivityResponse]:
    return Call("GET", "/v2/team/activity", to_wire(query))


def usage(query: api.TeamUsageQuery) -> Call[list[api.GetTeamUsageResponseDataItem]]:
    return Call("GET", "/v2/team/usage", to_wire(query), read=_data, expects=("data",))


def credits() -> Call[api.GetTeamCreditUsageResponseData]:
    return Call("GET", "/v2/team/credit-usage", read=_data, expects=("data",))


def team() -> Call[api.GetTeamMeResponseData]:
    return Call("GET", "/v2/team/me", read=_data, expects=("data",))


def custom_call(method: str, path: str, body: Any, query: Mapping[str, object] | None, timeout: float) -> Call[Any]:
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError("The path must begin with one slash, such as /v2/team/me.")
    verb = method.upper()
    retry_rule = RetryRule.ALWAYS if verb == "GET" else RetryRule.UNSTARTED
    return Call(verb, path, query or {}, body=body, retry_rule=retry_rule, seconds=timeout)


def read_document(response: dict[str, Any]) -> Any:
    """Returns the document. Its warning includes the warning of the response."""
    document: dict[str, Any] = response["data"]
    warnings = [text for text in (response.get("warning"), document.get("warning")) if text]
    return {**document, "warning": " ".join(dict.fromkeys(warnings))} if warnings else document


def segment(text: str) -> str:
    """Encodes an id as one path segment. Raises a ValueError if the id is not valid."""
    if not text or text in (".", ".."):
        raise ValueError("The id is empty or not an id.")
    return quote(text, safe="")


def _data(response: dict[str, Any]) -> Any:
    return response["data"]


def _ignore(_: object) -> None:
    return None


def _to_list(urls: Sequence[str]) -> list[str]:
    if isinstance(urls, str):
        raise TypeError("Pass a list of URLs, not one string.")
    return list(urls)


def _seconds(timeout_ms: float | None) -> float:
    return (timeout_ms or _MAX_WORK_MS) / 1000 + _MARGIN_SECONDS


def _work(
    path: str,
    body: dict[str, Any],
    read: Callable[[Any], Any],
    retry_rule: RetryRule = RetryRule.UNPAID,
) -> Call[Any]:
    seconds = _seconds(body.get("timeout"))
    return Call("POST", path, body=body, retry_rule=retry_rule, seconds=seconds, read=read, expects=("data",))


def _start(path: str, body: dict[str, Any]) -> Call[dict[str, Any]]:
    return Call("POST", path, body=body, is_keyed=True, expects=("id",))


def _opener(file: FileSource, name: str | None) -> tuple[str, Callable[[], IO[bytes]]]:
    """Returns the name of the file and a function that opens it. The service also detects the type from the name."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        return name or os.path.basename(path), lambda: open(path, "rb")
    if isinstance(file, (bytes, bytearray, memoryview)):
        if name is None:
            raise ValueError('Bytes have no name: pass name="report.pdf", so that the type is known.')
        data = bytes(file)
        return name, lambda: io.BytesIO(data)
    file_attribute = getattr(file, "name", None)
    file_name = name or (os.path.basename(file_attribute) if isinstance(file_attribute, str) else None)
    if file_name is None:
        raise ValueError('The file has no name: pass name="report.pdf", so that the type is known.')
    # The file is read once, because it belongs to the caller and each retry must send the same content.
    content = file.read()
    if not isinstance(content, bytes):
        raise TypeError('Open the file in binary mode ("rb").')
    return file_name, lambda: io.BytesIO(content)
