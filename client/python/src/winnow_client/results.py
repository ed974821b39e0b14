"""Result types of methods that return more or less than one response of the service."""

from __future__ import annotations

from typing import Any, TypedDict

from .types import JobStatus, SearchData


class PagesResult(JobStatus):
    """Final status of a crawl or batch, with all its pages in `data`."""

    id: str


class _SearchResultRequired(SearchData):
    id: str
    creditsUsed: int


class SearchResult(_SearchResultRequired, total=False):
    """Search results by source."""

    warning: str


class _WebhookEventRequired(TypedDict):
    success: bool
    type: str
    """Event type, such as crawl.page, batch_scrape.completed or extract.failed."""
    id: str
    """Id of the job."""
    webhookId: str
    """Id of the delivery. A resent delivery has the same id, so that receivers can detect duplicates."""
    data: list[Any]
    """Document of the event, if it has one."""


class WebhookEvent(_WebhookEventRequired, total=False):
    """Event that the service sends to a webhook."""

    error: str
    metadata: dict[str, Any]
    """Metadata from the configuration of the webhook."""
