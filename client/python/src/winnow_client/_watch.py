"""Reading jobs while they run: what to ask next, and when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from . import _calls as calls
from ._errors import CallTimeoutError, job_failed
from ._flow import Flow, Policy, Sleep, perform

if TYPE_CHECKING:
    from .results import PagesResult
    from .types import Document, JobStatus

_SHORTEST_PAUSE = 0.3
_LONGEST_PAUSE = 5.0
_BEHIND_ALL = 1_000_000_000
"""Behind every page of a job, so that a status comes without any."""


class Pace:
    """Pauses between two looks: short at first, longer while nothing happens."""

    def __init__(self, job_id: str, timeout: float | None) -> None:
        self._job_id = job_id
        self._pause = _SHORTEST_PAUSE
        self._end = None if timeout is None else time.monotonic() + timeout

    def wait(self, has_news: bool) -> Flow[None]:
        self._pause = _SHORTEST_PAUSE if has_news else min(_LONGEST_PAUSE, self._pause * 1.5)
        pause = self._pause
        if self._end is not None:
            left = self._end - time.monotonic()
            if left <= 0:
                raise CallTimeoutError(
                    f"The job {self._job_id} has not ended in the time given. It goes on; wait again, or cancel it.",
                    code="CALL_TIMEOUT",
                )
            pause = min(pause, left)
        yield Sleep(pause)


class PageReader:
    """The pages of a crawl or batch from one place on, each answer of the service at a time."""

    def __init__(self, job_id: str, path: str, *, skip: int, page_size: int, timeout: float | None) -> None:
        self._job_id = job_id
        self._path = path
        self._read = skip
        self._page_size = page_size
        self._pace = Pace(job_id, timeout)
        self._looked: bool | None = None
        self.end: JobStatus | None = None

    def next_pages(self, policy: Policy) -> Flow[list[Document]]:
        """Those that have come, perhaps none. Nothing comes any more once there is an end."""
        if self._looked is not None:
            yield from self._pace.wait(self._looked)
        status = yield from perform(calls.job_pages(self._path, self._read, self._page_size), policy)
        pages = status["data"]
        self._read += len(pages)
        has_more = len(pages) > 0 and self._read < status["completed"]
        self._looked = None if has_more else len(pages) > 0
        if not has_more and status["status"] != "scraping":
            self.end = status
        # A page whose text has expired keeps its place in the list.
        return [page for page in pages if page is not None]

    def check_end(self, was_cancelled_here: bool) -> None:
        """Raises what kept the job from completing."""
        assert self.end is not None
        state = self.end["status"]
        if state != "completed" and not (state == "cancelled" and was_cancelled_here):
            raise job_failed(self._job_id, cast("dict[str, Any]", self.end))


def all_pages(reader: PageReader, job_id: str, policy: Policy) -> Flow[PagesResult]:
    pages: list[Document] = []
    while reader.end is None:
        pages += yield from reader.next_pages(policy)
    end = {name: value for name, value in reader.end.items() if name != "next"}
    return cast("PagesResult", {"id": job_id, **end, "data": pages})


def progress(path: str, policy: Policy) -> Flow[JobStatus]:
    return (yield from perform(calls.job_pages(path, _BEHIND_ALL, 1), policy))


def result(job_id: str, path: str, timeout: float | None, policy: Policy) -> Flow[Any]:
    """Of an extract or an agent, which comes whole."""
    pace = Pace(job_id, timeout)
    while True:
        status = yield from perform(calls.job_status(path), policy)
        if status["status"] == "completed":
            return status
        if status["status"] != "processing":
            raise job_failed(job_id, status)
        yield from pace.wait(False)


