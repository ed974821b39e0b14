"""Polls jobs while they run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from . import _calls as calls
from ._errors import CallTimeoutError, job_failed
from ._flow import Flow, Policy, Sleep, perform

if TYPE_CHECKING:
    from .results import PagesResult
    from .types import Document, JobStatus

_MIN_DELAY = 0.3
_MAX_DELAY = 5.0
_OFFSET_BEYOND_END = 1_000_000_000
"""Offset beyond the last page of any job, so that a status response contains no pages."""


class Pace:
    """Delay between two polls: short at first, longer while nothing changes."""

    def __init__(self, job_id: str, timeout: float | None) -> None:
        self._job_id = job_id
        self._delay = _MIN_DELAY
        self._end = None if timeout is None else time.monotonic() + timeout

    def wait(self, has_changed: bool) -> Flow[None]:
        self._delay = _MIN_DELAY if has_changed else min(_MAX_DELAY, self._delay * 1.5)
        delay = self._delay
        if self._end is not None:
            remaining = self._end - time.monotonic()
            if remaining <= 0:
                raise CallTimeoutError(
                    f"The job {self._job_id} has not ended in the time given. It goes on; wait again, or cancel it.",
                    code="CALL_TIMEOUT",
                )
            delay = min(delay, remaining)
        yield Sleep(delay)


class PageReader:
    """Reads the pages of a crawl or batch from an offset, one response of the service at a time."""

    def __init__(self, job_id: str, path: str, *, skip: int, page_size: int, timeout: float | None) -> None:
        self._job_id = job_id
        self._path = path
        self._offset = skip
        self._page_size = page_size
        self._pace = Pace(job_id, timeout)
        self._had_pages: bool | None = None
        self.end: JobStatus | None = None

    def next_pages(self, policy: Policy) -> Flow[list[Document]]:
        """Returns the new pages, possibly none. After the last page, sets `end`."""
        if self._had_pages is not None:
            yield from self._pace.wait(self._had_pages)
        status = yield from perform(calls.job_pages(self._path, self._offset, self._page_size), policy)
        pages = status["data"]
        self._offset += len(pages)
        has_more = len(pages) > 0 and self._offset < status["completed"]
        self._had_pages = None if has_more else len(pages) > 0
        if not has_more and status["status"] != "scraping":
            self.end = status
        # A page whose text has expired is None, so that the offsets of later pages do not change.
        return [page for page in pages if page is not None]

    def check_end(self, was_cancelled_here: bool) -> None:
        """Raises a JobFailedError if the job did not complete."""
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
    return (yield from perform(calls.job_pages(path, _OFFSET_BEYOND_END, 1), policy))


def result(job_id: str, path: str, timeout: float | None, policy: Policy) -> Flow[Any]:
    """Waits for an extract or an agent and returns its complete result."""
    pace = Pace(job_id, timeout)
    while True:
        status = yield from perform(calls.job_status(path), policy)
        if status["status"] == "completed":
            return status
        if status["status"] != "processing":
            raise job_failed(job_id, status)
        yield from pace.wait(False)


