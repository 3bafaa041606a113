"""From a question and the passages found for it to an answer with checked citations, or an honest "not found"."""

from knowledge_search.answer.answering import (
    NOT_FOUND,
    AnswerComplete,
    AnswerEvent,
    AnswerPiece,
    ContextsFound,
    answer_question,
    citation_of,
    contexts_within,
    stream_answer,
)
from knowledge_search.answer.calibrate import Calibration, CurvePoint, calibrate
from knowledge_search.answer.language import Language, Sentence, language_of
from knowledge_search.answer.prompt import NO_ANSWER, Prompt, build_prompt
from knowledge_search.answer.question import MAX_QUESTION_CHARS, QuestionError, checked_question

__all__ = [
    "MAX_QUESTION_CHARS",
    "NOT_FOUND",
    "NO_ANSWER",
    "AnswerComplete",
    "AnswerEvent",
    "AnswerPiece",
    "Calibration",
    "ContextsFound",
    "CurvePoint",
    "Language",
    "Prompt",
    "QuestionError",
    "Sentence",
    "answer_question",
    "build_prompt",
    "calibrate",
    "checked_question",
    "citation_of",
    "contexts_within",
    "language_of",
    "stream_answer",
]
