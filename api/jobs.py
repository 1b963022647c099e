"""The queue of photos: a bounded number waits, each worker reads one at a time, and a full queue says so at once."""

import multiprocessing
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Protocol

from api.photo_worker import Outcome, Readers, ReadingJob, failure, serve_photos
from api.problems import Problem

# Starting the process, importing OpenVINO and compiling the networks takes ten seconds on a busy small machine.
_START_LIMIT_S = 180.0
_FIRST_GUESS_S = 3.0


class Job(Protocol):
    """Something to do with the networks: a photo to read, or an enrolment."""

    @property
    def id(self) -> str: ...
    def run(self, readers: Readers) -> Outcome:
        """Do it, in the process that has the networks."""
        ...


class Reader(Protocol):
    """Does jobs, one at a time."""

    def warm(self) -> None:
        """Load the networks; raises RuntimeError where they cannot be."""
        ...

    def read(self, job: Job) -> Outcome:
        """Do a job."""
        ...

    def close(self) -> None:
        """End whatever reads."""
        ...


class ProcessReader:
    """Reads photos in a process of its own, which is ended and begun anew where it crashes or takes too long."""

    def __init__(self, home: Path, *, time_limit_s: float, memory_bytes: int) -> None:
        self._home = home
        self._time_limit_s = time_limit_s
        self._memory_bytes = memory_bytes
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    def warm(self) -> None:
        """Start the process and wait until its networks are loaded."""
        ours, theirs = multiprocessing.Pipe()
        # spawn: a fork of a process with threads may hold a lock that nobody frees.
        start = multiprocessing.get_context("spawn").Process
        self._process = start(target=serve_photos, args=(theirs, self._home, self._memory_bytes), daemon=True)
        self._process.start()
        theirs.close()
        self._connection = ours
        if not ours.poll(_START_LIMIT_S):
            self.close()
            raise RuntimeError(f"the reading process did not start within {_START_LIMIT_S:.0f} s")
        try:
            fault = ours.recv()
        except EOFError:
            fault = "the reading process ended at its start"
        if fault:
            self.close()
            raise RuntimeError(fault)

    def read(self, job: Job) -> Outcome:
        """Do a job, or tell why not, within the time limit."""
        if self._connection is None:
            self.warm()
        assert self._connection is not None
        try:
            self._connection.send(job)
            if self._connection.poll(self._time_limit_s):
                outcome: Outcome = self._connection.recv()
                return outcome
        except (EOFError, OSError):
            self.close()
            return Outcome(problem=failure("reading_crashed", "Reading the photo broke off.").document())
        self.close()
        text = f"Reading the photo took longer than {self._time_limit_s:g} s."
        return Outcome(problem=failure("reading_timeout", text).document())

    def close(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


class ReadingPool:
    """A thread a reader takes jobs from one queue."""

    def __init__(
        self,
        readers: Sequence[Reader],
        *,
        queue_length: int,
        begin: Callable[[str], bool],
        finish: Callable[[ReadingJob, Outcome, float], None],
    ) -> None:
        """`begin` says whether a job is still wanted; `finish` stores its outcome and the seconds it took."""
        self._readers = list(readers)
        self._most = queue_length + len(self._readers)
        self._begin, self._finish = begin, finish
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._futures: dict[str, Future[Outcome]] = {}
        self._lock = threading.Lock()
        self._reserved = 0
        self._warm = 0
        self._mean_s = _FIRST_GUESS_S
        self.fault = ""
        self._threads = [threading.Thread(target=self._work, args=(reader,), daemon=True) for reader in self._readers]

    def start(self) -> None:
        """Begin to load networks and to read."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the readers; photos that wait are found again at the next start."""
        for _ in self._threads:
            self._queue.put(None)
        for reader in self._readers:
            reader.close()
        for thread in self._threads:
            thread.join(timeout=5)

    @property
    def is_ready(self) -> bool:
        """Whether every reader has its networks loaded."""
        return self._warm == len(self._readers) and not self.fault

    @property
    def depth(self) -> int:
        """How many photos wait or are being read."""
        return self._reserved

    @property
    def retry_after_s(self) -> int:
        """When a place in the queue should be free."""
        return max(1, round(self._mean_s * 2 / len(self._readers)))

    def reserve(self) -> None:
        """Take a place in the queue.

        Raises:
            Problem: 503 with Retry-After where none is free, or where no photo can be read at all.
        """
        with self._lock:
            if self._reserved >= self._most:
                text = f"{self._reserved} photos are waiting already. Send yours again in a moment."
                headers = {"Retry-After": str(self.retry_after_s)}
                raise Problem(503, "queue_full", text, headers=headers)
            self._reserved += 1

    def release(self) -> None:
        """Give a place back that was not used."""
        with self._lock:
            self._reserved -= 1

    def submit(self, job: Job, *, reserved: bool = True) -> Future[Outcome]:
        """Queue a job whose place is taken; photos accepted before a restart come without one."""
        future: Future[Outcome] = Future()
        with self._lock:
            self._futures[job.id] = future
            self._reserved += not reserved
        self._queue.put(job)
        return future

    def future_of(self, reading_id: str) -> Future[Outcome] | None:
        """Return the future of a reading that waits in this process."""
        with self._lock:
            return self._futures.get(reading_id)

    def _work(self, reader: Reader) -> None:
        try:
            reader.warm()
            self._warm += 1
        except Exception as error:  # the service goes on: board files need no networks
            self.fault = str(error)
        while (job := self._queue.get()) is not None:
            outcome = self._outcome(reader, job)
            with self._lock:
                future = self._futures.pop(job.id)
                self._reserved -= 1
            future.set_result(outcome)

    def _outcome(self, reader: Reader, job: Job) -> Outcome:
        start = monotonic()
        try:
            if isinstance(job, ReadingJob) and not self._begin(job.id):
                return Outcome(problem=failure("reading_deleted", "The reading was deleted.").document())
            outcome = reader.read(job)
        except Exception as error:  # whatever happens, the one who waits gets an answer
            text = f"The photo cannot be read here at the moment: {error}."
            outcome = Outcome(problem=failure("reading_unavailable", text, status=503).document())
        seconds = monotonic() - start
        self._mean_s += 0.2 * (seconds - self._mean_s)
        try:
            if isinstance(job, ReadingJob):
                self._finish(job, outcome, seconds)
        except Exception:  # the database is away: the photo stays, and is read after the next start
            text = "The reading could not be stored."
            return Outcome(problem=failure("not_stored", text, status=503).document())
        return outcome
