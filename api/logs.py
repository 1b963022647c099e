"""Structured logs: one JSON object a line on stderr, without addresses, names, ids, tokens or photos."""

import logging
import sys
from datetime import UTC, datetime
from typing import Any

from api.strict_json import dump

_LOGGER = logging.getLogger("boardsnap.service")


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": moment, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return dump(line).decode()


def log(event: str, *, level: int = logging.INFO, error: BaseException | str | None = None, **facts: Any) -> None:
    """Log that something happened, with facts about it; of an exception the trace, which holds no values."""
    exc_info = error if isinstance(error, BaseException) else None
    if isinstance(error, str):
        facts["error"] = error
    _LOGGER.log(level, event, extra={"facts": facts}, exc_info=exc_info)


def write_logs_to_stderr() -> None:
    """Send the service's logs, and the server's warnings, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    for name, level in (("boardsnap.service", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
