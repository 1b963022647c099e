"""The forms of requests and answers, as the OpenAPI document shows them. Boards and reports are those of the files."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

BOARD_EXAMPLE: dict[str, Any] = {
    "format": "boardsnap.board/1",
    "game": "charcuterie",
    "players": 4,
    "tiles": [
        {"id": "a", "kind": "baguette"},
        {"id": "b", "kind": "square_cracker"},
        {"id": "c", "kind": "swiss"},
    ],
    "contacts": [["a", "b"], ["b", "c"]],
}
TABLE_EXAMPLE: dict[str, Any] = {
    "format": "boardsnap.table/1",
    "objectives": ["bread_pairs", "cheese_neighbors"],
    "boards": [
        {"player": "Ana", **{name: BOARD_EXAMPLE[name] for name in ("tiles", "contacts")}},
        {"player": "Ben", "tiles": [{"id": "a", "kind": "bleu"}], "contacts": []},
    ],
}
CORRECTION_EXAMPLES: list[dict[str, Any]] = [
    {"do": "set_kind", "tile": "t3", "kind": "bleu"},
    {"do": "set_contact", "a": "t2", "b": "t9", "touching": True},
    {"do": "set_over", "upper": "t5", "lower": "t0", "stacked": True},
    {"do": "remove_tile", "tile": "t7"},
    {"do": "add_tile", "tile": {"id": "n1", "kind": "ranch"}},
    {"do": "move_tile", "tile": "t1", "dx_mm": 3.5, "dy_mm": 0.0, "angle_deg": 15.0},
]


def _plain(name: str) -> str:
    if not name.strip() or any(not letter.isprintable() for letter in name):
        raise ValueError("a name needs a letter, and holds no control characters")
    return name.strip()


Name = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_plain)]
Players = Annotated[int, Field(ge=2, le=6)]
Document = Annotated[dict[str, Any], Field(description="A board file, a table file, or the file of another game.")]


class Strict(BaseModel):
    """A body that refuses fields it does not know."""

    model_config = ConfigDict(extra="forbid")


class ProblemBody(BaseModel):
    """An error, as RFC 9457 has it; `code` is stable."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Unprocessable Entity",
                "status": 422,
                "detail": "tiles[2].kind is 'brie'; allowed: one of the 27 kinds.",
                "code": "board_file_invalid",
                "field": "tiles[2].kind",
            }
        },
    )


class Game(BaseModel):
    """A game that is scored; `photo` says whether from a photo too."""

    id: str
    name: str
    photo: bool


class Kind(BaseModel):
    """One of the 27 faces."""

    id: str
    name: str
    category: str
    shape: str
    copies: int


class Card(BaseModel):
    """An objective or a recipe card; `neighbor` says that it looks at the boards beside."""

    id: str
    name: str
    text: str
    type: Literal["objective", "recipe"]
    category: str | None = None
    neighbor: bool
    base: bool


class HouseRule(BaseModel):
    """A reading of the rulebook that a table may choose."""

    id: str
    name: str
    values: list[bool | int]
    default: bool | int
    cards: list[str]


class Cards(BaseModel):
    """The cards and house rules that can be in play."""

    cards: list[Card]
    house_rules: list[HouseRule]


class Art(BaseModel):
    """A copy of the game whose faces were learned."""

    name: str
    kinds: int
    missing: list[str]


class PhotoBody(BaseModel):
    """The upright picture of a reading; `scale` takes `polygon_px` to its pixels."""

    url: str
    width: int
    height: int
    scale: float


class HistoryBody(BaseModel):
    """How many steps can be undone and redone."""

    undo: int
    redo: int


class ReadingBody(BaseModel):
    """What was read on a photo, with its corrections, and what it scores."""

    id: str
    token: str | None = Field(None, description="Told when the photo is sent, and never again.")
    status: Literal["ready", "waiting", "failed"]
    created: datetime
    expires: datetime
    options: dict[str, Any]
    photo: PhotoBody | None = None
    board: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    weighed: bool | None = Field(
        None, description="False right after a correction: points are fresh, points at stake are those weighed before."
    )
    history: HistoryBody | None = None
    problem: ProblemBody | None = None


class ReadingOptions(Strict):
    """What a reading is scored by; a field left out stays as it is, and null leaves it to the default."""

    players: Players | None = None
    objectives: list[str] | Literal["all"] | None = None
    recipe: str | int | dict[str, Any] | None = None
    house_rules: dict[str, bool | int | str] | list[str] | None = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "players": 4,
                "objectives": ["bread_pairs", "cheese_unique", "dip_unique"],
                "recipe": "the_vegetarian",
                "house_rules": {"lone_tile_is_group": True},
            }
        },
    )
