"""Reports as tables and sentences for a terminal.

Works on the JSON of a report, the fixed format, so that what is printed is what `--json` gives.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = Mapping[str, Any]

_RULES = {
    "off_board": "must not hang over the edge of the board",
    "outside_ring": "must lie within the inner ring",
    "covered": "must show at least half of its face",
    "not_on_board": "must touch the board itself",
}
_STYLE = {"violation": "bold red", "check_by_hand": "yellow"}


def print_report(console: Console, report: Json, *, title: str) -> None:
    """One board: its cards with points and reasons, then checks, questions and the total."""
    names = _tile_names(report.get("board") or {})
    console.print(Text(title, style="bold"), soft_wrap=True)
    console.print(_cards_table(report, names))
    _print_lines(console, "Checks", (_check_text(check, names) for check in report.get("checks", ())))
    _print_lines(console, "Please look at", _question_lines(report.get("questions", ()), names))
    unchecked = (f"{_words(item['id'])}: {item['why']}." for item in report.get("unchecked", ()))
    _print_lines(console, "Not checked", map(Text, dict.fromkeys(unchecked)))
    _print_lines(console, "Notes", map(Text, report.get("notes", ())))
    console.print(_total_text(report))
    console.print()


def print_table_report(console: Console, table_report: Json, *, title: str) -> None:
    """A whole table: every board, then the ranking."""
    console.print(Text(title, style="bold"), soft_wrap=True)
    for report in table_report["boards"]:
        print_report(console, report, title=str(report.get("player", "")))
    _print_lines(
        console, "Checks of the whole table", (_check_text(check, {}) for check in table_report.get("checks", ()))
    )
    ranking = Table("place", "player", table_report.get("unit", "points"), title="Ranking", title_justify="left")
    for place, (player, points) in _placed(table_report):
        ranking.add_row(str(place), str(player), str(points))
    console.print(ranking)
    _print_lines(console, "Notes", map(Text, table_report.get("notes", ())))
    console.print()


def print_checks(console: Console, answer: Json, *, title: str) -> None:
    """What `validate` found, or that it found nothing."""
    checks = answer["checks"]
    verdict = "every check passed" if not checks else f"{len(checks)} to look at"
    console.print(Text(f"{title}: {verdict}", style="bold"), soft_wrap=True)
    names = _tile_names(answer.get("board") or {})
    _print_lines(console, "Checks", (_check_text(check, names) for check in checks))


def _cards_table(report: Json, names: Mapping[str, str]) -> Table:
    table = Table("card", "points", "why")
    table.columns[1].justify = "right"
    for line in report.get("objectives", ()):
        table.add_row(_words(line["id"]), _points(line["points"]), _reasons(line, names))
    recipe = report.get("recipe")
    if recipe:
        table.add_row(
            f"recipe: {_words(recipe.get('id') or 'by hand')}", _points(recipe["points"]), _reasons(recipe, names)
        )
    table.add_section()
    table.add_row(Text("total", style="bold"), Text(str(report["total"]), style="bold"), "")
    return table


def _reasons(line: Json, names: Mapping[str, str]) -> str:
    """The sets that earned the points, a line each, then what a house rule would make of it."""
    if line.get("points") is None:
        return line.get("note") or "needs the neighbors' boards: score a table file"
    sets = [f"{_tiles(entry['tiles'], names)} = {entry['points']}" for entry in line.get("sets", ())]
    readings = [f"with {_house_rule(entry)}: {entry['points']}" for entry in line.get("readings", ())]
    return "\n".join([*sets, *readings, *filter(None, [line.get("note")])])


def _house_rule(reading: Json) -> str:
    """A house rule as it is given on the command line."""
    value = reading.get("value", True)
    return reading["house_rule"] if value is True else f"{reading['house_rule']}={str(value).lower()}"


def _check_text(check: Json, names: Mapping[str, str]) -> Text:
    status = check["status"]
    label = "violation" if status == "violation" else "check by hand"
    return Text(f"{label}: {_check_sentence(check, names)}", style=_STYLE.get(status, ""))


def _check_sentence(check: Json, names: Mapping[str, str]) -> str:
    """Which tiles, the rule they are held against, and what was found."""
    tiles = _tiles(check["tiles"], names) if check.get("tiles") else ""
    rule = _RULES.get(check["id"])
    found = check.get("note") or f"{check['value']:g}, limit {check['limit']:g}"
    if rule is not None:
        return f"{tiles} {rule}: {found}."
    return f"{found} ({tiles})." if tiles else f"{found}."


def _question_lines(questions: Sequence[Json], names: Mapping[str, str]) -> list[Text]:
    """The questions whose answer changes points, or cannot be weighed; the others are counted."""
    telling = [q for q in questions if q.get("points_at_stake") != 0 or not q.get("alternatives")]
    lines = [_question_text(question, names) for question in telling]
    if quiet := len(questions) - len(telling):
        lines.append(Text(f"{quiet} more, whose answers alone change no points (--json lists them)."))
    return lines


def _question_text(question: Json, names: Mapping[str, str]) -> Text:
    stake = question.get("points_at_stake")
    at_stake = "" if stake is None else f" Points at stake: {stake}."
    of_tiles = f" of {_tiles(question['tiles'], names)}" if question.get("tiles") else ""
    return Text(f"{_words(question['about'])}{of_tiles}: {question.get('why', '')}.{at_stake}", style="yellow")


def _total_text(report: Json) -> Text:
    total = report["total"]
    text = Text(f"Total: {total}", style="bold green")
    low, high = report.get("total_range") or (total, total)
    if (low, high) != (total, total):
        text.append(f"  (between {low} and {high}, depending on the questions)", style="not bold yellow")
    legal = report.get("total_without_illegal")
    if legal is not None and legal != total:
        text.append(f"  (without the illegal tiles: {legal})", style="not bold red")
    markers = report.get("markers")
    if markers:
        text.append(f"  (marker: {', '.join(markers)})", style="not bold")
    return text


def _placed(table_report: Json) -> Iterable[tuple[int, tuple[str, int]]]:
    """The ranking with places from 1: those of the report, as a game may break ties."""
    ranking, places = table_report.get("ranking", ()), table_report.get("places")
    return _places(ranking) if places is None else zip(places, ranking, strict=True)


def _places(ranking: Iterable[tuple[str, int]]) -> Iterable[tuple[int, tuple[str, int]]]:
    """Places from 1; equal points share a place."""
    place, last = 0, None
    for count, (player, points) in enumerate(ranking, start=1):
        if points != last:
            place, last = count, points
        yield place, (player, points)


def _print_lines(console: Console, heading: str, lines: Iterable[Text]) -> None:
    lines = list(lines)
    if lines:
        console.print(Text(f"{heading}:"))
    for line in lines:
        console.print(Text("  ").append_text(line), soft_wrap=True)


def _tile_names(board: Json) -> dict[str, str]:
    return {tile["id"]: f"{_words(tile['kind'])} {tile['id']}" for tile in board.get("tiles", ())}


def _tiles(ids: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(tile, tile) for tile in ids) or "none"


def _words(identifier: str) -> str:
    return identifier.replace("_", " ")


def _points(points: int | None) -> str:
    return "-" if points is None else str(points)
