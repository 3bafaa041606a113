"""Sentences of the area ``retrieval``, in Japanese."""

MESSAGES: dict[str, str] = {
    "no_cases": "評価するケースがありません。何も測っていない結果を合格にはできません。ケースを 1 件以上指定してください。",
    "repeated_case": "ケースの id {id!r} が重複しています。ケースごとに異なる id を付けてください。",
    "relevant": "ケース {id!r} の relevant が正しくありません。id（文字列）のリスト、または id から評点（有限の数値）への対応を指定してください。",
    "not_positive": "{name} には 1 以上の整数を指定してください（指定値: {value!r}）。",
    "not_positive_seconds": "{name} には 0 より大きい秒数を指定してください（指定値: {value!r}）。",
    "not_callable": "ターゲットの型は {kind} です。関数か、retrieve(query) メソッドを持つオブジェクトを渡してください。",
    "wrong_type": "retrieve が {kind} を返しました。上位から並べた id のリスト、または id からスコアへの対応を返してください。",
    "wrong_id_type": "retrieve が {kind} 型の id を返しました。id はケースと同じ文字列（str）です。ターゲット側で変換してください。",
    "id_with_score": "retrieve が {kind} 型の id を返しました。id はケースと同じ文字列（str）です。id とスコアの組なら dict(...) に変換して返してください。",
    "not_made": "ターゲットを作れなかったため、どのケースも測定していません: {text}",
    "without_relevant": "関連文書の id がないケースが {count} 件あり、0 として数えました: {cases}",
    "no_neighbours_at_k": "overlap@{k} は測っていません。厳密な近傍は深さ {depth} までしか求めていません。cases_for({k}) を使ってください。",
    "recall_is_precision": "どのケースも関連文書がちょうど {k} 件なので、recall@{k} と precision@{k} は同じ値になります。",
    "ties": "同点のスコアが {k} 位をまたぐケースが {count} 件あります。同点の並べ方により recall@{k} は {low} から {high} の範囲になります。",
    "too_many": "retrieve が 1 つのクエリに {most:,} 件を超える id を返しました。これを超えて読むことはありません。上位だけを返してください。",
    "broke_off": "測定が途中で止まったため、どのケースも測定していません: {text}",
}
