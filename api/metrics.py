"""Figures for Prometheus: requests, photos read, the queue."""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from api.jobs import ReadingPool

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Rescoring is to stay under 0.1 s, a photo under some seconds, and the answer to an upload under 20.
_REQUEST_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30)
_PHOTO_S = (0.2, 0.5, 1, 2, 3, 5, 10, 20, 60)


class Metrics:
    """The figures of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Histogram(
            "boardsnap_request_seconds", "Time to answer.", labels, buckets=_REQUEST_S, registry=self._registry
        )
        self._photos = Histogram(
            "boardsnap_photo_seconds", "Time to read a photo.", buckets=_PHOTO_S, registry=self._registry
        )
        self._outcomes = Counter(
            "boardsnap_photos", "Photos read, by what became of them.", ("outcome",), registry=self._registry
        )
        self._depth = Gauge("boardsnap_queue_depth", "Photos that wait or are being read.", registry=self._registry)
        self._ready = Gauge("boardsnap_ready", "1 where every worker has its networks.", registry=self._registry)

    def watch(self, pool: "ReadingPool") -> None:
        """Report a queue."""
        self._depth.set_function(lambda: pool.depth)
        self._ready.set_function(lambda: float(pool.is_ready))

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is the path's form, such as /v1/readings/{id}."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def photo_read(self, outcome: str, seconds: float) -> None:
        """Count a photo."""
        self._photos.observe(seconds)
        self._outcomes.labels(outcome).inc()

    def text(self) -> bytes:
        """Return the figures as Prometheus reads them."""
        return generate_latest(self._registry)
