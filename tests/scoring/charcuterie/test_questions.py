from __future__ import annotations

import json

import pytest

from scoring import CorrectionError, Question, ScoreOptions, score
from scoring.charcuterie.corrections import RemoveTile, SetContact, SetKind
from scoring.charcuterie.questions import question_from_json
from tests.builders import board, row, table

PAIRS = ScoreOptions(objectives=("veggie_cheese_pairs",))


def apart(a: str, b: str) -> Question:
    return Question("contact", (a, b), "gap 0.2 mm", ((SetContact(a, b, touching=False),),))


def test_a_question_carries_the_points_at_stake() -> None:
    report = score(row("swiss tomato"), PAIRS, [apart("t0", "t1")]).to_json()
    (question,) = report["questions"]
    assert (question["about"], question["tiles"], question["why"]) == ("contact", ["t0", "t1"], "gap 0.2 mm")
    assert question["points_at_stake"] == 4
    assert report["total_range"] == [0, 4]


def test_questions_with_most_at_stake_come_first() -> None:
    thing = board("swiss tomato salami", touching="0-1 0-2")
    report = score(thing, PAIRS, [apart("t0", "t2"), apart("t0", "t1")])
    assert [item.to_json()["points_at_stake"] for item in report.questions] == [4, 0]


def test_two_answers_that_matter_only_together_widen_the_range() -> None:
    thing = board("swiss tomato carrots", touching="0-1 0-2")
    report = score(thing, PAIRS, [apart("t0", "t1"), apart("t0", "t2")])
    assert [item.to_json()["points_at_stake"] for item in report.questions] == [0, 0]
    assert report.total_range == (0, 4)


def test_answers_that_exclude_each_other_are_not_combined() -> None:
    gone = Question("tile", ("t0",), "may be a crumb", ((RemoveTile("t0"),),))
    other = Question("kind", ("t0",), "swiss or orange", ((SetKind("t0", "orange"),), (SetKind("t0", "bleu"),)))
    assert score(row("swiss tomato"), PAIRS, [gone, other]).total_range == (0, 4)


def test_many_questions_add_up_their_own_changes() -> None:
    thing = board("swiss tomato " * 10, touching=" ".join(f"{i}-{i + 1}" for i in range(0, 20, 2)))
    report = score(thing, PAIRS, [apart(f"t{i}", f"t{i + 1}") for i in range(0, 20, 2)])
    assert (report.total, report.total_range) == (40, (0, 40))


def test_without_questions_the_range_is_the_total() -> None:
    assert score(row("swiss tomato"), PAIRS).total_range == (4, 4)


def test_a_question_without_alternatives_has_nothing_at_stake() -> None:
    report = score(board(), PAIRS, [Question("count", (), "23 tiles where 24 are expected")])
    assert report.to_json()["questions"][0]["points_at_stake"] == 0


def test_a_question_about_one_player_leaves_the_others_alone() -> None:
    question = Question("tile", ("t0",), "crumb?", ((RemoveTile("t0"),),), player="P0")
    report = score(table(row("swiss tomato"), board()), PAIRS, [question])
    assert [found.total_range for found in report.boards] == [(0, 4), (0, 0)]


def test_a_question_goes_through_json_unchanged() -> None:
    question = Question("contact", ("a", "b"), "gap", ((SetContact("a", "b"), RemoveTile("b")), ()), player="Ana")
    assert question_from_json(json.loads(json.dumps(question.to_json()))) == question


def test_a_question_about_a_tile_that_is_not_there_is_refused() -> None:
    with pytest.raises(CorrectionError):
        score(board(), PAIRS, [apart("t0", "t1")])
