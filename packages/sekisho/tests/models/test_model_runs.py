"""Cases with a real model over HTTP, recorded and replayed."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.prepared import Selection
from sekisho.core.errors import SekishoError
from sekisho.reports.json_report import encode
from sekisho.reports.model_json import model_document
from sekisho.reports.model_report import write_model_run
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.reports.model_records import ModelRun

    from .conftest import ModelServer

    Try = Callable[..., ModelRun]

KEY = "sk-planted-0123456789/+abc"


def page(run: ModelRun, language: str = "en") -> str:
    """Return the report for people."""
    stream = io.StringIO()
    write_model_run(run, Terminal(stream, language=language, environment={"COLUMNS": "140"}))
    return stream.getvalue()


def document(run: ModelRun) -> dict[str, Any]:
    """Return the report for programs, without what may differ."""
    found = json.loads(encode(model_document(run, language="ja")))
    del found["run"]
    return found


def refused(try_model: Try, **options: object) -> SekishoError:
    """Return the error that stops a run before it begins."""
    with pytest.raises(SekishoError) as caught:
        try_model(**options)
    return caught.value


def test_a_live_run_reports_and_never_fails(try_model: Try, model_server: ModelServer) -> None:
    """A wrong answer shows in the pass rate, and the exit code is 0."""
    model_server.replies["宿泊費"] = ["上限は30万円です [1]。"]

    run = try_model(model_url=model_server.url, samples=3)

    first, second = run.suites[0].cases
    assert (run.verdict, run.exit_code) == ("reported", 0)
    assert (first.passes, first.measured, first.holds) == (0, 1, False)
    assert (second.passes, second.measured, second.holds) == (3, 3, True)
    assert first.samples[0].grounding is not None
    assert first.samples[0].grounding.quantities


def test_varied_answers_give_a_share_with_its_interval(try_model: Try, model_server: ModelServer) -> None:
    """Asking goes on until the verdict is certain."""
    model_server.replies["宿泊費"] = ["20万円 [1]。", "不明 [1]。", "20万円 [1]。"]

    run = try_model(model_url=model_server.url, samples=5)

    case = run.suites[0].cases[0]
    assert (case.passes, case.measured, case.holds) == (4, 5, True)
    assert [round(bound, 2) for bound in case.interval] == [0.38, 0.96]


def test_the_address_may_come_from_the_environment(try_model: Try, model_server: ModelServer) -> None:
    """As in a build job."""
    run = try_model(environment={"SEKISHO_MODEL_URL": model_server.url}, samples=1)

    assert [case.passes for case in run.suites[0].cases] == [1, 1]


@pytest.mark.parametrize("stream", [False, True])
def test_a_replay_needs_no_server_and_no_key(
    try_model: Try, model_server: ModelServer, tmp_path: Path, *, stream: bool
) -> None:
    """It gives the same answers and the same samples, as a gate."""
    model_server.replies["宿泊費"] = ["20万円 [1]。", "不明 [1]。", "20万円 [1]。"]
    file = tmp_path / "answers.jsonl"
    recorded = try_model(model_url=model_server.url, record=file, suite={"target_options": {"stream": stream}})
    model_server.shutdown()
    model_server.server_close()

    replayed = try_model(replay=file, model=None, suite={"target_options": {"stream": stream, "key": "none"}})

    before, after = document(recorded), document(replayed)
    assert (replayed.verdict, replayed.exit_code) == ("passed", 0)
    assert after["suites"][0]["cases"] == before["suites"][0]["cases"]
    assert after["model"]["tokens"] == before["model"]["tokens"] != None  # noqa: E711  a chain of comparisons


def test_two_replays_are_equal_byte_for_byte(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """Apart from time and place of the run."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)

    first, second = (try_model(replay=file) for _ in range(2))

    assert encode(document(first)) == encode(document(second))


def test_two_recordings_of_the_same_answers_are_equal(
    try_model: Try, model_server: ModelServer, tmp_path: Path
) -> None:
    """Nothing in the file depends on time, and its order on nothing but its content."""
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]

    for file in files:
        try_model(model_url=model_server.url, record=file)

    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_replay_fails_on_a_recorded_failure(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """The suite's own gate holds for recorded answers."""
    model_server.replies["宿泊費"] = ["30万円 [1]。"]
    file = tmp_path / "answers.jsonl"
    live = try_model(model_url=model_server.url, record=file)

    run = try_model(replay=file)

    assert live.exit_code == 0
    assert run.exit_code == 1
    assert "FAILED: policies, on the recorded answers: q1; exit code 1." in page(run)


def test_a_changed_prompt_is_a_missing_recording(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """The old answer belongs to another request; the case and what changed are named."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)

    run = try_model(replay=file, suite={"target_options": {"prompt": "短く答えてください。"}})

    error = run.suites[0].cases[0].result.error
    assert (run.verdict, run.exit_code) == ("not_measured", 3)
    assert error.reason.code == "models.missing_recording_changed"
    assert "q1" in str(error.reason)
    assert "messages[0].content" in str(error.reason)


def test_more_samples_than_recorded_are_missing(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """They are not made up."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file, samples=2)

    run = try_model(replay=file, samples=4)

    assert run.exit_code == 3
    assert run.suites[0].cases[0].result.error.reason.code == "models.missing_recording_sample"


def test_one_case_can_be_recorded_again(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """The others keep what was recorded of them."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)
    before = file.read_text(encoding="utf-8").splitlines()
    model_server.replies["宿泊費"] = ["上限は20万円（税込）です [1]。"]

    try_model(model_url=model_server.url, record=file, selection=Selection(case_ids=("q1",)))

    after = file.read_text(encoding="utf-8").splitlines()
    assert [line for line in before if '"q2"' in line] == [line for line in after if '"q2"' in line]
    assert "税込" in "".join(after)
    assert try_model(replay=file).exit_code == 0


def test_retries_are_replayed_in_their_order(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """The client meets the refusal again, and then the answer."""
    model_server.replies["賞与"] = [(429, "slow down"), "7月です [1]。"]
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file, samples=1)

    run = try_model(replay=file)

    statuses = [json.loads(line)["status"] for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    assert statuses == [200, 429, 200]
    assert run.exit_code == 0


def test_a_model_that_cannot_be_reached_leaves_the_case_unmeasured(try_model: Try, tmp_path: Path) -> None:
    """Nothing is recorded of it, and no file is made."""
    file = tmp_path / "answers.jsonl"

    run = try_model(model_url="http://127.0.0.1:9/v1", record=file)

    assert run.exit_code == 3
    assert run.suites[0].cases[0].result.error.reason.code == "models.upstream"
    assert not file.exists()


def test_a_leak_in_any_sample_stands_first(try_model: Try, model_server: ModelServer) -> None:
    """Also where enough samples pass."""
    model_server.replies["賞与"] = ["7月です [1]。", "極秘ですが7月です [1]。", "7月です [1]。"]

    run = try_model(model_url=model_server.url, samples=3, min_pass_rate=0.6)

    lines = page(run).splitlines()
    assert run.exit_code == 0
    assert lines[1].startswith("  LEAK q2, sample 2: ")
    assert not run.suites[0].cases[1].holds


def test_a_planted_key_is_in_no_file_and_no_report(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """Neither from a header, nor from the prompt, an answer, or the words of a refusal."""
    model_server.replies["賞与"] = [f"7月です。鍵は{KEY}です [1]。"]
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    good = try_model(
        model_url=model_server.url, record=files[0], suite={"target_options": {"prompt": f"my key is {KEY}"}}
    )

    wrong = try_model(model_url=model_server.url, record=files[1], suite={"target_options": {"key": f"{KEY}-wrong"}})

    shown = [file.read_text(encoding="utf-8") for file in tmp_path.glob("*.jsonl")]
    shown += [show(run) for run in (good, wrong) for show in (page, lambda run: encode(document(run)).decode())]
    assert wrong.exit_code == 3
    assert len(shown) == 5
    assert [text for text in shown if "sk-planted" in text] == []


def test_a_factory_without_a_model_is_told_what_to_add(try_model: Try) -> None:
    """A run with another model than the one named would be a lie."""
    error = refused(try_model, target="model_targets:deaf")

    assert error.code == "models.factory_without_model"
    assert "`model`" in str(error)


def test_a_recording_needs_a_factory_that_takes_the_address(
    try_model: Try, model_server: ModelServer, tmp_path: Path
) -> None:
    """What goes past the recording cannot be replayed."""
    live = try_model(target="model_targets:named", samples=1)

    error = refused(
        try_model, target="model_targets:named", model_url=model_server.url, record=tmp_path / "answers.jsonl"
    )

    assert live.exit_code == 0
    assert error.code == "models.factory_without_url"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"model": None}, "models.model_needed"),
        ({}, "models.url_needed"),
        ({"model_url": "ftp://x"}, "models.url"),
        ({"model_url": "https://user:word@x/v1"}, "models.url_parts"),
        ({"model_url": "https://x/v1?key=1"}, "models.url_parts"),
        ({"samples": 0}, "models.out_of_range"),
        ({"samples": 101}, "models.out_of_range"),
        ({"min_pass_rate": 1.5}, "models.out_of_range"),
        ({"target": {"url": "http://127.0.0.1:1/ask"}}, "models.table_target"),
        ({"model_url": "http://127.0.0.1:9", "selection": Selection(case_ids=("q11",))}, "app.unknown_case_meant"),
    ],
)
def test_what_cannot_be_run_is_refused(try_model: Try, options: dict[str, Any], code: str) -> None:
    """Before anything runs."""
    assert refused(try_model, **options).code == code


def test_recording_and_replaying_exclude_each_other(try_model: Try, tmp_path: Path) -> None:
    """One of them asks the model, the other must not."""
    assert refused(try_model, record=tmp_path / "a", replay=tmp_path / "b").code == "models.both"


def test_a_recording_belongs_to_one_model_and_one_way_of_sampling(
    try_model: Try, model_server: ModelServer, tmp_path: Path
) -> None:
    """Half of a file from another model would be no recording of either."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)

    assert refused(try_model, model_url=model_server.url, record=file, model="other").code == "models.other_recording"
    assert refused(try_model, replay=file, model="other").code == "models.other_model"
    assert refused(try_model, replay=file, model_url=model_server.url).code == "models.url_idle"


def test_a_redacted_suite_shows_no_text(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """Counts stay; a recording, which is text, is refused."""
    model_server.replies["宿泊費"] = ["上限は30万円です。「特別規程」によります [7]。"]
    suite = {"redact": True}

    run = try_model(model_url=model_server.url, suite=suite, samples=1)

    shown = page(run, "ja") + encode(document(run)).decode()
    assert not [text for text in ("万円", "特別規程", "宿泊費", "travel.pdf") if text in shown]
    assert document(run)["suites"][0]["cases"][0]["samples"][0]["grounding"]["names"] == 1
    error = refused(try_model, model_url=model_server.url, suite=suite, record=tmp_path / "answers.jsonl")
    assert error.code == "models.redacted_recording"


def test_a_redacted_suite_says_what_to_record_again(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """The case is named, the words of the model and of the target are not."""
    file = tmp_path / "answers.jsonl"
    try_model(model_url=model_server.url, record=file)

    run = try_model(replay=file, suite={"redact": True, "target_options": {"prompt": "別の指示"}})

    assert "sekisho check policies --case q1" in page(run)
    assert "messages" not in page(run)


def test_a_folder_that_cannot_hold_the_recording_is_refused(
    try_model: Try, model_server: ModelServer, tmp_path: Path
) -> None:
    """Before the model is asked."""
    error = refused(try_model, model_url=model_server.url, record=tmp_path / "none" / "answers.jsonl")

    assert error.code == "app.no_such_folder"
    assert model_server.requests == []


def test_judgments_stand_beside(try_model: Try, model_server: ModelServer, tmp_path: Path) -> None:
    """They are compared, and change nothing."""
    file = tmp_path / "judged.csv"
    file.write_text("case,sample,verdict,score,note\nq1,,pass,0.9,fine\nq2,1,fail,,too short\n", encoding="utf-8")

    run = try_model(model_url=model_server.url, judgments=file)

    assert run.exit_code == 0
    assert "Judgments of others: 1 of 2 agree with the verdicts here" in page(run)
    assert document(run)["suites"][0]["cases"][0]["judgments"][0]["note"] == "fine"


def test_the_report_is_in_either_language(try_model: Try, model_server: ModelServer) -> None:
    """With the rate, its interval and where asking stopped."""
    run = try_model(model_url=model_server.url)

    assert "合格 4/4 [0.51, 1.00] · 5 回中 4 回で確定" in page(run, "ja")
    assert "4/4 passed [0.51, 1.00] · decided after 4 of 5" in page(run, "en")
    assert "Tokens: 99 read" in page(run, "en")
