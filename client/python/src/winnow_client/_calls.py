"""The calls of the API that methods make: path, body, what is answered, and when they may be repeated."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Union, cast
from urllib.parse import quote

from ._call import Call, Repeat, Upload, wire

if TYPE_CHECKING:
    from . import types as api
    from .results import SearchResult

_LONGEST_WORK_MS = 300_000
"""The most that the service takes for one call."""
_MARGIN = 30
"""The service keeps its own time limit; the client only waits somewhat longer than that."""
_OPEN_BROWSER_SECONDS = 60
_QUESTION_SECONDS = 60
_PATIENT = 12
"""Repetitions while a job is read: a restart of the service takes its time."""
_SESSION = ("id", "cdpUrl", "liveViewUrl", "interactiveLiveViewUrl")

FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes]]


def scrape(url: str, options: api.ScrapeArguments) -> Call[api.Document]:
    # Actions may order, post or delete something.
    repeat = Repeat.UNSTARTED if options.get("actions") else Repeat.UNPAID
    return _work("/v2/scrape", {"url": url, **wire(options)}, document_of, repeat)


def scrape_result(scrape_id: str) -> Call[api.Document]:
    return Call("GET", f"/v2/scrape/{segment(scrape_id)}", read=document_of, expects=("data",))


def parse(file: FileSource, name: str | None, options: api.ParseArguments) -> Call[api.ParsedDocument]:
    shown, opened = _opener(file, name)
    return Call(
        "POST",
        "/v2/parse",
        upload=Upload(shown, opened, wire(options)),
        repeat=Repeat.UNPAID,
        seconds=_seconds(options.get("timeout")),
        read=document_of,
        expects=("data",),
    )


def search(query: str, options: api.SearchArguments) -> Call[SearchResult]:
    def read(answer: dict[str, Any]) -> SearchResult:
        rest = {name: value for name, value in answer.items() if name not in ("success", "data")}
        return cast("SearchResult", {**answer["data"], **rest})

    return _work("/v2/search", {"query": query, **wire(options)}, read)


def map_site(url: str, options: api.MapArguments) -> Call[api.PostMapResponse]:
    body = {"url": url, **wire(options)}
    seconds = _seconds(options.get("timeout"))
    return Call("POST", "/v2/map", body=body, repeat=Repeat.UNPAID, seconds=seconds, expects=("links",))


def start_crawl(url: str, options: api.CrawlArguments) -> Call[dict[str, Any]]:
    return _start("/v2/crawl", {"url": url, **wire(options)})


def start_batch(urls: Sequence[str], options: api.BatchScrapeArguments) -> Call[dict[str, Any]]:
    return _start("/v2/batch/scrape", {"urls": _several(urls), **wire(options)})


def start_extract(urls: Sequence[str], options: api.ExtractArguments) -> Call[dict[str, Any]]:
    # Without any, the service looks for pages itself.
    given = {"urls": _several(urls)} if urls else {}
    return _start("/v2/extract", {**given, **wire(options)})


def start_agent(prompt: str, options: api.AgentArguments) -> Call[dict[str, Any]]:
    return _start("/v2/agent", {"prompt": prompt, **wire(options)})


def retry(job_path: str) -> Call[dict[str, Any]]:
    return Call("POST", f"{job_path}/retry", is_keyed=True, expects=("id",))


def job_pages(job_path: str, skip: int, limit: int) -> Call[api.JobStatus]:
    query = {"skip": skip, "limit": limit}
    return Call("GET", job_path, query, most_repetitions=_PATIENT, expects=("status", "completed", "data"))


def job_status(job_path: str) -> Call[dict[str, Any]]:
    return Call("GET", job_path, most_repetitions=_PATIENT, expects=("status",))


def job_errors(job_path: str) -> Call[api.GetCrawlErrorsResponse]:
    return Call("GET", f"{job_path}/errors")


def download(job_path: str, form: str) -> Call[Any]:
    return Call("GET", f"{job_path}/download", {"format": form}, streamed=True)


def cancel(job_path: str) -> Call[None]:
    return Call("DELETE", job_path, gone_already="JOB_ALREADY_ENDED", read=_nothing)


def ask(question: str, options: api.SupportAskArguments) -> Call[api.SupportAnswer]:
    body = {"question": question, **wire(options)}
    seconds = _QUESTION_SECONDS + _MARGIN
    return Call("POST", "/v2/support/ask", body=body, repeat=Repeat.UNPAID, seconds=seconds)


def interact(scrape_id: str, code: str | None, options: api.ScrapeInteractArguments) -> Call[api.InteractResult]:
    given = {} if code is None else {"code": code}
    own_limit = 240 if code is None else 30
    return Call(
        "POST",
        f"/v2/scrape/{segment(scrape_id)}/interact",
        body={**given, **wire(options)},
        repeat=Repeat.UNSTARTED,
        seconds=options.get("timeout", own_limit) + _OPEN_BROWSER_SECONDS + _MARGIN,
    )


def stop_interact(scrape_id: str) -> Call[api.DeleteScrapeInteractResponse]:
    return Call("DELETE", f"/v2/scrape/{segment(scrape_id)}/interact")


def open_browser(options: api.BrowserArguments) -> Call[api.PostBrowserResponse]:
    seconds = _OPEN_BROWSER_SECONDS + _MARGIN
    return Call("POST", "/v2/browser", body=wire(options), repeat=Repeat.UNSTARTED, seconds=seconds, expects=_SESSION)


def browser(session_id: str) -> Call[api.GetBrowserByIdResponse]:
    return Call("GET", f"/v2/browser/{segment(session_id)}", expects=_SESSION)


def close_browser(session_id: str) -> Call[api.DeleteBrowserByIdResponse]:
    return Call("DELETE", f"/v2/browser/{segment(session_id)}")


def execute(session_id: str, code: str, options: api.BrowserExecuteArguments) -> Call[api.PostBrowserExecuteResponse]:
    return Call(
        "POST",
        f"/v2/browser/{segment(session_id)}/execute",
        body={"code": code, **wire(options)},
        repeat=Repeat.UNSTARTED,
        seconds=options.get("timeout", 30) + _MARGIN,
    )


def list_browsers(query: api.BrowserQuery) -> Call[list[api.Session]]:
    def read(answer: dict[str, Any]) -> list[api.Session]:
        return cast("list[api.Session]", answer["sessions"])

    return Call("GET", "/v2/browser", wire(query), read=read, expects=("sessions",))


def capabilities() -> Call[api.GetCapabilitiesResponse]:
    return Call("GET", "/v2/capabilities")


def activity(query: api.TeamActivityQuery) -> Call[api.GetTeamActivityResponse]:
    return Call("GET", "/v2/team/activity", wire(query))


def usage(query: api.TeamUsageQuery) -> Call[list[api.GetTeamUsageResponseDataItem]]:
    return Call("GET", "/v2/team/usage", wire(query), read=_data, expects=("data",))


def credits() -> Call[api.GetTeamCreditUsageResponseData]:
    return Call("GET", "/v2/team/credit-usage", read=_data, expects=("data",))


def team() -> Call[api.GetTeamMeResponseData]:
    return Call("GET", "/v2/team/me", read=_data, expects=("data",))


def any_other(method: str, path: str, body: Any, query: Mapping[str, object] | None, timeout: float) -> Call[Any]:
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError("The path must begin with one slash, such as /v2/team/me.")
    verb = method.upper()
    repeat = Repeat.ALWAYS if verb == "GET" else Repeat.UNSTARTED
    return Call(verb, path, query or {}, body=body, repeat=repeat, seconds=timeout)


def document_of(answer: dict[str, Any]) -> Any:
    """The document. What the answer warns of beside it is not lost."""
    document: dict[str, Any] = answer["data"]
    warnings = [text for text in (answer.get("warning"), document.get("warning")) if text]
    return {**document, "warning": " ".join(dict.fromkeys(warnings))} if warnings else document


def segment(text: str) -> str:
    """An id as one part of a path, whatever it consists of."""
    if not text or text in (".", ".."):
        raise ValueError("The id is empty or not an id.")
    return quote(text, safe="")


def _data(answer: dict[str, Any]) -> Any:
    return answer["data"]


def _nothing(_: object) -> None:
    return None


def _several(urls: Sequence[str]) -> list[str]:
    if isinstance(urls, str):
        raise TypeError("Pass a list of URLs, not one string.")
    return list(urls)


def _seconds(timeout_ms: float | None) -> float:
    return (timeout_ms or _LONGEST_WORK_MS) / 1000 + _MARGIN


def _work(
    path: str,
    body: dict[str, Any],
    read: Callable[[Any], Any],
    repeat: Repeat = Repeat.UNPAID,
) -> Call[Any]:
    seconds = _seconds(body.get("timeout"))
    return Call("POST", path, body=body, repeat=repeat, seconds=seconds, read=read, expects=("data",))


def _start(path: str, body: dict[str, Any]) -> Call[dict[str, Any]]:
    return Call("POST", path, body=body, is_keyed=True, expects=("id",))


def _opener(file: FileSource, name: str | None) -> tuple[str, Callable[[], IO[bytes]]]:
    """The service tells the type of a file by the end of its name too."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        return name or os.path.basename(path), lambda: open(path, "rb")
    if isinstance(file, (bytes, bytearray, memoryview)):
        if name is None:
            raise ValueError('Bytes have no name: pass name="report.pdf", so that the type is known.')
        data = bytes(file)
        return name, lambda: io.BytesIO(data)
    own = getattr(file, "name", None)
    shown = name or (os.path.basename(own) if isinstance(own, str) else None)
    if shown is None:
        raise ValueError('The file has no name: pass name="report.pdf", so that the type is known.')
    # Read once: the caller's file stays open and where it is, and a repetition begins at the same place.
    content = file.read()
    if not isinstance(content, bytes):
        raise TypeError('Open the file in binary mode ("rb").')
    return shown, lambda: io.BytesIO(content)
