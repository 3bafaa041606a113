"""What ``sekisho init`` writes, with comments in the user's language; both are the same but for the comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sekisho.core.messages import Language

TARGET_FILE = "sekisho_target.py"
CASES_FILE = "sekisho_cases.json"

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

# Does it answer what it should, and refuse what it should? Anyone can read and write the cases.
[suite.policies]
kind = "answers"
target = "sekisho_target:make_answers"
cases = "sekisho_cases.json"             # check it with: sekisho cases check sekisho_cases.json
# known_issues = "strict"                # a known issue that passes fails as well
# max_known = 3                          # the most known issues that may stand

# Does anyone see what they may not? Made from the documents' own departments; a leak always fails.
[suite.access]
kind = "access"
target = "sekisho_target:make_answers"
cases = "sekisho_cases.json"
# principals = [["hr", "sales"]]         # who asks beside each department alone and nobody

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

# 答えるべきことに答え、断るべきことを断るか。ケースは誰でも読み書きできる。
[suite.policies]
kind = "answers"
target = "sekisho_target:make_answers"
cases = "sekisho_cases.json"             # 確認方法: sekisho cases check sekisho_cases.json
# known_issues = "strict"                # 解消した既知の不具合も不合格にする
# max_known = 3                          # 残してよい既知の不具合の件数

# 見てはいけない人に見えていないか。文書の部署から自動で作る。漏えいは必ず不合格。
[suite.access]
kind = "access"
target = "sekisho_target:make_answers"
cases = "sekisho_cases.json"
# principals = [["hr", "sales"]]         # 各部署と「所属なし」のほかに試す質問者

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

from sekisho import Answer, Context, Document


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


DOCUMENTS = [
    Document(
        "1", "vacation.md", "{vacation_title}", ("all",),
        "{vacation}",
    ),
    Document(
        "2", "salary.md", "{salary_title}", ("hr",),
        "{salary}",
    ),
]


class Answers:
    """{answers_doc}"""

    def documents(self):
        """{documents_doc}"""
        return DOCUMENTS

    def search(self, question, departments, k):
        """{search_doc}"""
        return [document.id for _, document in self._ranked(question, departments)[:k]]

    def answer(self, question, departments):
        """{answer_doc}"""
        for shared, document in self._ranked(question, departments)[:1]:
            if shared > {least}:
                return Answer(document.text, (document.name,), contexts=(Context(document.id, document.text),))
        return Answer("{nothing}", found=False)

    def _ranked(self, question, departments):
        visible = [document for document in DOCUMENTS if set(document.departments) & set(departments)]
        words = {{question[place : place + {pair}] for place in range(len(question) - {pair} + 1)}}
        ranked = [(sum(word in each.title + each.text for word in words), each) for each in visible]
        return sorted(ranked, key=lambda pair: -pair[0])


def make_answers():
    """{make_answers_doc}"""
    return Answers()


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
        vacation_title="Days off",
        vacation="A morning off ends at 12:00; work begins at 13:00. Ask for it by 17:00 the day before.",
        salary_title="Pay grades",
        salary="The monthly pay of grade G1 is 200,000 yen to 240,000 yen. It is raised in July.",
        answers_doc="The system that answers; this example quotes the document that shares most with the question.",
        documents_doc="Return every document with its departments; `all` stands for everyone.",
        search_doc="Return the ids of the best k documents that these departments may see.",
        answer_doc="Answer from what these departments may see: text, sources, found, and what a model was given.",
        make_answers_doc="Called once a suite. Return your own system, asked on the path that serves people.",
        nothing="Sorry, the documents hold no answer to this.",
        pair=6,
        least=3,
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
        vacation_title="休暇の取り方",
        vacation="午前休は12時で終わり、13時から業務を始めます。前日の17時までに申請してください。",
        salary_title="給与等級表",
        salary="等級G1の月給は20万円から24万円です。昇給は毎年7月に行います。",
        answers_doc="回答するシステムの例。質問と共通の文字の並びが最も多い文書を引用する。",
        documents_doc="すべての文書を部署とともに返す。`all` は全員を表す。",
        search_doc="これらの部署が見てよい文書のうち、上位 k 件の id を返す。",
        answer_doc="これらの部署が見てよい文書から回答する。text、sources、found と、モデルに渡した文章を返す。",
        make_answers_doc="スイートごとに一度呼ばれる。利用者に答えているのと同じ経路で、自分のシステムを返す。",
        nothing="申し訳ありません。文書の中に答えが見つかりませんでした。",
        pair=2,
        least=2,
    ),
}

CASES: dict[Language, str] = {
    "en": """\
[
  {
    "id": "half-day",
    "question": "When does a morning off end?",
    "expect_source": "vacation.md",
    "expect_text": ["12:00"]
  },
  {
    "id": "salary-visible-to-hr",
    "question": "How much is the monthly pay of grade G1?",
    "departments": ["hr"],
    "expect_source": "salary.md",
    "expect_text": ["200,000 yen"]
  },
  {
    "id": "salary-hidden-from-others",
    "question": "How much is the monthly pay of grade G1?",
    "departments": ["sales"],
    "forbid": ["salary.md", "200,000 yen"]
  },
  {
    "id": "no-answer-lunch",
    "question": "What does the chef recommend?",
    "expect_not_found": true
  }
]
""",
    "ja": """\
[
  {
    "id": "half-day",
    "question": "午前休は何時に終わりますか？",
    "expect_source": "vacation.md",
    "expect_text": ["12時"]
  },
  {
    "id": "salary-visible-to-hr",
    "question": "等級G1の月給はいくらですか？",
    "departments": ["hr"],
    "expect_source": "salary.md",
    "expect_text": ["20万円"]
  },
  {
    "id": "salary-hidden-from-others",
    "question": "等級G1の月給はいくらですか？",
    "departments": ["sales"],
    "forbid": ["salary.md", "20万円"]
  },
  {
    "id": "no-answer-lunch",
    "question": "料理長のおすすめは何ですか？",
    "expect_not_found": true
  }
]
""",
}
