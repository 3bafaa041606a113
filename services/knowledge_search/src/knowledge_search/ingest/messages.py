"""What became of a file, in Japanese and English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from knowledge_search.domain import DocumentStatus

Language = Literal["ja", "en"]

STATUSES: Final[dict[Language, dict[DocumentStatus, str]]] = {
    "ja": {
        "ingested": "取り込みました",
        "unchanged": "前回から変わっていません",
        "needs_ocr": "文字のないページだけです。スキャンした文書は、文字認識 (OCR) をしてから取り込んでください",
        "encrypted": "パスワードで保護されています。保護を外してから取り込んでください",
        "malformed": "ファイルが壊れているか、書き方に誤りがあります。直してから取り込んでください",
        "too_large": "大きすぎます。分けてから取り込んでください",
        "too_many_pages": "ページが多すぎます。分けてから取り込んでください",
        "timed_out": "制限時間内に読み終わりませんでした。別の形で保存し直してください",
        "crashed": "読み取りの途中で異常終了しました。別の形で保存し直してください",
        "unsupported": "対応していないファイルです。Markdown、テキスト、HTML、PDF にしてください",
        "empty": "文字がありません",
        "no_department": "部署が決まりません。文書の先頭の department、フォルダー、オプションのどれかで示してください",
    },
    "en": {
        "ingested": "ingested",
        "unchanged": "unchanged since the last time",
        "needs_ocr": "holds pages without text only; run text recognition (OCR) over a scanned document first",
        "encrypted": "is protected by a password; remove the protection first",
        "malformed": "is broken or badly written; mend it first",
        "too_large": "is too large; split it first",
        "too_many_pages": "has too many pages; split it first",
        "timed_out": "could not be read within the time limit; save it in another way",
        "crashed": "ended the reader's process; save it in another way",
        "unsupported": "is of a kind that cannot be read; use Markdown, text, HTML or PDF",
        "empty": "holds no text",
        "no_department": "has no department; name one in the front matter, by the folder or as an option",
    },
}

PAGES_NEED_OCR: Final[dict[Language, str]] = {
    "ja": "文字のないページ (文字認識が必要です): {pages}",
    "en": "pages without text, which need text recognition: {pages}",
}
LEFT_OUT: Final[dict[Language, str]] = {
    "ja": "フォルダーの外を指すリンクです。たどりません",
    "en": "a link that leaves the folder; not followed",
}
SUMMARY: Final[dict[Language, str]] = {
    "ja": "取り込み {ingested} 件、変更なし {unchanged} 件、取り込まず {left_out} 件、削除 {removed} 件",
    "en": "{ingested} ingested, {unchanged} unchanged, {left_out} left out, {removed} removed",
}
EMPTY_FOLDER: Final = (
    "{folder}: 文書が1件もないため、消えた文書の削除をやめました。場所を確かめてください / "
    "no document stands there, so nothing was removed; check the folder"
)
NO_FOLDER: Final = "{folder}: フォルダーがありません / no such folder"
