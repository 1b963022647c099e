"""The HTTP service as an ASGI app. Reading photos happens in processes of their own: nothing heavy is imported here."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version

import anyio.to_thread
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.staticfiles import StaticFiles

from api.answering import Answering, MetricsOf
from api.jobs import Reader
from api.limits import Limits
from api.problems import install_handlers
from api.routes import catalogue, enrolments, health, pages, readings, scoring, setup, tables
from api.service import Clock, build, utc_now
from api.settings import Settings

_DESCRIPTION = "Photograph a finished board of Charcuterie and get the score, with reasons."


def create_app(
    settings: Settings | None = None, *, readers: Sequence[Reader] | None = None, clock: Clock = utc_now
) -> FastAPI:
    """Return the service; it opens its database and starts its workers when the server starts it.

    `readers` replaces the processes that read photos. Raises UsageError where a BOARDSNAP_* variable is not allowed.
    """
    chosen = settings or Settings.from_environment()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = await anyio.to_thread.run_sync(lambda: build(chosen, readers=readers, clock=clock))
        app.state.service = service
        await anyio.to_thread.run_sync(service.start)
        yield
        await anyio.to_thread.run_sync(service.stop)

    app = FastAPI(
        title="boardsnap",
        version=_version(),
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    install_handlers(app)
    for routes in (catalogue, scoring, readings, tables, setup, enrolments, health, pages):
        app.include_router(routes.router)
    app.mount("/static", StaticFiles(directory=pages.WEB / "static", check_dir=False), name="static")
    _add_layers(app, chosen)
    return app


def _add_layers(app: FastAPI, settings: Settings) -> None:
    """Put the layers around the routes; the one added last is outermost."""
    app.add_middleware(Limits, settings=settings)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            expose_headers=["Location", "Retry-After"],
        )
    app.add_middleware(Answering, metrics_of=MetricsOf())


def _version() -> str:
    try:
        return version("boardsnap")
    except PackageNotFoundError:  # run from a folder that is not installed
        return "0"
