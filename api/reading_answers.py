"""The body of an answer about a reading."""

from typing import Any

from api.live import LiveReading, report_json
from api.readings import Readings
from api.store.readings import Reading


def reading_answer(
    readings: Readings, reading: Reading, *, token: str | None = None, found: LiveReading | None = None
) -> dict[str, Any]:
    """Return a reading as a body; `found`, right after an edit, gives a quick report instead of a whole one."""
    head: dict[str, Any] = {"id": reading.id}
    if token is not None:
        head["token"] = token
    head |= {
        "status": reading.status,
        "created": reading.created_at,
        "expires": reading.expires_at,
        "options": reading.options,
    }
    if reading.problem is not None:
        return {**head, "problem": reading.problem}
    if reading.result is None:
        return head
    return {**head, **_scored(readings, reading, found)}


def _scored(readings: Readings, reading: Reading, found: LiveReading | None) -> dict[str, Any]:
    live = found or readings.live(reading)
    if found is None:
        live = live.weighed(reading.options)
        readings.remember(reading.id, live)
    report = live.quick_report(reading.options)
    board, body = report_json(report)
    body["notes"] = [*body["notes"], *live.facts["notes"]]
    body["timings_ms"] = live.facts["timings_ms"]
    return {
        "photo": {"url": f"/v1/readings/{reading.id}/photo", **live.facts["photo"]},
        "board": board,
        "report": body,
        "weighed": found is None,
        "history": {"undo": len(live.done), "redo": len(live.undone)},
    }
