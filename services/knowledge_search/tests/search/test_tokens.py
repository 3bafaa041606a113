"""Terms of lexical search."""

from __future__ import annotations

import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_search.domain import ConfigurationError
from knowledge_search.search.tokens import BigramTokenizer, SudachiTokenizer

EXAMPLES = {
    "経費精算": ["経費", "費精", "精算"],
    "A4用紙を印刷": ["a4", "用紙", "紙を", "を印", "印刷"],
    "ＰＤＦ（３枚）": ["pdf", "3", "枚"],
    "ｶﾞｲﾄﾞﾗｲﾝ": ["ガイ", "イド", "ドラ", "ライ", "イン"],
    "人事・総務": ["人事", "総務"],
    "佐々木〆切": ["佐々", "々木", "木〆", "〆切"],
    "サーバー": ["サー", "ーバ", "バー"],
    "Don't re-use IDs_2": ["don", "t", "re", "use", "ids", "2"],
    "Straße café ПРИВЕТ": ["straße", "café", "привет"],
    "𠮷野家": ["𠮷野", "野家"],
    "": [],
    "、。！？ \n\0": [],
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_bigrams_by_example(text: str) -> None:
    """Words of letters and digits; pairs within runs of kana and Han; a lone sign by itself."""
    assert BigramTokenizer().terms(text) == EXAMPLES[text]


@given(st.text(max_size=80))
def test_bigrams_do_not_depend_on_width_or_case(text: str) -> None:
    """Text and its NFKC form have the same terms, and no term is empty or long."""
    terms = BigramTokenizer().terms(text)

    assert terms == BigramTokenizer().terms(unicodedata.normalize("NFKC", text))
    assert all(0 < len(term) <= 64 for term in terms)


@given(st.text(alphabet="経費精算のをABC。 ", max_size=30), st.text(alphabet="経費精算のをABC。 ", max_size=30))
def test_bigrams_of_joined_sentences_are_those_of_each(left: str, right: str) -> None:
    """A sign between two texts separates their terms."""
    tokenizer = BigramTokenizer()

    assert tokenizer.terms(f"{left}。{right}") == tokenizer.terms(left) + tokenizer.terms(right)


def test_sudachi_gives_words_in_their_normal_form() -> None:
    """Inflection, width and spelling are evened out; signs are no terms."""
    tokenizer = SudachiTokenizer()

    assert tokenizer.terms("経費を精算した。") == ["経費", "を", "精算", "為る", "た"]
    assert tokenizer.terms("ＰＤＦ！") == tokenizer.terms("pdf")
    assert tokenizer.terms("、。\n") == tokenizer.terms("") == []


def test_sudachi_reads_long_text_in_parts() -> None:
    """SudachiPy itself refuses more than 49,149 bytes, also in one line."""
    tokenizer = SudachiTokenizer()

    assert len(tokenizer.terms("経費。" * 30_000)) == pytest.approx(30_000, rel=0.01)
    assert len(tokenizer.terms("経費。\n" * 9_000)) == 9_000


def test_sudachi_serves_threads_at_once() -> None:
    """Each thread has an analyser of its own."""
    tokenizer = SudachiTokenizer()
    text = "経費を精算した。" * 200
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(tokenizer.terms, [text] * 12))

    assert all(terms == results[0] for terms in results)


def test_sudachi_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "sudachipy", None)
    with pytest.raises(ConfigurationError, match=r"knowledge-search\[ja\]"):
        SudachiTokenizer()
