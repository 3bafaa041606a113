"""The key that a misspelt or a foreign one was meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What people write who know another tool, or who guess. None of these is accepted: a second spelling of a key would
# have to be learnt by everyone who reads the files.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "id": ("name", "case_id", "no", "number", "番号", "識別子"),
    "question": ("query", "prompt", "input", "q", "user_input", "質問", "問い", "設問"),
    "departments": ("dept", "depts", "group", "groups", "role", "roles", "部署", "部門", "所属"),
    "expect_source": ("source", "sources", "document", "documents", "citation", "citations", "expect_document",
                      "出典", "根拠", "資料", "文書", "期待する出典"),
    "expect_text": ("expected", "expect", "answer", "contains", "must_include", "keywords", "expected_output",
                    "ground_truth", "回答", "答え", "期待", "含む", "キーワード"),
    "forbid": ("forbidden", "must_not_include", "not_contains", "exclude", "deny", "禁止", "禁止語",
               "含まない", "除外"),
    "expect_not_found": ("not_found", "no_answer", "unanswerable", "expect_none", "expect_nothing", "refuse",
                         "回答なし", "見つからない", "該当なし"),
    "known_issue": ("known_bug", "xfail", "skip", "issue", "known_failure", "既知", "既知の不具合", "不具合"),
    "tags": ("label", "labels", "category", "type", "タグ", "分類"),
    "reason": ("why", "description", "comment", "text", "理由"),
    "suites": ("suite", "スイート"),
    "failures": ("failure", "code", "codes", "errors"),
    "until": ("expires", "expiry", "deadline", "date", "期限"),
    "link": ("url", "ticket", "issue", "リンク"),
}  # fmt: skip


def meant_key(key: str, choices: Iterable[str]) -> str | None:
    """Return the key among ``choices`` that ``key`` was probably meant to be, or None."""
    choices = list(choices)
    plain = normalize("NFKC", key).strip().casefold().replace("-", "_").replace(" ", "_")
    if plain in choices:
        return plain
    near = did_you_mean(plain, choices)
    return near or next((choice for choice in choices if plain in _WORDS.get(choice, ())), None)
