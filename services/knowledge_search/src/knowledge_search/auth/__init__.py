"""Who asks: API keys, bearer tokens, and what becomes of neither."""

from knowledge_search.auth.keys import ApiKeys, KeyRow, KeyTable, NewKey
from knowledge_search.auth.keyset import KeySet
from knowledge_search.auth.principal import ANONYMOUS, Principal
from knowledge_search.auth.tokens import TokenVerifier

__all__ = ["ANONYMOUS", "ApiKeys", "KeyRow", "KeySet", "KeyTable", "NewKey", "Principal", "TokenVerifier"]
