"""What can go wrong with a language model, said in both languages, without its key, its address or its words."""

from __future__ import annotations

from typing import Final, Literal

from knowledge_search.answer.language import Sentence
from knowledge_search.domain import ModelError

ModelFault = Literal[
    "bad_url", "bad_key", "unreachable", "timed_out", "busy", "key_refused", "not_there", "refused", "garbage",
    "cut_off", "too_long",
]  # fmt: skip

_SENTENCES: Final[dict[ModelFault, Sentence]] = {
    "bad_url": Sentence(
        ja="言語モデルの URL が正しくありません。KNOWLEDGE_SEARCH_LLM_URL は http:// か https:// で始め、"
        "ユーザー名やパスワードを含めないでください。",
        en="KNOWLEDGE_SEARCH_LLM_URL is no address of a language model: start it with http:// or https://, without a "
        "user name.",
    ),
    "bad_key": Sentence(
        ja="KNOWLEDGE_SEARCH_LLM_KEY に使えない文字があります。改行や空白が混ざっていないか確かめてください。",
        en="KNOWLEDGE_SEARCH_LLM_KEY holds characters that no key has: look for line breaks and blanks in it.",
    ),
    "unreachable": Sentence(
        ja="言語モデルに接続できません。しばらくしてからもう一度お試しください。続く場合は管理者に連絡してください。",
        en="The language model cannot be reached: try again later, and tell the administrator if it goes on.",
    ),
    "timed_out": Sentence(
        ja="言語モデルが時間内に答えませんでした。しばらくしてからもう一度お試しください。",
        en="The language model did not answer in time: try again later.",
    ),
    "busy": Sentence(
        ja="言語モデルが混み合っているか、故障しています。しばらくしてからもう一度お試しください。",
        en="The language model is busy or out of order: try again later.",
    ),
    "key_refused": Sentence(
        ja="言語モデルが API キーを受け付けません。管理者は KNOWLEDGE_SEARCH_LLM_KEY を確かめてください。",
        en="The language model does not accept the key: the administrator should check KNOWLEDGE_SEARCH_LLM_KEY.",
    ),
    "not_there": Sentence(
        ja="言語モデルのサーバーに、この URL またはモデルがありません。管理者は KNOWLEDGE_SEARCH_LLM_URL と "
        "KNOWLEDGE_SEARCH_LLM_MODEL を確かめてください。",
        en="The server has no such address or model: the administrator should check KNOWLEDGE_SEARCH_LLM_URL and "
        "KNOWLEDGE_SEARCH_LLM_MODEL.",
    ),
    "refused": Sentence(
        ja="言語モデルが要求を受け付けません。質問を短くするか、管理者に連絡してください。",
        en="The language model refuses the request: shorten the question, or tell the administrator.",
    ),
    "garbage": Sentence(
        ja="言語モデルの応答が読み取れません。管理者は KNOWLEDGE_SEARCH_LLM_URL を確かめてください。",
        en="The language model's answer cannot be read: the administrator should check KNOWLEDGE_SEARCH_LLM_URL.",
    ),
    "cut_off": Sentence(
        ja="言語モデルの応答が途中で切れました。もう一度お試しください。",
        en="The language model broke off in the middle of its answer: try again.",
    ),
    "too_long": Sentence(
        ja="言語モデルの応答が長すぎるため中止しました。質問を絞ってもう一度お試しください。",
        en="The language model's answer is too long and was stopped: ask something narrower.",
    ),
}


class ModelCallError(ModelError):
    """A language model that cannot be asked, or does not answer.

    Attributes:
        code: What is wrong, as a word.
        sentence: What to tell the asker, in both languages.
        timed_out: Whether it took too long, for which an HTTP answer is 504 and not 503.
    """

    def __init__(self, code: ModelFault, *, status: int | None = None) -> None:
        self.code = code
        self.sentence = _SENTENCES[code]
        self.timed_out = code == "timed_out"
        super().__init__(str(self.sentence) if status is None else f"{self.sentence} (HTTP {status})")
