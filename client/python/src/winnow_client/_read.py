"""What an answer says. Anybody may have written it: a proxy, a page of a portal, another service."""

from __future__ import annotations

import json
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

from ._call import Answer, Call, Lost
from ._errors import (
    CallTimeoutError,
    ConnectionFailedError,
    UnexpectedAnswerError,
    WinnowError,
    service_error_class,
)

_MOST_EXCERPT = 200


def object_in(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def failure_of(call: Call[Any], outcome: Answer | Lost) -> WinnowError | None:
    """None where the call went well."""
    if isinstance(outcome, Lost):
        return _lost(call, outcome)
    request_id = outcome.headers.get("x-request-id", call.request_id)
    if 300 <= outcome.status < 400:
        # The key is not sent to wherever an answer points, and a POST that is redirected turns into a GET.
        target = outcome.headers.get("location", "another address")
        return UnexpectedAnswerError(
            f"The base URL redirects to {excerpt(target)}, and calls do not follow that.",
            status=outcome.status,
            code="UNEXPECTED_ANSWER",
            request_id=request_id,
            hint="Set the base URL to the final address.",
        )
    is_well = 200 <= outcome.status < 300
    if is_well and call.streamed:
        return None
    value = object_in(outcome.body)
    if is_well and value is not None and all(name in value for name in call.expects):
        return None
    return _failure(outcome, value, request_id)


def _failure(answer: Answer, value: dict[str, Any] | None, request_id: str) -> WinnowError:
    status = answer.status
    code = None if value is None else value.get("code")
    hint = _seconds(None if value is None else value.get("retryAfter"))
    retry_after = hint if hint is not None else _wait_header(answer.headers.get("retry-after"))
    if value is None or not isinstance(code, str):
        return UnexpectedAnswerError(
            f"The answer (status {status}) is not one of Winnow: {excerpt(answer.body)}",
            status=status,
            code="UNEXPECTED_ANSWER",
            request_id=request_id,
            retry_after=retry_after,
            hint="Check the base URL, and the proxies on the way to it.",
        )
    message = value.get("error")
    return service_error_class(status, code)(
        message if isinstance(message, str) else code,
        status=status,
        code=code,
        request_id=request_id,
        retry_after=retry_after,
        body=value,
    )


def _lost(call: Call[Any], lost: Lost) -> WinnowError:
    if lost.was_late:
        error: WinnowError = CallTimeoutError(
            f"No answer to {call.method} {call.path} came within {call.seconds:g} seconds.",
            code="CALL_TIMEOUT",
            request_id=call.request_id,
            hint="Raise the timeout of the client, or request less.",
        )
    else:
        how = "The connection broke before the answer was complete" if lost.was_sent else "The service was not reached"
        error = ConnectionFailedError(
            f"{how}: {excerpt(str(lost.error))}",
            code="CONNECTION_FAILED",
            request_id=call.request_id,
            hint="Check that the service runs at the base URL (WINNOW_URL)." if not lost.was_sent else None,
        )
    error.__cause__ = lost.error
    return error


def excerpt(text: bytes | str) -> str:
    """Short, and without what a terminal would obey."""
    start = text[: _MOST_EXCERPT * 4]
    shown = start.decode("utf-8", "replace") if isinstance(start, bytes) else start
    line = re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in shown)).strip()
    if not line:
        return "it is empty."
    return line if len(line) <= _MOST_EXCERPT else f"{line[:_MOST_EXCERPT]}…"


def _seconds(value: object) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < float("inf") else None  # type: ignore[operator, arg-type]


def _wait_header(header: str | None) -> float | None:
    """Seconds or a date."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
