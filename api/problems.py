"""Errors as problem details (RFC 9457): one shape for everything the service refuses."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import Response

from api.errors import UsageError
from api.strict_json import dump
from scoring.errors import BoardsnapError, FieldError, TooLargeError
from vision.errors import FileTooLarge, ImageError, ImageTooLarge, NetworkError, NoBoardFound, NotAnImage

MEDIA_TYPE = "application/problem+json"
# Errors of art packs, whose modules bring OpenCV along.
_STATUS_OF_CODE = {"art_exists": HTTPStatus.CONFLICT}
_STATUS: tuple[tuple[type[BoardsnapError], HTTPStatus], ...] = (
    (FileTooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (ImageTooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (NotAnImage, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    (ImageError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NoBoardFound, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NetworkError, HTTPStatus.SERVICE_UNAVAILABLE),
    (FieldError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (TooLargeError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (UsageError, HTTPStatus.UNPROCESSABLE_ENTITY),
)


_FIXED = ("type", "title", "status", "detail", "code")


class Problem(HTTPException):
    """Something the service refuses; `code` is stable, `detail` a sentence or two for a person."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.code = code
        self.extra = extra

    @classmethod
    def again(cls, document: Mapping[str, Any]) -> "Problem":
        """Return the problem of a document that `document` made."""
        extra = {name: value for name, value in document.items() if name not in _FIXED}
        return cls(document["status"], document["code"], document["detail"], **extra)

    def document(self) -> dict[str, Any]:
        """Return the body of the answer."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "detail": self.detail,
            "code": self.code,
            **self.extra,
        }


def problem_of(error: BoardsnapError) -> Problem:
    """Return the problem that an error of the rules, the reading or the options is."""
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), HTTPStatus.UNPROCESSABLE_ENTITY)
    status = _STATUS_OF_CODE.get(error.code, status)
    extra: dict[str, Any] = {"field": error.field} if isinstance(error, FieldError) else {}
    return Problem(status, error.code, _clean(str(error)), **extra)


def not_found(what: str) -> Problem:
    """Return the answer for an id that is not, or no longer, known."""
    detail = f"There is no such {what}. It may have been deleted, or its time is over."
    return Problem(HTTPStatus.NOT_FOUND, f"{what}_not_found", detail)


def internal_error() -> Problem:
    """Return the answer where the service itself is at fault; what happened stands in its log alone."""
    detail = "Something went wrong here, and it is not your fault. Try again; the details are in the service's log."
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", detail)


def response_of(problem: Problem) -> Response:
    """Return the answer to send."""
    return Response(dump(problem.document()), problem.status_code, problem.headers, MEDIA_TYPE)


def install_handlers(app: FastAPI) -> None:
    """Make every error of an app a problem."""
    app.add_exception_handler(StarletteHTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(BoardsnapError, _on_boardsnap)


async def _on_http(_: Request, error: Exception) -> Response:
    if isinstance(error, Problem):
        return response_of(error)
    assert isinstance(error, StarletteHTTPException)
    status = HTTPStatus(error.status_code)
    code = status.phrase.lower().replace(" ", "_").replace("'", "")
    return response_of(Problem(status, code, _clean(str(error.detail)), headers=error.headers))


async def _on_validation(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"field": ".".join(str(part) for part in fault["loc"]), "message": _clean(str(fault["msg"]))}
        for fault in error.errors()[:20]
    ]
    first = faults[0] if faults else {"field": "the request", "message": "it is not valid"}
    detail = f"{first['field']}: {first['message']}."
    return response_of(Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "request_invalid", detail, errors=faults))


async def _on_boardsnap(_: Request, error: Exception) -> Response:
    assert isinstance(error, BoardsnapError)
    return response_of(problem_of(error))


def _clean(text: str) -> str:
    """A text without half characters, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
