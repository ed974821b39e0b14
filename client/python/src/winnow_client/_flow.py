"""A call with its retries, as a generator that yields steps and receives their outcomes.

A synchronous driver and an asyncio driver run the steps. All decisions are made here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar, Union, cast

from ._call import Call, NoResponse, Response
from ._errors import ConflictError, WinnowError
from ._read import parse_object, to_error
from ._retry import may_retry, retry_delay


@dataclass(frozen=True)
class Send:
    call: Call[Any]


@dataclass(frozen=True)
class Sleep:
    seconds: float


T = TypeVar("T")
Step = Union[Send, Sleep]
Flow = Generator[Step, Union[Response, NoResponse, None], T]


@dataclass(frozen=True)
class Policy:
    max_retries: int
    seconds: float | None
    """Maximum wait for any response, which replaces the limit of each call."""


def send_with_retries(call: Call[Any], policy: Policy) -> Flow[Response]:
    """Returns the first successful response. Raises the error if the call may not be retried."""
    if policy.seconds is not None:
        call = dataclasses.replace(call, seconds=policy.seconds)
    max_retries = policy.max_retries
    if call.min_retries is not None and max_retries > 0:
        max_retries = max(max_retries, call.min_retries)
    attempts = 0
    while True:
        attempts += 1
        outcome = yield Send(call)
        assert outcome is not None
        error = to_error(call, outcome)
        if error is None:
            return cast(Response, outcome)
        error.attempts = attempts
        delay = retry_delay(attempts, error)
        if attempts > max_retries or delay is None or not may_retry(error, call.retry_rule, outcome):
            raise error
        yield Sleep(delay)


def perform(call: Call[T], policy: Policy) -> Flow[T]:
    """Makes a call and returns its result for the caller."""
    try:
        value: Any = parse_object((yield from send_with_retries(call, policy)).body)
    except WinnowError as error:
        value = _read_earlier_attempt(call, error)
        if value is None:
            raise
    return call.read(value) if call.read is not None else cast(T, value)


def _read_earlier_attempt(call: Call[Any], error: WinnowError) -> dict[str, Any] | None:
    """Returns a result if the call was rejected because an earlier attempt succeeded, but its response was lost."""
    if error.attempts < 2:
        return None
    job_id = error.body.get("id")
    if call.is_keyed and isinstance(error, ConflictError) and error.code == "IDEMPOTENCY_KEY_REUSED" and job_id:
        return {"success": True, "id": job_id}
    return {"success": True} if call.done_code == error.code else None
