"""Requests made up from the OpenAPI document: whatever is sent, nothing breaks, and answers are as described."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, given
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.app import create_app
from tests.api.service import jpeg, running, sent, settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# The whole document in about a minute; more is for a run by hand.
EXAMPLES = 12


class Things:
    """A reading and a table that exist, so that requests get past the tokens."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.reading, self.reading_token = sent(client, jpeg("green"))
        made = client.post("/v1/tables", json={"players": ["Ana", "Ben"]}).json()
        self.table, self.table_token = made["id"], {"Authorization": f"Bearer {made['host_token']}"}

    def fit(self, case: Any) -> None:
        """Put what exists into a request that asks for it; deletions go to what does not exist."""
        if case.method == "DELETE":
            return
        if "reading_id" in case.path_parameters:
            case.path_parameters["reading_id"] = self.reading["id"]
            case.headers.update(self.reading_token)
        if "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = self.table
            case.headers.update(self.table_token)


def operations() -> list[str]:
    """Every method and path of the API, as in the document."""
    paths = create_app(settings(Path())).openapi()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Things]:
    with running(tmp_path_factory.mktemp("home"), answer_within_s=2) as client:
        yield Things(client)


@pytest.fixture(scope="module")
def document(things: Things) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", things.client.app)


@pytest.mark.parametrize("operation", operations())
def test_whatever_is_sent_is_answered_as_described(document: Any, things: Things, operation: str) -> None:
    method, _, path = operation.partition(" ")

    @hypothesis.settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(case=document[path][method].as_strategy())
    def sent_and_answered(case: Any) -> None:
        things.fit(case)
        case.call_and_validate(checks=CHECKS)

    sent_and_answered()
