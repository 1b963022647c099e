"""The copies of the game whose faces were learned."""

from api.problems import Problem


def check_art(name: str | None) -> str | None:
    """Return the name of a known art, or None for none.

    Raises:
        Problem: there is no such art.
    """
    if not name or not name.strip():
        return None
    text = f"There is no art pack called {name.strip()}. See /v1/arts for those there are, or leave art out."
    raise Problem(422, "art_unknown", text)
