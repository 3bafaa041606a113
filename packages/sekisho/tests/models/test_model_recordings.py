"""Recordings as files, keys kept out of them, and files of judgments."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.adapters.model_recording import Cassette, Exchange, Masking, read_cassette, read_judgments, write_cassette
from sekisho.adapters.model_recording.differences import first_difference
from sekisho.adapters.model_recording.exchange import Reply, request_of
from sekisho.adapters.model_recording.usage import Usage, usage_of
from sekisho.core.errors import ConfigurationError, InputFileError

if TYPE_CHECKING:
    from sekisho.adapters.model_recording.exchange import Request

KEY = 'sk-"planted/é\\key'


def request(body: bytes, path: str = "/chat/completions") -> Request:
    """Return a request as it is recorded."""
    return request_of("POST", path, body, Masking())


def exchange(case: str = "q1", body: bytes = b'{"a": 1}', reply: bytes = b"{}", **place: int) -> Exchange:
    """Return an exchange."""
    place = {"sample": 1, "number": 1, **place}
    return Exchange("s", case, place["sample"], request(body), place["number"], Reply(200, "application/json", reply))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file that holds two exchanges."""
    path = tmp_path / "answers.jsonl"
    exchanges = (exchange(), exchange("q2", reply=b"\xff\x00"))
    write_cassette(path, Cassette(model="m", samples=2, min_pass_rate=1, exchanges=exchanges))
    return path


def test_a_recording_is_read_as_it_was_written(file: Path) -> None:
    """Also bytes that are no text."""
    found = read_cassette(file)

    assert found.exchanges == (exchange(), exchange("q2", reply=b"\xff\x00"))
    assert (found.model, found.samples, found.min_pass_rate) == ("m", 2, 1.0)


def test_the_order_of_members_is_no_part_of_a_request() -> None:
    """Their values are, and method and path."""
    same = request(b'{"a": 1, "b": [2]}'), request(b'{ "b":[2],"a":1 }')
    others = {request(b'{"a": 1, "b": [3]}').key, request(b'{"a": 1, "b": [2]}', "/embeddings").key}

    assert same[0].key == same[1].key
    assert same[0].key not in others


@pytest.mark.parametrize("body", [b"", b"plain", b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b'"\\ud800"', b"[" * 5000])
def test_any_body_can_be_recorded(body: bytes, tmp_path: Path) -> None:
    """What is no JSON, or none that a file can hold, is kept as text."""
    path = tmp_path / "answers.jsonl"
    recorded = exchange(body=body, reply=body)

    write_cassette(path, Cassette(model="m", samples=1, min_pass_rate=1, exchanges=(recorded,)))

    assert read_cassette(path).exchanges == (recorded,)


def broken(file: Path, old: str, new: str) -> InputFileError:
    """Return the error of a file in which something was replaced once."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputFileError) as caught:
        read_cassette(file)
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("sekisho.cassette/1", "sekisho.cassette/9", "models.cassette_version", 1),
        ("sekisho.cassette/1", "other", "models.cassette_other", 1),
        ('"samples": 2', '"samples": true', "models.cassette_line", 1),
        ('"a": 1', '"a": 2', "models.cassette_changed", 2),
        ('"body": "{}"', '"body": "{ }"', "models.cassette_changed", 2),
        ('"status": 200', '"status": 20', "models.cassette_line", 2),
        ('"suite": "s", ', "", "models.cassette_line", 2),
        ('{"suite"', '["suite"', "files.json_syntax", 2),
    ],
)
def test_a_changed_file_is_refused_with_its_line(file: Path, old: str, new: str, code: str, line: int) -> None:
    """A gate on recorded answers is worth as much as its recording."""
    error = broken(file, old, new)

    assert (error.code, error.where.line) == (code, line)


@pytest.mark.parametrize("kept", [0.6, 0.95])
def test_a_file_that_was_cut_off_is_refused(file: Path, kept: float) -> None:
    """In the middle of a line."""
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: int(len(text) * kept)], encoding="utf-8")

    with pytest.raises(InputFileError) as caught:
        read_cassette(file)

    assert caught.value.code == "models.cassette_cut"


def test_a_file_that_lost_a_line_is_refused(file: Path) -> None:
    """Its head tells how many there should be."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]), encoding="utf-8")

    with pytest.raises(InputFileError) as caught:
        read_cassette(file)

    assert caught.value.values == {"found": 1, "told": 2}


def test_a_new_recording_of_a_case_takes_the_place_of_the_old() -> None:
    """What belongs to other cases stays, and the order is that of the content."""
    old = Cassette(model="m", samples=1, min_pass_rate=1, exchanges=(exchange("a"), exchange("b"), exchange("c")))
    new = [exchange("b", body=b"2"), exchange("d")]

    found = old.with_recorded(reversed(new), recorded={("s", "b"), ("s", "a")})

    assert [(each.case, each.request.body) for each in found.exchanges] == [("b", 2), ("c", {"a": 1})]


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """With its path."""
    with pytest.raises(ConfigurationError) as caught:
        write_cassette(tmp_path / "none" / "x.jsonl", Cassette(model="m", samples=1, min_pass_rate=1))

    assert caught.value.code == "app.cannot_write"


def test_keys_are_masked_wherever_they_travel() -> None:
    """Header, cookie, query, body by name, body by value, reply in any spelling."""
    masking = Masking()
    masking.learn_headers([("Authorization", f"Bearer {KEY}"), ("Cookie", "a=1; session=cookie-value")])
    body = json.dumps({"api_key": "from-the-body", "prompt": f"{KEY} from-the-body short"}).encode()

    found = request_of("POST", "/x?key=from-the-query&n=1", body, masking)

    assert found.path == "/x?key=***&n=1"
    assert found.body == {"api_key": "***", "prompt": "*** *** short"}
    assert masking.data(json.dumps([KEY, "cookie-value", "from-the-query"]).encode()) == b'["***", "***", "***"]'
    assert KEY not in repr(masking)


def test_keys_are_masked_in_any_case_of_letters() -> None:
    """What is lowered on its way is a key still."""
    masking = Masking()
    masking.learn_headers([("Authorization", "Bearer Key-Of-Nine")])

    assert masking.text("key-of-nine KEY-OF-NINE") == "*** ***"


def test_short_values_are_words() -> None:
    """A made-up key of a replay must not blank a prompt."""
    masking = Masking()
    masking.learn_headers([("Authorization", "Bearer test")])

    assert masking.text("a test") == "a test"


@pytest.mark.parametrize(
    ("recorded", "asked", "way"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b"),
        ({"a": [1]}, {"a": [1, 2]}, "a[1]"),
        ({"a": 1}, {"b": 1}, "a"),
        (1, 2, ""),
    ],
)
def test_the_first_difference_is_named(recorded: object, asked: object, way: str) -> None:
    """As people write the way to a value."""
    assert first_difference(recorded, asked) == way


@pytest.mark.parametrize(
    ("body", "usage"),
    [
        (b'{"usage": {"prompt_tokens": 3, "completion_tokens": 4}}', Usage(1, 3, 4)),
        (b'{"usage": {"input_tokens": 3}}', Usage(1, 3, 0)),
        (b'{"usage": {"prompt_tokens": "x"}}', Usage()),
        (b'{"usage": ' + b"[" * 9000, Usage()),
        (b"[]", Usage()),
    ],
)
def test_usage_is_read_where_it_is_told(body: bytes, usage: Usage) -> None:
    """Whatever else a server sends counts nothing."""
    assert usage_of(body, is_stream=False) == usage


def judged(tmp_path: Path, text: str) -> object:
    """Return the judgments of a file, or the error of it."""
    file = tmp_path / "judged"
    file.write_text(text, encoding="utf-8")
    try:
        return read_judgments(file, known={"q1", "q2", "travel-limit"})
    except InputFileError as error:
        return error.code, error.where.line


def test_judgments_are_read_from_both_formats(tmp_path: Path) -> None:
    """Verdicts in either language."""
    table = judged(tmp_path, "case,sample,verdict,note\nq1,2,合格,よい\n\nq2,,FAIL,\n")
    lines = judged(
        tmp_path, '{"case": "q1", "sample": 2, "verdict": "pass", "note": "よい"}\n{"case": "q2", "verdict": false}\n'
    )

    assert table == lines
    assert [(each.case_id, each.sample, each.passed) for each in table] == [("q1", 2, True), ("q2", None, False)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("case,verdict\ntravel-limt,pass\n", ("models.judgment_case_meant", 2)),
        ("case,verdict\nzzz,pass\n", ("models.judgment_case", 2)),
        ("case,verdct\nq1,pass\n", ("models.judgment_column_meant", 1)),
        ("case,verdict\nq1,maybe\n", ("models.judgment_verdict", 2)),
        ("case,verdict\nq1,\n", ("models.judgment_empty", 2)),
        ("case,score\nq1,nan\n", ("models.judgment_score", 2)),
        ("case,sample,score\nq1,0,1\n", ("models.judgment_sample", 2)),
        ("case,score\nq1,1\nq1,2\n", ("models.judgment_twice", 3)),
        ("case,score\nq1,1,2\n", ("models.judgment_form", 2)),
        ('case,score\n"q1,1\n', ("models.judgment_form", 2)),
        ('{"case": "q1"}\n', ("models.judgment_empty", 1)),
        ("verdict\npass\n", ("models.judgment_form", 1)),
    ],
)
def test_wrong_judgments_are_refused_with_their_line(tmp_path: Path, text: str, problem: tuple[str, int]) -> None:
    """With what was probably meant."""
    assert judged(tmp_path, text) == problem


def read_or_error(path: Path) -> Cassette | InputFileError:
    """Return the recording in a file, or the error of it."""
    try:
        return read_cassette(path)
    except InputFileError as error:
        return error


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=3))
def test_any_damage_is_refused(place: int, new: bytes) -> None:
    """Whatever stands where it should not: an error with its place, or the same recording."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        whole = Cassette(model="m", samples=2, min_pass_rate=1, exchanges=(exchange(), exchange("q2", reply=b"\xff")))
        write_cassette(path, whole)
        data = path.read_bytes()
        after_head = data.index(b"\n") + 1
        at = after_head + place % (len(data) - after_head)
        path.write_bytes(data[:at] + new + data[at + len(new) :])

        found = read_or_error(path)

        assert found == whole or (isinstance(found, InputFileError) and found.where is not None)


@pytest.mark.parametrize("depth", [100, 300, 900, 990, 5000])
def test_a_deeply_nested_line_is_refused(file: Path, depth: int) -> None:
    """A recording may come from anywhere."""
    error = broken(file, '{"a": 1}', "[" * depth + "]" * depth)

    assert error.code in {"models.cassette_changed", "files.json_deep"}


@pytest.mark.parametrize("depth", [150, 900, 5000])
def test_a_deeply_nested_request_is_recorded(depth: int, tmp_path: Path) -> None:
    """What is deeper than any request to a model is cut, or kept as text."""
    path = tmp_path / "answers.jsonl"
    recorded = exchange(body=b"[" * depth + b"]" * depth)

    write_cassette(path, Cassette(model="m", samples=1, min_pass_rate=1, exchanges=(recorded,)))

    assert read_cassette(path).exchanges == (recorded,)
