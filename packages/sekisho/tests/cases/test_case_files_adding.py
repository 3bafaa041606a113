"""Adding a case leaves every other byte of a file alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.case_files import load_cases
from sekisho.adapters.case_files.adding import add_case, open_for_adding
from sekisho.adapters.case_files.proposing import proposed_id
from sekisho.core.answers import AnswerCase, KnownIssue
from sekisho.core.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

NEW = AnswerCase(id="新 1", question="日当は?", expect_text=("2,500円", "a|b"), forbid=("役員: x",))
NEW_JSON = '"id": "新 1", "question": "日当は?", "expect_text": ["2,500円", "a|b"], "forbid": ["役員: x"]'
OLD = '{"id": "a",  "question":"Q?", "forbid": ["x" , "y"]}'
FILES = {
    "one line": ("c.json", f"[{OLD}]", f"[{OLD}, {{{NEW_JSON}}}]"),
    "a case a line": ("c.json", f"[\n  {OLD}\n]\n", f"[\n  {OLD},\n  {{{NEW_JSON}}}\n]\n"),
    "a key a line": (
        "c.json",
        '[\n\t{\n\t\t"id": "a", "question": "Q?",\n\t\t"forbid": "x"\n\t}\n]',
        '[\n\t{\n\t\t"id": "a", "question": "Q?",\n\t\t"forbid": "x"\n\t},\n\t{\n\t\t'
        + NEW_JSON.replace(', "q', ',\n\t\t"q').replace(', "e', ',\n\t\t"e').replace(', "f', ',\n\t\t"f')
        + "\n\t}\n]",
    ),
    "under cases": (
        "c.json",
        f'\ufeff{{"cases": [\r\n    {OLD}\r\n  ],\r\n "$schema": "[x]"}}\r\n',
        f'\ufeff{{"cases": [\r\n    {OLD},\r\n    {{{NEW_JSON}}}\r\n  ],\r\n "$schema": "[x]"}}\r\n',
    ),
    "JSON Lines": ("c.jsonl", f"{OLD}\n\n", f"{OLD}\n\n{{{NEW_JSON}}}\n"),
    "JSON Lines without a last line break": ("c.jsonl", f"{OLD}", f"{OLD}\n{{{NEW_JSON}}}\n"),
    "TOML": (
        "c.toml",
        '# first\n[[cases]]\nid = "a"   # x\nquestion = "Q?"\nforbid = "x"\n[cases.known_issue]\nreason = "r"',
        ('# first\n[[cases]]\nid = "a"   # x\nquestion = "Q?"\nforbid = "x"\n[cases.known_issue]\nreason = "r"\n'
        '\n[[cases]]\nid = "新 1"\nquestion = "日当は?"\nexpect_text = ["2,500円", "a|b"]\nforbid = ["役員: x"]\n'),
    ),
    "CSV": (
        "c.csv",
        '\ufefftags,id,question,expect_text,forbid\r\nt,a,"Q\n?",,x\r\n',
        '\ufefftags,id,question,expect_text,forbid\r\nt,a,"Q\n?",,x\r\n,新 1,日当は?,"2,500円\na|b",役員: x\r\n',
    ),
    "CSV with semicolons": (
        "c.csv",
        "id;question;expect_text;forbid\na;Q?;;x",
        'id;question;expect_text;forbid\na;Q?;;x\n新 1;日当は?;"2,500円\na|b";役員: x\n',
    ),
    "YAML": (
        "c.yaml",
        "# first\n- id: a   # x\n  question: Q?\n  forbid: [x]\n# last\n",
        ('# first\n- id: a   # x\n  question: Q?\n  forbid: [x]\n# last\n- id: "新 1"\n  question: "日当は?"\n'
        '  expect_text: ["2,500円", "a|b"]\n  forbid: ["役員: x"]\n'),
    ),
    "YAML under cases": (
        "c.yaml",
        "cases:\n  -   id: a\n      question: Q?\n      forbid:\n      - x",
        ('cases:\n  -   id: a\n      question: Q?\n      forbid:\n      - x\n  -   id: "新 1"\n      question: '
        '"日当は?"\n      expect_text: ["2,500円", "a|b"]\n      forbid: ["役員: x"]\n'),
    ),
    "an empty list": ("c.jsonl", "[]\n", f"{{{NEW_JSON}}}\n"),
    "an empty file": (
        "c.toml",
        "",
        '[[case]]\nid = "新 1"\nquestion = "日当は?"\nexpect_text = ["2,500円", "a|b"]\nforbid = ["役員: x"]\n',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_only_the_new_case_is_new(write: Write, name: str) -> None:
    """Order, indentation, comments, byte order mark and line breaks stay as they are."""
    file, before, after = FILES[name]
    path = write(file, before)

    add_case(open_for_adding(path), NEW)

    assert path.read_bytes().decode() == after
    assert load_cases(path)[-1].id == NEW.id


def test_a_row_is_added_to_a_workbook(tmp_path: Path) -> None:
    """A workbook that is not there yet is made; a second case is its next row."""
    path = tmp_path / "c.xlsx"

    add_case(open_for_adding(path), NEW)
    add_case(open_for_adding(path), AnswerCase(id="b", question="=1+1", forbid=("20",)))

    assert [(case.id, case.question, case.where and case.where.line) for case in load_cases(path)] == [
        ("新 1", "日当は?", 2), ("b", "=1+1", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("c.csv", "id,question,forbid\na,Q?,x\n", "column_needed"),
        ("c.yaml", f"[{OLD}]\n", "add_form"),
        ("c.yaml", "- id: a\n  question: Q?\n  forbid: x\n...\n", "add_form"),
        ("c.json", "[5]", "not_a_case"),
        ("c.json", "[{}]", "no_id"),
    ],
)
def test_a_case_that_cannot_be_added_leaves_the_file_as_it_is(write: Write, name: str, content: str, code: str) -> None:
    """With the reason."""
    path = write(name, content)

    with pytest.raises(InputFileError) as caught:
        add_case(open_for_adding(path), NEW)

    assert caught.value.code == f"cases.{code}"
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("before", [f"[{OLD}]", None])
def test_a_file_that_changes_meanwhile_is_not_written(tmp_path: Path, before: str | None) -> None:
    """What somebody else wrote is not lost."""
    path = tmp_path / "c.json"
    if before is not None:
        path.write_text(before, encoding="utf-8")
    opened = open_for_adding(path)
    path.write_text("theirs", encoding="utf-8")

    with pytest.raises(InputFileError) as caught:
        add_case(opened, NEW)

    assert caught.value.code == "cases.add_changed"
    assert path.read_text(encoding="utf-8") == "theirs"


def test_a_link_stays_a_link(write: Write, tmp_path: Path) -> None:
    """The file behind it gets the case."""
    path = write("c.json", f"[{OLD}]")
    link = tmp_path / "link.json"
    link.symlink_to(path)

    add_case(open_for_adding(link), NEW)

    assert link.is_symlink()
    assert len(load_cases(path)) == 2


@pytest.mark.parametrize(
    ("question", "ids", "proposed"),
    [
        ("Q?", ["q-08", "q-9", "x"], "q"),
        ("Q?", ["x", "q-08", "q-09"], "q-10"),
        ("Q?", ["q9", "a3"], "a4"),
        ("May I fly business class to Osaka?", [], "may-i-fly-business"),
        ("May I fly business class?", ["may-i-fly-business"], "may-i-fly-business-2"),
        ("日当は?", [], "case-001"),
        ("日当は?", ["case-002", "x"], "case-003"),
    ],
)
def test_an_id_is_proposed(question: str, ids: list[str], proposed: str) -> None:
    """The next number where the last case has one, else words of the question."""
    cases = [AnswerCase(id=case_id, question="Q?") for case_id in ids]

    assert proposed_id(question, cases) == proposed


def test_limits_of_a_known_issue_are_written(tmp_path: Path) -> None:
    """They come back as they were."""
    path = tmp_path / "c.toml"
    issue = KnownIssue(reason="r", suites=("s",), failures=("not_found",), link="l")

    add_case(open_for_adding(path), AnswerCase(id="a", question="Q?", forbid=("x",), known_issue=issue))

    assert load_cases(path)[0].known_issue == issue
