"""The other subcommands: compare, init, corpus, list, explain."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sekisho
from sekisho.cli.explain import _SENTENCES, _explain
from sekisho.core.messages import LANGUAGES, catalogue
from sekisho.corpora import PRESETS, load_preset
from sekisho.ranking import METRIC_NAMES
from sekisho.retrievers import RETRIEVERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_version_is_shown(start: Callable[..., object]) -> None:
    """Anywhere, on standard output."""
    assert start("--version") == (0, f"sekisho {sekisho.__version__}\n", "")


def test_targets_are_compared_side_by_side(start: Callable[..., object], tmp_path: Path) -> None:
    """In text and as a document; there is no gate."""
    code, out, err = start("compare", "exact", "two_stage?candidates=20", "--json", folder=tmp_path)

    document = json.loads(out)
    assert code == 0
    assert document["reference"] == "exact"
    assert [suite["name"] for suite in document["suites"]] == ["exact", "two_stage?candidates=20"]
    assert document["differences"][0]["worse"] > 0
    assert "leaves out more of what is relevant than exact" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_init_writes_passes_at_once(start: Callable[..., object], tmp_path: Path, language: str) -> None:
    """In an empty folder, in both languages, and a second time nothing is overwritten."""
    assert start("init", "--lang", language, folder=tmp_path).code == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(written) == {"sekisho.toml", "sekisho_target.py"}

    assert start("check", "--lang", language, folder=tmp_path).code == 0
    code, _, err = start("init", "--lang", language, folder=tmp_path)

    assert code == 2
    assert "sekisho.toml" in err
    assert {name: (tmp_path / name).read_bytes() for name in written} == written


def test_init_writes_nothing_where_one_file_is_there(start: Callable[..., object], tmp_path: Path) -> None:
    """Both files or none."""
    (tmp_path / "sekisho_target.py").write_text("mine", encoding="utf-8")

    code, _, _ = start("init", folder=tmp_path)

    assert code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["sekisho_target.py"]


def test_init_needs_a_folder_that_is_there(start: Callable[..., object], tmp_path: Path) -> None:
    """A slip in a path makes no folder."""
    code, _, err = start("init", "absent", folder=tmp_path)

    assert code == 2
    assert "absent" in err


def test_a_corpus_is_saved_whole(start: Callable[..., object], tmp_path: Path) -> None:
    """Vectors, cases and facts, and no other file beside them."""
    code, out, err = start("corpus", "calibrated", "--save", "deep/folder", "--json", folder=tmp_path)

    folder = tmp_path / "deep/folder"
    corpus = load_preset("calibrated")
    assert code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["cases.jsonl", "corpus.json", "vectors.npz"]
    assert json.loads(out) == json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
    assert json.loads(out)["fingerprint"] == corpus.fingerprint
    assert len((folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()) == 120
    with np.load(folder / "vectors.npz", allow_pickle=False) as arrays:
        assert sum(len(array) == 240 for array in arrays.values()) == 2
    assert err.count("wrote ") == 3


def test_a_corpus_that_cannot_be_saved_is_2(start: Callable[..., object], tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    code, _, err = start("corpus", "--save", "file", folder=tmp_path)

    assert code == 2
    assert "cannot be written" in err


def test_a_corpus_is_shown(start: Callable[..., object]) -> None:
    """Its size, fingerprint and parameters."""
    code, out, _ = start("corpus", "--lang", "ja")

    assert code == 0
    assert load_preset("seed").fingerprint in out
    assert "seed=42" in out


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_named_is_listed(start: Callable[..., object], project: Path, language: str) -> None:
    """Suites of the configuration, presets, metrics, retrievers."""
    _, out, err = start("list", "--lang", language, folder=project)

    for name in ("good", "secret", *PRESETS, *METRIC_NAMES, *RETRIEVERS):
        assert re.search(rf"^  {re.escape(name)}  ", out, re.MULTILINE), name
    assert err == ""


def test_a_list_is_a_document_too(start: Callable[..., object], project: Path) -> None:
    """Of one section, or all."""
    listed = json.loads(start("list", "suites", "--json", folder=project).out)

    assert list(listed) == ["suites"]
    assert "bad" in listed["suites"]


def test_without_a_configuration_the_list_says_so(start: Callable[..., object], tmp_path: Path) -> None:
    """It is no error: presets and metrics are there."""
    code, out, _ = start("list", "suites", folder=tmp_path)

    assert code == 0
    assert "sekisho init" in out


def test_a_topic_is_explained(start: Callable[..., object]) -> None:
    """Through the command."""
    code, out, _ = start("explain", "recall@10")

    assert code == 0
    assert out.startswith("recall@k: ")


TOPICS = [
    *catalogue("explain", "en"),
    "recall@10",
    "structure.unknown",
    "report.partial",
    "report.saturated_suite",
    "rr",
    "ap",
]
CODES = [f"{area}.{name}" for area in _SENTENCES for name in catalogue(area, "en")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_and_every_code_is_explained(
    capfd: pytest.CaptureFixture[str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a message or report calls by a code, also without its area."""
    said: list[str] = []
    monkeypatch.setattr("sekisho.reports.terminal.Terminal.line", lambda _self, text="", **_: said.append(text))

    for code in [*TOPICS, *CODES, "no_suites"]:
        assert _explain(language, code=code) == 0

    capfd.readouterr()
    assert len(said) == len(TOPICS) + len(CODES) + 1
    assert all(said)


def test_an_unknown_code_is_2_with_what_was_meant(start: Callable[..., object]) -> None:
    """A slip is understood."""
    code, _, err = start("explain", "recal")

    assert code == 2
    assert "'recall'" in err
