"""Client for Winnow, a self-hostable web data service."""

from ._async.browser import AsyncBrowserSession
from ._async.client import AsyncWinnow
from ._async.jobs import AsyncAgentJob, AsyncExtractJob, AsyncPagesJob
from ._errors import (
    AuthenticationError,
    CallTimeoutError,
    ConflictError,
    ConnectionFailedError,
    CreditsExhaustedError,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ScrapeError,
    UnavailableError,
    UnexpectedAnswerError,
    WinnowError,
)
from ._sync.browser import BrowserSession
from ._sync.client import Winnow
from ._sync.jobs import AgentJob, ExtractJob, PagesJob
from ._version import VERSION as __version__
from ._webhooks import WebhookSignatureError, verify_webhook

__all__ = [
    "AgentJob",
    "AsyncAgentJob",
    "AsyncBrowserSession",
    "AsyncExtractJob",
    "AsyncPagesJob",
    "AsyncWinnow",
    "AuthenticationError",
    "BrowserSession",
    "CallTimeoutError",
    "ConflictError",
    "ConnectionFailedError",
    "CreditsExhaustedError",
    "ExtractJob",
    "InvalidRequestError",
    "JobFailedError",
    "NotFoundError",
    "PagesJob",
    "PermissionDeniedError",
    "RateLimitError",
    "ScrapeError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "WebhookSignatureError",
    "Winnow",
    "WinnowError",
    "__version__",
    "verify_webhook",
]
