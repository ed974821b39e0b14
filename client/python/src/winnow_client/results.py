"""Types of what methods give back where that is more or less than one answer of the service."""

from __future__ import annotations

from typing import Any, TypedDict

from .types import JobStatus, SearchData


class PagesResult(JobStatus):
    """A crawl or batch that has ended, with all its pages in `data`."""

    id: str


class _SearchFacts(SearchData):
    id: str
    creditsUsed: int


class SearchResult(_SearchFacts, total=False):
    """What was found, by source."""

    warning: str


class _WebhookEventRequired(TypedDict):
    success: bool
    type: str
    """Such as crawl.page, batch_scrape.completed or extract.failed."""
    id: str
    """Id of the job."""
    webhookId: str
    """Id of the delivery, the same when it is sent again: what was seen before is a repetition."""
    data: list[Any]
    """The document of the event, where it has one."""


class WebhookEvent(_WebhookEventRequired, total=False):
    """What the service sends to a webhook."""

    error: str
    metadata: dict[str, Any]
    """What the webhook was set up with."""
