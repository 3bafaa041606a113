"""What is accepted in a file of cases, in every format, and the lines that reports name."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import sys
import zipfile
from typing import TYPE_CHECKING

import openpyxl
import pytest

from sekisho.adapters.case_files import check_case_file, load_cases, read_case_file
from sekisho.adapters.case_files.rows import join_cell, split_cell
from sekisho.core.answers import AnswerCase, KnownIssue
from sekisho.core.errors import InputFileError, Location, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

FULL = {
    "id": "出張 1", "question": "日当は?", "departments": ("sales", "hr"), "expect_source": ("travel.pdf p.2",),
    "expect_text": ("2,500円", "20"), "forbid": ("役員",), "tags": ("travel",),
    "known_issue": KnownIssue(
        reason="遅い", suites=("policies",), failures=("missing_text", "not_found"), until=dt.date(2026, 12, 31),
        link="x/1",
    ),
}  # fmt: skip
NOTHING = {"id": "no", "question": "天気は?", "expect_not_found": True, "known_issue": KnownIssue(reason="未対応")}
TEXTS = {
    "cases.json": """{"$schema": "cases.schema.json", "cases": [
  {"id": "出張 1", "question": "日当は?", "departments": ["sales", "hr"], "expect_source": "travel.pdf p.2",
   "expect_text": ["2,500円", "20"], "forbid": "役員", "tags": "travel", "known_issue": {"reason": "遅い",
   "suites": "policies", "failures": ["missing_text", "not_found"], "until": "2026-12-31", "link": "x/1"}},

  {"id": "no", "question": "天気は?", "expect_not_found": true, "known_issue": "未対応"}
]}
""",
    "cases.jsonl": '{"id": "出張 1", "question": "日当は?", "departments": ["sales", "hr"], '
    '"expect_source": "travel.pdf p.2", "expect_text": ["2,500円", "20"], "forbid": "役員", "tags": "travel", '
    '"known_issue": {"reason": "遅い", "suites": "policies", "failures": ["missing_text", "not_found"], '
    '"until": "2026-12-31", "link": "x/1"}}\n\n'
    '{"id": "no", "question": "天気は?", "expect_not_found": true, "known_issue": "未対応"}\n',
    "cases.toml": """# 一覧
[[case]]
id = "出張 1"
question = '''日当は?'''
departments = ["sales", "hr"]
expect_source = "travel.pdf p.2"
expect_text = ["2,500円",
  "20"]  # [[case]]
forbid = "役員"
tags = "travel"
[case.known_issue]
reason = "遅い"
suites = "policies"
failures = ["missing_text", "not_found"]
until = 2026-12-31
link = "x/1"

[[ case ]]
id = "no"
question = "天気は?"
expect_not_found = true
known_issue = "未対応"
""",
    "cases.csv": "\ufeffid,question,departments,expect_source,expect_text,forbid,tags,known_issue,"
    """known_issue.suites,known_issue.failures,known_issue.until,known_issue.link,expect_not_found
出張 1,日当は?,sales | hr,travel.pdf p.2,"2,500円
20",役員,travel,遅い,policies,missing_text|not_found,2026-12-31,x/1,

no,天気は?,,,,,,未対応,,,,,TRUE
""",
    "cases.yaml": """# 一覧
- id: 出張 1
  question: 日当は?
  departments: [sales, hr]
  expect_source: travel.pdf p.2
  expect_text:
    - 2,500円
    - 20
  forbid: 役員
  tags: travel
  known_issue: {reason: 遅い, suites: policies, failures: [missing_text, not_found], until: 2026-12-31, link: x/1}

- id: no
  question: 天気は?
  expect_not_found: true
  known_issue: 未対応
""",
}  # fmt: skip
TWO_LINES = '{"id": "a", "question": "Q?", "forbid": "x"}\n{"id": "b", "question": "Q?", "forbid": "x"}\n'
LINES = {"cases.json": (2, 6), "cases.jsonl": (1, 3), "cases.toml": (2, 18), "cases.csv": (2, 5), "cases.yaml": (2, 13)}


def workbook(rows: list[list[object]], *others: list[list[object]]) -> bytes:
    """Return an Excel file with these rows, and further worksheets."""
    book = openpyxl.Workbook()
    for number, content in enumerate([rows, *others]):
        sheet = book.active if number == 0 else book.create_sheet()
        for row in content:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("name", TEXTS)
def test_every_format_says_the_same(write: Write, name: str) -> None:
    """All keys, a single text for a list, a known issue as text and with its limits; each with its line."""
    path = write(name, TEXTS[name])

    cases = load_cases(path)

    first, second = (Location(str(path), line) for line in LINES[name])
    assert cases == (AnswerCase(**FULL, where=first), AnswerCase(**NOTHING, where=second))


def test_a_workbook_says_the_same(write: Write) -> None:
    """Numbers are the text that shows, a date is a date, and empty rows do not count as cases."""
    header = ["id", "question", "departments", "expect_source", "expect_text", "forbid", "tags", "known_issue",
              "known_issue.suites", "known_issue.failures", "known_issue.until", "known_issue.link",
              "expect_not_found"]  # fmt: skip
    full = ["出張 1", "日当は?", "sales\nhr", "travel.pdf p.2", "2,500円|20", "役員", "travel", "遅い", "policies",
            "missing_text|not_found", dt.datetime(2026, 12, 31), "x/1"]  # fmt: skip  # noqa: DTZ001  as Excel has it
    nothing = ["no", "天気は?", None, None, None, None, None, "未対応", None, None, None, None, True]
    path = write("cases.xlsx", workbook([header, full, [], nothing]))

    cases = load_cases(path)

    first, second = (Location(str(path), line) for line in (2, 4))
    assert cases == (AnswerCase(**FULL, where=first), AnswerCase(**NOTHING, where=second))


def test_numbers_of_a_workbook_are_the_text_that_shows(write: Write) -> None:
    """20 and 20.0 are 20, and 2.5 is 2.5."""
    path = write("cases.xlsx", workbook([["id", "question", "expect_text"], [1, 20.0, 2.5], [2, "a", 20]]))

    cases = load_cases(path)

    assert [(case.id, case.question, case.expect_text) for case in cases] == [
        ("1", "20", ("2.5",)),
        ("2", "a", ("20",)),
    ]


def test_yaml_keeps_what_people_mean(write: Write) -> None:
    """YAML 1.2: no is a word and 12:30 a time of day; digits stay as they are typed."""
    path = write("cases.yaml", "cases:\n  - {id: 007, question: no, expect_text: [12:30, 1.50, on, 2026-01-02]}\n")

    cases = load_cases(path)

    assert (cases[0].id, cases[0].question) == ("007", "no")
    assert cases[0].expect_text == ("12:30", "1.50", "on", "2026-01-02")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_tables_of_every_spreadsheet_are_read(write: Write, separator: str, line_break: str, mark: str) -> None:
    """Commas, semicolons or tabs; with and without byte order mark."""
    rows = [["id", "question", "forbid"], ["a", "Q?", "x|y"], ["b", "R?", '"x' + line_break + 'z"']]
    path = write("cases.csv", mark + "".join(separator.join(row) + line_break for row in rows))

    cases = load_cases(path)

    assert [(case.id, case.forbid, case.where and case.where.line) for case in cases] == [
        ("a", ("x", "y"), 2), ("b", ("x", "z"), 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("cases", '[{"id": "a", "question": "Q?", "forbid": "x"}]', "json"),
        ("cases", TWO_LINES, "lines"),
        ("cases.json", TWO_LINES, "lines"),
        ("cases.jsonl", '[{"id": "a", "question": "Q?", "forbid": "x"}]', "json"),
        ("cases.jsonl", '{"id": "a", "question": "Q?", "forbid": "x"}', "lines"),
        ("cases", '# x\n[[case]]\nid="a"\nquestion="Q"\nforbid="x"\n', "toml"),
        ("cases.TOML", '[[cases]]\nid="a"\nquestion="Q"\nforbid="x"\n', "toml"),
        ("cases.yml", '[{"id": "a", "question": "Q?", "forbid": "x"}]', "yaml"),
        ("cases.json", "\ufeff" + '[{"id": "a", "question": "Q?", "forbid": "x"}]', "json"),
    ],
)  # fmt: skip
def test_the_content_tells_the_format_where_the_ending_leaves_a_doubt(
    write: Write, name: str, content: str, kind: str
) -> None:
    """JSON Lines called .json are JSON Lines."""
    path = write(name, content)

    assert read_case_file(path).format == kind


def test_what_an_input_method_types_in_full_width_is_read_in_a_table(write: Write) -> None:
    """A wide bar separates, and a wide truth value is one; a text with a wide bar alone survives being written."""
    path = write("cases.csv", "id,question,forbid,expect_not_found\na,Q?,x｜y | z,ＴＲＵＥ\nb,R?,x,Ｆａｌｓｅ\n")

    cases = load_cases(path)

    assert [(case.forbid, case.expect_not_found) for case in cases] == [(("x", "y", "z"), True), (("x",), False)]
    assert [split_cell(join_cell([text]) or "") for text in ("x｜y", "x|y")] == [["x｜y"], ["x|y"]]


@pytest.mark.parametrize("day", ["2027-03-01", "2027/3/1", "2027.3.1", "２０２７/０３/０１", "2027年3月1日"])
def test_a_day_is_read_as_a_spreadsheet_saves_it(write: Write, day: str) -> None:
    """Excel turns 2027-03-01 into 2027/3/1, whatever one types."""
    path = write("cases.csv", f"id,question,forbid,known_issue,known_issue.until\na,Q?,x,late,{day}\n")

    issue = load_cases(path)[0].known_issue

    assert issue is not None
    assert issue.until == dt.date(2027, 3, 1)


def test_merged_cells_are_refused_where_they_show_a_text(write: Write) -> None:
    """The second row seems to hold the department of the first, and holds none."""
    book = openpyxl.Workbook()
    for row in (["id", "question", "departments", "forbid"], ["a", "Q?", "hr", "x"], ["b", "R?", None, "x"]):
        book.active.append(row)
    for cells in ("C2:C3", "F1:G1"):
        book.active.merge_cells(cells)
    buffer = io.BytesIO()
    book.save(buffer)
    path = write("cases.xlsx", buffer.getvalue())

    problems = check_case_file(path).problems

    assert [(problem.code, problem.where) for problem in problems] == [("cases.xlsx_merged", (str(path), 2, 3))]
    assert "C2:C3" in str(problems[0])


@pytest.mark.parametrize("value", [dt.datetime(2027, 3, 31), dt.time(12)])  # noqa: DTZ001  Excel knows no time zones
def test_a_date_where_a_text_belongs_is_refused_with_what_to_do(write: Write, value: object) -> None:
    """Excel makes one of 3/31 and of 12:00."""
    path = write("cases.xlsx", workbook([["id", "question", "expect_text"], ["a", "Q?", value]]))

    assert [(problem.code, problem.where) for problem in check_case_file(path).problems] == [
        ("cases.date_in_cell", (str(path), 2, 3))
    ]


def test_a_workbook_is_known_whatever_it_is_called(write: Write) -> None:
    """People rename files; and a packed file is unpacked."""
    content = workbook([["id", "question", "forbid"], ["a", "Q?", "x"]])
    named, packed = (
        write("cases.csv", content),
        write("c.json", gzip.compress(b'[{"id":"a","question":"Q","forbid":"x"}]')),
    )

    assert read_case_file(named).format == "xlsx"
    assert load_cases(packed)[0].id == "a"


def test_a_workbook_whose_cells_mislead_is_refused_cell_by_cell(write: Write) -> None:
    """Formulas, errors and percentages show something other than they hold."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["id", "question", "forbid", "tags"], ["a", '=CONCATENATE("a", "b")', 0.2, "#N/A"]):
        sheet.append(row)
    sheet["C2"].number_format = "0%"
    buffer = io.BytesIO()
    book.save(buffer)
    path = write("cases.xlsx", buffer.getvalue())

    problems = check_case_file(path).problems

    assert [(problem.code, problem.where) for problem in problems] == [
        ("cases.no_question_cell", (str(path), 2, None)),
        ("cases.xlsx_formula", (str(path), 2, 2)),
        ("cases.xlsx_percent", (str(path), 2, 3)),
        ("cases.xlsx_error", (str(path), 2, 4)),
    ]


def test_cases_in_a_second_worksheet_are_not_passed_over(write: Write) -> None:
    """They would be cases that nobody runs."""
    rows: list[list[object]] = [["id", "question", "forbid"], ["a", "Q?", "x"]]
    path = write("cases.xlsx", workbook(rows, rows))

    assert [problem.code for problem in check_case_file(path).problems] == ["cases.xlsx_two_sheets"]


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(write: Write) -> None:
    """Before it fills the memory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("xl/workbook.xml", "w") as file:
        for _ in range(70):
            file.write(bytes(1 << 20))
    path = write("cases.xlsx", buffer.getvalue())

    with pytest.raises(InputFileError) as caught:
        load_cases(path)

    assert caught.value.code == "cases.xlsx_bomb"


@pytest.mark.parametrize(
    ("needed", "file"),
    [
        (("ruamel.yaml", "yaml"), ("cases.yaml", TEXTS["cases.yaml"])),
        (("openpyxl", "xlsx"), ("cases.xlsx", workbook([["id", "question", "forbid"], ["a", "Q?", "x"]]))),
    ],
)
def test_a_missing_extra_is_named(
    write: Write, monkeypatch: pytest.MonkeyPatch, needed: tuple[str, str], file: tuple[str, str | bytes]
) -> None:
    """With the command that installs it."""
    module, extra = needed
    monkeypatch.setitem(sys.modules, module, None)
    path = write(*file)

    with pytest.raises(MissingExtraError, match=rf"sekisho\[{extra}\]"):
        load_cases(path)
