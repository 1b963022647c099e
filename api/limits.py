"""Limits on what comes in: bytes of a body, time to send it, requests a minute from one address."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Problem, response_of
from api.settings import Settings

_UPLOADS = ("/v1/readings", "/v1/enrolments")
# Fields and boundaries of a form, beside the photo itself.
_FORM_BYTES = 100_000
_PHOTOS_OF_ONE_FORM = 4
_ADDRESSES_KNOWN = 10_000
_FREE = ("/healthz", "/readyz", "/metrics")


class Allowance:
    """A bucket of tokens for each address: filled at a steady rate, emptied by requests. Kept in memory only."""

    def __init__(self, a_minute: int, *, clock: Callable[[], float] = monotonic) -> None:
        self._a_minute, self._clock = a_minute, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """Take a token; returns 0, or the seconds until there is one again."""
        now = self._clock()
        tokens, last = self._buckets.pop(address, (float(self._a_minute), now))
        tokens = min(self._a_minute, tokens + (now - last) * self._a_minute / 60)
        allowed = tokens >= 1
        self._buckets[address] = (tokens - 1 if allowed else tokens, now)
        while len(self._buckets) > _ADDRESSES_KNOWN:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) * 60 / self._a_minute


class Limits:
    """The layer that counts bytes, seconds and requests."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._requests = Allowance(settings.requests_a_minute)
        self._photos = Allowance(settings.photos_a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._check_rate(scope)
            limit = self._body_limit(scope)
            _check_declared(scope, limit)
        except Problem as problem:
            await response_of(problem)(scope, receive, send)
            return
        await self._app(scope, _counted(receive, limit, self._settings.upload_time_limit_s), send)

    def _check_rate(self, scope: Scope) -> None:
        if scope["path"] in _FREE:
            return
        address = (scope.get("client") or ("",))[0]
        wait_s = self._requests.wait_s(address)
        if not wait_s and _is_upload(scope):
            wait_s = self._photos.wait_s(address)
        if wait_s:
            headers = {"Retry-After": str(max(1, round(wait_s + 0.5)))}
            text = "Too many requests came from your address within a minute. Wait a moment and go on."
            raise Problem(429, "too_many_requests", text, headers=headers)

    def _body_limit(self, scope: Scope) -> int:
        if not _is_upload(scope):
            return self._settings.max_document_bytes
        photos = _PHOTOS_OF_ONE_FORM if scope["path"].startswith(_UPLOADS[1]) else 1
        return photos * self._settings.max_upload_bytes + _FORM_BYTES


def _is_upload(scope: Scope) -> bool:
    return scope["method"] == "POST" and scope["path"].rstrip("/") in _UPLOADS


def _check_declared(scope: Scope, limit: int) -> None:
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    if declared.isdigit() and int(declared[:20]) > limit:
        raise _too_large(limit)


def _counted(receive: Receive, limit: int, time_limit_s: float) -> Receive:
    """The same body, given up where it grows too large or comes too slowly."""
    state: dict[str, Any] = {"bytes": 0, "deadline": monotonic() + time_limit_s, "whole": False}

    async def counted() -> Message:
        if state["whole"]:  # waiting for the other side to go away, which takes as long as it takes
            return await receive()
        try:
            async with asyncio.timeout(max(0.0, state["deadline"] - monotonic())):
                message = await receive()
        except TimeoutError:
            text = f"The body did not arrive within {time_limit_s:g} s. Send it again over a faster connection."
            raise Problem(408, "body_too_slow", text) from None
        state["bytes"] += len(message.get("body", b""))
        state["whole"] = not message.get("more_body", False)
        if state["bytes"] > limit:
            raise _too_large(limit)
        return message

    return counted


def _too_large(limit: int) -> Problem:
    text = (
        f"The body has more than {limit / 1e6:.1f} MB, which is the limit here. Scale the photo down, or save a JPEG."
    )
    return Problem(413, "body_too_large", text)
