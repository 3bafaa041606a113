"""Two languages, chosen by an option, the environment or the locale, and never mixed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sekisho.cli.group import COMMANDS, build_group
from sekisho.cli.language import take_language
from sekisho.core.errors import ConfigurationError
from sekisho.core.languages import locale_language
from sekisho.core.messages import LANGUAGES, catalogue
from sekisho.core.text import display_width

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
PAGES = ["", *COMMANDS]
KINSOKU = set("、。」）】ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ")
SENTENCE = re.compile(r"[A-Za-z]{3,}( [a-z]{2,}){3,}")
"""Four English words in a row; names, options and code have fewer."""


@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        (["check", "--lang", "ja"], {}, ("ja", ["check"])),
        (["--lang=ja", "check", "x"], {"SEKISHO_LANG": "en"}, ("ja", ["check", "x"])),
        (["check", "--lang", "en"], {"SEKISHO_LANG": "ja"}, ("en", ["check"])),
        (["--lang", "ja", "list", "--lang", "en"], {}, ("en", ["list"])),
        (["check"], {"SEKISHO_LANG": "ja", "LC_ALL": "C"}, ("ja", ["check"])),
        (["check"], {"SEKISHO_LANG": "", "LANG": "ja_JP.UTF-8"}, ("ja", ["check"])),
        (["check"], {"LANG": "ja_JP.UTF-8", "LC_ALL": "en_US.UTF-8"}, ("en", ["check"])),
        (["check"], {"LC_MESSAGES": "ja", "LANG": "de_DE"}, ("ja", ["check"])),
        (["check"], {"LANG": "de_DE.UTF-8"}, ("en", ["check"])),
        (["check"], {}, ("en", ["check"])),
        (["check", "--", "--lang", "ja"], {}, ("en", ["check", "--", "--lang", "ja"])),
    ],
)
def test_the_option_comes_before_the_environment_and_that_before_the_locale(
    words: list[str], environment: dict[str, str], expected: tuple[str, list[str]]
) -> None:
    """Anywhere among the words, up to ``--``."""
    assert take_language(words, environment) == expected


@pytest.mark.parametrize(
    ("words", "environment"),
    [(["--lang", "fr"], {}), (["--lang"], {}), (["--lang="], {}), ([], {"SEKISHO_LANG": "fr"})],
)
def test_an_unknown_language_is_refused(words: list[str], environment: dict[str, str]) -> None:
    """With those there are."""
    with pytest.raises(ConfigurationError, match="en, ja"):
        take_language(words, environment)


def test_an_unknown_language_is_refused_in_that_of_the_locale(start: Callable[..., object]) -> None:
    """Exit code 2."""
    code, _, err = start("check", "--lang", "fr", LC_ALL="ja_JP.UTF-8", PYTHONUTF8="1")

    assert code == 2
    assert "言語 'fr' はありません" in err
    assert locale_language({"LC_ALL": "ja_JP.UTF-8"}) == "ja"


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, str], str]:
    """Return every help page in both languages, as a terminal of 80 columns gets it."""
    found = {}
    for language in LANGUAGES:
        group = build_group(language)
        top = group.context_class(group, info_name="sekisho", terminal_width=78)  # click leaves two columns
        found["", language] = top.get_help()
        for name in COMMANDS:
            command = group.get_command(top, name)
            assert command is not None
            found[name, language] = command.context_class(command, parent=top, info_name=name).get_help()
    return found


def test_a_page_is_asked_for_anywhere(start: Callable[..., object], pages: dict[tuple[str, str], str]) -> None:
    """On standard output, with exit code 0."""
    assert start("--lang", "ja", "check", "--help", COLUMNS="80") == (0, pages["check", "ja"] + "\n", "")
    assert start("--help", COLUMNS="80").out == pages["", "en"] + "\n"


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("page", PAGES)
def test_help_pages_fit_a_terminal(pages: dict[tuple[str, str], str], page: str, language: str) -> None:
    """80 columns by the width of what is shown, examples of shell lines apart, and kinsoku at line starts."""
    text = pages[page, language]

    assert text.startswith(("Usage: sekisho", "使い方: sekisho"))
    assert "--lang [en|ja]" in text
    wide = [line for line in text.splitlines() if display_width(line) > 80 and not line.startswith("    sekisho ")]
    assert wide == []
    assert [line for line in text.splitlines() if line.lstrip()[:1] in KINSOKU and line.strip()] == []


@pytest.mark.parametrize("page", PAGES)
def test_help_pages_are_in_one_language(pages: dict[tuple[str, str], str], page: str) -> None:
    """No English sentence on a Japanese page, no Japanese on an English one."""
    assert not JAPANESE.search(pages[page, "en"])
    prose = [line for line in pages[page, "ja"].splitlines() if not line.startswith("    sekisho ")]
    assert [line for line in prose if SENTENCE.search(line)] == []
    assert JAPANESE.search(pages[page, "ja"])


@pytest.mark.parametrize(
    "words",
    [
        ("good", "bad"),
        ("crash",),
        ("secret",),
        ("goood",),
        ("absent",),
        ("--min-recall", "2"),
        ("-k", "0"),
        ("-k",),
        ("--tag", "zzz"),
        ("--no-such-option",),
        ("--config", "absent.toml"),
    ],
)
def test_a_japanese_run_says_nothing_in_english(check: Callable[..., object], words: tuple[str, ...]) -> None:
    """Reports and errors alike; what an exception of the target says is its own."""
    _, out, err = check(*words, "--lang", "ja")
    foreign = re.compile(r"(ValueError: no|ModuleNotFoundError: No module named).*")
    lines = [foreign.sub("", line) for line in (out + err).splitlines()]

    assert JAPANESE.search(out + err)
    assert [line for line in lines if SENTENCE.search(line)] == []
    for line in lines:
        assert JAPANESE.search(line) or len(re.findall(r"(?<![\w/.@-])[a-z]{4,}(?![\w/.@-])", line)) <= 4


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "exact"),
        ("score", "a"),
        ("corpus", "zzz"),
        ("list", "zzz"),
        ("explain", "zzz"),
        ("init", "zzz"),
        ("chek",),
        ("check", "--jsn"),
        ("init", "a", "b"),
        ("corpus", "--save"),
    ],
)
def test_wrong_usage_is_explained_in_the_language_of_the_user(
    start: Callable[..., object], tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Exit code 2, one message, and no sentence of click's in Japanese."""
    code, out, err = start(*words, "--lang", "ja", folder=tmp_path)

    assert (code, out) == (2, "")
    assert JAPANESE.search(err)
    assert "使い方: " not in err or words[0] not in COMMANDS or f"使い方: sekisho {words[0]} --help" in err
    assert not SENTENCE.search(re.sub("sekisho [a-z _]+", "", err))


def test_every_command_has_its_line_and_page() -> None:
    """In the catalogue, so that no command is imported for the first page."""
    for name in COMMANDS:
        assert f"short_{name}" in catalogue("cli", "en")
