"""Reading citations: what exists counts, what does not is taken out, and quoted text is left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.answer.citations import quoted, read_answer
from knowledge_search.domain import Context

BODIES = st.lists(
    st.sampled_from(["[1]", "[2]", " [1]", "\n", "本文", "NO_ANSWER", "&lt;", " ", "］", "【9】"]),
    min_size=1,
    max_size=8,
).map("".join)


def contexts(*texts: str) -> list[Context]:
    """Return passages numbered from 1."""
    return [
        Context(number=at, document_id=at, source=f"{at}.md", text=text, chunk_id=at)
        for at, text in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize(
    ("raw", "text", "cited", "unknown"),
    [
        ("五日です [1]。", "五日です [1]。", (1,), ()),
        ("Two [2] and one [1], again [2].", "Two [2] and one [1], again [2].", (2, 1), ()),
        ("Both [1, 2].", "Both [1][2].", (1, 2), ()),
        ("両方［１］【2】、[1、２]", "両方[1][2]、[1][2]", (1, 2), ()),
        ("Made up [7]. True [1].", "Made up. True [1].", (1,), (7,)),
        ("Mixed [1, 9].", "Mixed [1].", (1,), (9,)),
        ("None at all.", "None at all.", (), ()),
        ("Only [0] and [3] and [99999].", "Only and and.", (), (0, 3, 99999)),
        ("A list[a], [ ], [1] and [-1]", "A list[a], [ ], [1] and [-1]", (1,), ()),
        ("a &lt; b &amp;amp; &#91;3] &nbsp; [1]", "a < b &amp; [3] &nbsp; [1]", (1,), ()),
        ("  \n[1]\n ", "[1]", (1,), ()),
        ("[1234567890123]", "[1234567890123]", (), ()),
        ("", "", (), ()),
    ],
)
def test_citations_are_checked(raw: str, text: str, cited: tuple[int, ...], unknown: tuple[int, ...]) -> None:
    """Two documents were given."""
    read = read_answer(raw, contexts("甲", "乙"))

    assert (read.text, read.cited, read.unknown) == (text, cited, unknown)


@pytest.mark.parametrize(
    "raw",
    [
        "NO_ANSWER",
        " NO_ANSWER\n",
        "**NO_ANSWER**",
        "「NO_ANSWER」。",
        "NO_ANSWER.",
        "NO_ANSWER: [1] is about pay.",
        "_NO_ANSWER_",
    ],
)
def test_a_refusal_is_seen(raw: str) -> None:
    """Alone, dressed, or explained: models like to explain themselves."""
    assert read_answer(raw, contexts("甲")).refused


@pytest.mark.parametrize(
    "raw", ["NO_ANSWERS [1]", "The code NO_ANSWER means nothing [1].", "no answer [1]", "", "答え [1]"]
)
def test_other_words_are_no_refusal(raw: str) -> None:
    """The word counts where the model begins with it."""
    assert not read_answer(raw, contexts("甲")).refused


@settings(max_examples=300, derandomize=True, deadline=None)
@given(
    st.lists(BODIES, min_size=1, max_size=1) | st.lists(BODIES.map("文{}".format), min_size=1, max_size=4, unique=True)
)
def test_quoted_documents_are_left_alone(texts: list[str]) -> None:
    """Footnote marks, entities and the word for no answer in a quoted document are its own."""
    given_contexts = contexts(*texts)

    read = read_answer("\n".join(quoted(each.text, each.number) for each in given_contexts), given_contexts)

    assert not read.refused
    assert all(each in read.text for each in texts)
    assert read.cited == tuple(range(1, len(texts) + 1))
    assert read.unknown == ()


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text("[]［］【】123, 、;&#91;lt\n aNO_ANSWER", max_size=60))
def test_anything_can_be_read(raw: str) -> None:
    """Cited numbers exist, each once, and no made-up number is left in the text as a citation."""
    read = read_answer(raw, contexts("甲", "乙"))

    assert set(read.cited) <= {1, 2}
    assert len(set(read.cited)) == len(read.cited)
    assert not set(read.unknown) & {1, 2}


@pytest.mark.parametrize(
    "raw",
    [
        " " * 200_000 + "x",
        "[" * 200_000,
        "[1" + " " * 200_000,
        "[1,1" * 50_000,
        "[1,\u3000" * 50_000,
        "&" * 200_000,
        "「" * 200_000,
        "[" + "1," * 100_000,
    ],
)
def test_hostile_answers_are_read_in_no_time(raw: str) -> None:
    """No pattern takes more than linear time."""
    start = time.process_time()
    read_answer(raw, contexts("甲", "乙" * 1000))

    assert time.process_time() - start < 1
