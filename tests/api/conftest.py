"""What the tests of the service share: both databases, and a clock that stands still."""

from collections.abc import Iterator

import pytest

from tests.api.service import Clock, postgres_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield ""
    else:
        with postgres_database() as url:
            yield url


@pytest.fixture
def clock() -> Clock:
    return Clock()
