"""A real service with real networks, and pages in a real browser, for the tests of the page."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, sync_playwright

PHONE = {"width": 360, "height": 740}
SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
READING_MS = 180_000  # a photo takes two seconds on an idle core; others may be busy

NewPage = Callable[..., Page]
Known = dict[str, object]


class Service:
    """`boardsnap serve` in a process of its own, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.url = f"http://127.0.0.1:{_free_port()}"
        environment = {
            **os.environ,
            "BOARDSNAP_HOME": str(home),
            "BOARDSNAP_WORKERS": "1",
            "BOARDSNAP_READING_TIME_LIMIT_S": "300",  # workers are polite: a browser on the same core goes first
            "BOARDSNAP_PHOTOS_A_MINUTE": "1000",
        }
        command = [sys.executable, "-m", "api.cli", "serve", "--port", self.url.rsplit(":", 1)[1]]
        self._log = (home / "service.log").open("w")
        self._process = subprocess.Popen(command, env=environment, stderr=self._log, stdout=self._log)

    def wait_until_ready(self, *, within_s: float = 120.0) -> None:
        """Return once photos can be read."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                    return
            except OSError:  # not listening yet, or 503: still warming up
                pass
            time.sleep(0.2)
        raise RuntimeError(f"The service was not ready within {within_s:g} s; see {self._log.name}.")

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all tests that leave it running."""
    running = Service(tmp_path_factory.mktemp("service"))
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        opened = playwright.chromium.launch(executable_path=chromium, args=options)
        yield opened
        opened.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens a page on a phone of its own; a script error or a broken rule of the content policy fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def opened(url: str, *, language: str = "en", remembers: Known | None = None) -> Page:
        context = browser.new_context(
            viewport=PHONE,
            locale=language,
            has_touch=True,
            reduced_motion="reduce",
            storage_state=_state(url, remembers),
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(90_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def _state(url: str, remembers: Known | None) -> StorageState | None:
    """What a phone's storage holds that has sent a photo before."""
    if remembers is None:
        return None
    origin = "/".join(url.split("/")[:3])
    kept = [{"name": "boardsnap.readings", "value": json.dumps([remembers])}]
    return {"cookies": [], "origins": [{"origin": origin, "localStorage": kept}]}


@pytest.fixture(scope="session")
def sent_before(service: Service, browser: Browser) -> Known:
    """A photo read once, for the tests that do not care how it came: its id and token."""
    page = browser.new_page()
    photo = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": (SAMPLES / "board_1.jpg").read_bytes()}
    answer = page.request.post(f"{service.url}/v1/readings", multipart={"photo": photo}, timeout=READING_MS)
    reading = answer.json()
    headers = {"Authorization": f"Bearer {reading['token']}"}
    while reading["status"] == "waiting":
        page.wait_for_timeout(1000)
        reading |= page.request.get(f"{service.url}/v1/readings/{reading['id']}", headers=headers).json()
    page.close()
    return {
        "id": reading["id"],
        "token": reading["token"],
        "created": reading["created"],
        "total": reading["report"]["total"],
    }


@pytest.fixture
def board_page(service: Service, new_page: NewPage, sent_before: Known) -> Callable[..., Page]:
    """Opens the board read before, as it was read: what other tests changed is undone."""

    def opened(*, language: str = "en") -> Page:
        page = new_page(f"{service.url}/#/reading/{sent_before['id']}", language=language, remembers=sent_before)
        where = f"{service.url}/v1/readings/{sent_before['id']}"
        headers = {"Authorization": f"Bearer {sent_before['token']}"}
        while page.request.post(f"{where}/undo", headers=headers).ok:
            pass
        page.request.put(f"{where}/options", headers=headers, data={"house_rules": {}, "players": None})
        page.reload()
        page.wait_for_selector(".number[data-total]")
        return page

    return opened


@pytest.fixture
def photo_of(tmp_path: Path) -> Callable[[int], Path]:
    """Gives a sample photo no test has sent before: the service answers a photo sent twice with the reading it has."""

    def made(number: int = 1) -> Path:
        data = (SAMPLES / f"board_{number}.jpg").read_bytes()
        comment = os.urandom(16)
        path = tmp_path / f"board_{number}_{comment.hex()[:8]}.jpg"
        path.write_bytes(data[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + data[2:])
        return path

    return made
