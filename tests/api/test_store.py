"""The database: its migrations make what the code expects, and it holds when many write at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from api.store.database import Database
from api.store.readings import Edit, Reading, ReadingStore, Status
from api.store.schema import Base
from tests.api.service import START, postgres_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        made = Database(f"sqlite:///{tmp_path / 'test.sqlite3'}")
        yield made
        made.close()
        return
    with postgres_database() as url:
        made = Database(url)
        yield made
        made.close()


def reading(number: int = 0) -> Reading:
    return Reading(
        id=f"r{number}",
        token_hash="t",
        photo_hash="p",
        content_hash=f"c{number}",
        idempotency_hash=None,
        status=Status.WAITING,
        created_at=START,
        expires_at=START.replace(year=START.year + 1),
        options={"players": 4},
    )


def test_the_migrations_make_the_tables_that_the_code_names(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_opening_a_database_again_keeps_what_is_in_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.sqlite3'}"
    first = Database(url)
    assert ReadingStore(first).add(reading())
    first.close()
    again = Database(url)
    assert ReadingStore(again).get("r0", now=START) == reading()
    again.close()


def test_the_same_content_is_stored_once_though_many_send_it(database: Database) -> None:
    store = ReadingStore(database)
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda _: store.add(reading()), range(8)))
    assert sorted(added) == [False] * 7 + [True]


def test_an_edit_takes_its_number_once(database: Database) -> None:
    store = ReadingStore(database)
    store.add(reading())
    edit = Edit(1, "correct", [{"do": "remove_tile", "tile": "a"}])
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda _: store.add_edit("r0", edit, now=START), range(8)))
    assert added.count(True) == 1
    assert store.edits("r0") == [edit]
    assert not store.add_edit("no such reading", edit, now=START)


def test_an_outcome_is_stored_once_and_not_for_what_was_deleted(database: Database) -> None:
    store = ReadingStore(database)
    store.add(reading())
    assert store.begin("r0")
    assert store.finish("r0", result={"total": 3}, problem=None)
    assert not store.finish("r0", result={"total": 4}, problem=None)
    assert not store.begin("r0")
    found = store.get("r0", now=START)
    assert found is not None
    assert (found.status, found.result, found.attempts) == (Status.READY, '{"total":3}', 1)
    assert store.delete(["r0"]) == {"p"}
    assert not store.finish("r0", result={"total": 5}, problem=None)


def test_many_writers_wait_for_each_other(database: Database) -> None:
    store = ReadingStore(database)
    with ThreadPoolExecutor(12) as threads:
        assert all(threads.map(lambda number: store.add(reading(number)), range(60)))
    assert len(store.waiting()) == 60
