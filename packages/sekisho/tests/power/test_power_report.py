"""The report of what cases can show, for people and for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.power import run_power
from sekisho.reports.json_report import encode
from sekisho.reports.power_json import power_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.app.configuration import Configuration

START = """\
import sys
from sekisho.cli.output import prepare_streams
from sekisho.cli.power import build
prepare_streams()
sys.exit(build("en").main(sys.argv[1:], standalone_mode=False))
"""


def document(run: Any) -> Any:  # noqa: ANN401  a run, and parsed JSON
    """Return the document as a program reads it."""
    return json.loads(encode(power_document(run, language="en")))


def flat(page: str) -> str:
    """Return a page without its line breaks."""
    return " ".join(page.split())


def test_an_assumption_is_called_one(configuration: Configuration, written: Callable[..., str]) -> None:
    """In both languages, with how to measure."""
    run = run_power(configuration, "synthetic")

    assert "ASSUMED, 0.09 to 0.15" in written(run)
    assert "--against TARGET measures it" in written(run)
    assert "0.09 から 0.15 と仮定しています" in written(run, "ja")


def test_what_was_measured_is_not_called_an_assumption(
    configuration: Configuration, written: Callable[..., str]
) -> None:
    """Nor does it promise more than it saw."""
    text = written(run_power(configuration, "synthetic", against="exact"))

    assert "measured against exact on 120 cases" in text
    assert "ASSUMED" not in text


def test_a_target_that_never_differs_is_told(configuration: Configuration, written: Callable[..., str]) -> None:
    """Both sentences: what was run, and why its spread is not used."""
    text = flat(written(run_power(configuration, "hand", against="power_targets:same")))

    assert "ASSUMED" in text
    assert "both targets score the same on every case" in text


def test_the_last_lines_answer_the_question(configuration: Configuration, written: Callable[..., str]) -> None:
    """Yes, perhaps, no, or never, for each metric."""
    enough = flat(written(run_power(configuration, "synthetic", drop=0.05)))
    perhaps = flat(written(run_power(configuration, "synthetic", drop=0.035)))
    few = flat(written(run_power(configuration, "synthetic")))
    never = flat(written(run_power(configuration, "synthetic", drop=0.005)))

    assert "overlap@10: a drop of 0.05 shows by the rule; it needs 45 – 118 cases, and there are 120." in enough
    assert "overlap@10: a drop of 0.035 shows by the rule only if cases differ little" in perhaps
    assert few.endswith("a drop of 0.02 does not show by the rule; it needs 260 – 715 cases, and there are 120.")
    assert "overlap@10: a drop of 0.005 never fails by significance" in never


def test_cases_at_the_ceiling_can_still_drop(configuration: Configuration, written: Callable[..., str]) -> None:
    """They show no rise; those at the floor show no drop."""
    run = run_power(configuration, "hand")
    text = flat(written(run))

    assert "they can still show a drop, but no rise: perfect, crowded" in text
    assert "they can show a rise, but no drop, whatever breaks: lost" in text
    assert "低下は示せますが、改善は示せません: perfect, crowded" in written(run, "ja")


def test_the_list_of_cases_is_bounded(configuration: Configuration, written: Callable[..., str]) -> None:
    """The page names a dozen and counts the rest; the document has all."""
    run = run_power(configuration, "synthetic")

    assert "… (+42)" in written(run)
    assert len(document(run)["at_ceiling"]) == 54


def test_answer_cases_are_told_in_few_lines(configuration: Configuration, written: Callable[..., str]) -> None:
    """Each is a gate, the interval, what a change must break to show."""
    page = written(run_power(configuration, "policies"))
    text = flat(page)

    assert "8 of 9 pass. Of other questions of this kind 57% to 98% would" in text
    assert "Failing now (1): these cannot show that anything breaks: case-0" in text
    assert "A change that breaks 18.2% of such questions" in text
    assert "one that breaks 2% needs 80 passing cases" in text
    assert len(page.splitlines()) <= 6


def test_a_crash_is_shown_and_harmless(configuration: Configuration, written: Callable[..., str]) -> None:
    """Which target, which case, why."""
    run = run_power(configuration, "hand", against="power_targets:crashing")

    shown = flat(written(run))
    assert r"power_targets:crashing: half could not be measured: ValueError: \x1b[2J no answer to half" in shown
    assert "\x1b" not in written(run, "ja")
    assert [error["case"] for error in document(run)["errors"]] == ["half"]


def test_a_redacted_suite_keeps_its_words(configuration: Configuration, written: Callable[..., str]) -> None:
    """A crash may quote the question."""
    run = run_power(configuration, "secret")

    assert "no answer to" not in written(run) + json.dumps(document(run))
    assert "(redacted)" in written(run)


def test_too_few_measured_cases_give_a_sentence(configuration: Configuration, written: Callable[..., str]) -> None:
    """No table of nothing, three errors of four."""
    text = written(run_power(configuration, "hand", against="power_targets:broken"))

    assert "No figures: 0 case(s) measured" in text
    assert "… and 1 more; --json lists them all" in text


@pytest.mark.parametrize("columns", [20, 60])
def test_a_narrow_terminal_keeps_its_width(
    configuration: Configuration, written: Callable[..., str], columns: int
) -> None:
    """The table becomes paragraphs."""
    text = written(run_power(configuration, "hand"), columns=columns)

    assert max(map(len, text.splitlines())) <= columns


def test_the_document_holds_every_figure(configuration: Configuration) -> None:
    """Unrounded, the same for every run of a commit but for its facts."""
    first = document(run_power(configuration, "synthetic", against="exact"))
    second = document(run_power(configuration, "synthetic", against="exact"))

    assert first["schema"] == "sekisho.power/1"
    assert (first["suite"], first["against"], first["measured"], first["drop"]) == ("synthetic", "exact", 120, 0.02)
    assert [metric["spread_is"] for metric in first["metrics"]] == ["measured"] * 3
    assert first["metrics"][0]["figures"][0]["cases_by_rule"] == 190
    assert {**first, "run": None} == {**second, "run": None}


def test_the_document_of_answer_cases(configuration: Configuration) -> None:
    """Which pass, which fail, and the bound."""
    found = document(run_power(configuration, "policies"))

    assert found["kind"] == "answers"
    assert len(found["passing"]) == 8
    assert found["failing"] == ["case-0"]
    assert found["needed"] == 80


def start(folder: Path, *words: str) -> tuple[int, str, str]:
    """Run the command in a process of its own, in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", START, *words],
        cwd=folder, env={**os.environ, "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}, capture_output=True,
        encoding="utf-8", check=False, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_command_writes_the_page(configuration: Configuration) -> None:
    """To standard output, with the exit code of a report."""
    code, out, err = start(configuration.root, "synthetic", "--against", "exact", "--drop", "0.03", "--power", "0.9")

    assert (code, err) == (0, "")
    assert "90% of comparisons" in out
    assert "recall@10: a drop of 0.03 " in out


def test_the_command_writes_a_document_alone(configuration: Configuration) -> None:
    """Text goes to standard error."""
    code, out, err = start(configuration.root, "synthetic", "--json")

    assert code == 0
    assert json.loads(out)["schema"] == "sekisho.power/1"
    assert "What synthetic can show" in err


def test_a_refusal_is_a_document_for_programs(configuration: Configuration) -> None:
    """Exit code 2 is the group's; the document says so too."""
    _, out, _ = start(configuration.root, "matrix", "--json")

    assert json.loads(out)["error"]["code"] == "power.access"
    assert json.loads(out)["exit_code"] == 2
