"""From hits to an answer: the one path that people and the evaluation share."""

from __future__ import annotations

import logging
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from knowledge_search.answer.citations import read_answer
from knowledge_search.answer.language import Sentence, language_of
from knowledge_search.answer.partial import PartialAnswer
from knowledge_search.answer.prompt import build_prompt
from knowledge_search.domain import Answer, Context

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from knowledge_search.answer.prompt import Prompt
    from knowledge_search.domain import Hit
    from knowledge_search.ports import LanguageModel, StreamingModel

NOT_FOUND: Final = Sentence(
    ja="申し訳ありません。この質問の答えは、文書の中に見つかりませんでした。言葉を変えて、もう一度お試しください。",
    en="Sorry, the documents hold no answer to this question. Please try again in other words.",
)
"""What the asker reads where nothing was found. It never tells whether there are documents he may not see."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ContextsFound:
    """The passages that the model is given; the first event, left out where there are none."""

    contexts: tuple[Context, ...]
    kind: Literal["contexts"] = "contexts"


@dataclass(frozen=True, kw_only=True)
class AnswerPiece:
    """Text to append to what the asker already reads."""

    text: str
    kind: Literal["piece"] = "piece"


@dataclass(frozen=True, kw_only=True)
class AnswerComplete:
    """The answer, which replaces all pieces; the last event."""

    answer: Answer
    kind: Literal["answer"] = "answer"


AnswerEvent = ContextsFound | AnswerPiece | AnswerComplete


def answer_question(question: str, hits: Sequence[Hit], llm: LanguageModel, max_distance: float) -> Answer:
    """Return the answer to a question from the passages that search found for it.

    ``found`` is True only where a passage lies within ``max_distance``, the model does not say ``NO_ANSWER``, and its
    answer cites at least one passage that it was given: a text that rests on nothing is not shown. Otherwise the text
    is a polite sentence in the question's language, and sources, contexts and citations are empty. Without a passage
    within the threshold no model is called. Cited numbers that do not exist are taken out of the text and logged.

    Args:
        question: Checked (``checked_question``).
        hits: Best first, all of them visible to the asker.
        llm: Writes the answer.
        max_distance: Cosine distance, inclusive; farther hits are dropped.

    Raises:
        ModelError: The model does not answer.
    """
    contexts = contexts_within(hits, max_distance)
    if not contexts:
        return _not_found(question, llm.name)
    prompt = build_prompt(question, contexts)
    return _answer(question, llm.generate(prompt.system, prompt.user), contexts, llm.name)


def stream_answer(
    question: str, hits: Sequence[Hit], llm: LanguageModel | StreamingModel, max_distance: float
) -> Iterator[AnswerEvent]:
    """Yield the contexts, pieces of the answer as they come, and the answer, which equals ``answer_question``'s.

    No piece is yielded before the answer is known to be one: not before its first valid citation, hence never of
    ``NO_ANSWER``. The pieces join to the answer's text, unless the model quotes a passage with footnote marks word
    for word: then they stop early. Closing the iterator closes the model's connection.

    Args:
        question: As for ``answer_question``, like the other arguments.
        hits: Best first.
        llm: Writes the answer.
        max_distance: Cosine distance, inclusive.

    Raises:
        ModelError: The model does not answer, or breaks off in the middle; pieces may have been yielded.
    """
    contexts = contexts_within(hits, max_distance)
    if not contexts:
        yield AnswerComplete(answer=_not_found(question, llm.name))
        return
    yield ContextsFound(contexts=contexts)
    prompt = build_prompt(question, contexts)
    partial = PartialAnswer(contexts)
    with closing(_written(llm, prompt)) as pieces:
        for each in pieces:
            shown = partial.add(each)
            if shown:
                yield AnswerPiece(text=shown)
    answer = _answer(question, partial.raw, contexts, llm.name)
    rest = partial.rest(answer.text) if answer.found else ""
    if rest:
        yield AnswerPiece(text=rest)
    yield AnswerComplete(answer=answer)


def contexts_within(hits: Sequence[Hit], max_distance: float) -> tuple[Context, ...]:
    """Return the passages within ``max_distance``, numbered from 1 in the order of ``hits``, each passage once."""
    chunks = {hit.chunk.id: hit.chunk for hit in hits if hit.distance <= max_distance}
    return tuple(
        Context(
            number=number,
            document_id=chunk.document_id,
            source=chunk.source,
            text=chunk.text,
            chunk_id=chunk.id,
            page=chunk.page,
        )
        for number, chunk in enumerate(chunks.values(), start=1)
    )


def citation_of(context: Context) -> str:
    """Return ``file.md`` or ``file.pdf p.3``."""
    return context.source if context.page is None else f"{context.source} p.{context.page}"


def _written(llm: LanguageModel | StreamingModel, prompt: Prompt) -> Generator[str, None, None]:
    stream = getattr(llm, "stream", None)
    if stream is None:
        yield llm.generate(prompt.system, prompt.user)
    else:
        yield from stream(prompt.system, prompt.user)


def _answer(question: str, raw: str, contexts: tuple[Context, ...], model: str) -> Answer:
    read = read_answer(raw, contexts)
    if read.unknown:
        _logger.warning("the model %r cited documents that it was not given: %s", model, list(read.unknown))
    if read.refused or not read.cited:
        return _not_found(question, model)
    by_number = {each.number: each for each in contexts}
    sources = dict.fromkeys(citation_of(by_number[number]) for number in read.cited)
    return Answer(text=read.text, found=True, sources=tuple(sources), contexts=contexts, cited=read.cited, model=model)


def _not_found(question: str, model: str) -> Answer:
    return Answer(text=NOT_FOUND.text(language_of(question)), found=False, model=model)
