"""The service put together: settings, store, queue, and what the routes work with."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from api.enrolments import Enrolments
from api.intake import Intake
from api.jobs import ProcessReader, Reader, ReadingPool
from api.logs import log
from api.metrics import Metrics
from api.photo_worker import Outcome, ReadingJob
from api.readings import Readings
from api.settings import Settings
from api.store.database import Database
from api.store.photos import PhotoStore
from api.store.readings import ReadingStore
from api.store.tables import TableStore
from api.tables import Tables
from api.tokens import TokenMaker, secret_in

Clock = Callable[[], datetime]
_SWEEP_EVERY_S = 600.0


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Service:
    """What a running service consists of."""

    settings: Settings
    database: Database
    readings: Readings
    intake: Intake
    tables: Tables
    enrolments: Enrolments
    metrics: Metrics
    pool: ReadingPool
    stopping: threading.Event

    def start(self) -> None:
        """Take up what was left, and begin to read."""
        self.sweep()
        left = self.intake.recover()
        self.pool.start()
        threading.Thread(target=self._sweep_for_ever, daemon=True).start()
        log("started", workers=self.settings.workers, waiting=left)

    def stop(self) -> None:
        """End the readers and close the database."""
        self.stopping.set()
        self.pool.stop()
        self.database.close()
        log("stopped")

    def sweep(self) -> None:
        """Delete what is kept no longer."""
        readings = self.readings.sweep(before=self.tables.keep_boards)
        log("swept", readings=readings, tables=self.tables.sweep(), enrolments=self.enrolments.sweep())

    def _sweep_for_ever(self) -> None:
        while not self.stopping.wait(_SWEEP_EVERY_S):
            try:
                self.sweep()
            except Exception as error:  # the database may be away for a while
                log("sweep_failed", error=type(error).__name__)


def build(settings: Settings, *, readers: Sequence[Reader] | None = None, clock: Clock = utc_now) -> Service:
    """Put a service together; `readers` replaces the processes that read photos.

    Raises:
        UsageError: a setting is not allowed.
    """
    settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.database)
    tokens = TokenMaker(settings.secret or secret_in(settings.home))
    keep, metrics = timedelta(days=settings.keep_days), Metrics()
    photos = PhotoStore(settings.home)
    store = ReadingStore(database)
    readings = Readings(store, photos, clock=clock)
    intake = Intake(store, photos, readings, tokens, clock=clock, keep=keep)

    def finish(job: ReadingJob, outcome: Outcome, seconds: float) -> None:
        intake.finish(job, outcome)
        code = "ready" if outcome.problem is None else outcome.problem["code"]
        metrics.photo_read(code, seconds)
        log("photo_read", outcome=code, seconds=round(seconds, 3))

    pool = ReadingPool(
        list(readers) if readers is not None else _readers(settings),
        queue_length=settings.queue_length,
        begin=intake.begin,
        finish=finish,
    )
    enrolments = Enrolments(settings.home, tokens, clock=clock)
    intake.pool = enrolments.pool = pool
    metrics.watch(pool)
    keep_tables = timedelta(days=settings.keep_tables_days)
    tables = Tables(TableStore(database), readings, tokens, clock=clock, keep=keep_tables)
    return Service(settings, database, readings, intake, tables, enrolments, metrics, pool, threading.Event())


def _readers(settings: Settings) -> list[Reader]:
    return [
        ProcessReader(
            settings.home,
            time_limit_s=settings.reading_time_limit_s,
            memory_bytes=settings.worker_memory_bytes,
        )
        for _ in range(settings.workers)
    ]
