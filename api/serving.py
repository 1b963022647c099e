"""Runs the service with its server."""

import uvicorn

from api.app import create_app
from api.logs import write_logs_to_stderr
from api.settings import Settings

# Photos on their way are finished; what waits in the queue is read after the next start.
_GRACE_S = 30


def run_service(host: str, port: int) -> None:
    """Serve until the process is told to end.

    Raises:
        UsageError: a setting is not allowed.
    """
    settings = Settings.from_environment()
    app = create_app(settings)
    write_logs_to_stderr()
    uvicorn.run(
        app,
        host=host,
        port=port,
        access_log=False,  # it would write addresses and tokens; Answering logs without
        log_config=None,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=64_000,
    )
