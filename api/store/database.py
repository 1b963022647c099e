"""Opens the database, brings it up to this version, and gives out sessions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker

from api.errors import UsageError

MIGRATIONS = Path(__file__).parent / "migrations"
# How long a writer waits for another one before it gives up; writes take milliseconds.
_BUSY_S = 30
_WRITE = "boardsnap_write"


class Database:
    """One engine, and a session a piece of work."""

    def __init__(self, url: str) -> None:
        """Open the database and apply the migrations it lacks.

        Raises:
            UsageError: the address is none, or names a driver that is not installed.
        """
        self.engine = _engine(url)
        migrate(self.engine)
        self._read = sessionmaker(self.engine, expire_on_commit=False)
        self._write = sessionmaker(self.engine.execution_options(**{_WRITE: True}), expire_on_commit=False)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that changes nothing."""
        with self._read.begin() as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session that is committed at the end, or rolled back at an error."""
        with self._write.begin() as session:
            yield session

    def is_answering(self) -> bool:
        """Say whether the database answers."""
        try:
            with self.engine.connect() as connection:
                connection.execute(text("select 1"))
        except Exception:  # whatever the driver raises, the answer is no
            return False
        return True

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring a database to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def _engine(url: str) -> Engine:
    try:
        address = make_url(url)
        if address.drivername in ("postgresql", "postgres"):
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() not in ("sqlite", "postgresql"):
            raise UsageError(f"BOARDSNAP_DATABASE_URL names {address.drivername}; allowed: sqlite, postgresql.")
        if address.get_backend_name() == "sqlite":
            return _sqlite_engine(url)
        return create_engine(address, pool_pre_ping=True, pool_size=10, max_overflow=30, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError) as error:
        message = "BOARDSNAP_DATABASE_URL is no database address. Give sqlite:///PATH or postgresql://USER@HOST/NAME."
        raise UsageError(message) from error
    except ModuleNotFoundError as error:
        raise UsageError("PostgreSQL needs its driver: pip install 'boardsnap[postgresql]'.") from error


def _sqlite_engine(url: str) -> Engine:
    # 40 threads answer requests at most, and each holds one connection. Hidden parameters: names of players stay out of
    # error messages, and so out of the log.
    engine = create_engine(url, connect_args={"timeout": _BUSY_S}, pool_size=20, max_overflow=40, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        # WAL: readers go on while one writes, and a killed process leaves a whole database.
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={1000 * _BUSY_S}"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        # Taken at once: a transaction that begins by reading and then writes would fail where another wrote meanwhile.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(_WRITE) else "BEGIN")

    @event.listens_for(engine, "connect")
    def _own_begin(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # sqlite3 would begin by itself, and later

    return engine
