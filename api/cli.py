"""The command line. Heavy imports wait inside the commands: a board file is scored without OpenCV or OpenVINO."""

from pathlib import Path
from typing import Annotated

import typer

from api.art_commands import arts, enroll

app = typer.Typer(
    name="boardsnap",
    help="Photograph a finished board of Charcuterie and get the score, with reasons.",
    epilog="Exit codes: 0 done, 1 a violation (validate), 2 wrong usage, 3 an input cannot be read, 4 no board found.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
dataset = typer.Typer(help="Synthetic photos with truth.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(dataset, name="dataset")
app.add_typer(arts, name="arts")
app.command()(enroll)

Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="INPUT", show_default=False, help="Photos, board files, table files, or folders of them."),
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


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Photos with truth: NAME.jpg beside NAME.json.")],
    art: Art = None,
    as_json: AsJson = False,
) -> None:
    """Measure the reading on photos with truth: tiles, contacts, kinds and whole scorecards."""
    from api.batch import Command, run_one, usage_errors
    from api.evaluation import evaluation_answer, show_evaluation
    from api.photos import PhotoReader

    with usage_errors():
        PhotoReader(art=art)
    _, code = run_one(folder, Command(lambda path: evaluation_answer(path, art=art), show_evaluation, as_json))
    raise typer.Exit(code)


@app.command()
def train(
    out: Annotated[Path, typer.Option(help="Folder for checkpoints and the exported networks.")],
    photos: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", show_default=False, help="Photos with truth; may be repeated. Else made."),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(metavar="detector|tilenet|seamnet", show_default=False, help="Only this one; may be repeated."),
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Time for each network.")] = 60.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same photos and the same start.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads to use.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoints in --out.")] = False,
) -> None:
    """Train the networks from photos with truth and export them; needs the [train] extra."""
    from api.batch import leave
    from api.errors import UsageError
    from models.train import NETWORKS, TrainingOrder
    from models.train import train as train_networks

    order = TrainingOrder(
        out,
        tuple(photos or ()),
        tuple(network or NETWORKS),
        minutes=minutes,
        seed=seed,
        threads=threads,
        resume=resume,
    )
    try:
        files = train_networks(order)
    except ModuleNotFoundError as error:
        leave(UsageError(f"Training needs the [train] extra, pip install 'boardsnap[train]': {error}."))
    except (ValueError, OSError) as error:
        leave(UsageError(f"The networks cannot be trained: {error}."))
    typer.echo(f"Trained and exported: {', '.join(map(str, files))}.", err=True)


@app.command()
def adapt(
    art: Annotated[str, typer.Option(metavar="NAME", help="The art pack to adapt to.")],
    minutes: Annotated[float, typer.Option(min=0.1, help="Training time for each of the two networks.")] = 7.0,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads to use.")] = 1,
) -> None:
    """Train the networks further on boards drawn with your own tiles; kept only where it reads them better."""
    from api.adapting import adapt_art
    from api.batch import usage_errors

    with usage_errors():
        adapt_art(art, minutes=minutes, threads=threads)


@dataset.command()
def make(
    out: Annotated[Path, typer.Option(help="Folder to write to; photos already there are kept.")],
    count: Annotated[int, typer.Option(min=1, help="How many photos.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same photos.")] = 0,
    split: Annotated[
        str, typer.Option(help="train or eval, of different styles; with cycles also trained or enrol.")
    ] = "train",
    style: Annotated[
        list[str] | None, typer.Option(show_default=False, help="Only this style; may be repeated.")
    ] = None,
    renderer: Annotated[str, typer.Option(help="composite (fast, flat) or cycles (path traced, slow).")] = "composite",
    bpy_python: Annotated[
        str | None, typer.Option(metavar="PYTHON", show_default=False, help="For cycles: a Python that has bpy.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes to use, or threads with cycles.")] = 1,
) -> None:
    """Make synthetic photos with truth: NAME.jpg beside NAME.json."""
    from api.batch import leave
    from api.errors import UsageError
    from datasets.make import make_dataset

    try:
        files = make_dataset(
            out,
            count=count,
            seed=seed,
            split=split,
            styles=style,
            renderer=renderer,
            bpy_python=bpy_python,
            jobs=jobs,
        )
    except (ValueError, KeyError, OSError, RuntimeError) as error:  # RuntimeError: no bpy, or a photo not rendered
        leave(UsageError(f"The data set cannot be made: {error}."))
    typer.echo(f"{len(files)} photos with truth are in {out}.", err=True)


@dataset.command()
def preview(
    folder: Annotated[Path, typer.Argument(help="A folder of photos with truth.")],
    out: Annotated[Path, typer.Option(help="The picture to write.")] = Path("preview.jpg"),
    count: Annotated[int, typer.Option(min=1, max=64, help="How many photos, the first by name.")] = 9,
) -> None:
    """Draw the truth of a data set onto its photos, on one contact sheet."""
    from api.batch import leave
    from api.errors import UsageError
    from datasets.preview import write_sheet

    try:
        shown = write_sheet(folder, out, count=count)
    except (ValueError, OSError) as error:
        leave(UsageError(f"There is nothing to preview in {folder}: {error}."))
    typer.echo(f"{shown} photos are on {out}.", err=True)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
) -> None:
    """Serve the web page and the HTTP API; docs/deployment.md says what can be set."""
    from api.batch import usage_errors
    from api.serving import run_service

    with usage_errors():
        run_service(host, port)


def main() -> None:
    """Entry point of the `boardsnap` script."""
    app()


if __name__ == "__main__":
    main()
