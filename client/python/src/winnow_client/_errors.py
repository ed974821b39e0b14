"""What is raised. Callers branch on the class, or on `code` for one case (docs/errors.md lists the codes)."""

from __future__ import annotations

import re
from typing import Any, Literal


class WinnowError(Exception):
    """A call that did not work."""

    status: int
    """HTTP status; 0 where there was no answer."""
    code: str
    """Code of the service, or of this client: CONNECTION_FAILED, CALL_TIMEOUT, UNEXPECTED_ANSWER."""
    phase: str | None
    """Phase in which a scrape failed."""
    hint: str | None
    """What to do about it."""
    retry_after: float | None
    """Seconds after which a repetition makes sense."""
    request_id: str
    """The id under which the service has logged the call."""
    job_id: str | None
    """The job that failed, where there was one: its trace says what it did."""
    details: Any
    """Problems of the request, or attempts of a scrape, as the service lists them."""
    body: dict[str, Any]
    """The whole answer."""
    attempts: int
    """How often the call was made."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str,
        request_id: str = "",
        retry_after: float | None = None,
        hint: str | None = None,
        body: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        self.body = body or {}
        self.hint = hint or _text(self.body.get("hint"))
        self.phase = _text(self.body.get("phase"))
        self.job_id = _text(self.body.get("id"))
        self.details = self.body.get("details")
        self.attempts = 1

    def __str__(self) -> str:
        shown = f"{self.message} [{self.code}]"
        return f"{shown} {self.hint}" if self.hint else shown

    def __reduce__(self) -> tuple[Any, ...]:
        # The one of Exception calls the class with the message alone; workers of a pool could not hand errors back.
        return _restored, (type(self), self.message, dict(self.__dict__))


class InvalidRequestError(WinnowError):
    """The request is wrong in itself: 400, 413, 415 or 422. Sending it again changes nothing."""


class AuthenticationError(WinnowError):
    """401: there is no key, or it is not valid."""


class CreditsExhaustedError(WinnowError):
    """402: the team has too few credits left."""


class PermissionDeniedError(WinnowError):
    """403: this key may not do that."""


class NotFoundError(WinnowError):
    """404 and 410: the job, session or route does not exist, or not any more."""


class ConflictError(WinnowError):
    """409: the state of a job, session or profile does not allow this now."""


class RateLimitError(WinnowError):
    """429: too many calls or sessions. `retry_after` says when to come back, where the service knows."""


class UnavailableError(WinnowError):
    """501, 502, 503 and 504: the service, or a part of it, is not available."""


class ScrapeError(WinnowError):
    """The page or the file could not be fetched or read: codes SCRAPE_… and DOCUMENT_…, and 408."""


class ConnectionFailedError(WinnowError):
    """There was no answer: the service was not reached, or the connection broke."""


class CallTimeoutError(WinnowError):
    """There was no answer in time, or a job did not end within the time that was given to wait()."""


class UnexpectedAnswerError(WinnowError):
    """Something answered that is not the service, such as a proxy with a page of its own."""


class JobFailedError(WinnowError):
    """A crawl, batch, extract or agent ended without completing."""

    job_id: str
    outcome: Literal["failed", "cancelled"]


_by_status: dict[int, type[WinnowError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: CreditsExhaustedError,
    403: PermissionDeniedError,
    404: NotFoundError,
    408: ScrapeError,
    409: ConflictError,
    410: NotFoundError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
    501: UnavailableError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def service_error_class(status: int, code: str) -> type[WinnowError]:
    """Errors of the service by what callers do about them."""
    if status != 400 and re.match(r"(?:SCRAPE|DOCUMENT)_", code):
        return ScrapeError
    return _by_status.get(status, WinnowError)


def job_failed(job_id: str, status: dict[str, Any]) -> JobFailedError:
    outcome: Literal["failed", "cancelled"] = "cancelled" if is_cancelled(status) else "failed"
    why = _text(status.get("error")) or f"The job {outcome if outcome == 'failed' else 'was cancelled'}."
    code = _text(status.get("code")) or f"JOB_{outcome.upper()}"
    error = JobFailedError(why, status=200, code=code, body=status)
    error.job_id = job_id
    error.outcome = outcome
    return error


def is_cancelled(status: dict[str, Any]) -> bool:
    """An agent that was cancelled has failed, for clients that know no other word."""
    return "cancelled" in (status.get("status"), status.get("stopReason"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _restored(kind: type[WinnowError], message: str, fields: dict[str, Any]) -> WinnowError:
    error = kind.__new__(kind, message)
    Exception.__init__(error, message)
    error.__dict__.update(fields)
    return error
