# ruff: noqa: E501 - one message, one line
"""Every sentence of the API's errors: code to (Japanese, English). None repeats what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from knowledge_search.api.language import Language

MESSAGES: Final[dict[str, tuple[str, str]]] = {
    "not_signed_in": (
        "API キーまたはトークンが必要です。Authorization: Bearer … を付けてください。期限切れ・取り消し済みのものは使えません。",
        "An API key or token is needed: send Authorization: Bearer …. Expired and revoked ones are not accepted.",
    ),
    "may_not_write": (
        "このキーでは文書を追加・削除できません。書き込み用のキー（knowledge-search keys create --write）が必要です。",
        "This key may not add or remove documents. It takes one made by knowledge-search keys create --write.",
    ),
    "not_your_department": (
        "このキーはその部署の文書を追加できません。キーに含まれる部署を指定してください。",
        "This key may not add documents of that department. Name one of the key's own departments.",
    ),
    "not_found": ("見つかりません。", "There is no such thing."),
    "method_not_allowed": ("この URL では使えないメソッドです。", "This address does not take that method."),
    "not_acceptable": (
        "送られた形式を読めませんでした。Content-Type と本文を確かめてください。",
        "The request could not be read. Check its Content-Type and body.",
    ),
    "name_taken": (
        "この名前では保存できません。別のファイル名で送ってください。",
        "It cannot be kept under this name. Send it under another file name.",
    ),
    "too_large": (
        "送られたデータが大きすぎます。上限は {limit} バイトです。",
        "The request is too large: at most {limit} bytes.",
    ),
    "unreadable_document": (
        "この文書は取り込めませんでした（{document_status}）。{reason}",
        "The document could not be taken in ({document_status}). {reason}",
    ),
    "invalid": ("入力に誤りがあります。problems を見て直してください。", "The request is not valid: see problems."),
    "too_many_requests": (
        "リクエストが多すぎます。{seconds} 秒後にもう一度お試しください。",
        "Too many requests: try again in {seconds} s.",
    ),
    "internal": (
        "サービス内部で問題が起きました。管理者に request_id を伝えてください。",
        "Something went wrong in the service. Tell its operator the request_id.",
    ),
    "model_failed": (
        "言語モデルから回答を得られませんでした。少し待ってもう一度お試しください。続く場合は管理者に連絡してください。",
        "The language model gave no answer. Try again in a while; if it persists, tell the operator.",
    ),
    "model_slow": (
        "言語モデルが時間内に回答しませんでした。もう一度お試しください。続く場合は管理者に連絡してください。",
        "The language model did not answer in time. Try again; if it persists, tell the operator.",
    ),
    "embedder_failed": (
        "質問をベクトルに変換できませんでした。管理者に連絡してください（knowledge-search doctor で原因を調べられます）。",
        "The question could not be embedded. Tell the operator, who can look for the cause with knowledge-search doctor.",
    ),
    "busy": (
        "混み合っています。少し待ってもう一度お試しください。",
        "The service is busy. Try again in a moment.",
    ),
    "database_away": (
        "データベースに接続できません。しばらくしてもう一度お試しください。",
        "The database cannot be reached. Try again in a while.",
    ),
    "disk_full": (
        "データベースのディスクに空きがないため、何も書き込みませんでした。管理者に連絡してください。",
        "The disk of the database has no room left, so nothing was written. Tell the operator.",
    ),
}
STATUSES: Final[dict[str, tuple[str, str]]] = {
    "needs_ocr": ("文字情報がない画像だけの文書です。OCR をかけてから送ってください。", "It holds images without text: run OCR first."),
    "encrypted": ("パスワードで保護されています。保護を外してから送ってください。", "It is protected by a password: remove that first."),
    "malformed": ("ファイルが壊れているようです。", "The file seems to be damaged."),
    "too_large": ("文字数または展開後のサイズが上限を超えています。", "Its text or its size when unpacked is beyond the limit."),
    "too_many_pages": ("ページ数が上限を超えています。分割してください。", "It has too many pages: split it."),
    "timed_out": ("読み取りが時間内に終わりませんでした。", "Reading it took too long."),
    "crashed": ("読み取り中に異常が起きました。", "Reading it failed."),
    "unsupported": (
        "この形式には対応していません。Markdown、テキスト、HTML、PDF を送ってください。",
        "This kind of file is not supported: send Markdown, text, HTML or PDF.",
    ),
    "empty": ("本文がありません。", "It holds no text."),
    "no_department": ("部署が指定されていません。", "No department is given."),
}  # fmt: skip
PROBLEMS: Final[dict[str, tuple[str, str]]] = {
    "missing": ("必須です。", "is required"),
    "string_too_short": ("空にはできません（{min_length} 文字以上）。", "must have at least {min_length} characters"),
    "string_too_long": ("長すぎます（{max_length} 文字まで）。", "must have at most {max_length} characters"),
    "too_long": ("多すぎます（{max_length} 個まで）。", "must have at most {max_length} items"),
    "greater_than_equal": ("{ge} 以上にしてください。", "must be at least {ge}"),
    "less_than_equal": ("{le} 以下にしてください。", "must be at most {le}"),
    "int_parsing": ("整数にしてください。", "must be a whole number"),
    "int_type": ("整数にしてください。", "must be a whole number"),
    "int_from_float": ("整数にしてください。", "must be a whole number"),
    "string_type": ("文字列にしてください。", "must be a string"),
    "list_type": ("配列にしてください。", "must be a list"),
    "extra_forbidden": ("この項目はありません。", "is not known here"),
    "string_pattern_mismatch": (
        "形式が正しくありません（部署名は英小文字・数字・_・- で 63 文字まで。空白だけにはできません）。",
        "has the wrong form (departments: lower-case letters, digits, _ and -, at most 63; nothing blank)",
    ),
    "json_invalid": ("JSON として読めません。", "is not JSON"),
    "empty": ("質問が空です。", "must not be blank"),
    "control_characters": ("制御文字を取り除いてください。", "must not hold control characters"),
    "other": ("正しくありません。", "is not valid"),
}


def sentence(catalogue: dict[str, tuple[str, str]], code: str, language: Language, **values: object) -> str:
    """Return a sentence of a catalogue, filled in; an unknown code gets the one of ``other``, where there is one."""
    pair = catalogue.get(code) or catalogue["other"]
    return pair[0 if language == "ja" else 1].format(**values)
