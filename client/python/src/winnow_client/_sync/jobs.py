"""Jobs of the service: crawls, batches, extracts and agents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import httpx

from .. import _calls as calls
from .. import _watch as watch
from .._call import Call
from .._download import finished, started, unfinished
from .._flow import perform, send_with_retries
from .._read import to_error
from .._transport import Transport, to_no_response

if TYPE_CHECKING:
    from typing_extensions import Self

    from .. import types as api
    from ..results import PagesResult

T = TypeVar("T")
_FOLDERS = {"crawl": "/v2/crawl", "batch": "/v2/batch/scrape"}
DownloadFormat = Literal["jsonl", "csv", "zip"]


class PagesJob:
    """Crawl or batch job. Iterate over its pages as they become available, or wait for all of them."""

    id: str
    kind: Literal["crawl", "batch"]
    started: dict[str, Any]
    """Response to the start request; empty if this object did not start the job."""

    def __init__(self, transport: Transport, kind: Literal["crawl", "batch"], job_id: str) -> None:
        self._transport = transport
        self._path = f"{_FOLDERS[kind]}/{calls.segment(job_id)}"
        self._is_cancelled_here = False
        self.id = job_id
        self.kind = kind
        self.started = {}

    @classmethod
    def started_by(cls, transport: Transport, kind: Literal["crawl", "batch"], response: dict[str, Any]) -> Self:
        job = cls(transport, kind, response["id"])
        job.started = response
        return job

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind!r}, {self.id!r})"

    def __iter__(self) -> Iterator[api.Document]:
        return self.pages()

    def pages(
        self, *, skip: int = 0, page_size: int = 100, timeout: float | None = None
    ) -> Iterator[api.Document]:
        """Yields the pages as they become available. Keeps one response of the service in memory at a time.

        Retries for about a minute when the service restarts or the connection breaks. Raises a JobFailedError after
        the last page if the job failed or another client cancelled it.
        """
        reader = watch.PageReader(self.id, self._path, skip=skip, page_size=page_size, timeout=timeout)
        while reader.end is None:
            for page in self._transport.run(reader.next_pages(self._transport.requests.policy)):
                yield page
        reader.check_end(self._is_cancelled_here)

    def progress(self) -> api.JobStatus:
        """Returns the current status, without pages."""
        return self._transport.run(watch.progress(self._path, self._transport.requests.policy))

    def wait(self, *, timeout: float | None = None) -> PagesResult:
        """Returns all pages and the final status, in memory. If the job failed, `error` is set.

        timeout: seconds after which a CallTimeoutError is raised; the job continues.
        """
        reader = watch.PageReader(self.id, self._path, skip=0, page_size=100, timeout=timeout)
        return self._transport.run(watch.all_pages(reader, self.id, self._transport.requests.policy))

    def cancel(self) -> None:
        """Cancels the job. Pages that were already scraped stay readable."""
        self._is_cancelled_here = True
        self._run(calls.cancel(self._path))

    def errors(self) -> api.GetCrawlErrorsResponse:
        """Returns the failed pages and their errors. A batch has no `skipped` and no `summary`."""
        return self._run(calls.job_errors(self._path))

    def retry(self) -> PagesJob:
        """Scrapes the failed pages again, as a new batch."""
        return PagesJob.started_by(self._transport, "batch", self._run(calls.retry(self._path)))

    def download(self, format: DownloadFormat = "jsonl") -> Iterator[bytes]:
        """Downloads the scraped pages as one file: JSON lines, CSV, or a ZIP file of Markdown files."""
        call = calls.download(self._path, format)
        response = self._transport.run(send_with_retries(call, self._transport.requests.policy))
        try:
            for chunk in response.stream.iter_bytes():
                yield chunk
        except httpx.HTTPError as error:
            raise to_error(call, to_no_response(error)) from error  # type: ignore[misc]
        finally:
            response.stream.close()

    def save(self, path: str | os.PathLike[str], format: DownloadFormat = "jsonl") -> None:
        """Downloads to a file, which only exists when it is complete."""
        draft = started(path)
        try:
            for chunk in self.download(format):
                draft.write(chunk)
            finished(draft, path)
        finally:
            unfinished(draft)

    def _run(self, call: Call[T]) -> T:
        return self._transport.run(perform(call, self._transport.requests.policy))


class _DataJob:
    """Job that returns its complete result at the end."""

    id: str
    started: dict[str, Any]
    """Response to the start request; empty if this object did not start the job."""
    _folder = ""

    def __init__(self, transport: Transport, job_id: str) -> None:
        self._transport = transport
        self._path = f"{self._folder}/{calls.segment(job_id)}"
        self.id = job_id
        self.started = {}

    @classmethod
    def started_by(cls, transport: Transport, response: dict[str, Any]) -> Self:
        job = cls(transport, response["id"])
        job.started = response
        return job

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    def cancel(self) -> None:
        self._run(calls.cancel(self._path))

    def _status(self) -> Any:
        return self._run(calls.job_status(self._path))

    def _wait(self, timeout: float | None) -> Any:
        flow = watch.result(self.id, self._path, timeout, self._transport.requests.policy)
        return self._transport.run(flow)

    def _run(self, call: Call[T]) -> T:
        return self._transport.run(perform(call, self._transport.requests.policy))


class ExtractJob(_DataJob):
    _folder = "/v2/extract"

    def status(self) -> api.ExtractStatus:
        """Returns the current status, also for a failed job."""
        status: api.ExtractStatus = self._status()
        return status

    def wait(self, *, timeout: float | None = None) -> api.ExtractStatus:
        """Waits for the result. Raises JobFailedError if the job fails, CallTimeoutError after `timeout` seconds."""
        status: api.ExtractStatus = self._wait(timeout)
        return status


class AgentJob(_DataJob):
    _folder = "/v2/agent"

    def status(self) -> api.AgentStatus:
        """Returns the current status, also for a failed job."""
        status: api.AgentStatus = self._status()
        return status

    def wait(self, *, timeout: float | None = None) -> api.AgentStatus:
        """Waits for the result. Raises JobFailedError if the job fails, CallTimeoutError after `timeout` seconds."""
        status: api.AgentStatus = self._wait(timeout)
        return status
