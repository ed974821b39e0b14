"""Whether a delivery comes from the service."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from .results import WebhookEvent


class WebhookSignatureError(Exception):
    """Why a delivery is not to be trusted."""

    def __init__(self, reason: Literal["missing", "malformed", "wrong"], message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[WebhookSignatureError], tuple[str, str]]:
        return type(self), (self.reason, str(self))


def verify_webhook(body: bytes | str, signature_header: str | None, secret: str | Sequence[str]) -> WebhookEvent:
    """The event in a delivery, or a WebhookSignatureError.

    body: the bytes as they came. Parsed and written again they have another signature.
    signature_header: the header x-service-signature, or x-firecrawl-signature, which is the same.
    secret: of the team; several while it is being changed.
    """
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("The secret is empty, so anybody could sign with it.")
    if not signature_header:
        message = 'The delivery has no signature. An operator makes a secret with webhook_secret="new".'
        raise WebhookSignatureError("missing", message)
    found = re.fullmatch(r"sha256=([0-9a-fA-F]{64})", signature_header.strip())
    if not found:
        raise WebhookSignatureError("malformed", "The signature is not of the form sha256=<64 hex digits>.")
    told = bytes.fromhex(found[1])
    # All of them, so that the time does not tell which one it was.
    matches = [hmac.compare_digest(hmac.digest(one.encode(), raw, hashlib.sha256), told) for one in secrets]
    if not any(matches):
        raise WebhookSignatureError("wrong", "The signature is wrong: another secret, or not the bytes that were sent.")
    return cast("WebhookEvent", json.loads(raw))
