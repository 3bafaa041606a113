"""Sentences of the area ``retrievers``, in Japanese."""

MESSAGES: dict[str, str] = {
    # 一覧に出る、検索方式ごとの一行説明
    "exact": "すべてのベクトルと比べる厳密検索。ほかの検索方式を測る基準",
    "ivf_flat": "クエリに近いクラスターのベクトルだけと比べる",
    "two_stage": "各成分を 1 ビットにして候補を選び、候補だけを厳密な順に並べ直す",
    "fusion": "two_stage と ivf_flat の結果を順位だけで統合する",
    "raptor": "チャンクとクラスターの要約を一緒に順位付けし、当たった要約をチャンクに展開する",
    # 生成関数に渡す数値
    "not_whole": "{name} が {value!r} になっています。{least} 以上の整数を指定してください。",
    "too_small": "{name} が {value} になっています。{least} 以上にしてください。",
    "not_non_negative": "{name} が {value!r} になっています。0 以上の有限の数を指定してください。",
    "not_switch": "{name} が {value!r} になっています。True か False を指定してください。",
    "candidates_below_k": "candidates が {candidates} で、求める件数 {k} に足りません。{k} 以上、できれば {k} の 4 倍を指定してください。",
    "too_many_lists": "lists が {lists} ですが、コーパスのチャンクは {count} 件しかありません。チャンク数以下にしてください。",
    "weight_count": "検索 {needed} 本に対して重みが {count} 個あります。検索ごとに 1 個指定してください。",
    "weights_zero": "重みがすべて 0 なので何も見つかりません。少なくとも一つを 0 より大きくしてください。",
    # コーパスのベクトル
    "empty_corpus": "コーパスにチャンクがありません。1 件以上のチャンクから作ってください。",
    "vectors_type": "ベクトルの型が {found} です。長さのそろった行に、整数か浮動小数点数を入れてください。",
    "vectors_shape": "ベクトルの表の形が {found} で、id は {count} 件です。id ごとに 1 行、成分は 1 から {most} 個にしてください。",
    "vectors_not_finite": "チャンク {id!r} のベクトルに NaN か無限大の成分があります。計算し直すか、このチャンクを外してください。",
    "id_not_text": "{row} 行目（0 から数えて）の id の型が {found} です。id は文字列にしてください。",
    "duplicate_id": "id {id!r} が二つのチャンクに使われています。チャンクごとに別の id を付けてください。",
    # クエリ
    "query_type": "クエリの型が {found} です。ベクトルの成分を整数か浮動小数点数で渡してください。",
    "query_shape": "クエリの形が {found} ですが、このコーパスで使えるのは {shape} です。チャンクと同じモデルでクエリを埋め込んでください。",
    "query_not_finite": "{row} 行目（0 から数えて）のクエリに NaN か無限大の成分があります。ベクトルを計算し直してください。",
    "code_widths": "文書の符号は {documents} バイト、クエリの符号は {queries} バイトです。両方に同じ量子化器を使ってください。",
}
