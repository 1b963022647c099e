"""Tables: made by a host, joined by link, scored together."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from api.arts import check_art
from api.deps import PictureTokenDep, ServiceDep, TokenDep, TokensDep
from api.problems import Problem
from api.routes import PROBLEMS
from api.routes.scoring import Document
from api.service import Service
from api.strict_json import JsonAnswer, StrictJsonRoute
from api.table_answers import standing, table_answer
from api.table_exports import qr_svg, table_csv, table_file, table_png
from api.table_schemas import NewTable, NewTableBody, SeatReading, SeatRecipe, TableBody, TableChange

router = APIRouter(prefix="/v1/tables", tags=["tables"], route_class=StrictJsonRoute, responses=PROBLEMS)

SeatNumber = Annotated[int, Path(ge=1, le=6, description="The seat, from 1 in seating order.")]
_BINARY: Any = {"schema": {"type": "string", "format": "binary"}}
_SVG: Any = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
_EXPORTS: Any = {
    200: {
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "object"}},
            "image/png": _BINARY,
        }
    }
}


@router.post("", status_code=201, response_model=NewTableBody)
def create_table(body: NewTable, service: ServiceDep, request: Request) -> Response:
    """Make a table: its host's token and link, and a token and link for each seat."""
    rules = body.model_dump(exclude={"players", "art"}) | {"art": check_art(body.art, service.settings.home)}
    table = service.tables.create(body.players, rules)
    host = service.tables.host_token(table.id)
    seats = []
    for seat in table.seats:
        token = service.tables.seat_token(table.id, seat.seat)
        link = _link(service, request, table.id, token)
        seats.append({"seat": seat.seat, "player": seat.player, "token": token, "join_url": link})
    made = {"id": table.id, "host_token": host, "join_url": _link(service, request, table.id, host), "seats": seats}
    return JsonAnswer(made, 201, {"Location": f"/v1/tables/{table.id}"})


@router.get("", response_model=list[TableBody])
def history(service: ServiceDep, tokens: TokensDep) -> Response:
    """List the tables that the tokens sent belong to (with commas between them), newest first."""
    views = []
    for table in service.tables.history(tokens):
        token = next(token for token in tokens if service.tables.holds(table, token))
        views.append(table_answer(service.tables, service.tables.view(table.id, token)))
    return JsonAnswer(views)


@router.get("/{table_id}", response_model=TableBody)
def get_table(table_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Return a table to the holder of any of its tokens; recipes of others are hidden until they are revealed."""
    return _answer(service, table_id, token)


@router.patch("/{table_id}", response_model=TableBody)
def change_table(table_id: str, body: TableChange, service: ServiceDep, token: TokenDep) -> Response:
    """Change names, variant, cards or house rules; the host alone may."""
    changes = body.model_dump(exclude_unset=True)
    if "art" in changes:
        changes["art"] = check_art(changes["art"], service.settings.home)
    service.tables.change(service.tables.as_host(table_id, token), changes)
    return _answer(service, table_id, token)


@router.delete("/{table_id}", status_code=204)
def delete_table(table_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Delete a table; the host alone may. Readings on it stay."""
    service.tables.delete(service.tables.as_host(table_id, token))
    return Response(status_code=204)


@router.put("/{table_id}/seats/{seat}/reading", response_model=TableBody)
def put_reading(table_id: str, seat: SeatNumber, body: SeatReading, service: ServiceDep, token: TokenDep) -> Response:
    """Put a reading on a seat: its player may, and the host. Later corrections of it count here too."""
    service.tables.as_seat(table_id, token, seat)
    service.tables.put_reading(table_id, seat, body.reading_id, body.reading_token)
    return _answer(service, table_id, token)


@router.put("/{table_id}/seats/{seat}/board", response_model=TableBody)
def put_board(table_id: str, seat: SeatNumber, document: Document, service: ServiceDep, token: TokenDep) -> Response:
    """Put a board typed in on a seat."""
    service.tables.as_seat(table_id, token, seat)
    service.tables.put_board(table_id, seat, document)
    return _answer(service, table_id, token)


@router.delete("/{table_id}/seats/{seat}/board", response_model=TableBody)
def clear_seat(table_id: str, seat: SeatNumber, service: ServiceDep, token: TokenDep) -> Response:
    """Take the board or the reading off a seat."""
    service.tables.as_seat(table_id, token, seat)
    service.tables.clear(table_id, seat)
    return _answer(service, table_id, token)


@router.put("/{table_id}/seats/{seat}/recipe", response_model=TableBody)
def put_recipe(table_id: str, seat: SeatNumber, body: SeatRecipe, service: ServiceDep, token: TokenDep) -> Response:
    """Give a seat its recipe card, hidden from the others until the host reveals all."""
    service.tables.as_seat(table_id, token, seat)
    service.tables.put_recipe(table_id, seat, body.recipe)
    return _answer(service, table_id, token)


@router.post("/{table_id}/reveal", response_model=TableBody)
def reveal(table_id: str, service: ServiceDep, token: TokenDep) -> Response:
    """Show every recipe and count it; the host alone may."""
    service.tables.reveal(service.tables.as_host(table_id, token))
    return _answer(service, table_id, token)


@router.get("/{table_id}/qr.svg", responses=_SVG, response_class=Response)
def qr_code(
    table_id: str,
    service: ServiceDep,
    token: PictureTokenDep,
    request: Request,
    seat: Annotated[int | None, Query(ge=1, le=6, description="Whose link; the host's own if left out.")] = None,
) -> Response:
    """Return a join link as a QR code: a seat's to the host or to its player, the host's to the host."""
    if seat is None:
        service.tables.as_host(table_id, token)
        shown = service.tables.host_token(table_id)
    else:
        held = service.tables.as_seat(table_id, token, seat)
        shown = service.tables.seat_token(table_id, seat)
        if not service.tables.is_current(held, shown):
            raise Problem(409, "links_lost", "The service's secret has changed since: its links cannot be drawn again.")
    picture = qr_svg(_link(service, request, table_id, shown))
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/{table_id}/export.{form}", responses=_EXPORTS, response_class=Response)
def export(table_id: str, form: Literal["csv", "json", "png"], service: ServiceDep, token: PictureTokenDep) -> Response:
    """Return the table as CSV, as a table file, or as a picture of the leaderboard."""
    view = service.tables.view(table_id, token)
    stands = standing(service.tables, view)
    if form == "png":
        return _download(table_png(view, stands), "image/png", form)
    if form == "csv":
        # The mark at its start tells spreadsheets that the text is UTF-8.
        return _download(table_csv(view, stands).encode("utf-8-sig"), "text/csv; charset=utf-8", form)
    return JsonAnswer(table_file(view, stands), headers=_attached(form))


def _answer(service: Service, table_id: str, token: str) -> Response:
    return JsonAnswer(table_answer(service.tables, service.tables.view(table_id, token)))


def _link(service: Service, request: Request, table_id: str, token: str) -> str:
    """A link whose token stands behind #: browsers keep that part to themselves."""
    base = service.settings.public_url or str(request.base_url).rstrip("/")
    return f"{base}/t/{table_id}#{token}"


def _download(content: bytes, media_type: str, form: str) -> Response:
    return Response(content, media_type=media_type, headers=_attached(form))


def _attached(form: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="charcuterie.{form}"', "Cache-Control": "no-store"}
