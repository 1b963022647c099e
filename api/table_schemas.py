"""The forms of requests and answers about tables and the setup."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.schemas import Name, Strict

Variant = Literal["less_random", "crunchy"]
Objectives = list[str] | Literal["all"]
HouseRules = dict[str, bool | int | str] | list[str]
Seats = Annotated[list[Name], Field(min_length=2, max_length=6, description="Names in seating order, clockwise.")]
RecipeValue = str | int | dict[str, Any]


class NewTable(Strict):
    """A table to make; without objectives the six base cards are in play."""

    players: Seats
    variant: Variant | None = None
    objectives: Objectives | None = None
    house_rules: HouseRules | None = None
    art: Name | None = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "players": ["Ana", "Ben", "Cleo"],
                "objectives": ["bread_pairs", "cheese_neighbors", "dip_unique"],
                "house_rules": {"lone_tile_is_group": True},
            }
        },
    )


class TableChange(Strict):
    """What to change; a field left out stays as it is."""

    players: Seats | None = None
    variant: Variant | None = None
    objectives: Objectives | None = None
    house_rules: HouseRules | None = None
    art: Name | None = None


class SeatReading(Strict):
    """A reading to put on a seat."""

    reading_id: Annotated[str, Field(min_length=1, max_length=64)]
    reading_token: Annotated[str, Field(min_length=1, max_length=200)]


class SeatRecipe(Strict):
    """A recipe card: an id, its points, or the card as an object; null takes it away."""

    recipe: RecipeValue | None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"recipe": "the_vegetarian"}})


class JoinBody(BaseModel):
    """A seat's own link; its token is told when the table is made, and never again."""

    seat: int
    player: str
    token: str
    join_url: str


class NewTableBody(BaseModel):
    """A table just made; `join_url` is the host's own link."""

    id: str
    host_token: str
    join_url: str
    seats: list[JoinBody]


class YouBody(BaseModel):
    """Whose token was sent."""

    host: bool
    seat: int | None


class SeatBody(BaseModel):
    """A seat; `recipe` is none, hidden, or the card with its points."""

    seat: int
    player: str
    board: bool
    reading_id: str | None
    recipe: Literal["none", "hidden"] | dict[str, Any]
    total: int | None


class PlaceBody(BaseModel):
    """A line of the leaderboard; players who tie share a place."""

    place: int
    player: str
    total: int


class TableBody(BaseModel):
    """A table as the holder of a token may see it."""

    id: str
    created: datetime
    expires: datetime
    you: YouBody
    players: list[str]
    variant: str | None
    objectives: Objectives | None
    house_rules: dict[str, bool | int]
    art: str | None
    revealed: bool
    seats: list[SeatBody]
    report: dict[str, Any] | None = Field(description="The table report, once all boards are in.")
    leaderboard: list[PlaceBody]
    complete: bool


class SetupBody(BaseModel):
    """What the rulebook's setup says for a number of players and a variant."""

    players: int
    variant: str | None
    stacks: int
    tiles_a_stack: int
    tiles_a_round: int
    stacks_a_player: int
    rounds: int
    turns_as_host: int
    hosts: list[int] = Field(description="The seat, from 1 for the first host, that hosts each round.")
    dealt_tiles: int
    tiles_a_board: int
    take_out: dict[str, int] = Field(description="Copies to take out of the bag, by kind.")
    take_out_breads: int = Field(description="Breads to take out beside those, of the players' choice.")
    take_out_breads_differ: bool
    recipes_dealt: int
    inner_ring: bool
    objectives: list[str]
    final_minute_s: int
    notes: list[str]
    seed: int
