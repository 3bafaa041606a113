"""Sentences of the area ``ranking``, in Japanese."""

MESSAGES: dict[str, str] = {
    "cutoff": "打ち切り順位は 1 以上の整数で指定してください（指定値: {value!r}）。",
    "duplicate": "ランキングに {id!r} が複数回含まれています（重複している id の数: {count}）。重複を取り除くか、duplicates に first を指定して最初の順位だけを数えてください。",
    "duplicates_option": 'duplicates は "refuse" か "first" で指定してください（指定値: {value!r}）。',
    "grade": "{id!r} の評点が {value!r} になっています。評点は絶対値が 1e100 以下の有限の数値にしてください。",
    "id_not_text": "id {id!r} の型が {kind} です。同点は id の文字列順で並べるため、スコア付きの結果の id は文字列にしてください。",
    "in_query": "クエリ {query!r}: {sentence}",
    "metric_cutoff": "{text!r} は指標名として正しくありません。@ の後には 1 から 999999999 までの整数を、符号や先頭の 0 を付けずに書いてください（例: {name}@10）。",
    "metric_misspelt": "{text!r} という指標はありません。{suggestion} の間違いではありませんか。",
    "metric_needs_cutoff": "{name} には打ち切り順位が必要です。上位 10 件で測る場合は {name}@10 と書いてください。",
    "metric_unknown": "{text!r} という指標はありません。使えるのは recall@k、precision@k、mrr、mrr@k、map、map@k、ndcg@k、success@k、overlap@k です（k は数字）。",
    "no_metrics": "指標が指定されていません。recall@10 など、少なくとも 1 つ指定してください。",
    "no_queries": "正解データ（qrels）のあるクエリがありません。正解データがなければ測定できません。",
    "no_values": "平均を取る値がありません。何も測定していないものは結果とは言えません。",
    "overlap_of_qrels": "{metric} は厳密な近傍との比較ですが、正解データ（qrels）には近傍が含まれていません。ここでは recall@k を使うか、近傍を渡して overlap_at_k を呼び出してください。",
    "relevant_is_text": "関連文書の id に文字列 {value!r} が渡されました。このままでは 1 文字ずつ id として扱われます。id が 1 つだけの場合もリストに入れてください。",
    "retrieved_is_text": "ランキングに文字列 {value!r} が渡されました。このままでは 1 文字ずつ id として扱われます。id が 1 つだけの場合もリストに入れてください。",
    "retrieved_unordered": "ランキングの型が {kind} ですが、この型の並び順は順位を表しません。id を上位から並べたリストを渡してください。スコア付きの結果は rank_by_score でリストにできます。",
    "score": "{id!r} のスコアが {value!r} になっています。スコアは float64 で表せる数値にしてください。NaN には順位を付けられません。",
    "scores_not_mapping": "スコアの型が {kind} です。id からスコアへの辞書（マッピング）を渡してください。",
    "threshold": "relevance_threshold は 0 より大きい有限の数値で指定してください（指定値: {value!r}）。",
}
