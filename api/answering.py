"""The outermost layer: security headers on every answer, and a line in the log and the figures for each request."""

import logging
from time import perf_counter

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.logs import log
from api.metrics import Metrics
from api.problems import internal_error, response_of

# Scripts and styles come from the page's own files alone; pictures may also be made in the page (blob:), and the live
# camera is one.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: dict[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NOT_STARTED = 0
_QUIET = ("/healthz", "/readyz", "/metrics")


class Answering:
    """Adds headers; tells log and figures the path's form, the status and the time, and nothing about who asked."""

    def __init__(self, app: ASGIApp, metrics_of: "MetricsOf") -> None:
        self._app, self._metrics_of = app, metrics_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and watch its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = perf_counter(), [_NOT_STARTED]

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/v1/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            log("request_failed", level=logging.ERROR, error=error, route=_route(scope), method=_method(scope))
            if status[0] != _NOT_STARTED:
                raise
            await response_of(internal_error())(scope, receive, watched)
        finally:
            self._tell(scope, status[0], perf_counter() - start)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = _route(scope), _method(scope)
        self._metrics_of(scope).answered(method, route, status, seconds)
        if scope["path"] not in _QUIET:
            log("request", method=method, route=route, status=status, ms=round(1000 * seconds, 1))


class MetricsOf:
    """Finds the figures of the service behind an app, which exist once it has started."""

    def __call__(self, scope: Scope) -> Metrics:
        """Return the figures."""
        metrics: Metrics = scope["app"].state.service.metrics
        return metrics


def _route(scope: Scope) -> str:
    """The form of the path, such as /v1/readings/{reading_id}: the ids in it stay private."""
    return getattr(scope.get("route"), "path", "") or "unmatched"


def _method(scope: Scope) -> str:
    method: str = scope["method"]
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return method if method in known else "other"  # a label of the figures is no place for what anybody sends
