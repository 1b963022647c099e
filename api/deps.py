"""What routes ask for: the service, the tokens of a request, options in the address."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api import play
from api.problems import Problem
from api.service import Service
from scoring import ScoreOptions

_BEARER = HTTPBearer(auto_error=False, description="The token of a reading, a seat or a host.")
_MOST_TOKENS = 100


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]) -> str:
    return credentials.credentials.strip() if credentials else ""


def _tokens(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]) -> list[str]:
    """Several tokens with commas between, for the history of tables."""
    text = credentials.credentials if credentials else ""
    found = [token for part in text.split(",") if (token := part.strip().removeprefix("Bearer ").strip())]
    if len(found) > _MOST_TOKENS:
        raise Problem(HTTPStatus.BAD_REQUEST, "too_many_tokens", f"Send at most {_MOST_TOKENS} tokens.")
    return found


def _picture_token(
    header: Annotated[str, Depends(_token)],
    token: Annotated[
        str, Query(max_length=200, description="For pictures and downloads, whose links cannot carry a header.")
    ] = "",
) -> str:
    return header or token


def _options(
    players: Annotated[int | None, Query(ge=2, le=6, description="Number of players in the game.")] = None,
    objectives: Annotated[str | None, Query(max_length=2000, description="Ids with commas between, or all.")] = None,
    recipe: Annotated[str | None, Query(max_length=10_000, description="An id, points, or a recipe as JSON.")] = None,
    house_rules: Annotated[list[str] | None, Query(max_length=50, description="NAME or NAME=VALUE.")] = None,
) -> dict[str, Any]:
    return play.from_texts(players=players, objectives=objectives, recipe=recipe, house_rules=house_rules or ())


def _score_options(options: Annotated[dict[str, Any], Depends(_options)]) -> ScoreOptions:
    return play.score_options(options)


ServiceDep = Annotated[Service, Depends(_service)]
TokenDep = Annotated[str, Depends(_token)]
TokensDep = Annotated[list[str], Depends(_tokens)]
PictureTokenDep = Annotated[str, Depends(_picture_token)]
ScoreOptionsDep = Annotated[ScoreOptions, Depends(_score_options)]
