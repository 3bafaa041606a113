"""What ``sekisho init`` writes, with comments in the user's language; both are the same but for the comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.core.messages import Language

TARGET_FILE = "sekisho_target.py"

CONFIGURATION: dict[Language, str] = {
    "en": """\
# The gate of this repository. Run it with: sekisho check

[suite.search]
target = "sekisho_target:make_target"   # module:factory, imported from the folder of this file
corpus = "calibrated"                    # a preset; `sekisho list presets` shows all
k = 10                                   # cut-off of the metrics
gate = { min_recall = 0.6 }              # recall@10 of at least this; "none" only measures.
                                         # Set it a little below what your search scores today
# target_options = { candidates = 40 }   # passed to the factory
# timeout_s = 30                         # seconds a query may take; a hung query is then an error
# concurrency = 4                        # queries under way at once
# tolerate = ["duplicate"]               # malformed results that do not fail: unknown, duplicate, empty
# structure = "strict"                   # fewer than k results fail as well

# A real test collection, as files (BEIR, TREC, TSV, CSV). Private data: run it by name only, without texts in reports.
# [suite.staging]
# target = "sekisho_target:make_text_target"
# corpus = "data/corpus.jsonl"
# queries = "data/queries.jsonl"
# qrels = "data/qrels.tsv"
# manual = true
# redact = true
""",
    "ja": """\
# このリポジトリの合格条件。実行方法: sekisho check

[suite.search]
target = "sekisho_target:make_target"   # module:factory。このファイルのフォルダーからインポートする
corpus = "calibrated"                    # プリセット。一覧は `sekisho list presets`
k = 10                                   # 指標の打ち切り順位
gate = { min_recall = 0.6 }              # recall@10 の下限。"none" にすると測定だけを行う。
                                         # 今の検索の値より少し低くしておくとよい
# target_options = { candidates = 40 }   # ファクトリーに渡すオプション
# timeout_s = 30                         # 1 件のクエリに許す秒数。超えるとエラーになる
# concurrency = 4                        # 同時に実行するクエリの数
# tolerate = ["duplicate"]               # 不合格にしない結果の異常: unknown, duplicate, empty
# structure = "strict"                   # k 件に満たない結果も不合格にする

# 実際のテストコレクション（BEIR、TREC、TSV、CSV のファイル）。
# 非公開データは名前を指定したときだけ実行し、レポートに本文を出さない。
# [suite.staging]
# target = "sekisho_target:make_text_target"
# corpus = "data/corpus.jsonl"
# queries = "data/queries.jsonl"
# qrels = "data/qrels.tsv"
# manual = true
# redact = true
""",
}

_TARGET = '''\
"""{doc}"""

import numpy as np


class Search:
    """{class_doc}"""

    def __init__(self, ids, vectors, k):
        self.ids = np.array(ids)
        self.vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self.k = k

    def retrieve(self, query):
        """{method_doc}"""
        order = np.argsort(-(self.vectors @ query), kind="stable")
        return self.ids[order[: self.k]].tolist()


def make_target(corpus, k):
    """{factory_doc}"""
    return Search(corpus.chunks.ids, corpus.chunks.values.astype(float), k)


# {texts_doc}
#
# def make_text_target(corpus, k):
#     def pairs(text):
#         return {{text[place : place + 2] for place in range(len(text) - 1)}}
#
#     found_in = {{
#         document.id: pairs(f"{{document.title}} {{document.text}}") for document in corpus.documents.values()
#     }}
#
#     def retrieve(query):
#         asked = pairs(query)
#         return sorted(found_in, key=lambda id_: (-len(asked & found_in[id_]), id_))[:k]
#
#     return retrieve
'''

TARGET: dict[Language, str] = {
    "en": _TARGET.format(
        doc="The search that the gate measures. Replace the inside of Search with a call of your own index.",
        class_doc="Exact search by cosine, as an example.",
        method_doc="Return the ids of the best k chunks, best first. The query is one vector of the corpus.",
        factory_doc="Called once a suite, with the corpus (ids and vectors of its chunks) and k.",
        texts_doc=(
            "For the suite of texts in sekisho.toml: corpus.documents is id -> document with id, title, text, and the\n"
            "# query is a text. As an example: the documents that share the most pairs of characters with it."
        ),
    ),
    "ja": _TARGET.format(
        doc="測定の対象となる検索。Search の中身を自分の索引の呼び出しに置き換えてください。",
        class_doc="例として、コサイン類似度による厳密な検索。",
        method_doc="上位 k 件のチャンクの id を、良い順に返す。query はコーパスのベクトル 1 本。",
        factory_doc="スイートごとに一度、コーパス（チャンクの id とベクトル）と k を受け取って呼ばれる。",
        texts_doc=(
            "文章のコレクションのスイート（sekisho.toml）用。corpus.documents は id -> 文書（id、title、text）で、\n"
            "# query は文字列。例として、クエリと共通の 2 文字の並びが多い文書から返す。"
        ),
    ),
}
