"""A player's own copy of the game, learned from photos."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Path, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from api.deps import PictureTokenDep, ServiceDep, TokenDep
from api.enrolments import Enrolment
from api.intake import check_photo
from api.routes import PROBLEMS
from api.schemas import Name, Strict
from api.strict_json import JsonAnswer, StrictJsonRoute

router = APIRouter(prefix="/v1/enrolments", tags=["enrolments"], route_class=StrictJsonRoute, responses=PROBLEMS)

MOST_PHOTOS = 4
# A photo of 27 tiles takes a few seconds; others may be before it.
_WITHIN_S = 120.0
_PNG: Any = {200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}}


class CropBody(BaseModel):
    """A tile found: its number from 1, its photo and row from 0, its shape, and its picture."""

    n: int
    photo: int
    row: int
    shape: str
    image_url: str
    suggestions: list[str]


class EnrolmentBody(BaseModel):
    """The tiles found, row by row."""

    id: str
    token: str
    crops: list[CropBody]


class Names(Strict):
    """The kind of each tile in order, null for one to skip, and the name of the art."""

    name: Name
    kinds: Annotated[list[str | None], Field(max_length=1000)]


class LearnedBody(BaseModel):
    """What the new art knows; `ask_again` are kinds of which another photo would help."""

    art: str
    learned: list[dict[str, Any]]
    missing: list[str]
    faint: list[str] = []
    confusions: list[dict[str, Any]]
    ask_again: list[str]


@router.post("", status_code=201, response_model=EnrolmentBody)
async def send_photos(
    service: ServiceDep,
    photos: Annotated[list[UploadFile], File(min_length=1, max_length=MOST_PHOTOS)],
) -> Response:
    """Send photos of the tiles of a copy laid out in rows: each tile found is a crop to name."""
    limit = service.settings.max_upload_bytes
    data = [await photo.read(limit + 1) for photo in photos]
    for one in data:
        check_photo(one, limit)
    found = await service.enrolments.find(data, within_s=_WITHIN_S)
    return JsonAnswer({"id": found.id, "token": found.token, "crops": _crops(found)}, 201)


@router.get("/{enrolment_id}/crops/{number}.png", responses=_PNG, response_class=Response)
def get_crop(
    enrolment_id: str, number: Annotated[int, Path(ge=1, le=1000)], service: ServiceDep, token: PictureTokenDep
) -> Response:
    """Return the picture of a tile."""
    found = service.enrolments.get(enrolment_id, token)
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(service.enrolments.crop(found, number), media_type="image/png", headers=headers)


@router.post("/{enrolment_id}/names", status_code=201, response_model=LearnedBody)
async def name_crops(enrolment_id: str, body: Names, service: ServiceDep, token: TokenDep) -> Response:
    """Name the tiles: an art pack is made of those with a kind. An art that there is already is never replaced."""
    found = service.enrolments.get(enrolment_id, token)
    return JsonAnswer(await service.enrolments.learn(found, body.name, body.kinds, within_s=_WITHIN_S), 201)


def _crops(found: Enrolment) -> list[dict[str, Any]]:
    where = f"/v1/enrolments/{found.id}/crops"
    return [{**crop, "image_url": f"{where}/{crop['n']}.png"} for crop in found.crops]
