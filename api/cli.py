"""The command line. Heavy imports wait inside the commands: a board file is scored without OpenCV or OpenVINO."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="boardsnap",
    help="Photograph a finished board of Charcuterie and get the score, with reasons.",
    epilog="Exit codes: 0 done, 1 a violation (validate), 2 wrong usage, 3 an input cannot be read, 4 no board found.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Inputs = Annotated[
    list[Path],
    typer.Argument(
        metavar="INPUT...", show_default=False, help="Photos, board files, table files, or folders of them."
    ),
]
Players = Annotated[int | None, typer.Option(min=2, max=6, show_default=False, help="Number of players in the game.")]
Art = Annotated[str | None, typer.Option(metavar="NAME", show_default=False, help="The art pack of your copy.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one line an input, and nothing else.")]
Objectives = Annotated[
    str | None, typer.Option(metavar="ID,ID|all", show_default=False, help="The objective cards in play.")
]
Recipe = Annotated[
    str | None, typer.Option(metavar="ID|FILE|POINTS", show_default=False, help="The recipe card, or its points.")
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option("--house-rule", metavar="NAME[=VALUE]", show_default=False, help="A house rule; may be repeated."),
]
Overlay = Annotated[
    Path | None, typer.Option(metavar="OUT.png", show_default=False, help="Draw what was read onto the photo.")
]


@app.command()
def score(
    inputs: Inputs,
    players: Players = None,
    objectives: Objectives = None,
    recipe: Recipe = None,
    house_rules: HouseRules = None,
    art: Art = None,
    as_json: AsJson = False,
    overlay: Overlay = None,
) -> None:
    """Score boards: the points of every card in play, with the tiles that made them."""
    from api.answers import score_answer, show_score
    from api.batch import Command, run, usage_errors
    from api.options import score_options
    from api.photos import PhotoReader

    with usage_errors():
        options = score_options(players=players, objectives=objectives, recipe=recipe, house_rules=house_rules or [])
        reader = PhotoReader(art=art)
    command = Command(lambda path: score_answer(path, options, reader, overlay=overlay), show_score, as_json)
    _, code = run(inputs, command, single=overlay is not None)
    raise typer.Exit(code)


@app.command()
def validate(inputs: Inputs, players: Players = None, art: Art = None, as_json: AsJson = False) -> None:
    """Check placement and counts only; exit code 1 where a rule is violated."""
    from api.answers import has_violation, show_checks, validate_answer
    from api.batch import Command, Exit, run, usage_errors
    from api.options import score_options
    from api.photos import PhotoReader

    with usage_errors():
        options = score_options(players=players)
        reader = PhotoReader(art=art)
    answers, code = run(inputs, Command(lambda path: validate_answer(path, options, reader), show_checks, as_json))
    violated = code == Exit.DONE and any(has_violation(answer) for answer in answers)
    raise typer.Exit(Exit.VIOLATION if violated else code)


def main() -> None:
    """Entry point of the `boardsnap` script."""
    app()


if __name__ == "__main__":
    main()
