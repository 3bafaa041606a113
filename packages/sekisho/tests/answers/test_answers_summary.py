"""The text of answer cases: exact lines in both languages, harmless whatever a case says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sekisho import Answer, AnswerCase, KnownIssue, run_all, summarize
from sekisho.core.errors import RetrievalError

CASES = [
    AnswerCase(id="half-day", question="午前休は何時まで？", expect_source=("vacation.md",), expect_text=("12時",)),
    AnswerCase(id="salary", question="月給は？", forbid=("20万円",)),
    AnswerCase(id="food", question="好物は？", expect_not_found=True, known_issue=KnownIssue(reason="近く見える")),
    AnswerCase(
        id="old", question="何時？", expect_text=("12時",), known_issue=KnownIssue(reason="r", link="tracker/7")
    ),
    AnswerCase(id="down", question="down", expect_text=("12時",)),
]


def answer(question: str, _departments: list[str]) -> Answer:
    """Leak the salary, and be down once."""
    if question == "down":
        raise ConnectionError
    return Answer(f"{'２０万円' if '月給' in question else '12時'}です", ("vacation.md",), found=True, contexts=())


def test_the_japanese_summary_reads_like_this() -> None:
    """A line a case, each failure and each reason below it, the totals, the three viewpoints."""
    text = summarize(run_all(CASES, answer), lang="ja")

    assert text.splitlines() == [
        "OK   half-day: 午前休は何時まで？",
        "NG   salary: 月給は？",
        "  - 出てはいけない「20万円」が回答に含まれています（表記は「２０万円」）。",
        "既知 food: 好物は？",
        "  - 「見つからない」と答えるべき質問に回答しました。引用した出典: vacation.md",
        "  - 既知の不具合: 近く見える",
        "解消 old: 何時？",
        "  - 既知の不具合: r（tracker/7）",
        "  - 合格しました。既知の不具合の記載を消してください。",
        "測定不能 down: down",
        "  - 測定できませんでした: ConnectionError",
        "合計 5件: 合格 2 / 既知の不具合 1 / 新たな不合格 1 / 解消 1 / 測定できず 1",
        "答えるべきことに答える 2/3 · 断るべきことを断る 0/1 · 見せてはいけないものを見せない 0/1",
    ]


def test_the_english_summary_reads_like_this() -> None:
    """The same in English."""
    text = summarize(run_all(CASES, answer))

    assert [line for line in text.splitlines() if not line.startswith(" ")] == [
        "OK   half-day: 午前休は何時まで？",
        "FAIL salary: 月給は？",
        "KNOWN food: 好物は？",
        "FIXED old: 何時？",
        "ERROR down: down",
        "5 cases: 2 passed / 1 known / 1 new failures / 1 fixed / 1 not measured",
        "answers what it should 2/3 · refuses what it should 0/1 · shows nothing it must not 0/1",
    ]


def test_an_issue_that_excuses_too_little_names_the_codes() -> None:
    """Those of its table that are not excusable are among them."""
    issue = KnownIssue(reason="r", failures=("missing_text",))
    case = AnswerCase(id="a", question="月給は？", expect_source=("b.md",), forbid=("20万円",), known_issue=issue)

    text = summarize(run_all([case], answer), lang="ja")

    assert "  - 既知の不具合として認めていない不合格があります: missing_source, forbidden_text" in text


@pytest.mark.parametrize("path", ["cases.json", Path("cases.json")])
def test_a_path_in_place_of_cases_is_told_how_to_read_it(path: Any) -> None:  # noqa: ANN401  the slip itself
    """A text would be taken for a list of letters."""
    with pytest.raises(RetrievalError, match=r"run_all\(load_cases\('cases.json'\), target\)"):
        run_all(path, answer)


def test_hostile_text_cannot_steer_a_terminal() -> None:
    """Escapes in ids, questions, sources and answers are shown, not obeyed."""
    evil = "\x1b[2J\u202e[red]{0.__class__}"
    cases = [AnswerCase(id=f"id{evil}", question=f"q{evil}\nline", forbid=("x",), expect_source=(evil,))]

    text = summarize(run_all(cases, lambda _q, _d: Answer(f"x{evil}", ("s\x1b",), found=True, contexts=())))

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "{0.__class__}" in text
    assert len(text.splitlines()) == 5
