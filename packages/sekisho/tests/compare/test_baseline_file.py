"""The file of a baseline: readable as a diff, the same bytes for the same suites, and refused where it was touched."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.adapters.baseline_file import SCHEMA, encoded, read_baseline, write_baseline
from sekisho.compare.baseline import (
    Accepted,
    AccessBaseline,
    AccessEntry,
    AnswerEntry,
    AnswersBaseline,
    RetrievalBaseline,
    RetrievalEntry,
)
from sekisho.core.answers import KnownIssue
from sekisho.core.errors import BaselineError, InputFileError, SekishoError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.compare.baseline import SuiteBaseline

ACCEPTED = Accepted(reason='最初の "理由" \u202e', time="2000-01-01T00:00:00+00:00", versions={"numpy": None})
STEERING = ["\u202e", "\u2028", "\x85", "\u200b", "\x1b", "\ufeff", "\x00"]


def retrieval(*ids: str, hits: int = 1) -> RetrievalBaseline:
    """Return a suite of cases with a grade that is a whole number."""
    cases = [
        RetrievalEntry(id=id_, asked="q", hits=hits, ranks={"d1": 1, "d2": 0}, grades={"d1": 2}, near=(1, 2), top="t")
        for id_ in ids
    ]
    return RetrievalBaseline(accepted=ACCEPTED, made_of={"target": "t"}, ruler={"k": "2"}, k=2, cases=tuple(cases))


def answers(text: str = "出張の上限は20万円です。\n別途申請。") -> AnswersBaseline:
    """Return a suite of one answer."""
    issue = KnownIssue(reason="the document is old", suites=("docs",))
    failures = ("missing_text",)
    case = AnswerEntry(id="a1", asked="q", status="known", failures=failures, issue=issue, found=True, text=text)
    return AnswersBaseline(accepted=ACCEPTED, made_of={}, ruler={"match": "folded"}, cases=(case,))


def access() -> AccessBaseline:
    """Return a permission matrix."""
    case = AccessEntry(id="人事+総務", leaks=0, visible=3, starved=("d1",))
    return AccessBaseline(accepted=ACCEPTED, made_of={}, ruler={}, cases=(case,))


SUITES: dict[str, SuiteBaseline] = {"search": retrieval("c1", "c2"), "faq": answers(), "who": access()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a baseline of three suites is."""
    found = tmp_path / "sekisho.baseline.json"
    write_baseline(found, SUITES)
    return found


def refused(path: Path, kind: type[SekishoError] = BaselineError) -> SekishoError:
    """Return the error that a file is refused with; both languages can say it."""
    with pytest.raises(kind) as caught:
        read_baseline(path)
    assert caught.value.where is not None
    assert caught.value.where.file == str(path)
    assert caught.value.render("ja") != caught.value.render("en")
    return caught.value


def test_what_was_written_is_read(path: Path) -> None:
    """Also a whole number where the record holds a fraction."""
    assert read_baseline(path) == SUITES


def test_the_order_of_suites_has_no_effect_on_the_bytes() -> None:
    """Sorted by name."""
    assert encoded(SUITES) == encoded(dict(reversed(SUITES.items())))


def test_reading_and_writing_again_gives_the_same_bytes(path: Path) -> None:
    """Or whoever accepts one suite would touch the lines of the others."""
    before = path.read_bytes()

    write_baseline(path, read_baseline(path))

    assert path.read_bytes() == before


def test_each_case_is_one_line_with_its_id_first(path: Path) -> None:
    """So that a diff of the file is a diff of cases."""
    lines = path.read_text(encoding="utf-8").splitlines()

    for id_ in ("c1", "c2", "a1", "人事+総務"):
        assert len([line for line in lines if line.strip().startswith(f'{{"id": "{id_}"')]) == 1
    assert max(map(len, lines)) < 250


def test_one_more_case_is_one_more_line_and_another_check() -> None:
    """Git has to see no more than what changed."""
    before, after = (encoded({"s": retrieval(*ids)}).splitlines() for ids in (("c1", "c3"), ("c1", "c2", "c3")))

    assert len(set(after) - set(before)) == 2
    assert len(set(before) - set(after)) == 1


@pytest.mark.parametrize("sign", STEERING, ids=ascii)
def test_no_sign_of_an_answer_steers_who_reads_the_diff(path: Path, sign: str) -> None:
    """Text of a system under test is hostile; what was written is read again."""
    suites = {f"s{sign}": answers(text=f"a{sign}b")}
    write_baseline(path, suites)

    text = path.read_text(encoding="utf-8")
    assert sign not in text
    assert text.splitlines() == text.split("\n")[:-1]
    assert read_baseline(path) == suites


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(TEXTS, TEXTS))
def test_any_text_comes_back(texts: dict[str, str]) -> None:
    """Names of suites and words of answers."""
    suites = {name: answers(text) for name, text in texts.items()}
    content = encoded(suites)

    document = json.loads(content)

    assert {name: suite["content"]["cases"][0].get("text", "") for name, suite in document["suites"].items()} == texts


def test_a_baseline_without_suites_is_a_baseline(path: Path) -> None:
    """All of them may be gone."""
    write_baseline(path, {})

    assert read_baseline(path) == {}


EDITS = {
    "a hit more": ('"hits": 1, "ranks"', '"hits": 2, "ranks"'),
    "another rank": ('"d2": 0', '"d2": 1'),
    "a case less": ('{"id": "c2"', '{"id": "c9"'),
    "another status": ('"status": "known"', '"status": "ok"'),
    "an excuse less": ('"suites": ["docs"]', '"suites": []'),
    "another word": ("20万円", "18万円"),
    "a leak more": ('"leaks": 0', '"leaks": 1'),
    "another ruler": ('"match": "folded"', '"match": "exact"'),
    "another target": ('"target": "t"', '"target": "u"'),
    "another reason": ("最初", "次"),
    "another check": ('"check": "', '"check": "0'),
    "a text where there was none": ('"found": true,', '"found": true, "sources": ["x"],'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_edited_by_hand_is_refused_by_the_name_of_the_suite(path: Path, edit: str) -> None:
    """Whatever was edited; how to go on is told."""
    before, after = EDITS[edit]
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")

    error = refused(path)

    assert error.code == "compare.file_edited"
    assert error.values["name"] in SUITES
    assert "sekisho accept" in error.render("en")


def test_a_case_taken_out_is_an_edit(path: Path) -> None:
    """The line of a failing case, for example."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"id": "c1"' not in line), encoding="utf-8")

    assert refused(path).code == "compare.file_edited"


def test_another_layout_is_no_edit(path: Path) -> None:
    """A formatter, other line ends or a byte order mark change nothing that was measured."""
    document = json.loads(path.read_text(encoding="utf-8"))
    for content in (
        json.dumps(document).encode(),
        json.dumps(document, indent=4, sort_keys=True, ensure_ascii=False).encode(),
        path.read_bytes().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + path.read_bytes(),
    ):
        path.write_bytes(content)

        assert read_baseline(path) == SUITES


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text.replace(SCHEMA, "sekisho.baseline/2"), "compare.file_newer"),
        (lambda text: text.replace(SCHEMA, "sekisho.baseline/0"), "compare.file_newer"),
        (lambda text: text.replace(SCHEMA, "somebody.else/1"), "compare.file_other_file"),
        (lambda _: "{}", "compare.file_other_file"),
        (lambda _: '{"schema": 1}', "compare.file_unreadable"),
        (lambda _: "[]", "compare.file_unreadable"),
        (lambda text: text[: len(text) // 2], "compare.file_unreadable"),
        (lambda text: text.replace('"suites"', '"more": 1, "suites"', 1), "compare.file_unreadable"),
        (lambda text: text.replace('"leaks": 0', '"leaks": "0"'), "compare.file_unreadable"),
        (lambda text: text.replace('"leaks": 0', '"leaks": NaN'), "compare.file_unreadable"),
        (lambda text: text.replace('"leaks": 0', '"unknown": 0'), "compare.file_unreadable"),
        (lambda text: text.replace('"kind": "access"', '"kind": "other"'), "compare.file_unreadable"),
        (lambda text: text.replace('"kind": "access"', '"kind": "answers"'), "compare.file_unreadable"),
        (lambda _: "[" * 100_000, "compare.file_unreadable"),
        (lambda _: '{"schema": "' + SCHEMA + '", "suites": ' + '{"a":' * 100_000, "compare.file_unreadable"),
    ],
)
def test_what_is_no_baseline_of_this_form_is_refused(path: Path, change: Callable[[str], str], code: str) -> None:
    """A newer or older form, another file, a torn one, wrong types, depth without end."""
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    assert refused(path).code == code


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> other", "||||||| base"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_of_a_merge_are_named_with_their_line(path: Path, mark: str, end: str) -> None:
    """The cure is to make it anew on the merged state."""
    text = path.read_text(encoding="utf-8")
    path.write_bytes(text.replace('    "search"', f'{mark}\n    "search"', 1).replace("\n", end).encode())

    error = refused(path)

    assert error.code == "compare.file_conflict"
    assert error.where is not None
    assert error.where.line == 1 + text[: text.index('    "search"')].count("\n")


def test_signs_of_a_merge_within_an_answer_are_text(path: Path) -> None:
    """They stand on the line of their case."""
    write_baseline(path, {"faq": answers("<<<<<<< HEAD\n=======\n>>>>>>> other")})

    assert set(read_baseline(path)) == {"faq"}


def test_a_suite_that_stands_twice_is_refused(path: Path) -> None:
    """A merge may leave both without a mark, each with a check that holds; a decoder takes the last."""
    text = path.read_text(encoding="utf-8")
    other = encoded({"search": retrieval("c1", hits=0)}).decode()
    block = other[other.index('    "search"') : other.rindex("  }\n}")].rstrip("\n")
    twice = text.replace('    "who"', f'{block},\n    "who"', 1)
    for layout in (twice, twice.replace("\n", ""), twice.replace("  ", "    "), twice.replace("  ", "\t")):
        path.write_text(layout, encoding="utf-8")

        error = refused(path)

        assert (error.code, error.values["name"]) == ("compare.file_repeated", "search")


@pytest.mark.parametrize("indent", [None, 0, 1, 2, 3, 4, "\t"])
def test_a_baseline_laid_out_otherwise_is_the_same(path: Path, indent: int | str | None) -> None:
    """As a formatter leaves it."""
    before = read_baseline(path)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=indent), encoding="utf-8")

    assert read_baseline(path) == before


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('{"schema": "最初の理由、次の理由"}'.encode("cp932"), "files.encoding"),
        (SCHEMA.encode("utf-16"), "files.encoding"),
        (b"", "files.empty"),
        (b"\xff\xfe\xff", "files.encoding"),
        (b'{"schema": "\x00"}', "files.nul"),
        (b"PK\x03\x04", "files.other_file"),
    ],
    ids=["Shift_JIS", "UTF-16", "empty", "broken", "NUL", "ZIP"],
)
def test_what_is_no_text_is_named(path: Path, content: bytes, code: str) -> None:
    """Saved by another program, for example."""
    path.write_bytes(content)

    assert refused(path, InputFileError).code == code


def test_a_packed_bomb_is_refused(path: Path) -> None:
    """As in any other file that is read."""
    path.write_bytes(gzip.compress(b" " * (70 << 20) + b"{}"))

    assert refused(path, InputFileError).code == "files.packed_bomb"


def test_a_folder_or_a_broken_link_in_its_place_is_refused(tmp_path: Path) -> None:
    """Nothing is compared with nothing."""
    folder, link = tmp_path / "folder", tmp_path / "0123"
    folder.mkdir()
    link.symlink_to(tmp_path / "nowhere" / "else")

    assert refused(folder, InputFileError).code == "files.directory"
    assert refused(link, InputFileError).code.startswith("files.missing")


def test_a_file_without_permission_is_refused(path: Path) -> None:
    """With the reason of the operating system."""
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")

    assert refused(path, InputFileError).code == "files.unreadable"


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    """Accepting writes into no file elsewhere."""
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "sekisho.baseline.json"
    elsewhere.write_text("mine", encoding="utf-8")
    link.symlink_to(elsewhere)

    write_baseline(link, SUITES)

    assert (elsewhere.read_text(encoding="utf-8"), link.is_symlink()) == ("mine", False)


def test_what_cannot_be_written_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk shows when the data are to be safe on it."""

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        write_baseline(path, {})

    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
