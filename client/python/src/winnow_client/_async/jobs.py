# Generated from the file of this name in _sync by `npm run generate`.
"""Work that goes on in the service: crawls, batches, extracts and agents."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import httpx

from .. import _calls as calls
from .. import _watch as watch
from .._call import Call
from .._download import finished, started, unfinished
from .._flow import answered, perform
from .._read import failure_of
from .._transport import AsyncTransport, lost

if TYPE_CHECKING:
    from typing_extensions import Self

    from .. import types as api
    from ..results import PagesResult

T = TypeVar("T")
_FOLDERS = {"crawl": "/v2/crawl", "batch": "/v2/batch/scrape"}
DownloadFormat = Literal["jsonl", "csv", "zip"]


class AsyncPagesJob:
    """A crawl or batch: iterate to read its pages as they come, or wait for all of them."""

    id: str
    kind: Literal["crawl", "batch"]
    started: dict[str, Any]
    """What the service said when it was started; empty where it was not started by this object."""

    def __init__(self, transport: AsyncTransport, kind: Literal["crawl", "batch"], job_id: str) -> None:
        self._transport = transport
        self._path = f"{_FOLDERS[kind]}/{calls.segment(job_id)}"
        self._is_cancelled_here = False
        self.id = job_id
        self.kind = kind
        self.started = {}

    @classmethod
    def started_by(cls, transport: AsyncTransport, kind: Literal["crawl", "batch"], answer: dict[str, Any]) -> Self:
        job = cls(transport, kind, answer["id"])
        job.started = answer
        return job

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind!r}, {self.id!r})"

    def __aiter__(self) -> AsyncIterator[api.Document]:
        return self.pages()

    async def pages(
        self, *, skip: int = 0, page_size: int = 100, timeout: float | None = None
    ) -> AsyncIterator[api.Document]:
        """The pages, each as soon as it is there. Holds one answer of the service at a time.

        It outlives restarts of the service and lost connections of about a minute. Raises a JobFailedError after
        the last page of a job that failed, or that somebody else cancelled.
        """
        reader = watch.PageReader(self.id, self._path, skip=skip, page_size=page_size, timeout=timeout)
        while reader.end is None:
            for page in await self._transport.run(reader.next_pages(self._transport.requests.policy)):
                yield page
        reader.check_end(self._is_cancelled_here)

    async def progress(self) -> api.JobStatus:
        """How it stands, without pages."""
        return await self._transport.run(watch.progress(self._path, self._transport.requests.policy))

    async def wait(self, *, timeout: float | None = None) -> PagesResult:
        """All pages and how the job ended, in memory. If the job failed, `status` and `error` say so.

        timeout: seconds, after which a CallTimeoutError is raised; the job goes on.
        """
        reader = watch.PageReader(self.id, self._path, skip=0, page_size=100, timeout=timeout)
        return await self._transport.run(watch.all_pages(reader, self.id, self._transport.requests.policy))

    async def cancel(self) -> None:
        """What was scraped stays readable."""
        self._is_cancelled_here = True
        await self._run(calls.cancel(self._path))

    async def errors(self) -> api.GetCrawlErrorsResponse:
        """Which pages failed, and why. A batch has no `skipped` and no `summary`."""
        return await self._run(calls.job_errors(self._path))

    async def retry(self) -> AsyncPagesJob:
        """Scrapes the pages that failed once more, as a batch of its own."""
        return AsyncPagesJob.started_by(self._transport, "batch", await self._run(calls.retry(self._path)))

    async def download(self, format: DownloadFormat = "jsonl") -> AsyncIterator[bytes]:
        """The pages that are there as the bytes of one file: a line of JSON per page, a table, or Markdown files."""
        call = calls.download(self._path, format)
        answer = await self._transport.run(answered(call, self._transport.requests.policy))
        try:
            async for chunk in answer.stream.aiter_bytes():
                yield chunk
        except httpx.HTTPError as error:
            raise failure_of(call, lost(error)) from error  # type: ignore[misc]
        finally:
            await answer.stream.aclose()

    async def save(self, path: str | os.PathLike[str], format: DownloadFormat = "jsonl") -> None:
        """Downloads into a file, which is there once it is complete."""
        draft = started(path)
        try:
            async for chunk in self.download(format):
                draft.write(chunk)
            finished(draft, path)
        finally:
            unfinished(draft)

    async def _run(self, call: Call[T]) -> T:
        return await self._transport.run(perform(call, self._transport.requests.policy))


class _DataJob:
    """Work whose result comes whole."""

    id: str
    started: dict[str, Any]
    """What the service said when it was started; empty where it was not started by this object."""
    _folder = ""

    def __init__(self, transport: AsyncTransport, job_id: str) -> None:
        self._transport = transport
        self._path = f"{self._folder}/{calls.segment(job_id)}"
        self.id = job_id
        self.started = {}

    @classmethod
    def started_by(cls, transport: AsyncTransport, answer: dict[str, Any]) -> Self:
        job = cls(transport, answer["id"])
        job.started = answer
        return job

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    async def cancel(self) -> None:
        await self._run(calls.cancel(self._path))

    async def _status(self) -> Any:
        return await self._run(calls.job_status(self._path))

    async def _wait(self, timeout: float | None) -> Any:
        flow = watch.result(self.id, self._path, timeout, self._transport.requests.policy)
        return await self._transport.run(flow)

    async def _run(self, call: Call[T]) -> T:
        return await self._transport.run(perform(call, self._transport.requests.policy))


class AsyncExtractJob(_DataJob):
    _folder = "/v2/extract"

    async def status(self) -> api.ExtractStatus:
        """How it stands, also after it has failed."""
        answer: api.ExtractStatus = await self._status()
        return answer

    async def wait(self, *, timeout: float | None = None) -> api.ExtractStatus:
        """The result. Raises a JobFailedError where there is none, a CallTimeoutError after `timeout` seconds."""
        answer: api.ExtractStatus = await self._wait(timeout)
        return answer


class AsyncAgentJob(_DataJob):
    _folder = "/v2/agent"

    async def status(self) -> api.AgentStatus:
        """How it stands, also after it has failed."""
        answer: api.AgentStatus = await self._status()
        return answer

    async def wait(self, *, timeout: float | None = None) -> api.AgentStatus:
        """The result. Raises a JobFailedError where there is none, a CallTimeoutError after `timeout` seconds."""
        answer: api.AgentStatus = await self._wait(timeout)
        return answer
