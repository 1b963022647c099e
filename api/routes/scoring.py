"""Boards and tables that are files: scored and checked, and nothing is kept."""

from time import perf_counter
from typing import Annotated, Any

from fastapi import APIRouter, Body

from api.deps import ScoreOptionsDep
from api.routes import PROBLEMS
from api.schemas import BOARD_EXAMPLE, TABLE_EXAMPLE
from api.strict_json import JsonAnswer, StrictJsonRoute
from scoring import Board, load_document, score, validate

router = APIRouter(prefix="/v1", tags=["files"], route_class=StrictJsonRoute, responses=PROBLEMS)

_EXAMPLES: Any = {
    "board": {"summary": "A board typed in by hand", "value": BOARD_EXAMPLE},
    "table": {"summary": "Two boards in seating order", "value": TABLE_EXAMPLE},
}
Document = Annotated[
    dict[str, Any],
    Body(description="A board file, a table file, or the file of another game.", openapi_examples=_EXAMPLES),
]


@router.post("/score", response_model=dict[str, Any])
def score_document(document: Document, options: ScoreOptionsDep) -> JsonAnswer:
    """Score a board file (a report) or a table file (a table report)."""
    start = perf_counter()
    report = score(load_document(document), options).to_json()
    report["timings_ms"] = {"score": 1000 * (perf_counter() - start)}
    return JsonAnswer(report)


@router.post("/validate", response_model=dict[str, Any])
def validate_document(document: Document, options: ScoreOptionsDep) -> JsonAnswer:
    """Check placement and counts of a board file or table file, without scoring it."""
    content = load_document(document)
    return JsonAnswer(
        {
            "format": "boardsnap.checks/1",
            "board": content.to_json() if isinstance(content, Board) else None,
            "checks": [check.to_json() for check in validate(content, options)],
        }
    )
