"""What there is: games, kinds, cards, house rules, arts."""

from fastapi import APIRouter

from api.arts import known_arts
from api.cards import house_rules, objective_cards, recipe_cards
from api.deps import ServiceDep
from api.routes import PROBLEMS
from api.schemas import Art, Cards, Game, Kind
from api.strict_json import StrictJsonRoute
from scoring.charcuterie.catalogue import KINDS

router = APIRouter(prefix="/v1", tags=["catalogue"], route_class=StrictJsonRoute, responses=PROBLEMS)

_GAMES = (
    Game(id="charcuterie", name="Charcuterie: The Board Game", photo=True),
    Game(id="food_truck_champion", name="Food Truck Champion", photo=False),
    Game(id="charly", name="Charly", photo=False),
)


@router.get("/games")
def games() -> list[Game]:
    """List the games that are scored."""
    return list(_GAMES)


@router.get("/kinds")
def kinds() -> list[Kind]:
    """List the 27 kinds of tile."""
    return [
        Kind(id=kind.id, name=_words(kind.id), category=kind.category, shape=kind.shape, copies=kind.copies)
        for kind in KINDS.values()
    ]


@router.get("/cards")
def cards() -> Cards:
    """List the objective cards, the known recipes, and the house rules."""
    return Cards(cards=[*objective_cards(), *recipe_cards()], house_rules=house_rules())


@router.get("/arts")
def arts(service: ServiceDep) -> list[Art]:
    """List the copies of the game whose faces were learned."""
    return known_arts(service.settings.home)


def _words(identifier: str) -> str:
    return identifier.replace("_", " ")
