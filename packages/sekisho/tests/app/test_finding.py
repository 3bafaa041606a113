"""A configuration on the way is taken or refused, and never passed over."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from sekisho.app.configuration import find_configuration, load_configuration
from sekisho.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SUITE = '[suite.search]\ntarget = "m:f"\n'


@pytest.fixture
def below(tmp_path: Path) -> Path:
    """Return a folder two below one that holds a configuration, of which the nearer one is the test's."""
    (tmp_path / "sekisho.toml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "inner/below").mkdir(parents=True)
    return tmp_path / "inner/below"


@pytest.mark.parametrize("name", ["sekisho.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.symlink_to("nowhere"), "app.unreadable"),
        (lambda path: path.symlink_to(path), "app.unreadable"),
        (os.mkfifo, "app.not_a_file"),
        (lambda path: path.mkdir(), "app.not_a_file"),
        (lambda path: path.write_text("#" * 1_000_001, encoding="utf-8"), "app.too_large"),
    ],
)
def test_what_is_no_file_is_not_passed_over(below: Path, name: str, make: Callable[[Path], object], code: str) -> None:
    """The suites of a folder farther up would run instead, and nobody would see it."""
    make(below.parent / name)

    with pytest.raises(ConfigurationError) as caught:
        find_configuration(below)

    assert caught.value.code == code


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Sekisho.toml", SUITE),
        ("SEKISHO.TOML", SUITE),
        ("pyproject.toml", '[tool.Sekisho.suite.search]\ntarget = "m:f"\n'),
        ("pyproject.toml", '[Tool.sekisho.suite.search]\ntarget = "m:f"\n'),
    ],
)
def test_the_wrong_case_is_refused_with_the_right_one(below: Path, name: str, content: str) -> None:
    """Some file systems tell cases apart, and others do not."""
    (below.parent / name).write_text(content, encoding="utf-8")

    with pytest.raises(ConfigurationError) as caught:
        find_configuration(below)

    assert caught.value.code == "app.wrong_case"
    assert caught.value.values["wanted"] in str(caught.value)


def test_a_link_to_a_file_is_a_file(below: Path) -> None:
    """Only what it leads to counts."""
    link = below / "sekisho.toml"
    link.symlink_to(below.parent.parent / "sekisho.toml")

    assert find_configuration(below) == link


def test_reading_takes_time_in_proportion_to_the_suites(tmp_path: Path) -> None:
    """Twenty thousand suites took minutes to find the lines of."""
    file = tmp_path / "sekisho.toml"
    file.write_text("".join(f'[suite.s{number}]\ntarget = "m:f"\n' for number in range(20_000)), encoding="utf-8")
    start = time.process_time()

    suites = load_configuration(file).suites

    assert time.process_time() - start < 20
    assert suites[-1].places["target"].line == 40_000
