"""JSON as the standard has it: no NaN, no numbers beyond a double, no half characters, no bottomless nesting."""

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute

Fragment = orjson.Fragment


def dump(value: Any) -> bytes:
    """Return a value as JSON; parts that are JSON already come as `Fragment`."""
    return orjson.dumps(value)


def load(data: bytes | str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is not JSON; the message says where.
    """
    return orjson.loads(data)


class JsonAnswer(Response):
    """An answer in JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return dump(content)


class _StrictRequest(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            try:
                self._json = load(await self.body())
            except ValueError as error:
                from api.problems import Problem

                raise Problem(400, "json_invalid", f"The body is no valid JSON ({error}). Correct it there.") from None
        return self._json


class StrictJsonRoute(APIRoute):
    """A route whose bodies are strict JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler that reads bodies strictly."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strict
