"""The catalogues, the language, and how text is laid out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import knowledge_search.cli
from knowledge_search.api import messages as api
from knowledge_search.cli.language import take_language
from knowledge_search.cli.messages import en, ja, printable
from knowledge_search.cli.pages import width_of, wrapped
from knowledge_search.domain import ConfigurationError


def test_both_catalogues_hold_the_same() -> None:
    """Names and placeholders."""
    assert set(en.MESSAGES) == set(ja.MESSAGES)
    for name, text in en.MESSAGES.items():
        assert sorted(re.findall(r"\{(\w+)", text)) == sorted(re.findall(r"\{(\w+)", ja.MESSAGES[name])), name


def test_the_api_speaks_both_languages() -> None:
    """No sentence is missing or left in English, and both take the same values."""
    for catalogue in (api.MESSAGES, api.STATUSES, api.PROBLEMS):
        for code, (japanese, english) in catalogue.items():
            assert re.search(r"[ぁ-んァ-ヶ一-龠]", japanese), code
            assert not re.search(r"[ぁ-んァ-ヶ一-龠]", english), code
            assert sorted(re.findall(r"\{\w+\}", japanese)) == sorted(re.findall(r"\{\w+\}", english)), code


def test_no_sentence_is_left_over() -> None:
    """Each is used somewhere."""
    folder = Path(knowledge_search.cli.__file__).parent
    code = "".join(path.read_text() for path in folder.rglob("*.py") if "messages" not in path.parts)
    made = ("help_", "short_", "check_", "key_", "origin_", "ok_", "warn_", "mend_")
    unused = [name for name in en.MESSAGES if not re.search(rf"[\"']{name}[\"']", code) and not name.startswith(made)]

    assert unused == []


@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        (["--lang", "ja", "ask"], {}, ("ja", ["ask"])),
        (["ask", "--lang=en"], {"LANG": "ja_JP.UTF-8"}, ("en", ["ask"])),
        (["ask"], {"KNOWLEDGE_SEARCH_LANG": "ja"}, ("ja", ["ask"])),
        (["ask"], {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, ("en", ["ask"])),
        (["ask"], {"LANG": "ja_JP.UTF-8"}, ("ja", ["ask"])),
        (["ask", "--", "--lang", "ja"], {}, ("en", ["ask", "--", "--lang", "ja"])),
    ],
)
def test_the_option_comes_first_then_the_variable_then_the_locale(
    words: list[str], environment: dict[str, str], expected: tuple[str, list[str]]
) -> None:
    """And nothing after -- is an option."""
    assert take_language(words, environment) == expected


@pytest.mark.parametrize("words", [["--lang", "fr"], ["--lang"]])
def test_another_language_is_refused(words: list[str]) -> None:
    """In both languages, since it is not known which one is read."""
    with pytest.raises(ConfigurationError, match=r"言語.*language"):
        take_language(words, {})


@given(st.text(alphabet="あ漢、。 aé", max_size=200), st.integers(min_value=20, max_value=80))
@example("aaaaaa、、、、、、、 、", 20)
def test_wrapping_loses_nothing_and_keeps_the_width(text: str, width: int) -> None:
    """But for blanks at line ends; closing marks may hang over, with the blanks between them."""
    lines = wrapped(text, width)

    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        longest = max((width_of(word) for word in re.split(r"[ あ漢、。]", line)), default=0)
        hanging = width_of(line) - width_of(line.rstrip("、。 "))
        assert width_of(line) - hanging <= max(width, longest + 2)


def test_documents_cannot_steer_the_terminal() -> None:
    """Escapes, bells and marks that turn text around are shown, not sent."""
    assert printable("a\x1b[2Jb\x07\u202ec\n") == "a\\x1b[2Jb\\x07\\u202ec\n"
