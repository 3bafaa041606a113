"""Who asks: a key, a token, or nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge_search.auth import ANONYMOUS, ApiKeys
from knowledge_search.domain import AccessError

if TYPE_CHECKING:
    from knowledge_search.auth import Principal, TokenVerifier


class Door:
    """Reads the ``Authorization`` header.

    Args:
        keys: API keys.
        tokens: None where no sign-in is configured; tokens are then not accepted.
        anonymous: Whether nobody in particular may see the documents of ``all``.
    """

    def __init__(self, keys: ApiKeys, tokens: TokenVerifier | None, *, anonymous: bool) -> None:
        self._keys = keys
        self._tokens = tokens
        self._anonymous = anonymous

    def principal(self, authorization: str | None) -> Principal:
        """Return who sent this header. A bad key is refused also where none is needed.

        Raises:
            AccessError: It is not accepted, or needed and lacking.
        """
        if authorization is None:
            if self._anonymous:
                return ANONYMOUS
            raise AccessError("nobody is signed in")
        scheme, _, text = authorization.partition(" ")
        text = text.strip()
        if scheme.lower() != "bearer" or not text:
            raise AccessError("the Authorization header is not of the form: Bearer ...")
        if ApiKeys.looks_like_one(text):
            return self._keys.principal(text)
        if self._tokens is None:
            raise AccessError("tokens are not accepted here: no sign-in is configured")
        return self._tokens.principal(text)
