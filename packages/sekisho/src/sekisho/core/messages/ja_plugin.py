"""Sentences of the area ``plugin``, in Japanese."""

MESSAGES: dict[str, str] = {
    "path_for_suite": "スイート {name!r} はありませんが、同じ名前のパスがあります。パスは --sekisho より前に書くか、スイートを --sekisho=SUITE の形で指定してください。スイート: {known}",
    "no_gate": "スイートにゲートがないため、報告だけです: {reason}",
    "not_measured": "測定できませんでした。",
    "retrieval": "{metrics}、ゲート: {gate}、{verdict}",
    "principal": "{name}: 見せてはいけない文書についての質問 {probes} 件、漏えい {leaks} 件、recall {recall}",
    "worst": "関連文書を取りこぼしたケース（悪い順）: {ids}",
    "more_leaks": "… ほかに漏えいが {count} 件あります",
    "partial": "{total} 件のうち {count} 件のケースを実行しました。数値はこれらだけのものです。",
    "too_many_known": "{name}: 既知の不具合が {count} 件あり、上限の {most} 件（max_known）を超えています。テスト全体を不合格にします。",
    "ruler_changed": "ベースラインと測り方が違います: {names}。意図した変更なら: sekisho accept {name} --reason 理由",
}
