"""The other subcommands: compare, init, corpus, list, explain."""

from __future__ import annotations

import hashlib
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
    assert set(written) == {"sekisho.toml", "sekisho_target.py", "sekisho_cases.json"}

    assert start("check", "--lang", language, folder=tmp_path).code == 0
    code, _, err = start("init", "--lang", language, folder=tmp_path)

    assert code == 2
    assert "sekisho.toml" in err
    assert {name: (tmp_path / name).read_bytes() for name in written} == written


@pytest.mark.parametrize(
    ("language", "kept"),
    [
        ("en", "kept sekisho_target.py (already there)"),
        ("ja", "sekisho_target.py はすでにあるため、そのまま残しました"),
    ],
)
def test_init_writes_what_is_missing(start: Callable[..., object], tmp_path: Path, language: str, kept: str) -> None:
    """A target of the user's own stays as it is."""
    (tmp_path / "sekisho_target.py").write_text("mine", encoding="utf-8")

    code, out, _ = start("init", "--lang", language, folder=tmp_path)

    assert code == 0
    assert kept in out.splitlines()
    assert (tmp_path / "sekisho_target.py").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "sekisho.toml").is_file()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commented_suite_of_texts_runs_with_the_commented_target(
    start: Callable[..., object], tmp_path: Path, language: str
) -> None:
    """Comment marks away and three files there: nothing else is needed."""
    assert start("init", "--lang", language, folder=tmp_path).code == 0
    configuration, target = tmp_path / "sekisho.toml", tmp_path / "sekisho_target.py"
    head, _, suite = configuration.read_text(encoding="utf-8").partition("# [suite.staging]\n")
    configuration.write_text(head + "[suite.staging]\n" + re.sub("(?m)^# ", "", suite), encoding="utf-8")
    head, mark, example = target.read_text(encoding="utf-8").partition("# def make_text_target")
    target.write_text(head + re.sub("(?m)^# ?", "", mark + example), encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corpus.jsonl").write_text(
        '{"_id": "d1", "title": "Trips", "text": "a trip"}\n{"_id": "d2", "text": "退職金の計算"}\n', encoding="utf-8"
    )
    (tmp_path / "data/queries.jsonl").write_text('{"_id": "q1", "text": "退職金は"}\n', encoding="utf-8")
    (tmp_path / "data/qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\n", encoding="utf-8")

    code, out, err = start("check", "staging", "-k", "1", folder=tmp_path)

    assert (code, err) == (0, "")
    assert "recall@1" in out


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
    for name, digest in json.loads(out)["sha256"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


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


@pytest.mark.parametrize(
    "code", ["RECALL", " Gate", "min-recall", "k", "redact", "fingerprint", "refused", "App.No_Suites"]
)
def test_a_code_is_found_however_it_is_written(start: Callable[..., object], code: str) -> None:
    """Letter case and hyphens do not matter."""
    assert start("explain", code).code == 0


def test_the_sentence_of_an_error_has_words_for_what_is_filled_in(start: Callable[..., object]) -> None:
    """No braces of a template, but those that the sentence itself shows."""
    assert "The target <target> cannot be imported: <reason> (at <trace>)" in start("explain", "target_import").out
    assert "gate = { min_recall = <example> }" in start("explain", "gate_form").out


def test_an_unknown_code_is_2_with_what_was_meant(start: Callable[..., object]) -> None:
    """A slip is understood."""
    code, _, err = start("explain", "recal")

    assert code == 2
    assert "'recall'" in err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("check", "--min-recall", "0.9", "--min-recall", "0.01"), "--min-recall"),
        (("check", "-k", "5", "-k5"), "-k"),
        (("check", "--target", "a:b", "--target=a:c"), "--target"),
        (("check", "--target", ""), "--target"),
        (("check", "--case", " "), "--case"),
        (("check", ""), "SUITE"),
        (("corpus", "--save", ""), "--save"),
        (("init", ""), "FOLDER"),
        (("compare", "exact", "two_stage", "--corpus", "seed", "--corpus", "raw"), "--corpus"),
        (("check", "--min-recall", "0_9"), "--min-recall"),
        (("check", "--min-recall", " 0.9"), "--min-recall"),
        (("check", "--min-recall", "٠.٩"), "--min-recall"),
        (("check", "--min-recall", "０.９"), "--min-recall"),
        (("check", "--min-recall", "nan"), "--min-recall"),
        (("check", "-k", "1_0"), "-k"),
        (("check", "--target", "sekisho.retrievers:exact", "--min-recall", "0"), "--min-recall"),
        (("check", "--target", "sekisho.retrievers:exact", "--min-recall", "1e-400"), "--min-recall"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_words_that_say_two_things_or_none_are_refused(
    start: Callable[..., object], tmp_path: Path, words: tuple[str, ...], named: str, language: str
) -> None:
    """Nothing runs, and nothing is written."""
    code, out, err = start(*words, "--lang", language, folder=tmp_path)

    assert (code, out) == (2, "")
    assert named in err
    assert list(tmp_path.iterdir()) == []


def test_a_flag_and_a_list_may_come_twice(start: Callable[..., object], tmp_path: Path) -> None:
    """They mean the same, or more."""
    words = ("--case", "t00-q0", "--case", "t00-q1", "--json", "--json")

    code, out, _ = start("check", "--target", "sekisho.retrievers:exact", *words, folder=tmp_path)

    assert code == 0
    assert len(json.loads(out)["suites"][0]["cases"]) == 2
