"""Errors of the client. Callers handle a class, or a `code` for a specific case (docs/errors.md lists the codes)."""

from __future__ import annotations

import re
from typing import Any, Literal


class WinnowError(Exception):
    """Error of a failed call."""

    status: int
    """HTTP status; 0 if there was no response."""
    code: str
    """Error code of the service or of this client: CONNECTION_FAILED, CALL_TIMEOUT, UNEXPECTED_ANSWER."""
    phase: str | None
    """Phase in which a scrape failed."""
    hint: str | None
    """Suggested fix."""
    retry_after: float | None
    """Seconds after which a retry makes sense."""
    request_id: str
    """Id under which the service has logged the call."""
    job_id: str | None
    """Id of the failed job, if there is one. Its trace lists the steps of the job."""
    details: Any
    """Problems of the request or attempts of a scrape, as listed by the service."""
    body: dict[str, Any]
    """Complete response body."""
    attempts: int
    """Number of attempts."""

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
        text = f"{self.message} [{self.code}]"
        return f"{text} {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        # `Exception.__reduce__` calls the class with the message only, so a process pool could not return errors.
        return _restore, (type(self), self.message, dict(self.__dict__))


class InvalidRequestError(WinnowError):
    """400, 413, 415 or 422: the request is not valid. A retry returns the same error."""


class AuthenticationError(WinnowError):
    """401: the key is missing or not valid."""


class CreditsExhaustedError(WinnowError):
    """402: the team has too few credits left."""


class PermissionDeniedError(WinnowError):
    """403: this key does not permit the call."""


class NotFoundError(WinnowError):
    """404 and 410: the job, session or route does not exist, or no longer exists."""


class ConflictError(WinnowError):
    """409: the state of a job, session or profile does not allow the call now."""


class RateLimitError(WinnowError):
    """429: too many calls or sessions. `retry_after` is set if the service knows when a retry makes sense."""


class UnavailableError(WinnowError):
    """501, 502, 503 and 504: the service or a part of it is not available."""


class ScrapeError(WinnowError):
    """Codes SCRAPE_… and DOCUMENT_…, and 408: the page or the file could not be fetched or read."""


class ConnectionFailedError(WinnowError):
    """The call received no response: the service was not reached, or the connection broke."""


class CallTimeoutError(WinnowError):
    """The call received no response in time, or a job did not end within the timeout of wait()."""


class UnexpectedAnswerError(WinnowError):
    """The response is not from the service, for example an error page of a proxy."""


class JobFailedError(WinnowError):
    """A crawl, batch, extract or agent ended without completing."""

    job_id: str
    outcome: Literal["failed", "cancelled"]


_class_by_status: dict[int, type[WinnowError]] = {
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
    """Returns the class of an error. A class groups the codes that callers handle in the same way."""
    if status != 400 and re.match(r"(?:SCRAPE|DOCUMENT)_", code):
        return ScrapeError
    return _class_by_status.get(status, WinnowError)


def job_failed(job_id: str, status: dict[str, Any]) -> JobFailedError:
    outcome: Literal["failed", "cancelled"] = "cancelled" if is_cancelled(status) else "failed"
    message = _text(status.get("error")) or f"The job {outcome if outcome == 'failed' else 'was cancelled'}."
    code = _text(status.get("code")) or f"JOB_{outcome.upper()}"
    error = JobFailedError(message, status=200, code=code, body=status)
    error.job_id = job_id
    error.outcome = outcome
    return error


def is_cancelled(status: dict[str, Any]) -> bool:
    """Returns True if the job was cancelled. An agent then has the status `failed` and the stopReason `cancelled`."""
    return "cancelled" in (status.get("status"), status.get("stopReason"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _restore(error_class: type[WinnowError], message: str, fields: dict[str, Any]) -> WinnowError:
    error = error_class.__new__(error_class, message)
    Exception.__init__(error, message)
    error.__dict__.update(fields)
    return error
