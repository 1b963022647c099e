"""The routes of the service, a module a subject."""

from typing import Any

from api.schemas import ProblemBody

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What was refused, and what to do next.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
        "model": ProblemBody,
    }
}
