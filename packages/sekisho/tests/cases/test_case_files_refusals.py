"""What is refused in a file of cases: with code, line and column, and all of it at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.case_files import check_case_file, load_cases
from sekisho.core.errors import InputFileError, SekishoError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

OK = '"id": "a", "question": "Q?", "forbid": "x"'
CASES: dict[str, tuple[str, str, int, int]] = {
    "unknown key": ('{"id": "a", "question": "Q?",\n "forbit": "x", "forbid": "x"}', "unknown_key_meant", 2, 2),
    "a key in Japanese": ('{"id": "a",\n "質問": "Q?", "forbid": "x"}', "unknown_key_meant", 2, 2),
    "a key of nothing": ('{"zzzzz": 1, ' + OK + "}", "unknown_key", 1, 3),
    "no id": ('{"question": "Q?", "forbid": "x"}', "no_id", 1, 2),
    "an empty id": ('{"id": "", "question": "Q?", "forbid": "x"}', "empty_value", 1, 3),
    "a blank id": ('{"id": " \u3000", "question": "Q?", "forbid": "x"}', "empty_value", 1, 3),
    "a control character in an id": ('{"id": "a\\u001b[2J", "question": "Q?", "forbid": "x"}', "id_control", 1, 3),
    "a direction mark in an id": ('{"id": "a\u202eb", "question": "Q?", "forbid": "x"}', "id_control", 1, 3),
    "a blank beside an id": ('{"id": "a ", "question": "Q?", "forbid": "x"}', "id_edges", 1, 3),
    "a number for an id": ('{"id": 1, "question": "Q?", "forbid": "x"}', "number_for_text", 1, 3),
    "NaN for an id": ('{"id": NaN, "question": "Q?", "forbid": "x"}', "number_for_text", 1, 3),
    "a list for an id": ('{"id": ["a"], "question": "Q?", "forbid": "x"}', "not_text", 1, 3),
    "no question": ('{"id": "a", "forbid": "x"}', "no_question", 1, 2),
    "an empty question": ('{"id": "a", "question": "", "forbid": "x"}', "empty_value", 1, 14),
    "no expectation": ('{"id": "a", "question": "Q?"}', "no_expectation", 1, 2),
    "an empty list alone": ('{"id": "a", "question": "Q?", "forbid": []}', "no_expectation", 1, 2),
    "a false flag alone": ('{"id": "a", "question": "Q?", "expect_not_found": false}', "no_expectation", 1, 2),
    "nothing and a text": (
        '{"id": "a", "question": "Q?", "expect_not_found": true,\n "expect_text": "x"}', "contradiction", 2, 2,
    ),
    "nothing and a source": (
        '{"id": "a", "question": "Q?", "expect_not_found": true,\n "expect_source": "x"}', "contradiction", 2, 2,
    ),
    "an empty text": ('{"id": "a", "question": "Q?", "forbid": ["x",\n ""]}', "empty_text", 2, 2),
    "a text of nothing visible": ('{"id": "a", "question": "Q?", "forbid": ["\u200b\u00ad"]}', "empty_text", 1, 43),
    "a list in a list": ('{"id": "a", "question": "Q?", "forbid": ["x", ["y"]]}', "list_in_list", 1, 48),
    "a number in a list": ('{"id": "a", "question": "Q?", "forbid": ["x",\n 20]}', "number_for_text", 2, 2),
    "null": ('{"id": "a", "question": "Q?", "forbid": null}', "no_value", 1, 32),
    "a mapping for texts": ('{"id": "a", "question": "Q?", "forbid": {}}', "not_texts", 1, 32),
    "an empty department": ('{"departments": "", ' + OK + "}", "empty_value", 1, 3),
    "a number for a tag": ('{"tags": [1], ' + OK + "}", "number_for_text", 1, 12),
    "a text for a truth value": ('{"expect_not_found": "true", ' + OK + "}", "not_bool", 1, 3),
    "an empty known issue": ('{"known_issue": "", ' + OK + "}", "empty_value", 1, 3),
    "a known issue that is true": ('{"known_issue": true, ' + OK + "}", "not_text", 1, 3),
    "a known issue without reason": ('{"known_issue": {}, ' + OK + "}", "no_reason", 1, 3),
    "an empty reason": ('{"known_issue": {"reason": " "}, ' + OK + "}", "empty_value", 1, 19),
    "an unknown key of an issue": (
        '{"known_issue": {"reason": "r", "untill": "2026-01-01"}, ' + OK + "}", "unknown_issue_key_meant", 1, 34,
    ),
    "a forbidden text excused": (
        '{"known_issue": {"reason": "r", "failures": ["not_found", "forbidden_text"]}, ' + OK + "}",
        "not_excusable", 1, 60,
    ),
    "an error excused": (
        '{"known_issue": {"reason": "r", "failures": "error"}, ' + OK + "}", "not_excusable", 1, 34,
    ),
    "an unknown failure": (
        '{"known_issue": {"reason": "r", "failures": ["missing_txt"]}, ' + OK + "}", "unknown_failure_meant", 1, 47,
    ),
    "no failure": ('{"known_issue": {"reason": "r", "failures": []}, ' + OK + "}", "empty_issue_list", 1, 34),
    "no suite": ('{"known_issue": {"reason": "r", "suites": []}, ' + OK + "}", "empty_issue_list", 1, 34),
    "no date": ('{"known_issue": {"reason": "r", "until": "tomorrow"}, ' + OK + "}", "not_a_date", 1, 34),
    "a date with slashes": ('{"known_issue": {"reason": "r", "until": "2026/01/01"}, ' + OK + "}", "not_a_date", 1, 34),
    "no date at all": ('{"known_issue": {"reason": "r", "until": null}, ' + OK + "}", "no_value", 1, 34),
    "a control character": ('{"id": "a", "question": "Q?", "forbid": ["x", "\\u001b$B"]}', "control", 1, 48),
    "no such day": ('{"known_issue": {"reason": "r", "until": "2026-02-30"}, ' + OK + "}", "not_a_date", 1, 34),
    "an empty link": ('{"known_issue": {"reason": "r", "link": ""}, ' + OK + "}", "empty_value", 1, 34),
    "half a character": ('{"id": "a", "question": "Q?", "forbid": ["\\ud800"]}', "surrogate", 1, 43),
    "a text for a case": ('"a"', "not_a_case", 1, 2),
    "a list for a case": ("[{" + OK + "}]", "list_for_case", 1, 2),
    "a key twice": ('{"id": "b",\n ' + OK + "}", "repeated_key", 2, 2),
    "a key twice inside": (
        '{"known_issue": {"reason": "r",\n "reason": "s"}, ' + OK + "}", "repeated_key", 2, 2,
    ),
}  # fmt: skip
JSON: dict[str, tuple[str, str, int, int]] = {
    "a comma too many in a list": ('[{"id": "a", "tags": ["x",]}]', "json_comma_too_many", 1, 26),
    "a comma too many in an object": ('[{"id": "a",\n}]', "json_comma_too_many", 1, 12),
    "a comma too many after a case": ("[{" + OK + "},\n]", "json_comma_too_many", 1, len(OK) + 4),
    "two commas": ('[{"id": "a",, "question": "b"}]', "json_comma_too_many", 1, 12),
    "a comma first": ("[,1]", "json_comma_too_many", 1, 2),
    "no comma between keys": ('[{"id": "a"\n "question": "b"}]', "json_comma_missing", 1, 12),
    "no comma between cases": ("[{" + OK + "}\n{}]", "json_comma_missing", 1, len(OK) + 4),
    "no colon": ('[{"id" "a"}]', "json_colon_missing", 1, 7),
    "an open text": ('[{"id": "a}]', "json_open_quote", 1, 9),
    "a text over two lines": ('[{"id": "a\nb"}]', "json_line_break", 1, 11),
    "a tab in a text": ('[{"id": "a\tb"}]', "json_control", 1, 11),
    "a path with backslashes": ('[{"id": "C:\\docs"}]', "json_escape", 1, 12),
    "a quotation mark inside": ('[{"id": "a "b" c"}]', "json_inner_quote", 1, 12),
    "single quotation marks": ("[{'id': 'a'}]", "json_quotes", 1, 3),
    "typographic quotation marks": ("[{“id”: “a”}]", "json_quotes", 1, 3),
    "a full-width comma": ('[{"id": "a"， "question": "b"}]', "json_wide_sign", 1, 12),
    "a full-width colon": ('[{"id"： "a"}]', "json_wide_sign", 1, 7),
    "a full-width blank": ('[\u3000{"id": "a"}]', "json_wide_blank", 1, 2),
    "a blank that breaks no line": ('[{"id":\u00a0"a"}]', "json_wide_blank", 1, 8),
    "a key without quotation marks": ('[{id: "a"}]', "json_word", 1, 3),
    "a value without quotation marks": ('[{"id": 質問}]', "json_word", 1, 9),
    "True": ('[{"expect_not_found": True}]', "json_spelling", 1, 23),
    "a comment": ('[\n// one\n{"id": "a"}]', "json_comment", 2, 1),
    "a bracket of the wrong kind": ('[{"id": "a"]', "json_bracket", 1, 12),
    "an open list": ("[{" + OK + "}\n", "json_not_closed", 1, len(OK) + 4),
    "text after the end": ("[{" + OK + "}]\n[]", "json_more", 2, 1),
    "one case": ("{\n" + OK + "}", "json_one_object", 1, 1),
    "another key": ('{"case": [{' + OK + "}]}", "unknown_top_key_meant", 1, 2),
    "cases twice": ('{"cases": [{' + OK + '}],\n"cases": []}', "repeated_key", 2, 1),
    "cases that are no list": ('{"cases": {}}', "not_a_list", 1, 11),
    "an empty object": ("{}", "no_case", 1, 1),
    "a number": ("5", "json_other", 1, 1),
    "deep nesting": ("[" * 100_000, "deep", 1, 1),
}
OTHERS: dict[str, tuple[str, str | bytes, str, int | None]] = {
    "an empty list": ("c.json", "[]", "no_case", None),
    "a case over several lines": ("c.jsonl", '{"id": "a",\n"question": "b"}\n', "lines_not_closed", 1),
    "two cases on a line": ("c.jsonl", "{" + OK + "} {" + OK + "}\n", "lines_more", 1),
    "a comma between lines": ("c.jsonl", "{" + OK + "},\n{" + OK + "}\n", "lines_more", 1),
    "a wrong second line": ("c.jsonl", "{" + OK + "}\n{'id'}\n", "json_quotes", 2),
    "deep JSON Lines": ("c.jsonl", "{" + OK + "}\n" + "[" * 100_000 + "\n", "deep", 2),
    "a key twice in JSON Lines": ("c.jsonl", '\n{"id": "b", ' + OK + "}\n", "repeated_key", 2),
    "no TOML": ("c.toml", "[[case]]\nid = \n", "toml_syntax", 2),
    "TOML cut short": ("c.toml", '[[case]]\nid = "', "toml_syntax", 2),
    "a key twice in TOML": ("c.toml", '[[case]]\nid = "a"\nid = "b"\n', "toml_repeated_key", 3),
    "one pair of brackets": ("c.toml", '\n[case]\nid = "a"\n', "toml_block", 2),
    "cases in a list of TOML": ("c.toml", 'case = [{id = "a"}]\n', "toml_block", 1),
    "another block": ("c.toml", '[[cas]]\nid = "a"\n', "toml_unknown_block_meant", 1),
    "both names": ("c.toml", '[[case]]\nid = "a"\n[[cases]]\nid = "b"\n', "toml_two_names", 3),
    "deep TOML": ("c.toml", "a = " + "[" * 100_000, "deep", 1),
    "a datetime": (
        "c.toml",
        '[[case]]\nid="a"\nquestion="q"\nforbid="x"\n[case.known_issue]\nreason="r"\nuntil=2026-01-01T00:00:00\n',
        "not_a_date", 7,
    ),
    "a column misspelt": ("c.csv", "id,question,forbit\na,Q?,x\n", "unknown_column_meant", 1),
    "a column in Japanese": ("c.csv", "id,質問,forbid\na,Q?,x\n", "unknown_column_meant", 1),
    "a column twice": ("c.csv", "id,question,forbid,forbid\na,Q?,x,y\n", "repeated_column", 1),
    "no column of ids": ("c.csv", "question,forbid\nQ?,x\n", "missing_column", 1),
    "a row too long": ("c.csv", "id,question,forbid\na,one, two,x\n", "row_too_long", 2),
    "an open quotation mark": ("c.csv", 'id,question,forbid\na,Q?,x\nb,"Q?,x\n', "csv_open_quote", 3),
    "a lonely quotation mark": ("c.csv", 'id,question,forbid\na,"Q" x,x\n', "csv_syntax", 2),
    "an empty cell of a question": ("c.csv", 'id,forbid,question\na,"x\ny",Q\nc,x,\n', "no_question_cell", 4),
    "a header alone": ("c.csv", "id,question,forbid\n", "no_case", None),
    "a word for a truth value": ("c.csv", "id,question,expect_not_found\na,Q?,maybe\n", "not_bool_cell", 2),
    "an empty cell of an id": ("c.csv", "id,question,forbid\na,Q?,x\n,Q?,x\n", "no_id_cell", 3),
    "wide commas in CSV": ("c.csv", "id,question,forbid\na，Q?，x\n", "wide_comma", 2),
    "wide commas in one cell": ("c.csv", "id,question,forbid\na、Q?、x,,\n", "wide_comma", 2),
    "wide commas in a header": ("c.csv", "id，question，forbid\na，Q?，x\n", "wide_comma", 1),
    "a title above the header": ("c.csv", "Cases,,\nid,question,forbid\na,Q?,x\n", "unknown_column", 1),
    "an id twice in CSV": ("c.csv", 'id,question,forbid\na,"Q\n?",x\na,Q?,x\n', "repeated_id", 4),
    "a tab in YAML": ("c.yaml", "- id: a\n\tquestion: b\n", "yaml_tab", 2),
    "no YAML": ("c.yaml", '- id: "a\n', "yaml_syntax", 2),
    "two documents": ("c.yaml", "- id: a\n---\n- id: b\n", "yaml_syntax", 2),
    "a key twice in YAML": ("c.yaml", "- id: a\n  id: b\n  question: c\n  forbid: x\n", "repeated_key", 2),
    "a tag": ("c.yaml", "- !!python/object:os.system {id: a}\n", "yaml_tag", 1),
    "a list for a key": ("c.yaml", "- ? [a]\n  : b\n", "yaml_key", 1),
    "one case in YAML": ("c.yaml", "id: a\nquestion: b\n", "yaml_one_case", 1),
    "a text in YAML": ("c.yaml", "a\n", "yaml_other", 1),
    "an empty value": ("c.yaml", "- id: a\n  question: b\n  forbid:\n", "no_value", 3),
    "deep YAML": ("c.yaml", "[" * 500, "deep", None),
    "aliases": (
        "c.yaml",
        "- &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"- &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "yaml_aliases", 1,
    ),
    "an alias of itself": ("c.yaml", "&a [*a]\n", "deep", 1),
    "Shift_JIS": ("c.json", ("[{" + OK + ',\n"tags": "質問と回答の一覧"}]').encode("shift_jis"), "encoding", 2),
    "Shift_JIS from Excel": ("c.csv", "id,question\na,質問と回答\n".encode("shift_jis"), "encoding_table", 2),
    "UTF-16": ("c.tsv", "id\tquestion\n".encode("utf-16"), "encoding_table", 1),
    "an old workbook": ("c.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xyz", "old_excel", None),
    "a text called a workbook": ("c.xlsx", "id,question\n", "not_xlsx", None),
    "a broken workbook": ("c.xlsx", b"PK\x03\x04xyz", "xlsx_broken", None),
    "no format": ("cases.txt", "hello\n", "unknown_format", None),
}  # fmt: skip


def found(path: Path) -> list[tuple[str, int | None, int | None]]:
    """Return codes and places of what is wrong with a file; every sentence can be said in both languages."""
    try:
        problems: list[SekishoError] = [*check_case_file(path).problems]
    except InputFileError as error:
        problems = [error]
    for problem in problems:
        assert problem.where is not None
        assert problem.where.file == str(path)
        assert all(str(path) in problem.render(language) for language in LANGUAGES)
    return [
        (problem.code.removeprefix("cases."), problem.where.line, problem.where.column)
        for problem in problems
        if problem.where
    ]


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_case_is_refused_with_its_place(write: Write, name: str) -> None:
    """One mistake, one problem, at its line and column."""
    case, code, line, column = CASES[name]
    path = write("cases.json", f"[{case}]")

    assert found(path) == [(code, line, column)]


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_case_is_refused_in_json_lines(write: Write, name: str) -> None:
    """The same mistakes, a case a line."""
    case, code, _, _ = CASES[name]
    path = write("cases.jsonl", "{" + OK.replace('"a"', '"first"') + "}\n" + case.replace("\n", " ") + "\n")

    assert [(problem, line) for problem, line, _ in found(path)] == [(code, 2)]


@pytest.mark.parametrize("name", JSON)
def test_a_slip_in_json_is_named_for_what_it_is(write: Write, name: str) -> None:
    """In words for somebody who has never seen JSON, at the place to mend."""
    text, code, line, column = JSON[name]
    path = write("cases.json", text)

    assert found(path)[-1] == (code, line, column)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_wrong_in_other_formats_is_refused(write: Write, name: str) -> None:
    """With file and line."""
    file, content, code, line = OTHERS[name]
    path = write(file, content)

    assert found(path)[0][:2] == (code, line)


def test_a_header_that_lacks_what_is_needed_is_told_once(write: Write) -> None:
    """Not once more for every row, which lacks nothing."""
    path = write("cases.csv", "Name of the case,question,forbid\n" + "a,Q?,x\n" * 50)

    assert [code for code, _, _ in found(path)] == ["unknown_column"]


def test_cells_under_a_misspelt_column_are_checked_as_what_was_meant(write: Write) -> None:
    """So that the second reading of a file brings no news."""
    path = write("cases.csv", "番号,質問,見つからない\na,Q?,はい\nb,R?,true\n")

    assert [(code, line) for code, line, _ in found(path)] == [
        ("unknown_column_meant", 1), ("unknown_column_meant", 1), ("unknown_column_meant", 1), ("not_bool_cell", 2),
    ]  # fmt: skip


def test_all_problems_are_told_in_the_order_of_the_file(write: Write) -> None:
    """A colleague wants the list; a caller gets the first."""
    path = write(
        "cases.json",
        '[\n{"id": "a", "question": "Q?"},\n{"question": "Q?", "forbid": "x"},\n'
        '{"id": "a", "question": "", "forbid": 1}\n,]',
    )

    with pytest.raises(InputFileError) as caught:
        load_cases(path)

    assert found(path) == [
        ("no_expectation", 2, 1), ("no_id", 3, 1), ("repeated_id", 4, 2), ("empty_value", 4, 13),
        ("number_for_text", 4, 29), ("json_comma_too_many", 5, 1),
    ]  # fmt: skip
    assert caught.value.code == "cases.no_expectation"
    assert "6 problems" in caught.value.__notes__[0]


def test_a_repeated_id_names_both_lines(write: Write) -> None:
    """One of the two must get another name."""
    path = write("cases.json", "[{" + OK + "},\n\n{" + OK + "}]")

    with pytest.raises(InputFileError) as caught:
        load_cases(path)

    assert caught.value.where == (str(path), 3, 2)
    assert caught.value.values["line"] == 1


def test_ids_that_look_the_same_are_the_same(write: Write) -> None:
    """One in composed form, one in the decomposed form that macOS writes: no report could tell them apart."""
    path = write(
        "cases.json",
        '[{"id": "é", "question": "Q?", "forbid": "x"},\n{"id": "e\u0301", "question": "Q?", "forbid": "x"}]',
    )

    assert found(path) == [("repeated_id", 2, 2)]


@pytest.mark.parametrize("text", ["yes", "!!bool maybe", "on"])
def test_a_flag_of_an_older_yaml_is_never_taken_for_false(write: Write, text: str) -> None:
    """Else the expectation would be lost without a word."""
    path = write("c.yaml", f"%YAML 1.1\n---\n- id: a\n  question: Q?\n  forbid: x\n  expect_not_found: {text}\n")

    assert found(path) == [("not_bool", 6, 3)]


def test_a_cell_beyond_measure_is_called_so(write: Write) -> None:
    """Most often its quotation mark was never closed."""
    path = write("c.csv", f'id,question,forbid\na,"{"Q" * 200_000}",x\n')

    assert found(path) == [("csv_long_cell", 2, None)]


def test_a_date_that_is_none_is_shown_as_it_is_typed(write: Write) -> None:
    """As JSON writes it, not as Python does."""
    path = write("cases.json", '[{"known_issue": {"reason": "r", "until": {"day": null}}, ' + OK + "}]")

    assert check_case_file(path).problems[0].values["value"] == '{"day": null}'


def test_the_case_is_named(write: Write) -> None:
    """By its id, or by its number where it has none."""
    path = write("cases.json", '[{"id": "出張 1", "question": "Q?"}, {"question": "Q?"}]')

    sentences = [problem.render("ja") for problem in check_case_file(path).problems]

    assert "ケース '出張 1' に" in sentences[0]
    assert "ケース #2 に" in sentences[1]


def test_text_of_a_file_cannot_steer_a_terminal(write: Write) -> None:
    """Escapes are shown, not sent."""
    path = write("cases.json", json.dumps([{"id": "\x1b[2J\u202e", "question": "\x1b", "forbid": "", "\x9b": 1}]))

    sentences = [problem.render("en") for problem in check_case_file(path).problems]

    assert len(sentences) == 4
    assert not any(set("\x1b\x9b\u202e") & set(sentence) for sentence in sentences)


def test_a_large_file_is_refused_with_the_limit(write: Write) -> None:
    """Before it is read; a file of cases is small."""
    path = write("cases.json", "")
    with path.open("r+b") as file:
        file.truncate(100_000_000)

    with pytest.raises(InputFileError, match="16 MB"):
        load_cases(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.json", "[" + "1," * 100_000 + "1]"),
        ("c.json", "[{" + ", ".join(f'"key {number}": 1' for number in range(50_000)) + "}]"),
        ("c.json", "[{" + ", ".join(f'"key {number % 25_000}": 1' for number in range(50_000)) + "}]"),
        ("c.jsonl", "{'a'}\n" * 50_000),
        ("c.csv", "id,question,forbid\n" + "a,b,c,d\n" * 50_000),
        ("c.csv", "a" * 1_000_000),
        ("c.toml", "".join(f"[[case]]\nkey{number} = 1\n" for number in range(3000))),
    ],
)
def test_another_file_by_mistake_ends_soon(write: Write, name: str, content: str) -> None:
    """Problems are told up to a limit."""
    path = write(name, content)

    assert 1 <= len(found(path)) <= 200


def test_a_large_yaml_file_is_refused_with_its_own_limit(write: Write) -> None:
    """Its parser is slow."""
    path = write("c.yaml", "# x\n" * 1_500_000)

    with pytest.raises(InputFileError, match="4 MB"):
        load_cases(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """As every other file."""
    with pytest.raises(InputFileError) as caught:
        load_cases(tmp_path / "cases.json")

    assert caught.value.code == "files.missing"
