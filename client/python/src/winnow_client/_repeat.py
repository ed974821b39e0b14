"""Whether and when a call is made again."""

from __future__ import annotations

import random

from ._call import Answer, Lost, Repeat
from ._errors import CallTimeoutError, UnexpectedAnswerError, WinnowError

_REFUSED = {"RATE_LIMITED", "STOPPING", "TOO_MANY_SOCKETS", "CODE_NOT_STARTED", "SESSION_FAILED"}
"""Refused before any work."""
_UNPAID = {"JOB_INTERRUPTED", "JOB_ATTEMPTS_EXHAUSTED", "STORE_UNAVAILABLE", "TEMPORARY_FOLDER_FULL"}
"""Work may have been done, and nothing was charged for it."""
_LASTING = {"MODEL_BUDGET_SPENT", "SESSION_LIMIT_REACHED"}
"""These do not go away within a call."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
LONGEST_HINT = 60.0
"""The service counts calls by the minute. A longer wait is for the caller to decide about."""


def may_repeat(error: WinnowError, repeat: Repeat, outcome: Answer | Lost) -> bool:
    if error.code in _LASTING:
        return False
    if isinstance(outcome, Lost):
        # A call that was late has had its time; one more would double the load.
        if isinstance(error, CallTimeoutError):
            return False
        return repeat is Repeat.ALWAYS or not outcome.was_sent
    if error.code in _REFUSED or error.status == 429:
        return True
    if error.code in _UNPAID:
        return repeat is not Repeat.UNSTARTED
    if error.code == "CALL_INTERRUPTED":
        # It may still have been finished and charged.
        return repeat is Repeat.ALWAYS
    if repeat is not Repeat.ALWAYS or not isinstance(error, UnexpectedAnswerError):
        return False
    # A proxy without a service behind it, or an answer that was cut short.
    return error.status in (200, 408) or error.status >= 500


def pause_before(repetition: int, error: WinnowError) -> float | None:
    """None: the service asks for a longer wait than a call may hide. Chance keeps many clients apart."""
    if error.retry_after is not None:
        return None if error.retry_after > LONGEST_HINT else error.retry_after + random.random() * 0.25
    pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (repetition - 1))
    return pause * (0.5 + random.random() / 2)
