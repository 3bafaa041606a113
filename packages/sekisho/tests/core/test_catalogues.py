"""The sentences of every area: complete in both languages, all of them used, none missing."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import sekisho
from sekisho.core.errors import Location, SekishoError
from sekisho.core.messages import AREAS, LANGUAGES, catalogue, message, note

SOURCE = Path(sekisho.__file__).parent
FILES = [path for path in sorted(SOURCE.rglob("*.py")) if path.parent.name != "messages"]
CODE = re.compile(rf"(?:{'|'.join(AREAS)})\.\w+")
TOPICS = "explain"
"""Its names are what a user asks for; they stand nowhere in the source."""


def fields(template: str) -> set[str]:
    """Return the names of the placeholders of a template."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def patterns_in(path: Path) -> set[str]:
    """Return each text of a module as a pattern, in which what is filled in at run time stands for any word."""
    found = set()
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    pieces = {id(piece) for node in nodes if isinstance(node, ast.JoinedStr) for piece in node.values}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
            found.add(re.escape(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = [re.escape(p.value) if isinstance(p, ast.Constant) else r"[\w@]+" for p in node.values]
            found.add("".join(parts))
    return found


RULES = {
    "answers.new_failures",
    "answers.known",
    "answers.fixed",
    "access.leaks",
    "access.interference",
    "baseline.ruler",
}
FILES_OF_OURS = {"cases.jsonl", "ranking.refusal"}
"""Texts that look like a code and are none."""


@pytest.fixture(scope="module")
def texts() -> set[str]:
    """Return every text in the source as a pattern."""
    return set().union(*map(patterns_in, FILES))


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_say_the_same_things(area: str) -> None:
    """Names, their order and their placeholders are equal."""
    english, japanese = catalogue(area, "en"), catalogue(area, "ja")

    assert list(english) == list(japanese)
    assert {n: fields(t) for n, t in english.items()} == {n: fields(t) for n, t in japanese.items()}


@pytest.mark.parametrize("area", AREAS)
def test_every_japanese_sentence_is_japanese(area: str) -> None:
    """A sentence left in English would be found by a reader only."""
    same = {"report.compare_case"}  # names of metrics only
    left = [
        name
        for name, text in catalogue(area, "ja").items()
        if not re.search(r"[ぁ-んァ-ヶ一-龠]", text)
        and f"{area}.{name}" not in same
        and re.search("[a-z]{3}", fieldless(text))
    ]

    assert left == []


def fieldless(text: str) -> str:
    """Return a template without its placeholders."""
    return re.sub(r"\{[^}]*\}", "", text)


@pytest.mark.parametrize("area", ["app", "cli", "report", "explain"])
def test_japanese_uses_one_word_for_one_thing(area: str) -> None:
    """The words that the project has agreed on, and none of their rivals."""
    rivals = re.compile("検索器|関連ドキュメント|関連する文書|合格基準|失格|閾値|しきい値")

    assert [name for name, text in catalogue(area, "ja").items() if rivals.search(text)] == []


@pytest.mark.parametrize("area", AREAS)
def test_japanese_is_written_in_one_way(area: str) -> None:
    """Half-width colons with a space, spaces around digits, one question for a slip, one word for judgments."""
    slips = re.compile(
        r"：|\d[つ件個本倍行列]|[ぁ-んァ-ヶ一-龠]\d|のことですか|ですか？"
        r"|のつもり|判定(された|ファイル|済み)|正解判定|再ランク|クラスタ(?!ー)|\bID\b"
    )

    assert [name for name, text in catalogue(area, "ja").items() if slips.search(text)] == []


def test_every_code_in_the_source_has_a_sentence(texts: set[str]) -> None:
    """A code without a sentence would be a crash on the way of an error."""
    known = {f"{area}.{name}" for area in AREAS for name in catalogue(area, "en")}
    codes = {text.replace("\\", "") for text in texts if CODE.fullmatch(text.replace("\\", ""))}
    modules = {f"{path.parent.name}.{path.stem}" for path in FILES}

    assert sorted(codes - known - modules - RULES - FILES_OF_OURS) == []


def test_every_rule_of_the_gate_is_explained() -> None:
    """A rule is named in a report by its code, which ``sekisho explain`` takes."""
    assert [rule for rule in sorted(RULES) if rule.partition(".")[2] not in catalogue(TOPICS, "en")] == []


@pytest.mark.parametrize("area", [area for area in AREAS if area != TOPICS])
def test_every_sentence_is_used(area: str, texts: set[str]) -> None:
    """A sentence that nothing says is dead; its code, or a text that becomes it, stands in the source."""
    anywhere = r"[\w@]+\."  # the area is filled in at run time, as where several groups of commands share their words
    full = [re.compile(text) for text in texts if "." in text and text.startswith((area, anywhere))]
    short = [re.compile(text) for text in texts if 2 < len(text) < 60]
    prefixes = {"cli": ("check", "compare", "corpus", "accept"), "files": ("score",)}.get(area, ())

    def used(name: str) -> bool:
        code = f"{area}.{name}"
        if any(pattern.fullmatch(code) for pattern in full):
            return True
        head, _, rest = name.partition("_")
        return head in prefixes and any(pattern.fullmatch(rest) for pattern in short)

    assert [name for name in catalogue(area, "en") if not used(name)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_never_act_as_a_template(language: str) -> None:
    """Braces in a value stay braces, and control characters are shown."""
    sentence = message("app.no_such_file", language, path="{0.__class__}\x1b[31m")

    assert "{0.__class__}" in sentence
    assert "\x1b" not in sentence


def test_an_endless_value_is_shortened() -> None:
    """A message is for reading."""
    assert len(message("app.no_such_file", "en", path="x" * 1_000_000)) < 3000


def test_a_note_is_put_into_words_when_it_is_shown() -> None:
    """One record, both languages."""
    partial = note("report.partial", count=1, total=2)

    assert str(partial) == partial.render("en")
    assert partial.render("ja") != partial.render("en")


def test_an_error_names_its_place_first() -> None:
    """File, line and column as a build log links them."""
    error = SekishoError("app.no_suites", where=Location("a\x1b.toml", 3, 7))

    assert str(error).startswith(r"a\x1b.toml:3:7: ")
    assert error.render("ja").startswith(r"a\x1b.toml:3:7: ")
