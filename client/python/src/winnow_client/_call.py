"""API calls and their outcomes, without any I/O."""

from __future__ import annotations

import enum
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeVar
from urllib.parse import urlencode

from ._names import WIRE_NAMES


class RetryRule(enum.Enum):
    """Condition under which a call may be retried."""

    ALWAYS = "always"
    """The call changes nothing, or has an idempotency key."""
    UNPAID = "unpaid"
    """The call costs credits but changes nothing, so it is retried only if nothing was charged."""
    UNSTARTED = "unstarted"
    """The call has effects, so it is retried only if the service rejected it before any work."""


@dataclass(frozen=True)
class Upload:
    name: str
    open: Callable[[], IO[bytes]]
    """Opens the file at its start. Called for each attempt."""
    options: Mapping[str, object]


T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """API call. T is the type of its result."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    upload: Upload | None = None
    retry_rule: RetryRule = RetryRule.ALWAYS
    seconds: float = 60
    """Maximum wait for the response."""
    read: Callable[[Any], T] | None = None
    """Converts the response for the caller. Default: the complete response."""
    expects: tuple[str, ...] = ()
    """Fields that every response of the service contains."""
    is_keyed: bool = False
    """True if the call has an idempotency key, so that the service starts the job only once."""
    done_code: str | None = None
    """Error code that means that an earlier attempt succeeded."""
    min_retries: int | None = None
    """Minimum retry limit, unless retries are disabled. The call then survives a restart of the service."""
    streamed: bool = False
    request_id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def url(self) -> str:
        parameters = {name: _query_text(value) for name, value in self.query.items() if value is not None}
        return f"{self.path}?{urlencode(parameters)}" if parameters else self.path

    def headers(self) -> dict[str, str]:
        headers = {"x-request-id": self.request_id, "accept": "application/json"}
        if self.is_keyed:
            headers["x-idempotency-key"] = self.request_id
        if self.body is not None:
            headers["content-type"] = "application/json"
        return headers

    def content(self) -> bytes | None:
        return None if self.body is None else encode(self.body)


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes
    stream: Any = None
    """The open response, if the call is streamed and succeeded."""


@dataclass(frozen=True)
class NoResponse:
    """Outcome of a call without a response."""

    error: Exception
    was_sent: bool
    timed_out: bool


def to_wire(options: Mapping[str, object]) -> dict[str, Any]:
    """Converts argument names to API names. Unknown names are passed on, because the service rejects them."""
    return {WIRE_NAMES.get(name, name): value for name, value in options.items()}


def encode(value: Any) -> bytes:
    return json.dumps(value, default=_plain, allow_nan=False).encode()


def _plain(value: Any) -> Any:
    """Converts Pydantic models to their schema, and instances of models to their fields."""
    if isinstance(value, type) and hasattr(value, "model_json_schema"):
        return value.model_json_schema()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    raise TypeError(f"A value of the type {type(value).__name__} cannot be sent as JSON.")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
