"""From hits to an answer, whole and streamed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.answer import AnswerComplete, AnswerPiece, ContextsFound, answer_question, stream_answer
from knowledge_search.domain import Answer, Chunk, Hit, ModelError
from knowledge_search.llm import ExtractiveLLM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def hit(number: int, text: str, *, distance: float = 0.5, source: str = "rules.md", page: int | None = None) -> Hit:
    """Return a hit."""
    chunk = Chunk(id=number, document_id=1, source=source, department="all", text=text, page=page)
    return Hit(chunk=chunk, distance=distance, score=-distance)


HITS = (
    hit(11, "有給は年に十日。"),
    hit(12, "上限は一泊九千円。", source="trip.pdf", page=3),
    hit(13, "その他。", source="trip.pdf", page=3),
)


class Writes:
    """A model that writes what it is told, in pieces."""

    name = "scripted"

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        self.prompts: list[tuple[str, str]] = []
        self.closed = False

    def generate(self, system: str, user: str) -> str:
        """Return all pieces."""
        self.prompts.append((system, user))
        return "".join(self.pieces)

    def stream(self, system: str, user: str) -> Iterator[str]:
        """Yield the pieces."""
        self.prompts.append((system, user))
        try:
            yield from self.pieces
        finally:
            self.closed = True


class WritesWhole:
    """A model that cannot stream."""

    name = "whole"

    def generate(self, system: str, user: str) -> str:  # noqa: ARG002 - the protocol's
        """Return an answer."""
        return "十日です [1]。"


class Fails:
    """A model that breaks off."""

    name = "failing"

    def generate(self, system: str, user: str) -> str:
        """Raise."""
        return "".join(self.stream(system, user))

    def stream(self, system: str, user: str) -> Iterator[str]:  # noqa: ARG002 - the protocol's
        """Yield a little, and raise."""
        yield "十日です [1]。それから"
        message = "broken off"
        raise ModelError(message)


def streamed(
    model: Writes | ExtractiveLLM, hits: Sequence[Hit] = HITS, question: str = "有休は？"
) -> tuple[str, Answer]:
    """Return the joined pieces and the final answer of a stream."""
    events = list(stream_answer(question, hits, model, 0.9))
    last = events[-1]
    assert isinstance(last, AnswerComplete)
    return "".join(each.text for each in events if isinstance(each, AnswerPiece)), last.answer


def test_an_answer_names_its_sources_in_the_order_cited() -> None:
    """Each once, PDFs with the page; the contexts are all that the model was given."""
    answer = answer_question("上限は？", HITS, Writes("九千円 [3][2]。年に十日 [1]。"), 0.9)

    assert answer.found
    assert answer.sources == ("trip.pdf p.3", "rules.md")
    assert answer.cited == (3, 2, 1)
    assert [(each.number, each.chunk_id, each.text) for each in answer.contexts] == [
        (1, 11, "有給は年に十日。"), (2, 12, "上限は一泊九千円。"), (3, 13, "その他。"),
    ]  # fmt: skip
    assert answer.model == "scripted"


def test_far_hits_are_not_given_to_the_model() -> None:
    """The threshold is inclusive; a distance that is no number is beyond it; a passage found twice is given once."""
    model = Writes("はい [1][2]")
    hits = [
        hit(1, "near", distance=0.9),
        hit(2, "far", distance=0.91),
        hit(3, "lost", distance=float("nan")),
        hit(1, "near", distance=0.95),
    ]

    answer = answer_question("?", [*hits, hit(4, "last"), hit(4, "last")], model, 0.9)

    assert [each.text for each in answer.contexts] == ["near", "last"]
    assert "far" not in model.prompts[0][1]


@pytest.mark.parametrize("hits", [(), (hit(1, "text", distance=0.95),)])
def test_without_grounds_no_model_is_called(hits: tuple[Hit, ...]) -> None:
    """Neither for an answer nor for a stream."""
    model = Writes("made up [1]")

    answer = answer_question("社長の好きな食べ物は？", hits, model, 0.9)

    assert not model.prompts
    assert not answer.found
    assert "見つかりません" in answer.text
    assert (answer.sources, answer.contexts, answer.cited) == ((), (), ())
    assert list(stream_answer("社長の好きな食べ物は？", hits, model, 0.9)) == [AnswerComplete(answer=answer)]
    assert not model.prompts


@pytest.mark.parametrize(
    "raw", ["NO_ANSWER", "**NO_ANSWER**。", "NO_ANSWER [1]", "", "たぶん十日です。", "十日です [9]。"]
)
def test_no_answer_and_answers_that_rest_on_nothing_are_not_shown(raw: str) -> None:
    """Nothing of them, whatever the pieces: no text, no source, no passage."""
    for pieces in ((raw,), tuple(raw), ("\n", *raw)):
        shown, answer = streamed(Writes(*pieces), question="How many days off?")

        assert shown == ""
        assert not answer.found
        assert answer.text.startswith("Sorry")
        assert (answer.sources, answer.contexts, answer.cited) == ((), (), ())
        assert answer == answer_question("How many days off?", HITS, Writes(*pieces), 0.9)


def test_made_up_numbers_are_taken_out_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The log tells the operator about the model, without its words."""
    with caplog.at_level(logging.WARNING):
        answer = answer_question("?", HITS, Writes("秘密の十日 [1][8]。"), 0.9)

    assert answer.text == "秘密の十日 [1]。"
    assert "[8]" in caplog.text
    assert "秘密" not in caplog.text


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "十日",
                "です",
                " ",
                "[1",
                "]",
                "[",
                "1]",
                "[9]",
                ", 2",
                "&l",
                "t;",
                "&",
                "。",
                "\n",
                "NO_",
                "ANSWER",
                "[1]",
                "［2］",
            ]
        ),
        max_size=14,
    )
)
def test_a_stream_ends_as_the_whole_answer_does(pieces: list[str]) -> None:
    """However the pieces are cut; and what was shown on the way joins to the answer's text."""
    shown, answer = streamed(Writes(*pieces))

    assert answer == answer_question("有休は？", HITS, Writes(*pieces), 0.9)
    assert shown == (answer.text if answer.found else "")


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.lists(
        st.sampled_from(["[1]", "注[2]", "\n", "本文", "NO_ANSWER", "<b>", "&lt;", " "]), min_size=1, max_size=6
    ).map("".join)
)
def test_the_stand_in_quotes_exactly(text: str) -> None:
    """With footnote marks and the like in the passages."""
    hits = [hit(1, text), hit(2, "二つ目 [3]", source="b.pdf", page=2)]

    shown, answer = streamed(ExtractiveLLM(), hits)

    assert answer.text == shown == f"{text} [1]\n二つ目 [3] [2]"
    assert answer.sources == ("rules.md", "b.pdf p.2")
    assert answer == answer_question("有休は？", hits, ExtractiveLLM(), 0.9)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("十日 [1]。約", " [", "9", "]", "日"), "十日 [1]。約日"),
        (("十日 [1]。A", " &l", "t;", " B"), "十日 [1]。A < B"),
        (("十日 [1]。", "\n", "\n", " "), "十日 [1]。"),
        (("十日 [1]", " [", "1", ",", "2", "]"), "十日 [1] [1][2]"),
    ],
)
def test_an_open_end_is_held_back(pieces: tuple[str, ...], text: str) -> None:
    """Half a citation or entity is not shown: what is shown is never taken back."""
    assert streamed(Writes(*pieces))[0] == text


def test_pieces_flow_once_the_first_citation_is_there() -> None:
    """The asker does not wait for the end."""
    events = stream_answer("有休は？", HITS, Writes("十日", "です [1]。", "さらに", "五日", " [2]。"), 0.9)

    kinds = [next(events), next(events), next(events)]

    assert isinstance(kinds[0], ContextsFound)
    assert kinds[1:] == [AnswerPiece(text="十日です [1]。"), AnswerPiece(text="さらに")]


def test_a_model_that_cannot_stream_gives_one_piece() -> None:
    """The page needs only one way to read."""
    events = list(stream_answer("有休は？", HITS, WritesWhole(), 0.9))

    assert events[1] == AnswerPiece(text="十日です [1]。")
    assert events[2] == AnswerComplete(answer=answer_question("有休は？", HITS, WritesWhole(), 0.9))


def test_a_failing_model_is_not_hidden() -> None:
    """The error comes through, also in the middle."""
    with pytest.raises(ModelError):
        answer_question("?", HITS, Fails(), 0.9)
    with pytest.raises(ModelError):
        list(stream_answer("?", HITS, Fails(), 0.9))


def test_who_stops_listening_stops_the_model() -> None:
    """A client that leaves does not leave the model writing."""
    model = Writes("十日です [1]。", "さらに [2]")
    events = stream_answer("?", HITS, model, 0.9)
    assert isinstance(next(events), ContextsFound)
    assert isinstance(next(events), AnswerPiece)

    events.close()  # type: ignore[attr-defined]  # a generator

    assert model.closed
