"""A call with its repetitions, as a generator: it asks for what is to be done, and gets the outcome.

One driver does that with a plain client, another one with asyncio. All decisions are here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar, Union, cast

from ._call import Answer, Call, Lost
from ._errors import ConflictError, WinnowError
from ._read import failure_of, object_in
from ._repeat import may_repeat, pause_before


@dataclass(frozen=True)
class Send:
    call: Call[Any]


@dataclass(frozen=True)
class Sleep:
    seconds: float


T = TypeVar("T")
Step = Union[Send, Sleep]
Flow = Generator[Step, Union[Answer, Lost, None], T]


@dataclass(frozen=True)
class Policy:
    repetitions: int
    seconds: float | None
    """How long any answer may take, instead of what each call has by itself."""


def answered(call: Call[Any], policy: Policy) -> Flow[Answer]:
    """The first answer that went well. Anything else is raised once no repetition can help."""
    if policy.seconds is not None:
        call = dataclasses.replace(call, seconds=policy.seconds)
    allowed = policy.repetitions
    if call.most_repetitions is not None and allowed > 0:
        allowed = max(allowed, call.most_repetitions)
    attempts = 0
    while True:
        attempts += 1
        outcome = yield Send(call)
        assert outcome is not None
        error = failure_of(call, outcome)
        if error is None:
            return cast(Answer, outcome)
        error.attempts = attempts
        pause = pause_before(attempts, error)
        if attempts > allowed or pause is None or not may_repeat(error, call.repeat, outcome):
            raise error
        yield Sleep(pause)


def perform(call: Call[T], policy: Policy) -> Flow[T]:
    """What the service answers, as the caller gets it."""
    try:
        value: Any = object_in((yield from answered(call, policy)).body)
    except WinnowError as error:
        value = _done_before(call, error)
        if value is None:
            raise
    return call.read(value) if call.read is not None else cast(T, value)


def _done_before(call: Call[Any], error: WinnowError) -> dict[str, Any] | None:
    """An attempt whose answer was lost may have done what a later one is refused for."""
    if error.attempts < 2:
        return None
    job = error.body.get("id")
    if call.is_keyed and isinstance(error, ConflictError) and error.code == "IDEMPOTENCY_KEY_REUSED" and job:
        return {"success": True, "id": job}
    return {"success": True} if call.gone_already == error.code else None
