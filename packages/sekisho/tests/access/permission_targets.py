"""A small search over documents that filters rightly, and one subclass for each way to get it wrong."""

from __future__ import annotations

import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sekisho.core.answers import Answer, Context, Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REFUSAL = "申し訳ありません。お探しの内容は見つかりませんでした。"
DOCUMENTS = (
    Document("doc-01", "expense.md", "経費精算の手引き", ("all",),
             "経費は月末までに申請する。領収書を必ず添付すること。上限は 3万円とする。"),
    Document("doc-02", "vacation.md", "有給休暇の取り方", ("all",),
             "有給休暇は三日前までに申請する。半日単位でも取得できる。繁忙期は上長と相談して決める。"),
    Document("doc-03", "salary-grade.md", "給与等級表", ("hr",),
             "等級 1 の基本給は月額 20万円である。\n等級 2 の基本給は月額 31万円である。"
             "\n昇給の判断は人事部長が四月に行う。"),
    Document("doc-04", "recruiting.md", "採用面接の評価基準", ("hr",),
             "面接では論理性と協調性を五段階で評価する。合格の目安は合計十八点以上とする。最終判断は役員会で行う。"),
    Document("doc-05", "discount-policy.md", "値引きの決裁基準", ("sales",),
             "値引き率が 15% を超える案件は営業部長が決裁する。競合対抗の特別値引きは四半期に二件まで認める。"),
    Document("doc-06", "pipeline.md", "商談の見込み管理", ("sales",),
             "商談は確度に応じて五つの段階に分ける。受注見込みが八割を超えた案件は毎週金曜日に報告する。"),
    Document("doc-07", "keys.md", "サーバー室の鍵の管理", ("it",),
             "サーバー室の予備の鍵は北棟の金庫に保管する。入室記録は情報システム課が一年間保存する。"),
    Document("doc-08", "handbook.md", "情報セキュリティの心得", ("it", "sales"),
             "顧客の名簿を社外に持ち出すときは暗号化した媒体を使う。紛失した場合は一時間以内に連絡する。"),
)  # fmt: skip


def bigrams(text: str) -> set[str]:
    """Return the pairs of neighbouring characters."""
    plain = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    return {plain[place : place + 2] for place in range(len(plain) - 1)}


class FilteredSearch:
    """Ranks by shared pairs of characters what the asker may see, and answers with the best two."""

    def __init__(self, documents: Sequence[Document] = DOCUMENTS) -> None:
        self._documents = tuple(documents)
        self._grams = {each.id: bigrams(f"{each.title} {each.name} {each.text}") for each in documents}

    def documents(self) -> list[Document]:
        """Return all of them."""
        return list(self._documents)

    def visible(self, departments: Sequence[str]) -> list[Document]:
        """Return what the asker may see."""
        return [each for each in self._documents if set(departments) & set(each.departments)]

    def ranked(self, question: str, documents: Sequence[Document]) -> list[Document]:
        """Return what shares enough with the question, best first."""
        wanted = bigrams(question)
        scores = {each.id: len(wanted & self._grams[each.id]) for each in documents}
        near = [each for each in documents if 3 * scores[each.id] >= len(wanted) > 0]
        return sorted(near, key=lambda each: (-scores[each.id], each.id))

    def hits(self, question: str, departments: Sequence[str], k: int) -> list[Document]:
        """Return the best k that the asker may see."""
        return self.ranked(question, self.visible(departments))[:k]

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
        """Return the ids of the hits."""
        return [each.id for each in self.hits(question, departments, k)]

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        return self.written(question, self.hits(question, departments, 2))

    def written(self, question: str, hits: Sequence[Document]) -> Answer:  # noqa: ARG002  subclasses name the question
        """Return the answer that hits make."""
        if not hits:
            return Answer(REFUSAL, found=False)
        return Answer(
            "\n".join(f"{each.text} [{number}]" for number, each in enumerate(hits, start=1)),
            sources=tuple(each.name for each in hits),
            contexts=tuple(Context(each.id, each.text) for each in hits),
        )

    @contextmanager
    def without(self, document_ids: Sequence[str]) -> Iterator[FilteredSearch]:
        """Give the same target without some documents."""
        yield type(self)([each for each in self._documents if each.id not in document_ids])

    def nearest_hidden(self, question: str, departments: Sequence[str]) -> list[Document]:
        """Return what the question is closest to among what the asker may not see."""
        seen = self.visible(departments)
        return self.ranked(question, [each for each in self._documents if each not in seen])[:1]


class FilterDropped(FilteredSearch):
    """Everybody sees everything."""

    def visible(self, departments: Sequence[str]) -> list[Document]:  # noqa: ARG002  that is the fault
        """Return what the asker may see."""
        return list(self._documents)


class EmptyIsEveryone(FilteredSearch):
    """An asker without departments is taken for one without limits."""

    def visible(self, departments: Sequence[str]) -> list[Document]:
        """Return what the asker may see."""
        return list(self._documents) if list(departments) == ["all"] else super().visible(departments)


class FilterAfterCut(FilteredSearch):
    """The first k of everything, and of these what may be seen."""

    def hits(self, question: str, departments: Sequence[str], k: int) -> list[Document]:
        """Return the best k that the asker may see."""
        seen = self.visible(departments)
        return [each for each in self.ranked(question, self._documents)[:k] if each in seen]


class CacheWithoutAsker(FilteredSearch):
    """Remembers answers by their question."""

    def __init__(self, documents: Sequence[Document] = DOCUMENTS) -> None:
        super().__init__(documents)
        self._answers: dict[str, Answer] = {}

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        return self._answers.setdefault(question, super().answer(question, departments))


class NotFoundCache(CacheWithoutAsker):
    """Remembers by their question those answers that found nothing."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = self._answers.get(question) or FilteredSearch.answer(self, question, departments)
        if not found.found:
            self._answers[question] = found
        return found


class TitleInRefusal(FilteredSearch):
    """Says politely what may not be seen."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        hidden = self.nearest_hidden(question, departments)
        if hidden and not self.hits(question, departments, 1):
            return Answer(f"「{hidden[0].title}」を見る権限がありません。", found=False)
        return super().answer(question, departments)


class TitlesInEveryRefusal(FilteredSearch):
    """Says for any question, nonsense too, what the asker may not see."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        seen = self.visible(departments)
        titles = "、".join(each.title for each in self._documents if each not in seen)
        found = super().answer(question, departments)
        return found if found.found else Answer(f"{REFUSAL}閲覧できない文書: {titles}", found=False)


class CountLeaked(FilteredSearch):
    """Says how many documents there are that the asker may not see."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        hidden = len(self._documents) - len(self.visible(departments))
        return Answer(f"{found.text}（ほかに {hidden} 件）", found.sources, found.found, found.contexts)


class ContextLeaked(FilteredSearch):
    """Gives the model what may not be seen, and does not cite it."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        more = [Context(each.id, each.text) for each in self.nearest_hidden(question, departments)]
        return Answer(found.text, found.sources, found.found, (*found.contexts, *more))


class ContextUnderAnotherId(FilteredSearch):
    """Gives the model the right ids with the wrong texts."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        more = [Context("doc-01", each.text) for each in self.nearest_hidden(question, departments)]
        return Answer(found.text, found.sources, found.found, (*found.contexts, *more))


class SourceLeaked(FilteredSearch):
    """Cites what may not be seen, by page, and says nothing of it."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        found = super().answer(question, departments)
        more = [f"規程集 > {each.name} p.2" for each in self.nearest_hidden(question, departments)]
        return Answer(found.text, (*found.sources, *more), found.found, found.contexts)


class QuantityLeaked(FilteredSearch):
    """Tells a number that the asker may not know, in the words of the model."""

    def __init__(self, documents: Sequence[Document] = DOCUMENTS, *, written: str = "２０万円") -> None:
        super().__init__(documents)
        self._written = written

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return what the asker reads."""
        if "給与" in question and "hr" not in departments:
            return Answer(f"おおよそ{self._written}です。")
        return super().answer(question, departments)


class OneMadePublic(FilteredSearch):
    """One hidden document is shown to everybody."""

    def __init__(self, documents: Sequence[Document] = DOCUMENTS, *, public: str = "doc-07") -> None:
        super().__init__(documents)
        self._public = public

    def visible(self, departments: Sequence[str]) -> list[Document]:
        """Return what the asker may see."""
        seen = super().visible(departments)
        return [each for each in self._documents if each in seen or each.id == self._public]


class SearchLeaks(FilteredSearch):
    """Search forgets the filter, answers do not."""

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:  # noqa: ARG002  as above
        """Return the ids of the hits."""
        return [each.id for each in self.ranked(question, self._documents)[:k]]


class QuestionEchoed(FilteredSearch):
    """Refuses politely and names what was asked."""

    def written(self, question: str, hits: Sequence[Document]) -> Answer:
        """Return the answer that hits make."""
        found = super().written(question, hits)
        said = (
            f"ご質問の「{question}」について調べました。" if hits else f"「{question}」については見つかりませんでした。"
        )
        return Answer(said + found.text, found.sources, found.found, found.contexts)
