"""Synchronous and asyncio drivers that run the steps of a flow."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from ._call import Call, NoResponse, Response, encode
from ._flow import Flow, Policy, Send
from ._read import excerpt
from ._version import VERSION

T = TypeVar("T")
_CONNECT_SECONDS = 10.0
_UNSENT_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


class Requests:
    """Builds the requests of both drivers."""

    def __init__(self, base_url: str | None, api_key: str | None, retries: int, timeout: float | None) -> None:
        self.base_url = _validate_url(base_url or os.environ.get("WINNOW_URL") or "http://127.0.0.1:3002")
        self._key = _validate_key(api_key or os.environ.get("WINNOW_API_KEY"))
        if retries < 0 or (timeout is not None and timeout <= 0):
            raise ValueError("retries must not be negative, and timeout must be positive.")
        self.policy = Policy(max_retries=retries, seconds=timeout)

    @contextlib.contextmanager
    def request(self, client: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> Iterator[httpx.Request]:
        headers = {**call.headers(), "user-agent": f"winnow-client-python/{VERSION}"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        timeout = httpx.Timeout(call.seconds, connect=min(_CONNECT_SECONDS, call.seconds))
        url = self.base_url + call.url()
        if call.upload is None:
            yield client.build_request(call.method, url, headers=headers, content=call.content(), timeout=timeout)
            return
        with call.upload.open() as file:
            yield client.build_request(
                call.method,
                url,
                headers=headers,
                files={"file": (call.upload.name, file)},
                data={"options": encode(dict(call.upload.options)).decode()},
                timeout=timeout,
            )


class Transport:
    def __init__(self, requests: Requests, client: httpx.Client | None) -> None:
        self.requests = requests
        self._client = client or httpx.Client()
        self._is_own = client is None

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Send):
                    step = flow.send(self._send(step.call))
                else:
                    time.sleep(step.seconds)
                    step = flow.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _send(self, call: Call[Any]) -> Response | NoResponse:
        with self.requests.request(self._client, call) as request:
            try:
                response = self._client.send(request, stream=True, follow_redirects=False)
                if call.streamed and response.is_success:
                    return Response(response.status_code, response.headers, b"", stream=response)
                try:
                    return Response(response.status_code, response.headers, response.read())
                finally:
                    response.close()
            except httpx.HTTPError as error:
                return to_no_response(error)

    def close(self) -> None:
        if self._is_own:
            self._client.close()


class AsyncTransport:
    def __init__(self, requests: Requests, client: httpx.AsyncClient | None) -> None:
        self.requests = requests
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None

    async def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Send):
                    step = flow.send(await self._send(step.call))
                else:
                    await asyncio.sleep(step.seconds)
                    step = flow.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _send(self, call: Call[Any]) -> Response | NoResponse:
        with self.requests.request(self._client, call) as request:
            try:
                response = await self._client.send(request, stream=True, follow_redirects=False)
                if call.streamed and response.is_success:
                    return Response(response.status_code, response.headers, b"", stream=response)
                try:
                    return Response(response.status_code, response.headers, await response.aread())
                finally:
                    await response.aclose()
            except httpx.HTTPError as error:
                return to_no_response(error)

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()


def to_no_response(error: httpx.HTTPError) -> NoResponse:
    is_late = isinstance(error, (httpx.ReadTimeout, httpx.WriteTimeout))
    return NoResponse(error, was_sent=not isinstance(error, _UNSENT_ERRORS), timed_out=is_late)


def _validate_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ValueError(f"The base URL is not valid: {excerpt(url)}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The base URL must begin with http:// or https://: {excerpt(url)}")
    if parts.username or parts.query or parts.fragment:
        raise ValueError("The base URL must not have a user name, a query or a fragment.")
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"The base URL is not valid: {excerpt(str(error))}") from error
    base = url.rstrip("/")
    # Callers often copy the URL of the API, which includes its version.
    return base[: -len("/v2")] if base.endswith("/v2") else base


def _validate_key(key: str | None) -> str | None:
    if key is None:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("The API key has characters that no key has, such as a space or a line break.")
    return key
