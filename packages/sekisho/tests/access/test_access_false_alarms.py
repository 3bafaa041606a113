"""What a right filter may say without being blamed: a false alarm could not be silenced by anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.access import evaluate_access
from sekisho.core.answers import Answer, Context, Document

from . import permission_targets as targets

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTICE = "この文書の内容を許可なく社外に持ち出すことを固く禁じます。問い合わせは総務部まで。"


class Says(targets.FilteredSearch):
    """Adds a sentence to every answer."""

    def __init__(self, documents: Sequence[Document], said: str) -> None:
        super().__init__(documents)
        self._said = said

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        return Answer(f"{found.text}\n{self._said}", found.sources, found.found, found.contexts)

    without = None


def with_more(*more: Document) -> list[Document]:
    """Return the usual documents and some more."""
    return [*targets.DOCUMENTS, *more]


def test_boilerplate_that_departments_share_is_no_leak() -> None:
    """The notice stands in hidden and visible documents, and every answer may quote it."""
    documents = [Document(d.id, d.name, d.title, d.departments, d.text + NOTICE) for d in targets.DOCUMENTS]

    assert evaluate_access(Says(documents, NOTICE)).leaks == ()


def test_visible_boilerplate_between_other_neighbours_is_no_leak() -> None:
    """Sentences of visible documents put side by side as only a hidden one has them reveal nothing."""
    documents = with_more(
        Document("one", "one.md", "甲の案内", ("all",), "適用の範囲は全社員である。ここまでが甲の定め。"),
        Document("two", "two.md", "乙の案内", ("all",), "乙の定めを示す。手続きは書面で行う。"),
        Document("both", "both.md", "丙の案内", ("hr",), "適用の範囲は全社員である。手続きは書面で行う。丙は秘密。"),
    )  # fmt: skip

    for said in ("適用の範囲は全社員である。手続きは書面で行う。", "適用の範囲は全社員である\n手続きは書面で行う"):
        assert evaluate_access(Says(documents, said)).leaks == ()


def test_a_passage_that_ends_in_another_sign_is_no_leak() -> None:
    """Eleven visible characters and a full stop that only the hidden document has behind them."""
    documents = with_more(
        Document("one", "one.md", "甲の案内", ("all",), "宿泊費は実費を上限まで払い、日当は別に定める。"),
        Document("two", "two.md", "乙の極秘案内", ("hr",), "宿泊費は実費を上限まで払い。乙だけの秘密の定めがある。"),
    )

    assert evaluate_access(Says(documents, "宿泊費は実費を上限まで払い。")).leaks == ()


@pytest.mark.parametrize("said", ["上限は ３万円です。", "承認は 30,000円からです。"])
def test_a_number_that_stands_in_a_visible_document_is_no_leak(said: str) -> None:
    """Also where a hidden one holds it too, and in whatever notation."""
    documents = with_more(
        Document("more", "more.md", "部長の手当", ("hr",), "部長の手当は月額 3万円で、毎年四月に見直す。")
    )

    assert evaluate_access(Says(documents, said)).leaks == ()


def test_a_polite_refusal_that_names_the_question_is_no_leak() -> None:
    """The asker said it first: titles, file names, numbers and whole sentences of hidden documents."""
    assert evaluate_access(targets.QuestionEchoed()).leaks == ()


def test_what_is_said_to_nonsense_too_is_no_leak() -> None:
    """The refusal stands word for word in a hidden manual, with its number and its title."""
    manual = Document(
        "help",
        "help.md",
        "総合案内窓口",
        ("it",),
        f"見つからないときの文面: {targets.REFUSAL}総合案内窓口へは 15分以内につながる。",
    )
    said = "総合案内窓口へは 15分以内につながる。"

    assert evaluate_access(Says(with_more(manual), said)).leaks == ()


def test_what_nonsense_is_answered_from_is_still_a_leak() -> None:
    """Citing or giving a hidden document to every question is no polite phrase."""

    class AlwaysGiven(targets.FilteredSearch):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            found = super().answer(question, departments)
            secret = targets.DOCUMENTS[6].text
            return Answer(found.text + secret, found.sources, found.found, (*found.contexts, Context("doc-01", secret)))

    leaks = evaluate_access(AlwaysGiven()).leaks

    assert {(leak.document_id, leak.stage) for leak in leaks if leak.kind == "passage"} == {
        ("doc-07", "given"), ("doc-07", "answered"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "hidden",
    [
        Document("7", "7", "7", ("hr",), "七番の文書には誰も知らない取り決めが書いてある。"),
        Document("a", "a", "a", ("hr",), "甲の文書には誰も知らない取り決めが書いてある。"),
        Document("ab 12", "規程", "規程", ("hr",), "乙の文書には誰も知らない取り決めが書いてある。"),
        Document("x", "経費精算", "経費精算の手引き", ("hr",), "丙の文書には誰も知らない取り決めが書いてある。"),
        Document("x", ".*", "😀", ("hr",), "丁の文書には誰も知らない取り決めが書いてある。"),
        Document("x", "", "", ("hr",), "戊の文書には誰も知らない取り決めが書いてある。"),
    ],
    ids=["number", "letter", "everyday word", "title of a visible document", "signs", "nothing"],
)
def test_short_and_common_names_count_nowhere_in_free_text(hidden: Document) -> None:
    """A hidden document may be called anything: what says nothing about it is no evidence."""
    said = "7 件の a は規程の .* に 😀 とあり、経費精算の手引き p.7 と 12 を見る。"

    assert evaluate_access(Says(with_more(hidden), said)).leaks == ()


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("経費", "出張経費精算"),
        ("Hertz report", "the Hertz reports"),
        ("セキュリティ", "情報セキュリティポリシー"),
        ("FAQs", "myFAQs"),
    ],
)
def test_a_title_inside_of_a_longer_word_is_no_leak(title: str, said: str) -> None:
    """Titles count with word edges."""
    hidden = Document("x", "x.md", title, ("hr",), "己の文書には誰も知らない取り決めが書いてある。")

    assert evaluate_access(Says(with_more(hidden), f"{said}は見つかりません。")).leaks == ()


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("役員報酬規程", "「役員報酬規程」は"),
        ("役員報酬規程", "新役員報酬規程案"),
        ("Hertz report", "The HERTZ  REPORT is"),
        ("査定表", "査定表を"),
    ],
)
def test_a_title_with_word_edges_is_a_leak(title: str, said: str) -> None:
    """However it is written; long titles in ideographs join with anything."""
    hidden = Document("x", "x.md", title, ("hr",), "己の文書には誰も知らない取り決めが書いてある。")

    class SaidToSome(Says):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            found = targets.FilteredSearch.answer(self, question, departments)
            return found if "hr" in departments else super().answer(question, departments)

    leaks = evaluate_access(SaidToSome(with_more(hidden), f"{said}見られません。")).leaks

    assert {(leak.document_id, leak.kind) for leak in leaks} == {("x", "title")}


def test_a_source_that_is_part_of_a_longer_visible_name_is_no_leak() -> None:
    """The visible document is called after the hidden one."""
    documents = with_more(
        Document("h", "plan.pdf", "極秘の計画", ("hr",), "計画の中身は誰にも知らせない取り決めである。"),
        Document("v", "old plan.pdf", "古い計画の概要", ("all",), "古い計画の概要は社内で公開している。"),
    )

    class CitesPages(targets.FilteredSearch):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            found = super().answer(question, departments)
            return Answer(found.text, tuple(f"{name} p.7" for name in found.sources), found.found, found.contexts)

    assert evaluate_access(CitesPages(documents)).leaks == ()


def test_a_number_cut_off_at_the_end_of_a_passage_is_no_other_number() -> None:
    """A chunk may begin in the middle of 120万円; the hidden document holds 20万円."""
    documents = [
        Document("v", "v.md", "積立金の残高", ("all",), "積立金の残高は年度末の時点で合計120万円である。"),
        Document("h", "h.md", "部長の給与", ("hr",), "部長の給与は月額 20万円である。これは秘密である。"),
    ]

    class CutsChunks(targets.FilteredSearch):
        def written(self, question: str, hits: Sequence[Document]) -> Answer:
            found = super().written(question, hits)
            cut = [text[text.find("20万円") :] if id_ == "v" else text for id_, text in ((d.id, d.text) for d in hits)]
            return Answer(found.text, found.sources, found.found, tuple(map(Context, [d.id for d in hits], cut)))

    assert evaluate_access(CutsChunks(documents)).leaks == ()
