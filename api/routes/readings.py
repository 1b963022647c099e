"""Photos and what is read on them."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, File, Form, Header, UploadFile
from starlette.responses import Response

from api import play
from api.arts import check_art
from api.deps import PictureTokenDep, ServiceDep, TokenDep
from api.live import LiveReading, read_step
from api.pictures import overlay_png
from api.problems import Problem
from api.reading_answers import reading_answer
from api.routes import PROBLEMS
from api.schemas import CORRECTION_EXAMPLES, ReadingBody, ReadingOptions
from api.service import Service
from api.store.readings import Reading, Status
from api.strict_json import JsonAnswer, StrictJsonRoute

router = APIRouter(prefix="/v1/readings", tags=["readings"], route_class=StrictJsonRoute, responses=PROBLEMS)

_PRIVATE = {"Cache-Control": "private, max-age=86400"}
_CORRECTIONS: Any = {example["do"]: {"value": example} for example in CORRECTION_EXAMPLES}
_JPEG: Any = {200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}}}
_PNG: Any = {200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}}
_CREATED: Any = {
    200: {"description": "This photo with these options was sent before.", "model": ReadingBody},
    202: {"description": "It is still being read: ask for the reading again.", "model": ReadingBody},
}


@router.post("", status_code=201, response_model=ReadingBody, responses=_CREATED)
async def send_photo(
    service: ServiceDep,
    photo: Annotated[UploadFile, File(description="JPEG, PNG, WebP, HEIC, TIFF, BMP or GIF; told by the content.")],
    players: Annotated[int | None, Form(ge=2, le=6)] = None,
    objectives: Annotated[str, Form(max_length=2000, description="Ids with commas between, or all.")] = "all",
    recipe: Annotated[str | None, Form(max_length=10_000, description="An id, points, or a recipe as JSON.")] = None,
    house_rules: Annotated[list[str] | None, Form(max_length=50, description="NAME, NAME=VALUE, or JSON.")] = None,
    art: Annotated[str | None, Form(max_length=64, description="The art of your copy, from /v1/arts.")] = None,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> Response:
    """Send a photo: it is read once, even if it is sent twice."""
    options = play.from_texts(players=players, objectives=objectives, recipe=recipe, house_rules=house_rules or ())
    known = await asyncio.to_thread(check_art, art, service.settings.home)
    options = play.checked({**options, "art": known})
    limit = service.settings.max_upload_bytes
    data = await photo.read(limit + 1)
    accepted = await asyncio.to_thread(service.intake.accept, data, options, key=idempotency_key, max_bytes=limit)
    reading = await service.intake.settled(accepted, within_s=service.settings.answer_within_s)
    if reading.status is Status.FAILED and reading.problem is not None:
        raise Problem.again(reading.problem)
    status = 202 if reading.status is Status.WAITING else 201 if accepted.is_new else 200
    body = await asyncio.to_thread(reading_answer, service.readings, reading, token=accepted.token)
    headers = {"Location": f"/v1/readings/{reading.id}"} | ({"Retry-After": "2"} if status == 202 else {})
    return JsonAnswer(body, status, headers)


@router.get("/{reading_id}", response_model=ReadingBody)
def get_reading(reading_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Return a reading, with every open question weighed against the board as it stands."""
    return JsonAnswer(reading_answer(service.readings, service.readings.get(reading_id, token)))


@router.delete("/{reading_id}", status_code=204)
def delete_reading(reading_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Delete a reading and its photo for good."""
    service.readings.delete(service.readings.get(reading_id, token))
    return Response(status_code=204)


@router.get("/{reading_id}/photo", responses=_JPEG, response_class=Response)
def get_photo(reading_id: str, service: ServiceDep, token: PictureTokenDep) -> Response:
    """Return the upright photo, without the data on place and camera, 2000 px at most on its longer side."""
    reading = service.readings.get(reading_id, token)
    return Response(service.readings.photo_bytes(reading), media_type="image/jpeg", headers=_PRIVATE)


@router.get("/{reading_id}/overlay.png", responses=_PNG, response_class=Response)
def get_overlay(reading_id: str, service: ServiceDep, token: PictureTokenDep) -> Response:
    """Return the photo with the outlines and the score drawn on it."""
    reading = service.readings.get(reading_id, token)
    found = service.readings.live(reading)
    picture = overlay_png(service.readings.photo_bytes(reading), reading, found)
    return Response(picture, media_type="image/png", headers={"Cache-Control": "no-store"})


@router.post("/{reading_id}/corrections", response_model=ReadingBody)
def correct(
    reading_id: str,
    service: ServiceDep,
    token: TokenDep,
    corrections: Annotated[
        dict[str, Any] | list[dict[str, Any]],
        Body(description="One correction, or a list that is one step of the history.", openapi_examples=_CORRECTIONS),
    ],
) -> Response:
    """Correct the board and score it again, without looking at the photo."""
    step = read_step(corrections)
    reading = service.readings.get(reading_id, token)
    return _rescored(service, reading, service.readings.correct(reading, step))


@router.post("/{reading_id}/undo", response_model=ReadingBody)
def undo(reading_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Take the last step back."""
    reading = service.readings.get(reading_id, token)
    return _rescored(service, reading, service.readings.undo(reading))


@router.post("/{reading_id}/redo", response_model=ReadingBody)
def redo(reading_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Make the step that was undone last again."""
    reading = service.readings.get(reading_id, token)
    return _rescored(service, reading, service.readings.redo(reading))


@router.put("/{reading_id}/options", response_model=ReadingBody)
def set_options(reading_id: str, options: ReadingOptions, service: ServiceDep, token: TokenDep) -> Response:
    """Score by other cards, house rules, recipe or number of players; fields left out stay as they are."""
    reading = service.readings.get(reading_id, token)
    found = service.readings.live(reading)
    changed = play.checked({**reading.options, **options.model_dump(exclude_unset=True)})
    return _rescored(service, service.readings.set_options(reading, changed), found)


def _rescored(service: Service, reading: Reading, found: LiveReading) -> Response:
    return JsonAnswer(reading_answer(service.readings, reading, found=found))
