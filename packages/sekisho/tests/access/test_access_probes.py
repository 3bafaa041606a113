from __future__ import annotations

from sekisho.access.corpus import Corpus
from sekisho.access.nonsense import nonsense_questions, unasked_words
from sekisho.access.probes import probes_of
from sekisho.access.sentences import distinctive_sentences, shortened
from sekisho.core.answers import AnswerCase, Document
from sekisho.matching import fold

from . import permission_targets as targets


def test_probes_are_title_name_sentences_and_questions_of_cases() -> None:
    """At most three sentences; a case cites a document by a part of its name, with a page or without."""
    cases = [
        AnswerCase(id="1", question="月給は?", expect_source=("salary-grade",)),
        AnswerCase(id="2", question="昇給は?", expect_source=("salary-grade.md p.3",)),
        AnswerCase(id="3", question="規程集は?", expect_source=("規程集 > salary-grade.md",)),
        AnswerCase(id="4", question="休暇は?", expect_source=("vacation.md",)),
    ]
    corpus = Corpus(targets.DOCUMENTS)

    probes = probes_of(corpus, cases)[corpus.place_of["doc-03"]]

    assert probes.hidden[:2] == ("給与等級表", "salary-grade.md")
    assert probes.cases == ("月給は?", "昇給は?", "規程集は?")
    assert probes.hidden[-3:] == probes.cases
    assert len(probes.hidden) == 2 + 3 + 3
    assert all(sentence in targets.DOCUMENTS[2].text for sentence in probes.hidden[2:5])
    assert probes.visible == ("給与等級表", probes.closest)


def test_a_document_without_title_name_and_text_is_asked_for_by_its_id() -> None:
    """Something must be asked about every hidden document."""
    corpus = Corpus([Document("only id", "", "", ("hr",), "")])

    assert probes_of(corpus, [])[0].hidden == ("only id",)


def test_the_most_distinctive_sentence_stands_in_no_other_document() -> None:
    """Shared sentences come last; of the others the one with a number of its own comes first."""
    shared = "この文書は総務部が管理し、毎年一月に内容を見直すものとする。"
    own = "宿直の手当は一回につき 7,700円とし、翌月の給与に加えて払う。"
    corpus = Corpus(
        [
            Document(
                "a", "", "", ("hr",), f"{shared}\n宿直の順番は各課の課長が前の月の末日までに決めて知らせる。{own}"
            ),
            Document("b", "", "", ("it",), f"{shared}\n当番の順番は輪番とする。"),
        ]
    )

    assert distinctive_sentences(corpus, 0, 3)[0] == own
    assert distinctive_sentences(corpus, 0, 3)[-1] == shared
    assert distinctive_sentences(corpus, 1, 1) == ("当番の順番は輪番とする。",)


def test_a_long_sentence_is_cut_where_a_clause_ends() -> None:
    """Not in the middle of a word, unless there is no other place."""
    assert shortened("あいうえおかきくけこ、さしすせそ", 14) == "あいうえおかきくけこ"
    assert shortened("あ" * 30, 14) == "あ" * 14
    assert shortened("short", 14) == "short"


def test_nonsense_stands_in_no_document() -> None:
    """Neither word, not even where documents are full of such words; the same each time."""
    first = nonsense_questions([])
    words = [fold(word) for question in first for word in question.split()]

    second = nonsense_questions(words)

    assert nonsense_questions([]) == first
    assert not {word for question in second for word in question.split()} & {
        word for question in first for word in question.split()
    }


def test_words_that_make_a_question_new_run_out_for_no_document() -> None:
    """Documents that hold every short made-up word get longer ones."""
    syllables = [
        "vro",
        "zin",
        "pex",
        "dru",
        "kla",
        "qua",
        "bil",
        "fro",
        "nup",
        "wez",
        "gri",
        "yol",
        "tam",
        "jep",
        "sko",
    ]
    every = " ".join(one + other for one in syllables for other in syllables)

    words = unasked_words([every])

    assert len({next(words) for _ in range(50)}) == 50
