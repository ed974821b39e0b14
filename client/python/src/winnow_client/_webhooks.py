"""Verifies that a webhook delivery comes from the service."""

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
    """Error for a delivery without a valid signature."""

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
    """Verifies a delivery and returns its event. Raises a WebhookSignatureError if the signature is not valid.

    body: the received bytes. JSON that was parsed and serialized again has another signature.
    signature_header: the header x-winnow-signature, whose time is also checked. The headers x-service-signature and
        x-firecrawl-signature are also accepted, but have no time. Do not fall back to them: an attacker who replays
        an old delivery would omit the header with the time.
    secret: webhook secret of the team; several secrets during a rotation.
    tolerance: maximum difference in seconds between the time in the header and now. math.inf accepts any time.
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
    match = re.fullmatch(r"(?:sha256|t=([0-9]{1,12}),v1)=([0-9a-fA-F]{64})", signature_header.strip())
    if not match:
        message = "The signature is neither of the form t=<seconds>,v1=<64 hex digits> nor sha256=<64 hex digits>."
        raise WebhookSignatureError("malformed", message)
    seconds, signature = match[1], bytes.fromhex(match[2])
    signed = raw if seconds is None else f"{seconds}.".encode() + raw
    # All secrets are checked, so that the duration does not reveal which one matched.
    matches = [hmac.compare_digest(hmac.digest(key.encode(), signed, hashlib.sha256), signature) for key in secrets]
    if not any(matches):
        raise WebhookSignatureError("wrong", "The signature is wrong: another secret, or not the bytes that were sent.")
    if seconds is not None and abs(time.time() - int(seconds)) > tolerance:
        message = f"The signature is of another time: {seconds}. Someone else repeats the delivery, or a clock is wrong."
        raise WebhookSignatureError("expired", message)
    return cast("WebhookEvent", json.loads(raw))
