"""RetryRule policy of calls."""

from __future__ import annotations

import random

from ._call import NoResponse, Response, RetryRule
from ._errors import CallTimeoutError, UnexpectedAnswerError, WinnowError

_REJECTED_CODES = {"RATE_LIMITED", "STOPPING", "TOO_MANY_SOCKETS", "CODE_NOT_STARTED", "SESSION_FAILED"}
"""Codes of calls that the service rejected before any work."""
_UNPAID_CODES = {"JOB_INTERRUPTED", "JOB_ATTEMPTS_EXHAUSTED", "STORE_UNAVAILABLE", "TEMPORARY_FOLDER_FULL"}
"""Codes of calls that were not charged, although work may have been done."""
_LASTING_CODES = {"MODEL_BUDGET_SPENT", "SESSION_LIMIT_REACHED"}
"""Codes of errors that last longer than a call."""

_INITIAL_DELAY = 0.5
_MAX_DELAY = 8.0
_MAX_RETRY_AFTER = 60.0
"""Longest `retry-after` that the client waits for. Rate limits count per minute; callers decide on longer waits."""


def may_retry(error: WinnowError, retry_rule: RetryRule, outcome: Response | NoResponse) -> bool:
    if error.code in _LASTING_CODES:
        return False
    if isinstance(outcome, NoResponse):
        # A call that timed out has used its time; a retry would double the load.
        if isinstance(error, CallTimeoutError):
            return False
        return retry_rule is RetryRule.ALWAYS or not outcome.was_sent
    if error.code in _REJECTED_CODES or error.status == 429:
        return True
    if error.code in _UNPAID_CODES:
        return retry_rule is not RetryRule.UNSTARTED
    if error.code == "CALL_INTERRUPTED":
        # An interrupted call may still have been completed and charged.
        return retry_rule is RetryRule.ALWAYS
    if retry_rule is not RetryRule.ALWAYS or not isinstance(error, UnexpectedAnswerError):
        return False
    # A proxy did not reach the service, or the response was truncated.
    return error.status in (200, 408) or error.status >= 500


def retry_delay(retry: int, error: WinnowError) -> float | None:
    """Returns the delay before a retry, or None if the service requests a wait above the maximum.

    Jitter prevents many clients from retrying at the same time.
    """
    if error.retry_after is not None:
        return None if error.retry_after > _MAX_RETRY_AFTER else error.retry_after + random.random() * 0.25
    delay = min(_MAX_DELAY, _INITIAL_DELAY * 2.0 ** (retry - 1))
    return delay * (0.5 + random.random() / 2)
