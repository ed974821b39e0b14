"""Browser sessions."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from .. import _calls as calls
from .._call import Call
from .._flow import perform
from .._transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .. import types as api

T = TypeVar("T")


class BrowserSession:
    """Browser session in the service. A `with` statement closes it."""

    id: str
    cdp_url: str
    """WebSocket URL for the DevTools protocol. Any client with this URL can control the browser."""
    live_view_url: str
    """URL of a page that shows the browser; empty if the session is not streamed."""
    interactive_live_view_url: str
    """URL of a page that shows and controls the browser."""
    expires_at: str | None

    def __init__(
        self, transport: Transport, info: api.PostBrowserResponse | api.GetBrowserByIdResponse
    ) -> None:
        self._transport = transport
        self.id = info["id"]
        self.cdp_url = info["cdpUrl"]
        self.live_view_url = info["liveViewUrl"]
        self.interactive_live_view_url = info["interactiveLiveViewUrl"]
        expires_at = info.get("expiresAt")
        self.expires_at = expires_at if isinstance(expires_at, str) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    def execute(
        self, code: str, **options: Unpack[api.BrowserExecuteArguments]
    ) -> api.PostBrowserExecuteResponse:
        """Runs code with `page`, `context` and `browser`. If the code failed, `error` and `exitCode` are set."""
        return self._run(calls.execute(self.id, code, options))

    def status(self) -> api.GetBrowserByIdResponse:
        return self._run(calls.browser(self.id))

    def close(self) -> api.DeleteBrowserByIdResponse:
        """Closes the session and returns its cost. Idempotent."""
        return self._run(calls.close_browser(self.id))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, call: Call[T]) -> T:
        return self._transport.run(perform(call, self._transport.requests.policy))
