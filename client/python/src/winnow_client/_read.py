"""Parses responses. They are untrusted, because a proxy, a captive portal or another service may have sent them."""

from __future__ import annotations

import json
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

from ._call import Call, NoResponse, Response
from ._errors import (
    CallTimeoutError,
    ConnectionFailedError,
    UnexpectedAnswerError,
    WinnowError,
    service_error_class,
)

_MAX_EXCERPT_LENGTH = 200


def parse_object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def to_error(call: Call[Any], outcome: Response | NoResponse) -> WinnowError | None:
    """Returns the error of a call, or None if the call succeeded."""
    if isinstance(outcome, NoResponse):
        return _connection_error(call, outcome)
    request_id = outcome.headers.get("x-request-id", call.request_id)
    if 300 <= outcome.status < 400:
        # Following a redirect would send the key to another server and change a POST into a GET.
        target = outcome.headers.get("location", "another address")
        return UnexpectedAnswerError(
            f"The base URL redirects to {excerpt(target)}, and calls do not follow that.",
            status=outcome.status,
            code="UNEXPECTED_ANSWER",
            request_id=request_id,
            hint="Set the base URL to the final address.",
        )
    is_success = 200 <= outcome.status < 300
    if is_success and call.streamed:
        return None
    value = parse_object(outcome.body)
    if is_success and value is not None and all(name in value for name in call.expects):
        return None
    return _response_error(outcome, value, request_id)


def _response_error(response: Response, value: dict[str, Any] | None, request_id: str) -> WinnowError:
    status = response.status
    code = None if value is None else value.get("code")
    in_body = _seconds(None if value is None else value.get("retryAfter"))
    retry_after = in_body if in_body is not None else _parse_retry_after(response.headers.get("retry-after"))
    if value is None or not isinstance(code, str):
        return UnexpectedAnswerError(
            f"The answer (status {status}) is not one of Winnow: {excerpt(response.body)}",
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


def _connection_error(call: Call[Any], lost: NoResponse) -> WinnowError:
    if lost.timed_out:
        error: WinnowError = CallTimeoutError(
            f"No answer to {call.method} {call.path} came within {call.seconds:g} seconds.",
            code="CALL_TIMEOUT",
            request_id=call.request_id,
            hint="Raise the timeout of the client, or request less.",
        )
    else:
        reason = (
            "The connection broke before the answer was complete" if lost.was_sent else "The service was not reached"
        )
        error = ConnectionFailedError(
            f"{reason}: {excerpt(str(lost.error))}",
            code="CONNECTION_FAILED",
            request_id=call.request_id,
            hint="Check that the service runs at the base URL (WINNOW_URL)." if not lost.was_sent else None,
        )
    error.__cause__ = lost.error
    return error


def excerpt(text: bytes | str) -> str:
    """Returns the start of untrusted text, without terminal control characters."""
    start = text[: _MAX_EXCERPT_LENGTH * 4]
    decoded = start.decode("utf-8", "replace") if isinstance(start, bytes) else start
    line = re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in decoded)).strip()
    if not line:
        return "it is empty."
    return line if len(line) <= _MAX_EXCERPT_LENGTH else f"{line[:_MAX_EXCERPT_LENGTH]}…"


def _seconds(value: object) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < float("inf") else None  # type: ignore[operator, arg-type]


def _parse_retry_after(header: str | None) -> float | None:
    """Parses the header `retry-after`, which contains seconds or a date, and returns seconds."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
