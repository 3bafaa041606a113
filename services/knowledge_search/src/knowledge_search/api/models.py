"""What the API takes and gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from knowledge_search.answer.question import MAX_QUESTION_CHARS, QuestionError, checked_question

if TYPE_CHECKING:
    from knowledge_search.domain import Answer, Chunk, Context, DocumentRecord, Hit

MAX_QUESTION: Final = MAX_QUESTION_CHARS
MAX_K: Final = 50
MAX_ID: Final = (1 << 53) - 1
"""The largest whole number that JavaScript keeps exactly."""
_MAX_DEPARTMENTS: Final = 64

DepartmentName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$", examples=["sales"])]
DocumentId = Annotated[int, Field(ge=1, le=MAX_ID, examples=[40213557019])]


def clean(question: str) -> str:
    """Return a question without the blanks around it.

    Raises:
        PydanticCustomError: It is no question, see :func:`checked_question`.
    """
    try:
        return checked_question(question, limit=MAX_QUESTION)
    except QuestionError as error:
        raise PydanticCustomError(error.code, "is no question") from None


Question = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION, pattern=r"\S"), AfterValidator(clean)]
Departments = Annotated[list[DepartmentName], Field(max_length=_MAX_DEPARTMENTS)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AskBody(_Model):
    """A question."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [
                {"question": "午前半休は何時までですか？"},
                {"question": "Who approves a discount?", "departments": ["sales"], "k": 8},
            ]
        },
    )  # fmt: skip

    question: Question = Field(description="In any language; blanks around it are taken away.")
    departments: Departments | None = Field(
        default=None,
        description="Look only into these and `all`. It can narrow what the key or token may see, never widen it.",
    )
    k: Annotated[int, Field(ge=1, le=MAX_K)] | None = Field(
        default=None, description="Passages handed to the model; the operator's setting where it is left out."
    )


class ContextOut(_Model):
    """A passage as it was handed to the model."""

    number: int = Field(description="What `[n]` in the answer means.", examples=[1])
    document_id: int = Field(examples=[40213557019])
    chunk_id: int
    source: str = Field(examples=["business-trip.pdf"])
    page: int | None = Field(examples=[3])
    text: str

    @classmethod
    def of(cls, context: Context) -> Self:
        """Return the passage as the API gives it."""
        return cls(
            number=context.number, document_id=context.document_id, chunk_id=context.chunk_id, source=context.source,
            page=context.page, text=context.text,
        )  # fmt: skip


class AnswerOut(_Model):
    """An answer with its sources."""

    text: str = Field(description="Cites passages as `[n]`.", examples=["午前半休は12時までです。[1]"])
    found: bool = Field(description="Whether the documents answer the question.")
    sources: list[str] = Field(
        description="`file.md` or `file.pdf p.3`, in the order in which they are cited; empty where nothing was found.",
        examples=[["vacation.md"]],
    )
    cited: list[int] = Field(description="The numbers that the answer cites.", examples=[[1]])
    contexts: list[ContextOut]
    model: str = Field(description="`extractive` where no language model is configured.", examples=["extractive"])

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Return the answer as the API gives it."""
        return cls(
            text=answer.text, found=answer.found, sources=list(answer.sources), cited=list(answer.cited),
            contexts=[ContextOut.of(context) for context in answer.contexts], model=answer.model,
        )  # fmt: skip


class PassageOut(_Model):
    """A passage of a document."""

    id: int
    text: str
    title_path: list[str] = Field(description="Document title and headings above it.", examples=[["休暇規程", "半休"]])
    start: int = Field(description="Offset in the page's text, in characters.")
    end: int

    @classmethod
    def of(cls, chunk: Chunk) -> Self:
        """Return the passage as the API gives it."""
        return cls(id=chunk.id, text=chunk.text, title_path=list(chunk.title_path), start=chunk.start, end=chunk.end)


class HitOut(_Model):
    """A passage that search found."""

    chunk_id: int
    document_id: int
    source: str = Field(examples=["vacation.md"])
    citation: str = Field(examples=["business-trip.pdf p.3"])
    title_path: list[str]
    page: int | None
    text: str
    distance: float = Field(description="Cosine distance to the question, 0 to 2.", examples=[0.41])
    score: float = Field(description="What the strategy ranked by; comparable within one result only.")

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Return the hit as the API gives it."""
        chunk = hit.chunk
        return cls(
            chunk_id=chunk.id, document_id=chunk.document_id, source=chunk.source, citation=chunk.citation,
            title_path=list(chunk.title_path), page=chunk.page, text=chunk.text, distance=hit.distance, score=hit.score,
        )  # fmt: skip


class SearchOut(_Model):
    """Passages, best first."""

    strategy: str = Field(examples=["exact"])
    hits: list[HitOut]


class DocumentOut(_Model):
    """A document that the asker may see."""

    id: int = Field(examples=[40213557019])
    source: str = Field(examples=["vacation.md"])
    title: str = Field(examples=["休暇規程"])
    department: str = Field(examples=["all"])
    media_type: str = Field(examples=["text/markdown"])
    pages: int | None = Field(description="None where it has no pages; its text is then page 1.", examples=[None])
    passages: int = Field(examples=[4])

    @classmethod
    def of(cls, record: DocumentRecord) -> Self:
        """Return the document as the API gives it."""
        return cls(
            id=record.id, source=record.source, title=record.title, department=record.department,
            media_type=record.media_type, pages=record.pages, passages=record.chunks,
        )  # fmt: skip


class DocumentsOut(_Model):
    """Documents by source."""

    documents: list[DocumentOut]
    next: str | None = Field(description="Give it as `after` for the next ones; None where these are the last.")


class PageOut(_Model):
    """A page of a document, as its passages."""

    document: DocumentOut
    page: int = Field(examples=[1])
    label: str | None = Field(description="As printed on the page, where it differs.", examples=["iii"])
    passages: list[PassageOut]


class UploadOut(_Model):
    """What became of an upload."""

    status: Literal["ingested", "unchanged"]
    document: DocumentOut


class HealthOut(_Model):
    """Whether the service can answer, and what its page has to tell its users. Nothing here is secret."""

    status: Literal["ok"] = "ok"
    version: str = Field(examples=["0.1.0"])
    model: str = Field(description="`extractive` where none is configured.", examples=["extractive"])
    model_configured: bool
    embedder: str = Field(examples=["hashing"])
    evaluation_grade: bool = Field(description="Whether the embedder is only good enough to try things out.")
    strategy: str = Field(examples=["exact"])
    anonymous: bool = Field(description="Whether the documents of `all` can be asked for without a key.")
    max_question: int = Field(description="Characters of a question, at most.", examples=[MAX_QUESTION])


def examples(model: type[BaseModel], **values: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of any model
    """Return one checked example of a model, as OpenAPI's media types hold it."""
    return {"example": model(**values).model_dump(exclude_none=True)}
