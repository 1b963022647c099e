"""Load: many clients at once, a kill in the middle, and nobody's photo lost or read into two readings.

BOARDSNAP_LOAD_CLIENTS, BOARDSNAP_LOAD_PHOTOS (a client) and BOARDSNAP_LOAD_P95_S change its size and the bar.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from statistics import quantiles
from typing import Any

import httpx2 as httpx
import pytest

from tests.api.service import bearer, sample_photo

CLIENTS = int(os.environ.get("BOARDSNAP_LOAD_CLIENTS", "20"))
PHOTOS = int(os.environ.get("BOARDSNAP_LOAD_PHOTOS", "10"))
# On two cores that do nothing else.
P95_S = float(os.environ.get("BOARDSNAP_LOAD_P95_S", "inf"))
KILLED_AFTER_SHARE = 0.3
LIMIT_S = 3000.0
POLL_S = 2.0
"""What the service asks for between two questions."""


class Server:
    """`boardsnap serve` in a process of its own, on one port, to be killed and started again."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {**os.environ, "BOARDSNAP_HOME": str(self.home), "BOARDSNAP_PHOTOS_A_MINUTE": "100000"}
        environment |= {"BOARDSNAP_REQUESTS_A_MINUTE": "1000000", "BOARDSNAP_DATABASE_URL": ""}
        with (self.home / "log").open("ab") as log:
            command = [sys.executable, "-m", "api.cli", "serve", "--port", str(self.port)]
            self._process = subprocess.Popen(command, env=environment, stderr=log, stdout=log)
        deadline = time.monotonic() + 180
        while not self._is_ready():
            assert time.monotonic() < deadline, (self.home / "log").read_text()
            time.sleep(0.2)

    def kill(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False


class Load:
    """What the clients saw: every reading that was accepted, and how long rescoring took."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.accepted: dict[str, str] = {}
        self.ready: dict[int, set[str]] = {}
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.deadline = time.monotonic() + LIMIT_S

    def client(self, number: int) -> None:
        """Send photos one after another, as a phone does: again where it was refused or cut off."""
        with httpx.Client(base_url=self.server.url, timeout=60) as client:
            for photo in range(PHOTOS):
                self._send(client, number * PHOTOS + photo)

    def _send(self, client: Any, number: int) -> None:
        # Bytes after the end of a JPEG make another file of the same picture.
        data = sample_photo() + number.to_bytes(4, "big")
        sent = 0
        while time.monotonic() < self.deadline:
            try:
                answer = client.post("/v1/readings", files={"photo": ("p.jpg", data)}, data={"players": "4"})
                assert answer.status_code in (200, 201, 202, 503) or _is_to_be_sent_again(answer), answer.text
                if answer.status_code in (200, 201, 202) and self._is_read(client, number, answer.json()):
                    sent += 1
                    if sent == 2:  # once more after it is read, as by an impatient thumb
                        return
                    continue
            except httpx.HTTPError:
                answer = None  # the service is being started again
            time.sleep(float(answer.headers.get("Retry-After", "0.5")) if answer is not None else 0.5)
        raise AssertionError(f"photo {number} was not read within {LIMIT_S:.0f} s")

    def _is_read(self, client: Any, number: int, reading: dict[str, Any]) -> bool:
        """Ask for a reading until it is ready, as the page does; False where the photo is to be sent again."""
        with self.lock:
            self.accepted[reading["id"]] = reading["token"]
        while reading["status"] == "waiting":
            time.sleep(POLL_S)
            answer = client.get(f"/v1/readings/{reading['id']}", headers=bearer(self.accepted[reading["id"]]))
            assert answer.status_code == 200, answer.text
            reading = answer.json()
        if reading["status"] == "ready":
            with self.lock:
                self.ready.setdefault(number, set()).add(reading["id"])
        return bool(reading["status"] == "ready")

    def kill_midway(self) -> None:
        """Kill the service while photos are on their way, and start it again."""
        while len(self.ready) < KILLED_AFTER_SHARE * CLIENTS * PHOTOS and not self.over.is_set():
            time.sleep(0.1)
        self.server.kill()
        self.server.start()


def rescore(base_url: str, reading: dict[str, Any], over: Any, took_s: Any) -> None:
    """Correct one tile again and again until `over` is set, and put into `took_s` how long each answer took.

    Runs in a process of its own: among the threads of the other clients it would measure how long it waits for them.
    """
    url, token = f"/v1/readings/{reading['id']}/corrections", bearer(reading["token"])
    tile, kinds, count = reading["board"]["tiles"][0]["id"], ["swiss", "bleu"], 0
    with httpx.Client(base_url=base_url, timeout=60) as client:
        while not over.wait(0.25):
            count += 1
            start = time.monotonic()
            try:
                answer = client.post(
                    url, json={"do": "set_kind", "tile": tile, "kind": kinds[count % 2]}, headers=token
                )
            except httpx.HTTPError:
                continue  # the service is being started again
            assert answer.status_code == 200, answer.text
            took_s.put(time.monotonic() - start)


@pytest.mark.slow
def test_twenty_clients_lose_no_photo_though_the_service_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        server.start()
        load = Load(server)
        first = httpx.post(f"{server.url}/v1/readings", files={"photo": ("p.jpg", sample_photo())}, timeout=120).json()
        spawn = multiprocessing.get_context("spawn")
        over, took_s = spawn.Event(), spawn.Queue()
        rescoring = spawn.Process(target=rescore, args=(server.url, first, over, took_s))
        rescoring.start()
        with ThreadPoolExecutor(CLIENTS + 1) as threads:
            killing = threads.submit(load.kill_midway)
            clients = [threads.submit(load.client, number) for number in range(CLIENTS)]
            try:
                for client in clients:
                    client.result()
            finally:
                load.over.set()
                over.set()
            killing.result()
        rescored_s = _emptied(took_s, rescoring)
        assert rescoring.exitcode == 0
        lost = _unanswered(server, load.accepted)
    finally:
        server.kill()
    assert not lost
    assert {len(ids) for ids in load.ready.values()} == {1}
    assert len(load.ready) == CLIENTS * PHOTOS
    _check_database(tmp_path, photos=CLIENTS * PHOTOS + 1)
    p95_s = quantiles(rescored_s, n=20)[-1]
    print(f"\n{CLIENTS * PHOTOS} photos, {len(rescored_s)} corrections, p95 of rescoring {1000 * p95_s:.0f} ms")
    assert p95_s < P95_S


def _emptied(queue: Any, writer: Any) -> list[float]:
    """All that a process has put into a queue; a process ends only once that is read."""
    out: list[float] = []
    while writer.is_alive() or not queue.empty():
        with contextlib.suppress(Empty):
            out.append(queue.get(timeout=0.2))
    writer.join()
    return out


def _is_to_be_sent_again(answer: Any) -> bool:
    return answer.status_code == 422 and "send it again" in answer.json()["detail"]


def _unanswered(server: Server, accepted: dict[str, str]) -> list[str]:
    """Readings that were accepted and are neither read nor told to be sent again."""
    lost = []
    for reading_id, token in accepted.items():
        answer = httpx.get(f"{server.url}/v1/readings/{reading_id}", headers=bearer(token), timeout=60)
        told = answer.status_code == 200 and answer.json()["status"] in ("ready", "failed")
        lost += [] if told else [answer.text]
    return lost


def _check_database(home: Path, *, photos: int) -> None:
    with sqlite3.connect(home / "boardsnap.sqlite3") as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        assert database.execute("pragma foreign_key_check").fetchall() == []
        rows = database.execute("select count(*), count(distinct photo_hash), max(attempts) from readings").fetchone()
    database.close()
    assert rows[:2] == (photos, photos)
    assert rows[2] <= 2
    assert not list((home / "incoming").iterdir())
