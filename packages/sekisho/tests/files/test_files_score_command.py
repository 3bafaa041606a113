"""``sekisho score`` as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sekisho.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.core.messages import Language

    Write = Callable[[str, str | bytes], Path]

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq3 0 d 0\n"
RUN = "q1 Q0 a 1 0.9 t\nq1 Q0 x 2 0.8 t\nq1 Q0 b 3 0.8 t\nq9 Q0 a 1 0.9 t\n"


def _run(*words: object, language: Language = "en") -> tuple[str, str]:
    command = [sys.executable, "-m", "sekisho", "--lang", language, "score", *map(str, words)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout, result.stderr


def _exit_code(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "--lang", "en", *map(str, words)])
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, capsys.readouterr().err


def test_the_numbers_are_those_of_trec_eval_c(write: Write) -> None:
    """A judged query that the run lacks counts 0, one without judgments is left out, both are counted."""
    text, _ = _run(write("run", RUN), write("qrels", QRELS), "-m", "recall@10", "-m", "map")

    lines = text.splitlines()
    assert lines[:2] == ["recall@10     \t0.3333\t3 queries", "map           \t0.2778\t3 queries"]
    assert "Judged queries that the run lacks, counted as 0: 2 (q2, q3)" in lines
    assert "Queries of the run without judgments, left out: 1 (q9)" in lines
    assert "Queries without any relevant document, counted as 0: 1 (q3)" in lines


def test_ties_are_counted_and_bounded(write: Write) -> None:
    """Two documents tie at ranks 2 and 3: only the tie rule decides which is cut."""
    text, _ = _run(write("run", RUN), write("qrels", QRELS), "-m", "recall@2", "-m", "mrr")

    assert "Queries in which a tie crosses rank 2: 1" in text
    assert "Over all orders of tied documents, recall@2 lies between 0.1667 and 0.3333." in text
    assert "mrr lies" not in text


def test_json_stands_alone_on_standard_output(write: Write) -> None:
    """The text goes to standard error."""
    run, qrels = write("run", RUN), write("qrels", QRELS)

    out, err = _run(run, qrels, "-m", "recall@2", "--json", "--per-query")

    document = json.loads(out)
    assert document["schema"] == "sekisho.score/1"
    assert document["metrics"] == {"recall@2": {"value": 0.5 / 3, "low": 0.5 / 3, "high": 1 / 3}}
    assert document["per_query"] == {"q1": {"recall@2": 0.5}, "q2": {"recall@2": 0.0}, "q3": {"recall@2": 0.0}}
    assert (document["missing"], document["unjudged"]) == (["q2", "q3"], ["q9"])
    assert document["ties"] == {"2": ["q1"]}
    assert "recall@2" in err


def test_without_a_metric_there_are_five(write: Write) -> None:
    """The five that a report of this field holds."""
    text, _ = _run(write("run", RUN), write("qrels", QRELS), language="ja")

    assert [line.split()[0] for line in text.splitlines()[:5]] == ["recall@10", "precision@10", "mrr", "map", "ndcg@10"]
    assert "クエリ 3 件" in text


@pytest.mark.parametrize(("again", "expected"), [("", "0.5000"), ("q1 Q0 a 9 0.1 t\n", "0.5000")])
def test_duplicates_first_counts_the_first_place(write: Write, again: str, expected: str) -> None:
    """A second place adds nothing."""
    run = write("run", "q1 Q0 a 1 0.9 t\n" + again)

    text, _ = _run(run, write("qrels", "q1 0 a 1\nq1 0 b 1\n"), "--duplicates", "first", "-m", "recall@10")

    assert text.startswith(f"recall@10     \t{expected}")


@pytest.mark.parametrize(
    ("files", "words", "code"),
    [
        ((RUN, ""), [], "files.empty"),
        (("q1 Q0 a 1 0.9 t\n" * 2, QRELS), [], "files.repeated_document"),
        ((QRELS, RUN), [], "files.run_as_qrels"),
        (("p1 Q0 a 1 0.9 t\n", QRELS), [], "files.no_common_query_none"),
        (("q01 Q0 a 1 0.9 t\n", QRELS), [], "files.no_common_query_padding"),
        (("q1 Q0 A 1 0.9 t\n", QRELS), [], "files.no_common_document_case"),
        ((RUN, QRELS), ["-m", "recall"], "ranking.metric_needs_cutoff"),
        ((RUN, QRELS), ["-m", "overlap@10"], "ranking.overlap_of_qrels"),
        ((RUN, QRELS), ["--relevance-threshold", "nan"], "ranking.threshold"),
    ],
)
def test_an_input_problem_ends_with_2(
    write: Write, capsys: pytest.CaptureFixture[str], files: tuple[str, str], words: list[str], code: str
) -> None:
    """Nothing scored is never 0."""
    exit_code, said = _exit_code(capsys, write("run", files[0]), write("qrels", files[1]), *words)

    assert exit_code == 2
    assert code in said


def test_queries_that_differ_in_spelling_are_pointed_out(write: Write) -> None:
    """Where some match, the numbers are shown with the doubt."""
    run = write("run", RUN + "Q2 Q0 c 1 0.5 t\n")

    text, _ = _run(run, write("qrels", QRELS), "-m", "mrr")

    assert "1 of these would match without regard to letter case ('q2' in the judgments, 'Q2' in the run)" in text


def test_a_small_run_starts_without_heavy_imports(write: Write) -> None:
    """The whole process is what a pipeline pays for."""
    program = (
        "import sys; from sekisho.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'msgspec', 'rich', 'polars', 'json', 'difflib', 'html', 'gzip'} & sys.modules.keys()))"
    )
    words = ["score", str(write("run", RUN)), str(write("qrels", QRELS))]

    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)

    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("minimums", "code", "said"),
    [
        (["recall@10=0.3"], 0, "PASSED: recall@10 0.3333 ≥ 0.3"),
        (["recall@10=0.6"], 1, "FAILED: recall@10 0.3333 < 0.6; exit code 1."),
        (["map=0.27777777777777777"], 0, "PASSED: map 0.2778"),
        (["recall@10=0.33334"], 1, "FAILED: recall@10 0.3333 < 0.33334; exit code 1."),
        (["success@1=0.9", "mrr=0.1"], 1, "FAILED: success@1 0.3333 < 0.9; exit code 1."),
    ],
)
def test_a_mean_below_its_minimum_is_1(write: Write, minimums: list[str], code: int, said: str) -> None:
    """Both numbers are shown, what fails last; a metric that was not asked for is added."""
    words = [word for minimum in minimums for word in ("--min", minimum)]
    command = [sys.executable, "-m", "sekisho", "--lang", "en", "score", str(write("run", RUN)), str(write("q", QRELS))]

    done = subprocess.run([*command, "-m", "recall@10", *words], capture_output=True, text=True, check=False)

    assert done.returncode == code
    assert done.stdout.splitlines()[-1].startswith(said)
    assert done.stdout.startswith("recall@10")


def test_the_document_of_a_score_holds_its_gate(write: Write) -> None:
    """Numbers in full, and the exit code."""
    words = ["--json", "-m", "mrr", "--min", "recall@10=0.3", "--min", "mrr=0.2"]

    out, _ = _run(write("run", RUN), write("qrels", QRELS), *words)

    document = json.loads(out)
    assert document["exit_code"] == 0
    assert document["gate"][0] == {"rule": "recall@10", "value": 1 / 3, "threshold": 0.3, "holds": True}
    assert list(document["metrics"]) == ["mrr", "recall@10"]
    assert json.loads(_run(write("run", RUN), write("qrels", QRELS), "--json")[0])["gate"] == []


@pytest.mark.parametrize("minimum", ["recall@10", "recall@10=", "=0.5", "recall@10=nan", "recall@10=2", "recal=0.5"])
def test_a_minimum_that_holds_nothing_is_2(write: Write, capsys: pytest.CaptureFixture[str], minimum: str) -> None:
    """Not a number from 0 to 1, or no such metric."""
    code, said = _exit_code(capsys, write("run", RUN), write("qrels", QRELS), "--min", minimum)

    assert code == 2
    assert "recal" in said or "--min" in said
