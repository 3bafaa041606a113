"""Documents from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters.files.content import failure, names_memory, read_content
from sekisho.adapters.files.records import text_records
from sekisho.adapters.files.shape import shape_of
from sekisho.corpora.text import Document

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Path


@names_memory
def read_corpus(path: Path) -> dict[str, Document]:
    """Return the documents of a file: id to document, in the order of the file.

    Read are BEIR's ``corpus.jsonl`` (``_id`` or ``id``, ``title``, ``text``), TSV (id and text, or with a header), CSV
    with a header, and JSON (``{id: text}``, ``{id: {title, text}}`` or an array of records); each also packed by gzip.

    Raises:
        InputFileError: With file and line: unreadable, another format, a repeated id.
    """
    content = read_content(path)
    shape = shape_of(content)
    if shape == "markup":
        raise failure("markup", content.name, 1)
    documents: dict[str, Document] = {}
    for line, id_, text, title in text_records(content, shape, "corpus"):
        if id_ in documents:
            raise failure("repeated_document_id", content.name, line, id=id_)
        documents[id_] = Document(id=id_, title=title, text=text)
    if not documents:
        raise failure("no_rows", content.name)
    return documents
