from __future__ import annotations

import random
import tracemalloc

import pytest

from sekisho.access import evaluate_access
from sekisho.access.grams import RunSet, hashes_of, index_of
from sekisho.core.answers import Answer, Document
from sekisho.matching import fold

from . import permission_targets as targets


class Looked:
    """A right filter that finds nothing, or, where it leaks, the first document of all."""

    def __init__(self, held: list[Document], *, leaks: bool = False) -> None:
        self._held = held
        self._leaks = leaks

    def documents(self) -> list[Document]:
        """Return all of them."""
        return self._held

    def answer(self, question: str, departments: list[str]) -> Answer:  # noqa: ARG002  one answer to everything
        """Return what the asker reads."""
        return Answer(self._held[0].text if self._leaks else targets.REFUSAL, found=self._leaks)


@pytest.mark.parametrize(
    "text", ["あ" * 100_000, "ab" * 50_000, " " * 100_000, "1" * 100_000, "、" * 100_000, "12時" * 30_000]
)
def test_endless_texts_are_read_in_linear_time(text: str) -> None:
    """Repeated characters, numbers without end, nothing but signs: no leak, and no hang."""
    documents = [
        Document("a", "a.md", "甲の文書", ("hr",), text),
        Document("b", "b.md", "乙の文書", ("it",), text + "乙"),
    ]

    report = evaluate_access(Looked(documents))

    assert report.leaks == ()
    assert [each.error.reason.code for each in report.errors] == ["access.empty_method"]


def test_a_long_document_leaks_by_its_text() -> None:
    """Found in a megabyte of answers, and the evidence is bounded."""
    rng = random.Random(3)  # noqa: S311  nothing here is secret
    text = "".join(chr(rng.randrange(0x4E00, 0x5E00)) for _ in range(100_000))
    documents = [
        Document("a", "a.md", "甲の文書", ("hr",), text),
        Document("b", "b.md", "乙の文書", ("it",), "乙だけの文章"),
    ]

    report = evaluate_access(Looked(documents, leaks=True))

    assert {(leak.principal, leak.document_id) for leak in report.leaks} == {((), "a"), (("it",), "a")}
    assert "passage" in {leak.kind for leak in report.leaks}
    assert all(len(leak.shown) <= 201 for leak in report.leaks)


def test_identical_documents_tell_only_by_their_ids() -> None:
    """What both departments hold word for word is no secret of either."""
    text = "宿泊費は一泊あたり一万二千円を上限として実費を払う。"
    documents = [Document(f"x-{each}", "same.md", "同じ題名", (each,), text) for each in ("hr", "it")]

    right, wrong = (evaluate_access(kind(documents)) for kind in (targets.FilteredSearch, targets.FilterDropped))

    assert right.leaks == ()
    assert {(leak.principal, leak.document_id) for leak in wrong.leaks if leak.kind == "id"} == {
        ((), "x-hr"), ((), "x-it"), (("hr",), "x-it"), (("it",), "x-hr"),
    }  # fmt: skip
    assert {leak.principal for leak in wrong.leaks if leak.kind == "passage"} == {()}


def test_a_thousand_leaking_documents_make_a_report_of_bounded_size() -> None:
    """Every leak is counted; a record is kept of the first ones, and the report says so."""
    documents = [
        Document(f"id-{n}", f"{n}.md", f"第{n}号の議事録", ("hr",), f"第{n}号の議事録の中身である。")
        for n in range(400)
    ]

    class All(Looked):
        def search(self, question: str, departments: list[str], k: int) -> list[str]:  # noqa: ARG002  all of them
            return [document.id for document in self._held]

    report = evaluate_access(All(documents))

    assert report.leak_count >= 400
    assert len(report.leaks) == 200
    assert "access.more_leaks" in {warning.code for warning in report.warnings}


def test_lone_surrogates_and_control_characters_are_text() -> None:
    """Nothing of a document may break the harness or steer a terminal."""
    text = "\ud800\x1b[31m秘密の取り決めの全文である\u202e"
    documents = [
        Document("a\x1b", "\ud800.md", "\x00" * 9, ("hr",), text),
        Document("b", "b.md", "乙", ("all",), "乙の文章"),
    ]

    report = evaluate_access(targets.FilterDropped(documents))

    assert report.leak_count
    assert all("\x1b" not in str(leak.reason) for leak in report.leaks)


def test_an_index_over_megabytes_stays_small() -> None:
    """Numbers in arrays, not millions of strings."""
    rng = random.Random(5)  # noqa: S311  nothing here is secret
    texts = [["".join(chr(rng.randrange(0x4E00, 0x5E00)) for _ in range(20_000))] for _ in range(30)]

    tracemalloc.start()
    index = index_of(texts, 12)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 100 * 600_000
    assert len(index.hashes) == 30 * (20_000 - 11)


def test_runs_of_a_set_are_found_at_their_places() -> None:
    """The same as looking for each run by itself."""
    text = fold("給与等級表の基本給は月額20万円である。給与等級表の基本給は別に定める。")
    wanted = {text[place : place + 5] for place in (0, 3, 19)}
    runs = RunSet(index_of([list(wanted)], 5).hashes)

    found = runs.positions(hashes_of(text, 5)).tolist()

    assert found == [place for place in range(len(text) - 4) if text[place : place + 5] in wanted]
