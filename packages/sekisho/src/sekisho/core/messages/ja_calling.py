"""Sentences of the area ``calling``, in Japanese."""

MESSAGES: dict[str, str] = {
    "running_loop": "イベントループの実行中に非同期のターゲットが渡されました。ループの外から呼んでください。検索の評価には await evaluate_retrieval_async(...) も使えます。",
    "timeout": "{timeout_s} 秒以内に返らなかったため、結果を待つのをやめました。",
    "raised": "{text}",
    "not_usable": "ターゲットを使えません: {reason}",
    "part_missing": "ターゲットの返した {kind} には `{part}` がありません。回答には text・sources・found・contexts、文書には id・name・title・departments・text が必要です。",
    "wrong_part": "`{part}` は {wanted} でなければなりませんが、ターゲットは {kind} を返しました。",
    "too_many_parts": "`{part}` の要素が {most:,} を超えています。それ以上は読みません。",
    "repeated_document": "documents() に id {id!r} が二度あります。文書ごとに別の id を付けてください。",
    "no_departments": "文書 {id!r} に部署がないため、誰に見せてよいか決められません。部署を一つ以上付けてください（`all` は全員を表します）。",
    "no_method": "型 {kind} のターゲットに、この種類のスイートが呼び出すメソッド `{method}` がありません。",
}
