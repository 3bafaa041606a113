"""What an answer says that nothing it was given says: numbers, dates, names, citations."""

from __future__ import annotations

import time

import pytest

from sekisho.answers.grounded import Grounding, grounding_of
from sekisho.answers.grounded_citations import sentences_in
from sekisho.answers.grounded_dates import dates_in
from sekisho.core.answers import Answer, Context

JAPANESE = (
    "出張旅費規程。宿泊費の上限は1泊20万円とする。2026年4月1日から適用する。申請は10日以内に「出張申請書」で行う。",
    "問い合わせは総務部の佐藤さん、またはジョン・スミス氏まで。システムはConcurを使う。",
)
ENGLISH = (
    "Travel policy. The limit is 200 dollars per night, from 1 April 2026. Claims go to Acme Travel within 30 days.",
    "Employees of Northwind use the ISO9001 form. Ask Maria Keller.",
)


def grounding(text: str, contexts: tuple[str, ...] = JAPANESE, question: str = "上限は？") -> Grounding:
    """Return the grounding of an answer."""
    given = tuple(Context(f"d{number}", each) for number, each in enumerate(contexts))
    return grounding_of(Answer(text, ("travel.pdf p.2",), contexts=given), question)


@pytest.mark.parametrize(
    "text",
    [
        "上限は1泊20万円です [1]。",
        "上限は２００，０００円です［1］。",
        "令和8年4月1日から適用されます【1】。",
        "4月1日からです [1]。2026年4月からです [1]。",
        "「出張申請書」を10日以内に出します [1]。佐藤さんへ [2]。",
        "ジョン・スミス氏に聞いてください [2]。CONCURを使います [2]。",
        "スケジュールはマネージャーに確認してください [1]。",
    ],
)
def test_a_sound_japanese_answer_has_nothing_to_report(text: str) -> None:
    """In whatever spelling, and with ordinary words in katakana."""
    assert grounding(text).pieces == ()
    assert grounding(text).uncited == ()


@pytest.mark.parametrize(
    "text",
    [
        "The limit is 200 dollars [1]. It holds from April 1, 2026 [1].",
        "Send claims to Acme Travel within 30 days [1].",
        "According to the policy, Northwind uses the form ISO9001 [2]. Please contact Maria Keller [2].",
        "Yes. The Acme desk helps [1].",
        "## Travel Expense Overview\nThe limit is 200 dollars [1].",
    ],
)
def test_a_sound_english_answer_has_nothing_to_report(text: str) -> None:
    """Words that begin sentences and headings are no names."""
    assert grounding(text, ENGLISH).pieces == ()
    assert grounding(text, ENGLISH).uncited == ()


@pytest.mark.parametrize(
    ("text", "kind", "piece"),
    [
        ("上限は30万円です [1]。", "quantities", "30万円"),
        ("15日以内です [1]。", "quantities", "15日"),
        ("2026年5月1日からです [1]。", "dates", "2026年5月1日"),
        ("2025-04-01 からです [1]。", "dates", "2025-04-01"),
        ("「特別申請書」が要ります [1]。", "names", "特別申請書"),
        ("田中さんに聞きます [2]。", "names", "田中"),
        ("ジェーン・ドウ氏です [2]。", "names", "ジェーン・ドウ"),
        ("Kintoneを使います [2]。", "names", "Kintone"),
    ],
)
def test_what_no_context_says_is_found_in_japanese(text: str, kind: str, piece: str) -> None:
    """Each kind by itself, and no other."""
    found = grounding(text)

    assert getattr(found, kind) == (piece,)
    assert found.pieces == (piece,)


@pytest.mark.parametrize(
    ("text", "kind", "piece"),
    [
        ("It holds from May 3, 2026 [1].", "dates", "May 3, 2026"),
        ("Claims go to Contoso Voyages [1].", "names", "Contoso Voyages"),
        ("The form is ISO27001 [2].", "names", "ISO27001"),
    ],
)
def test_what_no_context_says_is_found_in_english(text: str, kind: str, piece: str) -> None:
    """As in Japanese."""
    found = grounding(text, ENGLISH)

    assert getattr(found, kind) == (piece,)
    assert found.pieces == (piece,)


def test_what_the_question_says_is_no_claim() -> None:
    """An answer may take it up."""
    assert grounding("30万円は上限を超えます [1]。", question="30万円でもよいですか").pieces == ()


def test_an_answer_that_found_nothing_claims_nothing() -> None:
    """Its text is a refusal."""
    assert grounding_of(Answer("担当は田中さんです。", found=False), "?") == Grounding()


def test_sentences_without_a_valid_citation_are_listed() -> None:
    """A citation of a context that was not given is none."""
    found = grounding("上限は20万円です [1]。申請書を必ず提出してください。佐藤さんが担当です [7]。")

    assert found.uncited == ("申請書を必ず提出してください。", "佐藤さんが担当です。")
    assert found.miscited == (7,)


def test_an_answer_without_any_citation_lists_no_sentence() -> None:
    """Its system may cite in another way; the report counts such answers."""
    found = grounding("上限は20万円です。申請書を必ず提出してください。")

    assert (found.cites, found.uncited) == (False, ())


@pytest.mark.parametrize(
    "text",
    [
        "次のとおりです：\n- 上限は20万円です [1]",
        "### 上限と申請について\n上限は20万円です [1]。",
        "はい。上限は20万円です。[1]",
        "「上限は20万円とする。超過は認めない。」と定めています [1]。",
        "上限は20万円です [1][2]。\nほかに知りたいことはありますか？",
        "| 項目 | 上限の金額 |\n上限は20万円です [1, 2]。",
    ],
)
def test_what_needs_no_citation_is_not_listed(text: str) -> None:
    """Introductions, headings, short words, questions, tables; a citation after the full stop counts."""
    assert grounding(text).uncited == ()


def test_sentences_are_split_as_people_read_them() -> None:
    """Not inside quotes, not at initials and decimals."""
    text = "彼は「はい。行きます。」と言った。次です！ Mr. K. Ito paid 3.5 dollars. Then he left.\n終わり"

    assert sentences_in(text) == [
        "彼は「はい。行きます。」と言った。",
        "次です！",
        "Mr. K. Ito paid 3.5 dollars.",
        "Then he left.",
        "終わり",
    ]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("２０２６年４月１日", (2026, 4, 1)),
        ("令和元年5月", (2019, 5, None)),
        ("4月1日", (None, 4, 1)),
        ("2026/04/01", (2026, 4, 1)),
        ("1 April 2026", (2026, 4, 1)),
        ("Apr. 1st, 2026", (2026, 4, 1)),
        ("Sept 2026", (2026, 9, None)),
    ],
)
def test_dates_are_read_in_their_usual_forms(text: str, date: tuple[int | None, int, int | None]) -> None:
    """Full-width, by era, and in English."""
    assert [tuple(each.date) for each in dates_in(text)] == [date]


@pytest.mark.parametrize("text", ["2026年", "13月40日", "10.20.30.40", "version 1.2.3", "4/1", "may be 5 of them"])
def test_what_is_no_date_is_none(text: str) -> None:
    """Years alone, impossible days, versions, fractions."""
    assert dates_in(text) == []


@pytest.mark.parametrize(
    "piece", ["[", "[1", "「", "A ", "ア", "1月", " ", "[1] ", "。", "山", "Mr. ", "#", "2026-", "12,"]
)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    """Four times the text takes about four times as long, not sixteen."""
    took = []
    for size in (10_000, 40_000):
        text = piece * (size // len(piece)) + " [1]。"
        start = time.process_time()
        grounding(text, contexts=("短い",))
        took.append(time.process_time() - start)

    assert took[1] < max(took[0], 0.05) * 9
