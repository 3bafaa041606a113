"""One request to a model and its reply, as they are recorded."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sekisho.adapters.model_recording.masking import Masking


class Request(NamedTuple):
    """A request without any key.

    Attributes:
        method: Such as ``POST``.
        path: Below the model's base address, with its query.
        body: A JSON value; a text or None where the body is none.
        is_json: Whether ``body`` is a JSON value.
        key: SHA-256 of all of it, members of JSON objects in the order of their names.
    """

    method: str
    path: str
    body: Any
    is_json: bool
    key: str


class Reply(NamedTuple):
    """What a model's server sent.

    Attributes:
        status: Such as 200.
        content_type: As the server gave it; empty where it gave none.
        body: The bytes, without any key.
    """

    status: int
    content_type: str
    body: bytes


class Exchange(NamedTuple):
    """A request and its reply, in the sample of a case that they belong to.

    Attributes:
        suite: The suite that ran.
        case: The case that was asked; empty while the target was made.
        sample: Which of its samples, from 1; 0 while the target was made.
        request: What was asked.
        number: The how-manieth time the same request came in that sample, from 1.
        reply: What came back.
    """

    suite: str
    case: str
    sample: int
    request: Request
    number: int
    reply: Reply

    @property
    def place(self) -> tuple[str, str, int, str, int]:
        """What the exchange is found by, and the order of a recording."""
        return self.suite, self.case, self.sample, self.request.key, self.number


def request_of(method: str, path: str, body: bytes, masking: Masking) -> Request:
    """Return a request as it is recorded, without keys.

    Args:
        method: Such as ``POST``.
        path: Below the base address, with its query.
        body: As it came.
        masking: Takes the keys out, and learns those in telling places.
    """
    bare, mark, query = path.partition("?")
    shown = masking.text(bare) + mark + masking.query(query)
    value, is_json = _json(body)
    if is_json:
        return keyed(method, shown, masking.json(value), is_json=True)
    text = masking.text(body.decode("utf-8", "backslashreplace"))
    return keyed(method, shown, text or None, is_json=False)


def keyed(method: str, path: str, body: Any, *, is_json: bool) -> Request:  # noqa: ANN401  any JSON value
    """Return a request with its key."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    whole = "\n".join((method, path, "json" if is_json else "text", canonical))
    return Request(method, path, body, is_json, hashlib.sha256(whole.encode()).hexdigest())


def _json(body: bytes) -> tuple[Any, bool]:
    """Return a body as JSON, where a file of JSON Lines in UTF-8 can hold it: no NaN, no half of a surrogate pair."""
    if not body.strip():
        return None, False
    try:
        value = json.loads(body)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return None, False
    return value, True
