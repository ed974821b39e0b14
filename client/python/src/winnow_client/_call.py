"""One call and what came of it, without any input or output."""

from __future__ import annotations

import enum
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeVar
from urllib.parse import urlencode

from ._names import WIRE_NAMES


class Repeat(enum.Enum):
    """When a call may be made again."""

    ALWAYS = "always"
    """It changes nothing, or has an idempotency key."""
    UNPAID = "unpaid"
    """It costs credits but changes nothing, so it is repeated only where nothing was charged."""
    UNSTARTED = "unstarted"
    """It has effects, so it is repeated only where the service refused it before any work."""


@dataclass(frozen=True)
class Upload:
    name: str
    open: Callable[[], IO[bytes]]
    """Called for each attempt: the file from its start."""
    options: Mapping[str, object]


T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """T is the type of the answer."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    upload: Upload | None = None
    repeat: Repeat = Repeat.ALWAYS
    seconds: float = 60
    """How long the answer may take."""
    read: Callable[[Any], T] | None = None
    """What of the answer the caller gets; all of it where nothing is said."""
    expects: tuple[str, ...] = ()
    """Fields without which an answer is not one of the service."""
    is_keyed: bool = False
    """The call carries a key, by which the service starts the same job only once."""
    gone_already: str | None = None
    """The error by which the service says that an earlier attempt has done it."""
    most_repetitions: int | None = None
    """Instead of the client's own number; reading a job survives a restart of the service."""
    streamed: bool = False
    request_id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def url(self) -> str:
        given = {name: _query_text(value) for name, value in self.query.items() if value is not None}
        return f"{self.path}?{urlencode(given)}" if given else self.path

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
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes
    stream: Any = None
    """The response itself, still open, where the call is streamed and went well."""


@dataclass(frozen=True)
class Lost:
    """There was no answer."""

    error: Exception
    was_sent: bool
    was_late: bool


def wire(options: Mapping[str, object]) -> dict[str, Any]:
    """Arguments by the names of the API. The service refuses names that it does not know, so they are passed on."""
    return {WIRE_NAMES.get(name, name): value for name, value in options.items()}


def encode(value: Any) -> bytes:
    return json.dumps(value, default=_plain, allow_nan=False).encode()


def _plain(value: Any) -> Any:
    """Models of Pydantic stand for their schema, and their instances for their fields."""
    if isinstance(value, type) and hasattr(value, "model_json_schema"):
        return value.model_json_schema()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    raise TypeError(f"A value of the type {type(value).__name__} cannot be sent as JSON.")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
