"""No file makes the readers fail in any way but their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sekisho.adapters.files import read_corpus, read_qrels, read_queries, read_run
from sekisho.adapters.files.columns import read_side
from sekisho.core.errors import SekishoError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

PIECES = st.sampled_from(
    [
        *(bytes([byte]) for byte in b' \t,\n"{}[]:#-.1\0\xff'),
        *(b"q1", b"d1", b"0.5", b"nan", b"1e999", b"true", b"null", b"\r\n", "文".encode()),
        *(b"<top>", b"<num>", b"</top>", b"\xef\xbb\xbf", b"\\ud800", b"PAR1", b"\x1f\x8b", b"PK\x03\x04"),
        *(b"query-id\tcorpus-id\tscore\n", b"id,text\n", b"q1 Q0 d1 1 0.5 t\n", b"q1 0 d1 1\n"),
        *(b'{"_id": "a", "text": "b"}\n', b'{"qid": "q", "docid": "d", "score": 1}\n'),
    ]
)
CONTENT = st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=20).map(b"".join))
READERS = (
    read_qrels,
    read_run,
    lambda path: read_run(path, duplicates="first"),
    read_queries,
    read_corpus,
    lambda path: read_side(path, "run"),
    lambda path: read_side(path, "qrels"),
)


@pytest.mark.parametrize("reader", READERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(content=CONTENT)
def test_any_bytes_give_data_or_an_error_of_ours(tmp_path: Path, reader: object, content: bytes) -> None:
    """Random bytes, and random pieces of the formats."""
    path = tmp_path / "file"
    path.write_bytes(content)

    try:
        said = [str(bool(reader(path)))]  # type: ignore[operator]  # one of the functions above
    except SekishoError as error:
        said = [error.render(language) for language in LANGUAGES]

    assert all(said)
