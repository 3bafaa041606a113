"""What a build server sees: the exit code, and which stream says what."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_gate_that_holds_is_0(check: Callable[..., object]) -> None:
    """The report is on standard output, and nothing on standard error."""
    code, out, err = check("good")

    assert (code, err) == (0, "")
    assert out.rstrip().endswith("PASSED: every gate holds (good).")


def test_a_gate_that_fails_is_1(check: Callable[..., object]) -> None:
    """The last line says so."""
    code, out, _ = check("bad")

    assert code == 1
    assert out.rstrip().splitlines()[-1].startswith("FAILED: bad (recall@3 0.0000 < 0.6, ")


def test_a_failure_comes_before_what_could_not_be_measured(check: Callable[..., object]) -> None:
    """1 is stronger than 3."""
    assert check("crash", "bad").code == 1


def test_a_case_that_cannot_be_measured_is_3(check: Callable[..., object]) -> None:
    """A crash is not a score; what it says is made harmless."""
    code, out, _ = check("crash")

    assert code == 3
    assert r"ValueError: no\x1b[2J connection" in out
    assert "\x1b" not in out


def test_a_target_that_exits_the_process_is_3(check: Callable[..., object]) -> None:
    """``sys.exit(0)`` in a target is no pass."""
    assert check("exiting").code == 3


@pytest.mark.parametrize(
    "words",
    [
        ("--min-recall", "1.01"),
        ("--min-recall", "nan"),
        ("--min-recall", "inf"),
        ("--min-recall", "-0.1"),
        ("--min-recall", "high"),
        ("-k", "0"),
        ("-k", "-3"),
        ("-k", "1.5"),
        ("-k", "٣"),
        ("-k", "9" * 5000),
        ("-k",),
        ("--case", "t00-q9"),
        ("--tag", "zzz"),
        ("goood",),
        ("absent",),
        ("good", "absent"),
        ("--no-such-option",),
        ("--config", "absent.toml"),
        ("--target", "m:f", "good"),
        ("--target", "nope"),
        ("--json", "absent"),
        ("--seed", "7"),
    ],
)
def test_what_is_wrong_before_anything_runs_is_2(check: Callable[..., object], words: tuple[str, ...]) -> None:
    """One message on standard error, no traceback; standard output holds nothing, or the document of the refusal."""
    code, out, err = check(*words)

    assert code == 2
    assert err.count("error") == 1
    assert err.splitlines()[-1].startswith("See: ") or "error[" in err
    assert "Traceback" not in err
    assert (json.loads(out)["verdict"] == "refused") if "--json" in words else (out == "")


def test_nothing_runs_where_one_of_two_suites_cannot_be_imported(check: Callable[..., object]) -> None:
    """The message has the import error and the place of the target in the file."""
    code, out, err = check("good", "absent")

    assert (code, out) == (2, "")
    assert "sekisho.toml:38: " in err
    assert "there is no module 'no_such_module'" in err


def test_a_mistake_of_this_package_is_3_and_says_so(tmp_path: Path, clean_environment: dict[str, str]) -> None:
    """Not 1, which would look like a failed gate."""
    code = "import sekisho.app.runs as r; r.run_check = None; import sekisho.cli; sekisho.cli.main()"
    words = [sys.executable, "-c", code, "check", "--target", "sekisho.retrievers:exact"]

    done = subprocess.run(words, cwd=tmp_path, env=clean_environment, capture_output=True, text=True, check=False)

    assert done.returncode == 3
    assert "Traceback" in done.stderr
    assert "defect" in done.stderr


def test_the_command_alone_shows_its_page_and_is_2(start: Callable[..., object]) -> None:
    """A build step without a subcommand checks nothing."""
    code, out, err = start()

    assert (code, out) == (2, "")
    assert err.startswith("Usage: sekisho")


def test_an_interruption_is_130_and_leaves_nothing(
    project: Path, tmp_path: Path, clean_environment: dict[str, str]
) -> None:
    """One line, no traceback, no half-written report."""
    for name in ("sekisho.toml", "my_targets.py"):
        (tmp_path / name).write_bytes((project / name).read_bytes())
    words = [sys.executable, "-m", "sekisho", "check", "slow", "--json"]
    process = subprocess.Popen(
        words, cwd=tmp_path, env=clean_environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.1)

    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert out == ""
    assert "Interrupted." in err
    assert "Traceback" not in err
    assert {path.name for path in tmp_path.iterdir()} <= {"sekisho.toml", "my_targets.py", "started", "__pycache__"}


@pytest.mark.parametrize(("suite", "code"), [("good", 0), ("bad", 1)])
@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_a_reader_that_leaves_changes_no_verdict(
    project: Path, clean_environment: dict[str, str], suite: str, code: int, json_too: tuple[str, ...]
) -> None:
    """``sekisho check | head`` in a build step."""
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "sekisho", "check", suite, *json_too]

    done = subprocess.run(
        words, cwd=project, env=clean_environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)

    assert done.returncode == code
    assert "Exception ignored" not in done.stderr
    assert (done.stderr != "") == (bool(json_too) or suite == "bad")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("--help",), ("check", "--help"), ("--version",), ("list",), ("explain",)])
def test_a_page_whose_reader_leaves_is_0(
    tmp_path: Path, clean_environment: dict[str, str], words: tuple[str, ...], unbuffered: str
) -> None:
    """``sekisho --help | head``: it has seen what it wanted."""
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**clean_environment, "PYTHONUNBUFFERED": unbuffered}

    done = subprocess.run(
        [sys.executable, "-m", "sekisho", *words], cwd=tmp_path, env=environment, stdout=writer,
        stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")  # noqa: PTH110  a device
def test_a_report_that_cannot_be_written_is_no_pass(project: Path, clean_environment: dict[str, str]) -> None:
    """The disk is full: whoever waits for the report must hear of it."""
    for words in (("check", "good"), ("check", "good", "--json")):
        with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123  a device
            done = subprocess.run(
                [sys.executable, "-m", "sekisho", *words], cwd=project, env=clean_environment, stdout=full,
                stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip

        assert done.returncode == 3
        assert "could not be written" in done.stderr
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_change_no_verdict(project: Path, clean_environment: dict[str, str], closed: str) -> None:
    """As a daemon without streams would start it."""
    for suite, code in (("good", 0), ("bad --json", 1)):
        command = f'"{sys.executable}" -m sekisho check {suite} {closed}'
        done = subprocess.run(
            ["sh", "-c", command], cwd=project, env=clean_environment, capture_output=True, check=False
        )

        assert done.returncode == code


def test_a_document_is_all_that_standard_output_holds(check: Callable[..., object]) -> None:
    """Whatever the target prints, from Python, to the descriptor or from C, goes to standard error."""
    code, out, err = check("noisy", "--json")

    document = json.loads(out)
    assert (code, document["exit_code"]) == (1, 1)
    assert [case["id"] for case in document["suites"][0]["cases"]] == ["t00-q0", "t00-q1", "t01-q0", "t01-q1"]
    for voice in ("Python", "descriptor 1", "C"):
        assert err.count(f"hello from {voice}") == 4
    assert "FAILED" in err


def test_text_goes_to_standard_error_beside_a_document(check: Callable[..., object]) -> None:
    """Both say the same."""
    code, out, err = check("good", "--json")

    assert code == 0
    assert json.loads(out)["verdict"] == "passed"
    assert "PASSED" in err
    assert out.endswith("}\n")


def test_two_runs_are_equal_apart_from_run(
    start: Callable[..., object], check: Callable[..., object], project: Path
) -> None:
    """Byte for byte."""
    one = json.loads(check("good", "bad", "--json").out)
    other = json.loads(start("check", "good", "bad", "--json", folder=project).out)

    assert one.pop("run") is not None
    assert other.pop("run") is not None
    assert json.dumps(one) == json.dumps(other)
    assert check("good").out == start("check", "good", folder=project).out


def test_the_first_failure_stops_where_asked(check: Callable[..., object]) -> None:
    """The suites that did not run are named, in text and document."""
    code, out, err = check("bad", "good", "--fail-fast", "--json")

    assert code == 1
    assert json.loads(out)["not_run"] == ["good"]
    assert "Not run after the first failure: good" in err


def test_selected_cases_and_tags_are_all_that_runs(check: Callable[..., object]) -> None:
    """The report says that it is partial."""
    document = json.loads(check("--case", "t00-q1", "--case", "t01-q0", "--tag", "quick", "--json").out)

    assert [case["id"] for case in document["suites"][0]["cases"]] == ["t00-q1", "t01-q0"]
    assert "report.partial" in {warning["code"] for warning in document["suites"][0]["warnings"]}


def test_thresholds_of_the_call_decide(check: Callable[..., object]) -> None:
    """Also with another cut-off."""
    strict = json.loads(check("bad", "-k", "2", "--min-recall", "0.5", "--json").out)

    assert strict["exit_code"] == 1
    assert strict["suites"][0]["gate"][0] == {
        "rule": "recall@2", "value": 0.0, "threshold": 0.5, "holds": False,
    }  # fmt: skip


def test_a_gate_that_no_ranking_can_hold_is_refused(check: Callable[..., object]) -> None:
    """With three relevant documents a query, recall@1 ends at a third; a program hears of it in a document."""
    refused = check("good", "-k", "1", "--json")
    document = json.loads(refused.out)

    assert refused.code == 2
    assert (document["verdict"], document["suites"]) == ("refused", [])
    assert document["error"]["code"] == "app.gate_unreachable"
    assert "0.3333" in document["error"]["message"]


def test_a_target_runs_without_any_configuration(start: Callable[..., object], tmp_path: Path) -> None:
    """The seed corpus, k 10, recall of at least 0.6; no other file is needed."""
    code, out, _ = start("check", "--target", "sekisho.retrievers:two_stage", folder=tmp_path)

    assert code == 0
    assert "recall@10 ≥ 0.6" in out


@pytest.mark.parametrize("suites", [True, False])
def test_a_target_that_only_answers_is_told_which_suite_it_belongs_to(
    start: Callable[..., object], tmp_path: Path, *, suites: bool
) -> None:
    """Once, with the command that would do, instead of an error a case."""
    (tmp_path / "answering.py").write_text(
        "class Library:\n    def answer(self, question, departments):\n        return None\n", encoding="utf-8"
    )
    if suites:
        (tmp_path / "sekisho.toml").write_text(
            '[suite.policies]\nkind = "answers"\ntarget = "other:make"\ncases = "c.json"\n', encoding="utf-8"
        )

    code, out, err = start("check", "--target", "answering:Library", folder=tmp_path)

    assert (code, out) == (2, "")
    assert err.count("retrieve(query)") == 1
    assert ("sekisho check policies --target answering:Library" in err) == suites


def test_without_a_configuration_the_way_on_is_shown(start: Callable[..., object], tmp_path: Path) -> None:
    """``sekisho init``, or a target."""
    code, _, err = start("check", folder=tmp_path)

    assert code == 2
    assert "sekisho init" in err


def test_the_configuration_is_found_from_below(start: Callable[..., object], project: Path) -> None:
    """And its targets are imported from its own folder."""
    assert start("check", "bad", folder=project / "below").code == 1


@pytest.mark.parametrize("words", [("secret",), ("secret", "--json")])
def test_a_redacted_suite_shows_ids_only(check: Callable[..., object], words: tuple[str, ...]) -> None:
    """No text of a query or document, on either stream, though the target's exception quotes one."""
    code, out, err = check(*words)

    assert code == 3
    assert "secret question" not in out + err
    assert "q1" in out
