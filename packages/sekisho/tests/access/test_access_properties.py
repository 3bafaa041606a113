"""What holds for every set of documents and departments."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sekisho.access import evaluate_access
from sekisho.core.answers import Document

from . import permission_targets as targets

PIECES = st.sampled_from(
    [
        "経費は月末までに申請する", "基本給は月額 20万円である", "上限は２０万円とする", "承認は部長が行う",
        "The limit is 30 days", "Ａ案とB案", "see the salary table", "詳しくは総務部まで", "極秘の定めである", "等級 1",
        "顧客の名簿は暗号化して保管する", "travel.pdf p.2", "12時から", "a", "😀", "．", "\n", " ", "。", ", ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join)
NAMES = st.one_of(
    st.sampled_from(["travel.pdf", "salary table", "等級表", "a", "", ".*"]), st.lists(PIECES, max_size=3).map("".join)
)
DEPARTMENTS = st.lists(st.sampled_from(["all", "hr", "it", "sales"]), min_size=1, max_size=3, unique=True)
PARTS = st.lists(st.tuples(NAMES, NAMES, DEPARTMENTS, TEXTS), min_size=1, max_size=7)


def documents_of(parts: list[tuple[str, str, list[str], str]]) -> list[Document]:
    """Return documents with ids of their own."""
    return [
        Document(f"id {number}", name, title, tuple(departments), text)
        for number, (name, title, departments, text) in enumerate(parts)
    ]


@settings(max_examples=30)
@given(PARTS)
def test_a_right_filter_is_never_blamed(parts: list[tuple[str, str, list[str], str]]) -> None:
    """Whatever documents share, are called and hold."""
    for kind in (targets.FilteredSearch, targets.QuestionEchoed):
        report = evaluate_access(kind(documents_of(parts)), k=3)

        assert report.leaks == ()
        assert {each.error.reason.code for each in report.errors} <= {"access.empty_method"}  # no words, nothing found


@settings(max_examples=30)
@given(PARTS, st.integers(0, 6))
def test_one_hidden_document_let_through_is_always_found(
    parts: list[tuple[str, str, list[str], str]], number: int
) -> None:
    """For every principal that may not see it, where any question finds it at all, and no other id is blamed."""
    documents = documents_of(parts)
    public = documents[number % len(documents)]

    class LetThrough(targets.OneMadePublic):
        def hits(self, question: str, departments: list[str], k: int) -> list[Document]:
            found = super().hits(question, departments, k)
            return found if public in found else [*found, *([public] if question else [])]

    report = evaluate_access(LetThrough(documents, public=public.id), k=3)
    expected = {
        each.departments for each in report.principals if not {"all", *each.departments} & set(public.departments)
    }

    by_id = [leak for leak in report.leaks if leak.kind == "id"]
    assert {leak.principal for leak in by_id if leak.stage == "retrieved"} == expected
    assert {leak.principal for leak in by_id if leak.stage == "given"} == expected
    assert {leak.document_id for leak in by_id} <= {public.id}
