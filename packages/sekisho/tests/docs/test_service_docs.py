"""What the documents say of the knowledge search: its commands, its settings, and answers of a running service."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click
import httpx
import pytest

from knowledge_search.cli.language import take_language
from knowledge_search.cli.main import build
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[4]
SERVICE = REPOSITORY / "services/knowledge_search"
PAIRS = [(REPOSITORY / "README.md", REPOSITORY / "README.ja.md"), (SERVICE / "README.md", SERVICE / "README.ja.md")]
PAGES = [page for pair in PAIRS for page in pair]
DOCUMENTS = sorted(
    path for folder in (".", "docs", "services/*", "benchmarks") for path in REPOSITORY.glob(f"{folder}/*.md")
)
BLOCK = re.compile(r"^ *```(\w+).*?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
START = "from knowledge_search.cli.main import main; main()"


def short(path: Path) -> str:
    """Return a path as the id of a test."""
    return path.relative_to(REPOSITORY).as_posix()


def commands(path: Path) -> list[str]:
    """Return each ``knowledge-search ...`` of a document, in blocks and in the running text."""
    text = path.read_text(encoding="utf-8")
    lines = [line.strip() for kind, body in BLOCK.findall(text) if kind == "sh" for line in body.splitlines()]
    inline = re.findall(r"`(knowledge-search [^`]+)`", BLOCK.sub("", text))
    return [line for line in (*lines, *inline) if line.startswith("knowledge-search ")]


def asked(path: Path) -> list[tuple[str, str]]:
    """Return each curl command of a document that is followed by an answer, with it, line by line."""
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    pairs: list[tuple[str, str]] = []
    for (kind, body), (after, answer) in pairwise(found):
        lines = [line for line in body.replace("\\\n", "").splitlines() if line.startswith("curl ")]
        if lines and (kind, after) == ("sh", "json"):
            pairs += zip(lines, answer.splitlines(), strict=True)
    return pairs


def send(client: httpx.Client, command: str, key: str) -> str:
    """Do what a curl command does, as far as the documents use it, and return the body of the answer."""
    words = iter(shlex.split(command.replace("$KEY", key))[1:])
    address, headers, data = "", {}, []
    get = False
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word in {"-d", "--data-urlencode"}:
            data.append(next(words))
        elif word == "-G":
            get = True
        elif word != "-s":
            address = "/" + word.partition("/")[2]
    if get or not data:
        return client.get(address, params=dict(one.split("=", 1) for one in data), headers=headers).text
    return client.post(address, content=data[0], headers=headers).text


@contextmanager
def database_url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give the address of a database that is dropped afterwards, as the gate's own suites use."""
    monkeypatch.syspath_prepend(str(REPOSITORY))
    from eval.database import database_url as given  # noqa: PLC0415  found only from here on

    with given() as url:
        yield url


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[httpx.Client, str]]:
    """Give a client of the service with the sample documents, as ``make serve`` starts it, and its key."""
    with pytest.MonkeyPatch.context() as monkeypatch, database_url(monkeypatch) as url:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("KNOWLEDGE_SEARCH_")}
        words = ["serve", "--samples", "samples", "--demo-key", "hr", "--port", "0"]
        with subprocess.Popen(
            [sys.executable, "-c", START, *words], cwd=REPOSITORY, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment | {"DATABASE_URL": url},
        ) as process:  # fmt: skip
            try:
                address, key = _ready(process)
                with httpx.Client(base_url=address, timeout=30) as client:
                    yield client, key
            finally:
                process.terminate()


def _ready(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait until the service says where it is, and return its address and the key that it has shown."""
    said, key = [], ""
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        key = line.strip() if line.startswith("ksr_") else key
        if address := re.search(r"http://127\.0\.0\.1:\d+", line):
            return address[0], key
    pytest.fail("".join(said))


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if commands(path)], ids=short)
def test_every_command_of_the_service_shown_parses(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each subcommand and option exists and takes what it is given; nothing is run."""
    monkeypatch.chdir(REPOSITORY)
    for command in commands(path):
        _, words = take_language(shlex.split(command, comments=True)[1:], {})
        group: click.Command | None = build("en")
        context = click.Context(build("en"), info_name="knowledge-search")
        try:
            while isinstance(group, click.Group) and words and not words[0].startswith("-"):
                group = group.get_command(context, words.pop(0))
            assert group is not None, command
            group.make_context(command, words, parent=context)
        except click.exceptions.Exit:
            pass
        except (click.MissingParameter, click.exceptions.NoArgsIsHelpError):
            assert not words, command  # the name alone, in a sentence
        except click.ClickException as error:
            pytest.fail(f"{command}: {error.format_message()}")


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_every_answer_shown_is_what_the_service_answers(path: Path, service: tuple[httpx.Client, str]) -> None:
    """Each part between two ``…`` comes in this order, the first at the beginning."""
    client, key = service
    pairs = asked(path)

    for command, shown in pairs:
        answer = send(client, command, key)
        parts = [re.escape(part) for part in shown.split("…")]
        assert re.match(".*".join(parts), answer, re.DOTALL), f"{command}\n{shown}\n{answer}"

    assert pairs


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: short(pair[0]))
def test_both_languages_show_the_same_commands_and_answers(pair: tuple[Path, Path]) -> None:
    """Neither page has an example that the other lacks, nor a part."""
    shapes = [
        (
            [block for block in BLOCK.findall(text) if block[0] != "text"],
            re.findall(r"^#+ |^\d\. |^\|", BLOCK.sub("", text), re.MULTILINE),
        )
        for text in (path.read_text(encoding="utf-8") for path in pair)
    ]

    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("path", PAIRS[1], ids=short)
def test_every_setting_is_described(path: Path) -> None:
    """The table holds the settings that there are, and no other; the language is the commands' own."""
    table = re.findall(r"^\| (`[A-Z][^|]*) \|", path.read_text(encoding="utf-8"), re.MULTILINE)

    described = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    aliases = {"database_url": "DATABASE_URL", "max_distance": "MAX_DISTANCE"}
    known = {aliases.get(name, f"KNOWLEDGE_SEARCH_{name.upper()}") for name in Settings.model_fields}
    assert described == known | {"KNOWLEDGE_SEARCH_LANG"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_no_document_names_a_setting_that_does_not_exist(path: Path) -> None:
    """A misspelt variable of the environment is silently without effect, so it must not be copied from here."""
    named = set(re.findall(r"\bKNOWLEDGE_SEARCH_([A-Z0-9_]*[A-Z0-9])\b", path.read_text(encoding="utf-8")))

    assert named - {name.upper() for name in Settings.model_fields} <= {"LANG"}


@pytest.mark.parametrize("path", PAIRS[0], ids=short)
def test_a_readme_names_every_suite(path: Path) -> None:
    """The text says what ``sekisho check`` measures in this checkout."""
    suites = tomllib.loads((REPOSITORY / "sekisho.toml").read_text(encoding="utf-8"))["suite"]
    text = path.read_text(encoding="utf-8")

    assert [name for name in suites if f"`{name}`" not in text] == []


@pytest.mark.parametrize("path", PAIRS[0], ids=short)
def test_the_speed_table_holds_measured_numbers(path: Path) -> None:
    """At most six lines, each number one of those that the benchmarks wrote down."""
    part = path.read_text(encoding="utf-8").partition("<!-- speed table -->\n")[2].partition("\n\n")[0]
    measured = (REPOSITORY / "benchmarks/README.md").read_text(encoding="utf-8")

    assert 3 <= len(part.splitlines()) <= 6
    assert [number for number in re.findall(r"\d+\.\d+", part) if number not in measured] == []
