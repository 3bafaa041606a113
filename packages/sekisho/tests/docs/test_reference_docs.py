"""The reference pages are complete: every key, code, status, format and stage, and every comparison as it comes out."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from sekisho import load_cases
from sekisho.access.records import STAGES, Kind
from sekisho.adapters.case_files.source import ENDINGS, ISSUE_KEYS, KEYS
from sekisho.adapters.command_target import command_settings
from sekisho.adapters.http_target import http_settings
from sekisho.adapters.model_recording import read_judgments
from sekisho.answers import Status
from sekisho.app.configuration import load_configuration
from sekisho.calling.answers import read_answer, read_documents, read_ids
from sekisho.cli.check_model import OPTIONS
from sekisho.core.answers import FAILURE_CODES
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message
from sekisho.gate import Verdict, exit_code
from sekisho.matching import contains
from sekisho.ranking import METRIC_NAMES

from .document_pages import MEASURES, PAIRS, READMES, REPOSITORY, first_cells, part, prose, short, titled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.core.answers import AnswerCase

TARGETS = REPOSITORY / "docs/targets.md"
MODELS = REPOSITORY / "docs/models.md"
SOURCE = "packages/sekisho/src/sekisho"
ANSWERS = list(PAIRS["answers"].values())
ACCESS = list(PAIRS["access"].values())
YES = {"yes": True, "no": False, "はい": True, "いいえ": False}
KINDS = ("retrieval", "answers", "access")


def section(path: Path, number: int) -> str:
    """Return a part of a document by its place, the same in both languages."""
    return prose(path).split("\n## ")[number]


def known_keys(read: Callable[[], object]) -> set[str]:
    """Return the keys that a refusal of an unknown one names."""
    with pytest.raises(ConfigurationError) as refused:
        read()
    return set(str(refused.value.values["known"]).split(", "))


@pytest.mark.parametrize("path", [*READMES.values(), MEASURES, REPOSITORY / "docs/ci.md"], ids=short)
def test_the_table_of_exit_codes_is_complete(path: Path) -> None:
    """0 to 3, each once, in order."""
    text = path.read_text(encoding="utf-8")

    assert re.findall(r"^\| (\d) \|", text, re.MULTILINE) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("path", [*READMES.values(), MEASURES], ids=short)
def test_the_table_of_exit_codes_is_that_of_the_gate(path: Path) -> None:
    """Each verdict stands beside the code that it gives, and no other stands there."""
    cells = re.findall(r"^\| (\d) \| ([^|]*) \|[^|\n]*\|$", path.read_text(encoding="utf-8"), re.MULTILINE)
    rows = {int(code): set(re.findall(r"`(\w+)`", verdicts)) for code, verdicts in cells}

    verdicts: tuple[Verdict, ...] = get_args(Verdict)
    assert rows == {code: {each for each in verdicts if exit_code(each) == code} for code in range(4)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_of_a_suite_is_described(kind: str, tmp_path: Path) -> None:
    """The table holds the keys that a suite of this kind takes, and no other."""
    configuration = tmp_path / "sekisho.toml"
    lines = ["[suite.a]", f'kind = "{kind}"', 'target = "a:b"', "zzzzzz = 1"]
    if kind == "answers":
        lines += ['cases = "cases.json"', "max_known = 1"]
    configuration.write_text("\n".join(lines), encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", part(MEASURES, "Keys of a suite"), re.MULTILINE)

    described = {
        name for cell, kinds in rows if kinds == "all" or kind in kinds for name in re.findall(r"`(\w+)`", cell)
    }
    assert described == known_keys(lambda: load_configuration(configuration))


def test_every_metric_is_described() -> None:
    """A metric that can be named has a row."""
    assert re.findall(r"^\| `(\w+)", part(MEASURES, "Metrics"), re.MULTILINE) == list(METRIC_NAMES)


@pytest.mark.parametrize("path", ANSWERS, ids=short)
def test_every_key_of_a_case_is_described(path: Path) -> None:
    """In the order in which they are written, those of a known issue in their own table."""
    assert first_cells(section(path, 1)) == list(KEYS)
    assert first_cells(section(path, 7)) == list(ISSUE_KEYS)


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_a_readme_explains_the_keys_of_a_case_in_plain_words(path: Path) -> None:
    """All but tags, which select and say nothing of an answer."""
    assert first_cells(section(path, 2))[: len(KEYS) - 1] == list(KEYS[:-1])


@pytest.mark.parametrize("path", ANSWERS, ids=short)
def test_every_failure_and_status_is_described(path: Path) -> None:
    """Codes as programs read them, each once."""
    assert first_cells(section(path, 5)) == list(FAILURE_CODES)
    assert first_cells(section(path, 6)) == [*get_args(Status), "error"]


@pytest.mark.parametrize("path", ANSWERS, ids=short)
def test_statuses_are_shown_with_the_words_of_reports(path: Path) -> None:
    """In both languages."""
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \|", section(path, 6), re.MULTILINE)

    assert rows == [
        (name, message(f"answers.status_{name}", "en"), message(f"answers.status_{name}", "ja"))
        for name in (*get_args(Status), "error")
    ]


@pytest.mark.parametrize("path", ANSWERS, ids=short)
def test_every_ending_of_a_case_file_is_described(path: Path) -> None:
    """No file is refused that the table promises, and none is read that it leaves out."""
    assert set(re.findall(r"`(\.\w+)`", section(path, 2))) == set(ENDINGS)


@pytest.mark.parametrize("path", [*ANSWERS, *READMES.values()], ids=short)
def test_every_file_of_cases_shown_is_right(path: Path, tmp_path: Path) -> None:
    """As they stand there; the formats of the reference page say the same."""
    found: dict[str, tuple[AnswerCase, ...]] = {}
    for ending in ("json", "toml", "yaml", "csv"):
        for body in titled(path, f"cases.{ending}"):
            file = tmp_path / f"cases.{ending}"
            file.write_text(body, encoding="utf-8")
            found[ending] = tuple(msgspec.structs.replace(case, where=None) for case in load_cases(file))

    if path in ANSWERS:
        assert found["toml"] == found["yaml"] == found["csv"] == (found["json"][1],)
    else:
        assert found["csv"][0] == found["json"][1]


@pytest.mark.parametrize("path", ANSWERS, ids=short)
def test_every_comparison_comes_out_as_the_table_says(path: Path) -> None:
    """What is folded, and what is not."""
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (\S+) \|$", section(path, 4), re.MULTILINE)

    assert [(text, wanted) for text, wanted, word in rows if contains(text, wanted) is not YES[word]] == []
    assert len(rows) > 20


@pytest.mark.parametrize("path", ACCESS, ids=short)
def test_every_stage_and_kind_of_leak_is_described(path: Path) -> None:
    """As they stand in the report."""
    assert first_cells(section(path, 3)) == list(STAGES)
    assert first_cells(section(path, 4)) == list(get_args(Kind))


def test_every_key_of_a_target_over_http_is_described() -> None:
    """The table holds the keys that there are, and no other."""
    needed = {"url": "https://a.example/ask", "text": "a", "found": "b", "zzzzzz": 1}
    calls = {"search_url": needed["url"], "search": "a", "documents_url": needed["url"], "documents": "a"}

    known = known_keys(lambda: http_settings({**needed, **calls}))

    assert set(first_cells(part(TARGETS, "Over HTTP"))) == known


@pytest.mark.parametrize("number", range(2))
def test_every_target_over_http_shown_is_right(number: int) -> None:
    """With the variables of the environment that it names."""
    shown = [body for body in titled(TARGETS, "sekisho.toml") if "url" in body][number]
    names = re.findall(r"\$\{(\w+)\}", shown)
    table: dict[str, Any] = _target(shown)

    settings = http_settings(table, environment=dict.fromkeys(names, "secret"))

    assert names
    assert settings.answer.url.reveal() == table["url"]


def test_every_key_of_a_command_is_described(tmp_path: Path) -> None:
    """The table holds the keys that there are, and no other."""
    known = known_keys(lambda: command_settings({"command": ["a"], "zzzzzz": 1}, root=tmp_path))

    assert first_cells(part(TARGETS, "A command")) == ["command", "methods", "folder", "timeout_s"]
    assert known == {"command", "methods", "folder", "timeout_s"}


def test_the_replies_of_a_command_shown_can_be_read() -> None:
    """Each under the name of its method, with the id of its request."""
    requests = [json.loads(line) for line in titled(TARGETS, "requests.jsonl")[0].splitlines()]
    replies = [json.loads(line) for line in titled(TARGETS, "replies.jsonl")[0].splitlines()]
    read = {"answer": read_answer, "search": read_ids, "documents": read_documents}

    for request, reply in zip(requests, replies, strict=True):
        assert reply.keys() == {"id", request["method"]}
        assert reply["id"] == request["id"]
        assert read[request["method"]](reply[request["method"]])


def _target(configuration: str) -> dict[str, Any]:
    (suite,) = tomllib.loads(configuration)["suite"].values()
    target: dict[str, Any] = suite["target"]
    return target


def test_every_option_of_a_run_with_a_model_is_described() -> None:
    """The table holds the options that there are, and no other."""
    rows = re.findall(r"^\| `--([\w-]+)` \|", section(MODELS, 0).partition("| option |")[2], re.MULTILINE)

    assert sorted(row.replace("-", "_") for row in rows) == sorted(OPTIONS)


def test_the_judgments_shown_can_be_read(tmp_path: Path) -> None:
    """With the ids of cases that this repository has."""
    (shown,) = titled(MODELS, "judgments.csv")
    (tmp_path / "judgments.csv").write_text(shown, encoding="utf-8")
    known = [case.id for case in load_cases(REPOSITORY / "eval/cases.json")]

    assert len(read_judgments(tmp_path / "judgments.csv", known=known)) == len(shown.splitlines()) - 1


def test_the_layers_described_are_those_that_are_checked() -> None:
    """Each part that there is in its layer, from the highest."""
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = [each["layers"] for each in contracts["contracts"] if each["name"] == "Layers of sekisho"]
    rows = re.findall(r"^\| \d \| ([^|]+) \|", part(REPOSITORY / "ARCHITECTURE.md", "Layers of the gate"), re.MULTILINE)

    named = [re.findall(r"`(\w+)`", row) for row in rows]
    parts = [[name for name in layer.split(" | ") if (REPOSITORY / SOURCE / name).is_dir()] for layer in layers]
    assert [sorted(row) for row in named] == [sorted(layer) for layer in parts]
