"""The pages on baselines, statistics and history: complete, with outputs of a project that is as they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, get_args

import pytest

from sekisho.app.baselines import ruler_of
from sekisho.app.configuration import load_configuration
from sekisho.compare.determinism import FACTORS
from sekisho.compare.records import CHANGE_KINDS
from sekisho.compare.statistics import Method
from sekisho.history.keeping import keep

from .document_pages import (
    DOCUMENTS,
    MEASURES,
    PAIRS,
    REPOSITORY,
    assert_shown,
    blocks,
    first_cells,
    part,
    prose,
    run,
    short,
    titled,
    words_of,
)

if TYPE_CHECKING:
    from pathlib import Path

DOCS = REPOSITORY / "docs"
BASELINE = PAIRS["baseline"]
RULERS = {
    "retrieval": 'corpus = { preset = "calibrated", seed = 7 }',
    "answers": 'cases = "cases.json"',
    "access": 'cases = "cases.json"',
}
"""A suite of each kind, as far as its ruler needs more than a target."""
SEARCH = """\
from eval.targets import two_stage


def make_target(corpus, k):
    return two_stage(corpus, k, {})
"""
VARIABLE = re.compile(r"\bSEKISHO_[A-Z_]*[A-Z]\b")


def section(path: Path, number: int) -> str:
    """Return a part of a page by its place, the same in both languages."""
    return prose(path).split("\n## ")[number]


def shown(path: Path) -> list[tuple[list[str], str]]:
    """Return the words of each command that an output is shown of, with the output."""
    return [
        (words_of(before.body.splitlines()[-1]), after.body)
        for before, after in pairwise(blocks(path))
        if after.kind == "text"
    ]


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with the configuration of the page on baselines, accepted, and then without its centring."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "eval").mkdir()
    shutil.copy(REPOSITORY / "eval/cases.json", folder / "eval")
    (configuration,) = titled(BASELINE["en"], "sekisho.toml")
    (folder / "sekisho.toml").write_text(configuration, encoding="utf-8")
    assert run(["accept", "--reason", "first baseline"], language="en", folder=folder).returncode == 0
    without = configuration.replace("centred = true", "centred = false")
    (folder / "sekisho.toml").write_text(without, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("language", "path"), BASELINE.items(), ids=BASELINE)
def test_what_is_shown_beside_a_baseline_is_what_is_printed(language: str, path: Path, accepted: Path) -> None:
    """A search that fell, answers that changed and pass, and an audit."""
    pairs = shown(path)
    done = [run(words, language=language, folder=accepted) for words, _ in pairs]

    for (_, output), each in zip(pairs, done, strict=True):
        assert_shown(output, [line.rstrip() for line in each.stdout.splitlines()])
    assert [each.returncode for each in done] == [1, 0, 1]


def test_the_line_of_a_case_shown_is_one_of_a_baseline(accepted: Path) -> None:
    """With the same keys, so that a reader of a diff finds what the page explains."""
    (line,) = [block.body for block in blocks(BASELINE["en"]) if block.kind == "json"]
    kept = (accepted / "sekisho.baseline.json").read_text(encoding="utf-8")
    first = next(each for each in kept.splitlines() if '"id": "q0' in each)

    assert set(re.findall(r'"(\w+)": ', line.partition('"ranks"')[0])) <= set(re.findall(r'"(\w+)": ', first))
    assert '"top": ' in line


@pytest.mark.parametrize("path", BASELINE.values(), ids=short)
def test_every_kind_of_change_and_every_factor_is_described(path: Path) -> None:
    """In the order of reports."""
    assert first_cells(section(path, 2)) == list(CHANGE_KINDS)
    assert first_cells(section(path, 6)) == list(FACTORS)


@pytest.mark.parametrize("kind", RULERS)
@pytest.mark.parametrize("path", BASELINE.values(), ids=short)
def test_every_part_of_a_ruler_is_described(path: Path, kind: str, tmp_path: Path) -> None:
    """Beside the kind of suite that has it."""
    configuration = tmp_path / "sekisho.toml"
    lines = ["[suite.a]", f'kind = "{kind}"', 'target = "a:b"', RULERS[kind], "manual = true"]
    configuration.write_text("\n".join(lines), encoding="utf-8")
    suite = load_configuration(configuration).suites[0]
    rows = re.findall(r"^\| (`?\w+`?|\S+) \| (.+) \|$", section(path, 4), re.MULTILINE)

    general, *others = [(name.strip("`"), set(re.findall(r"`([\w.]+)`", cell))) for name, cell in rows[1:]]
    described = general[1] | dict(others)[kind]
    assert {name for name in ruler_of(suite) if not name.startswith("corpus.")} <= described
    assert kind != "retrieval" or "corpus.seed" in described & ruler_of(suite).keys()


def test_every_key_of_a_gate_is_described(tmp_path: Path) -> None:
    """Those that a table under ``gate`` takes, and no other."""
    described = first_cells(part(MEASURES, "The gate"))
    configuration = tmp_path / "sekisho.toml"
    values = {"min_recall": "0.6", "max_drop": "0.02", "non_inferiority": "true"}
    gate = ", ".join(f"{name} = {value}" for name, value in values.items())
    configuration.write_text(f'[suite.a]\ntarget = "a:b"\ngate = {{ {gate} }}\n', encoding="utf-8")

    assert [name for name in described if name in values] == list(values)
    assert load_configuration(configuration).suites


def test_every_rule_of_a_comparison_is_described() -> None:
    """As the report for programs names it."""
    assert {"`baseline.ruler`", "`drop.recall@k`", "`drop.ndcg@k`", "`drop.overlap@k`"} <= set(
        re.findall(r"`[\w.@]+`", part(MEASURES, "The gate"))
    )


def test_every_key_of_a_comparison_in_json_is_described(accepted: Path) -> None:
    """That of a suite beside its baseline, and of each metric in it."""
    done = run(["check", "search", "--json"], language="en", folder=accepted)
    comparison = json.loads(done.stdout)["suites"][0]["comparison"]
    text = part(MEASURES, "The JSON report")
    described = first_cells(text.partition("part `comparison`")[2])
    row = next(line for line in text.splitlines() if line.startswith("| `rulers`"))

    assert sorted(described) == sorted(comparison)
    assert set(re.findall(r"`(\w+)`", row)) - {"rulers"} == set(comparison["rulers"]["recall@10"])


def test_every_variable_of_the_environment_is_described() -> None:
    """Those that the package reads, in one table; and no document names another."""
    source = REPOSITORY / "packages/sekisho/src/sekisho"
    read = {name for path in source.rglob("*.py") for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}
    named = {name for path in DOCUMENTS for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}

    assert set(first_cells(part(MEASURES, "Variables of the environment"))) == read
    assert named <= read


def test_every_method_of_a_p_value_is_described() -> None:
    """As the report for programs names it."""
    cells = re.findall(
        r"^\| `([^`|]+)` \| [^|]+ \| [^|]+ \|$", part(DOCS / "statistics.md", "What is computed"), re.MULTILINE
    )

    assert cells == list(get_args(Method))


def test_the_power_shown_is_what_is_printed() -> None:
    """On a suite of this repository."""
    pairs = shown(DOCS / "statistics.md")

    for words, output in pairs:
        done = run(words, language="en", folder=REPOSITORY)
        assert done.returncode == 0
        assert_shown(output, [line.rstrip() for line in done.stdout.splitlines()])
    assert [words[0] for words, _ in pairs] == ["power"]


@pytest.mark.parametrize(("language", "path"), PAIRS["history"].items(), ids=PAIRS["history"])
def test_the_history_shown_is_what_is_printed(
    language: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of sixteen days, on the eleventh of which the search fell."""
    file = tmp_path / "history.sqlite3"
    monkeypatch.setenv("SEKISHO_HISTORY", str(file))
    for day in range(1, 17):
        time = f"2026-03-{day:02d}T09:00:00Z"
        keep(file, _report(day), time=time, branch="main", duration_ms=500.0)
    pairs = shown(path)

    for words, output in pairs:
        done = run(words, language=language, folder=tmp_path)
        assert done.stdout.splitlines() == output.splitlines()
    assert [words[:2] for words, _ in pairs] == [["history", "--limit"], ["history", "trend"]]


def _report(day: int) -> dict[str, object]:
    """Return the report of a day."""
    passed = day <= 10
    verdict = "passed" if passed else "failed"
    suite = {
        "name": "search",
        "kind": "retrieval",
        "target": "a:b",
        "verdict": verdict,
        "metrics": {"recall@10": 0.9575 if passed else 0.7367},
        "cases": [],
    }
    facts = {"commit": f"{day:08d}"}
    return {
        "schema": "sekisho.report/1",
        "verdict": verdict,
        "exit_code": int(not passed),
        "suites": [suite],
        "run": facts,
    }


def test_the_recipe_for_bisecting_finds_the_commit(tmp_path: Path) -> None:
    """As shown, with the configuration and the baseline of today, past a commit that cannot be measured."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    (recipe,) = [block.body for block in blocks(BASELINE["en"]) if "git bisect run" in block.body]
    assert recipe == next(block.body for block in blocks(BASELINE["ja"]) if "git bisect run" in block.body)
    configuration = 'target = "search:make_target"\ncorpus = "offset"\ngate = { min_recall = 0.6, max_drop = 0.02 }\n'
    (tmp_path / "sekisho.toml").write_text(f"[suite.search]\n{configuration}", encoding="utf-8")
    _in_shell(tmp_path, "git init --quiet")
    for number, options in enumerate(("centred=True", "(", "centred=True, candidates=160", "", "candidates=160")):
        (tmp_path / "search.py").write_text(SEARCH.format(options), encoding="utf-8")
        if number == 0:
            assert run(["accept", "--reason", "first"], language="en", folder=tmp_path).returncode == 0
            _in_shell(tmp_path, "git add . && git commit --quiet -m first && git tag v1.4")
        else:
            _in_shell(tmp_path, f"git commit --quiet -a -m 'state {number}'")

    said = _in_shell(tmp_path, recipe.replace("run sekisho", f"run {shlex.quote(sys.executable)} -m sekisho"))

    assert re.search(r"^[0-9a-f]+ is the first bad commit", said, re.MULTILINE), said
    assert "state 3" in said


def _in_shell(folder: Path, script: str) -> str:
    """Run a script with this repository's targets in reach, and return what it prints."""
    names = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = os.environ | names | {"PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["sh", "-euc", script],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout
