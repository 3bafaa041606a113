"""What can go wrong with an embeddings endpoint, said in both languages without its key, address or words."""

from __future__ import annotations

from typing import Final, Literal

from knowledge_search.answer.language import Sentence
from knowledge_search.domain import EmbedderError

Fault = Literal[
    "bad_url", "bad_key", "unreachable", "timed_out", "busy", "key_refused", "not_there", "refused", "garbage",
    "other_dimensions",
]  # fmt: skip

_SENTENCES: Final[dict[Fault, Sentence]] = {
    "bad_url": Sentence(
        ja="埋め込みの URL が正しくありません。http:// か https:// で始め、"
        "ユーザー名やパスワードを含めないでください。",
        en="This is no address of an embeddings endpoint: start it with http:// or https://, without a user name.",
    ),
    "bad_key": Sentence(
        ja="埋め込みの API キーに使えない文字があります。改行や空白が混ざっていないか確かめてください。",
        en="The embeddings key holds characters that no key has: look for line breaks and blanks in it.",
    ),
    "unreachable": Sentence(
        ja="埋め込みサーバーに接続できません。起動しているか、URL が正しいか確かめてください。",
        en="The embeddings endpoint cannot be reached: check that it runs and that its address is right.",
    ),
    "timed_out": Sentence(
        ja="埋め込みサーバーが時間内に答えませんでした。しばらくしてからもう一度お試しください。",
        en="The embeddings endpoint did not answer in time: try again later.",
    ),
    "busy": Sentence(
        ja="埋め込みサーバーが混み合っているか、故障しています。しばらくしてからもう一度お試しください。",
        en="The embeddings endpoint is busy or out of order: try again later.",
    ),
    "key_refused": Sentence(
        ja="埋め込みサーバーが API キーを受け付けません。KNOWLEDGE_SEARCH_EMBEDDER_KEY を確かめてください。",
        en="The embeddings endpoint does not accept the key: check KNOWLEDGE_SEARCH_EMBEDDER_KEY.",
    ),
    "not_there": Sentence(
        ja="埋め込みサーバーに、この URL またはモデルがありません。KNOWLEDGE_SEARCH_EMBEDDER_URL と "
        "KNOWLEDGE_SEARCH_EMBEDDER_MODEL を確かめてください。",
        en="The embeddings endpoint has no such address or model: check KNOWLEDGE_SEARCH_EMBEDDER_URL and "
        "KNOWLEDGE_SEARCH_EMBEDDER_MODEL.",
    ),
    "refused": Sentence(
        ja="埋め込みサーバーが要求を受け付けません。モデル名と、文の長さの上限を確かめてください。",
        en="The embeddings endpoint refuses the request: check the model's name and how long a text it takes.",
    ),
    "garbage": Sentence(
        ja="埋め込みサーバーの応答が読み取れません。OpenAI 互換のサーバーか確かめてください。",
        en="The embeddings endpoint's answer cannot be read: check that it is OpenAI-compatible.",
    ),
    "other_dimensions": Sentence(
        ja="埋め込みベクトルの長さが途中で変わりました。モデルを固定し、reembed をやり直してください。",
        en="The length of the vectors has changed on the way: pin the model, and run reembed again.",
    ),
}


def embedder_error(fault: Fault, where: str, *, detail: str = "") -> EmbedderError:
    """Return the error for ``fault`` at the host or setting ``where``; ``detail`` is a number, never foreign text."""
    return EmbedderError(f"{_SENTENCES[fault]} ({', '.join(filter(None, (where, detail)))})")
