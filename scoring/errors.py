"""What can be wrong with an input: one root class, each error with a stable `code`.

A message says what was found, what is allowed, and what to do next, in one or two sentences.
"""

from __future__ import annotations

from typing import ClassVar


class BoardsnapError(Exception):
    """The root of every error this project raises on purpose.

    >>> BoardsnapError("The file is empty.").code
    'boardsnap_error'
    """

    code: ClassVar[str] = "boardsnap_error"


class FieldError(BoardsnapError):
    """A field of some input holds a value that is not allowed.

    `field` is the path of the field, `found` the value in words, `allowed` what may stand there.

    >>> print(BoardFileError("tiles[2].kind", "'brie'", "one of the 27 kinds", hint="Correct the kind."))
    tiles[2].kind is 'brie'; allowed: one of the 27 kinds. Correct the kind.
    """

    code: ClassVar[str] = "field_invalid"

    def __init__(self, field: str, found: str, allowed: str, *, hint: str = "") -> None:
        self.field = field
        self.found = found
        self.allowed = allowed
        self.hint = hint
        text = f"{field} is {found}; allowed: {allowed}."
        super().__init__(f"{text} {hint}".rstrip())


class BoardFileError(FieldError):
    """A board file or a table file does not follow its format."""

    code: ClassVar[str] = "board_file_invalid"


class RecipeError(FieldError):
    """A recipe does not follow its format, or is not known."""

    code: ClassVar[str] = "recipe_invalid"


class OptionsError(FieldError):
    """An objective, a house rule or a number of players that does not exist was asked for."""

    code: ClassVar[str] = "options_invalid"


class CorrectionError(FieldError):
    """A correction does not fit the board it is made to."""

    code: ClassVar[str] = "correction_invalid"


class TooLargeError(BoardsnapError):
    """Something is asked of a solver beyond the size for which it is exact and quick.

    >>> print(TooLargeError("animal cards in hand", found=30, most=10))
    30 animal cards in hand are more than the solver takes, which is 10. Leave some out.
    """

    code: ClassVar[str] = "too_large"

    def __init__(self, what: str, *, found: int, most: int) -> None:
        super().__init__(f"{found} {what} are more than the solver takes, which is {most}. Leave some out.")


def shown(value: object) -> str:
    """Return a value in at most 60 characters, as an error message shows it.

    >>> shown("brie"), shown(None), shown([1] * 100)[-4:]
    ("'brie'", 'null', '...]')
    """
    if value is None:
        return "null"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**30:
        return "a number of more than 30 digits"
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    if isinstance(value, list | tuple) and len(value) > 6:
        return f"[{', '.join(shown(v) for v in value[:2])}, ...]"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
