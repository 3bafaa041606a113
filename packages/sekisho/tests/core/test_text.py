"""Text that other people wrote, made fit for a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.text import compared, did_you_mean, display_width, in_ascii, padded, printable, shorten, wrap

NOT_FIRST = set("、。」）ーっゃ,.)]…")
NOT_LAST = set("「（([")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain 日本語　全角", "plain 日本語　全角"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("\x00\x07\x7f\x9b", r"\x00\x07\x7f\x9b"),
        ("\ud800", r"\ud800"),
        ("[red]{braces}", "[red]{braces}"),
    ],
)
def test_what_steers_or_hides_becomes_an_escape(text: str, expected: str) -> None:
    """Letters stay; control characters, marks and half surrogates are shown."""
    assert printable(text) == expected


@given(st.text())
def test_printable_text_stays_as_it_is(text: str) -> None:
    """A second time changes nothing, and the result is one harmless line."""
    once = printable(text)

    assert printable(once) == once
    assert all(char.isprintable() or char == "\u3000" for char in once)


@given(st.text(alphabet="ab 、。「」（）あいうっゃ漢字ーx,.()", max_size=80), st.integers(min_value=4, max_value=40))
def test_wrapping_keeps_every_character_and_the_width(text: str, width: int) -> None:
    """Nothing but white space is lost, and only signs that may not begin a line stand beyond the width."""
    lines = wrap(text, width)

    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert line == line.strip() or line == line.rstrip()
        assert display_width(line) <= width or set(line) & (NOT_FIRST | NOT_LAST)


def test_lines_follow_the_rules_of_japanese() -> None:
    """No line begins with a closing sign or a small kana, and none ends with an opening sign."""
    text = (
        "合成ベクトルで測れるのは「量子化」・融合（重み付き）・木構造です。ちょっとしたチェックー、そして（終わり）。"
        * 3
    )

    for width in range(12, 60):
        lines = wrap(text, width)

        assert not [line for line in lines[1:] if line[0] in NOT_FIRST]
        assert not [line for line in lines[:-1] if line[-1] in NOT_LAST]


def test_a_word_longer_than_a_line_is_cut() -> None:
    """An endless id does not leave the page."""
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_wide_characters_take_two_columns() -> None:
    """Width counts columns of a terminal, and padding fills them."""
    assert display_width("a日e\u0301") == 4
    assert padded("日本", 6) == "日本  "
    assert padded("9", 3, right=True) == "  9"


def test_shortening_says_that_there_is_more() -> None:
    """What fits stays."""
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "abc…"


def test_signs_have_a_form_in_ascii() -> None:
    """A stream that cannot show a sign gets one that means the same, or its escape."""
    error = UnicodeEncodeError("ascii", "≥日", 0, 2, "ordinal not in range")

    assert in_ascii(error) == (r">=\u65e5", 2)


def test_undecodable_bytes_are_not_for_this_handler() -> None:
    """It writes, it does not read."""
    with pytest.raises(UnicodeDecodeError):
        in_ascii(UnicodeDecodeError("ascii", b"\xff", 0, 1, "ordinal not in range"))


def test_the_nearest_choice_is_meant_or_none() -> None:
    """A slip is understood; a different word is not guessed at."""
    assert did_you_mean("tartget", ["target", "corpus"]) == "target"
    assert did_you_mean("zzz", ["target", "corpus"]) is None


@pytest.mark.parametrize(
    ("value", "threshold", "shown"),
    [
        (0.5, 0.8, ("0.5000", "0.8")),
        (1 / 6, 0.6, ("0.1667", "0.6")),
        (0.59996, 0.6, ("0.59996", "0.6")),
        (0.5999999999, 0.6, ("0.5999999999", "0.6")),
        (0.61235, 0.612351, ("0.6123", "0.612351")),
        (0.7, 0.7, ("0.7000", "0.7")),
        (0.0, 1.0, ("0.0000", "1.0")),
        (0.1 + 0.2, 0.3, ("0.3000", "0.3")),
    ],
)
def test_two_numbers_are_shown_with_the_digits_that_tell_them_apart(
    value: float, threshold: float, shown: tuple[str, str]
) -> None:
    """Four decimals, and more only where rounding would make them equal."""
    assert compared(value, threshold) == shown
