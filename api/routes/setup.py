"""The setup helper: what to lay out, and the cards drawn."""

from random import Random
from secrets import randbelow
from typing import Annotated

from fastapi import APIRouter, Query

from api.routes import PROBLEMS
from api.strict_json import StrictJsonRoute
from api.table_schemas import SetupBody, Variant
from scoring.charcuterie.setup import FINAL_MINUTE_S, RECIPES_DEALT, draw_objectives, setup_for

router = APIRouter(prefix="/v1", tags=["setup"], route_class=StrictJsonRoute, responses=PROBLEMS)

_SEEDS = 2**31


@router.get("/setup")
def setup(
    players: Annotated[int, Query(ge=2, le=6)] = 4,
    variant: Annotated[Variant | None, Query()] = None,
    seed: Annotated[int | None, Query(ge=0, lt=_SEEDS, description="The same seed draws the same cards.")] = None,
    first_game: Annotated[bool, Query(description="Base cards only, as the rulebook recommends.")] = False,
) -> SetupBody:
    """Return what the rulebook's setup says, with six objective cards drawn."""
    laid, drawn_by = setup_for(players, variant), randbelow(_SEEDS) if seed is None else seed
    return SetupBody(
        players=laid.players,
        variant=laid.variant,
        stacks=laid.stacks,
        tiles_a_stack=laid.tiles_a_stack,
        tiles_a_round=laid.tiles_a_round,
        stacks_a_player=laid.stacks_a_player,
        rounds=laid.rounds,
        turns_as_host=laid.turns_as_host,
        hosts=list(laid.hosts),
        dealt_tiles=laid.dealt_tiles,
        tiles_a_board=laid.tiles_a_board,
        take_out=dict(laid.take_out),
        take_out_breads=laid.take_out_breads,
        take_out_breads_differ=laid.take_out_breads_differ,
        recipes_dealt=RECIPES_DEALT,
        inner_ring=laid.inner_ring,
        objectives=draw_objectives(Random(drawn_by), players=players, variant=variant, first_game=first_game),
        final_minute_s=FINAL_MINUTE_S,
        notes=list(laid.notes),
        seed=drawn_by,
    )
