"""``SEKISHO_LANG`` and ``sekisho_lang``: the language of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project


def test_the_variable_chooses_japanese(half_good: Project) -> None:
    """In failures and in the summary."""
    run = half_good.pytest("sekisho.toml", SEKISHO_LANG="ja")

    assert "NG   wrong: How long is the holiday?" in run.out
    assert "- 回答に「30 days」がありません。" in run.out
    assert "既知の不具合 0 / 新たな不合格 1" in run.out
    assert "答えるべきことに答える 1/2" in run.out


def test_the_locale_chooses_japanese(half_good: Project) -> None:
    """Where nothing else is said."""
    run = half_good.pytest("sekisho.toml", LANG="ja_JP.UTF-8")

    assert "新たな不合格 1" in run.out


def test_the_settings_come_before_the_variable(half_good: Project) -> None:
    """A project can fix the language of its log."""
    run = half_good.pytest("sekisho.toml", "-o", "sekisho_lang=en", SEKISHO_LANG="ja")

    assert "1 new failures" in run.out


def test_an_unknown_language_is_a_usage_error(project: Project) -> None:
    """With those that there are."""
    run = project.pytest("sekisho.toml", "-o", "sekisho_lang=fr")

    assert run.code == 4
    assert "There is no language 'fr'. Known: en, ja" in run.out


def test_a_wrong_configuration_is_told_in_japanese(project: Project) -> None:
    """As everything else."""
    run = project.pytest("--sekisho", "polices", SEKISHO_LANG="ja")

    assert "スイート 'polices' はありません。" in run.out


def test_a_stream_without_japanese_signs_breaks_nothing(half_good: Project) -> None:
    """A log in ASCII."""
    run = half_good.pytest("sekisho.toml", SEKISHO_LANG="ja", PYTHONIOENCODING="ascii", LANG="C", PYTHONUTF8="0")

    assert run.code == 1
    assert "1 failed, 1 passed" in run.out
