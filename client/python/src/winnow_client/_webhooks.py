"""Whether a delivery comes from the service."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from .results import WebhookEvent


class WebhookSignatureError(Exception):
    """Why a delivery is not to be trusted."""

    def __init__(self, reason: Literal["missing", "malformed", "wrong", "expired"], message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[WebhookSignatureError], tuple[str, str]]:
        return type(self), (self.reason, str(self))


def verify_webhook(
    body: bytes | str,
    signature_header: str | None,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
) -> WebhookEvent:
    """The event in a delivery, or a WebhookSignatureError.

    body: the bytes as they came. Parsed and written again they have another signature.
    signature_header: the header x-winnow-signature, whose time is checked too. Also taken: x-service-signature and
        x-firecrawl-signature, which are the same and have no time. Do not fall back to them: an attacker who
        replays an old delivery would leave out the one with the time.
    secret: of the team; several while it is being changed.
    tolerance: how many seconds the time in the header may be from now. math.inf takes any.
    """
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("The secret is empty, so anybody could sign with it.")
    if not tolerance >= 0:
        raise ValueError("tolerance must be a number from 0 on.")
    if not signature_header:
        message = 'The delivery has no signature. An operator makes a secret with webhook_secret="new".'
        raise WebhookSignatureError("missing", message)
    found = re.fullmatch(r"(?:sha256|t=([0-9]{1,12}),v1)=([0-9a-fA-F]{64})", signature_header.strip())
    if not found:
        message = "The signature is neither of the form t=<seconds>,v1=<64 hex digits> nor sha256=<64 hex digits>."
        raise WebhookSignatureError("malformed", message)
    seconds, told = found[1], bytes.fromhex(found[2])
    signed = raw if seconds is None else f"{seconds}.".encode() + raw
    # All of them, so that the time does not tell which one it was.
    matches = [hmac.compare_digest(hmac.digest(one.encode(), signed, hashlib.sha256), told) for one in secrets]
    if not any(matches):
        raise WebhookSignatureError("wrong", "The signature is wrong: another secret, or not the bytes that were sent.")
    if seconds is not None and abs(time.time() - int(seconds)) > tolerance:
        message = f"The signature is of another time: {seconds}. Someone else repeats the delivery, or a clock is wrong."
        raise WebhookSignatureError("expired", message)
    return cast("WebhookEvent", json.loads(raw))
