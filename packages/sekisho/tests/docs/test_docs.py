"""The documents hold what they say: links, commands, outputs, examples."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, get_args

import click
import pytest

from sekisho.app.configuration import load_configuration
from sekisho.cli.group import build_group
from sekisho.cli.language import take_language
from sekisho.core.errors import ConfigurationError
from sekisho.gate import Verdict, exit_code
from sekisho.ranking import METRIC_NAMES

REPOSITORY = Path(__file__).resolve().parents[4]
MEASURES = REPOSITORY / "docs/measures.md"
READMES = {"en": REPOSITORY / "README.md", "ja": REPOSITORY / "README.ja.md"}
NOT_OURS = {"__pycache__", "node_modules", "dist", "build"}
REGISTRIES = (  # joined here, so that this file does not name them
    ("pypi", "org"),
    ("pypi", "python", "org"),
    ("python" + "hosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("crates", "io"),
    ("anaconda", "org"),
    ("docker", "io"),
    ("ghcr", "io"),
    ("proxy", "golang", "org"),
)
MACHINE_PATH = re.compile(r"(?<![\w.:/~-])/(?:home|Users|root|work|workspace)/\w|\b[A-Z]:\\Users\\")
BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<kind>\w+)?(?: title=(?P<title>\S+))?\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    """A fenced block of a document."""

    kind: str
    title: str
    body: str


def files() -> list[Path]:
    """Return every file of the repository that is neither made nor hidden, CI's folders apart."""
    found = []
    for folder, names, inside in os.walk(REPOSITORY):
        names[:] = sorted(
            name
            for name in names
            if name not in NOT_OURS
            and not name.endswith(".egg-info")
            and (name[0] != "." or name in {".ci", ".github"})
        )
        found += [Path(folder, name) for name in sorted(inside) if not name.endswith((".pyc", ".tmp"))]
    return found


def short(path: Path) -> str:
    """Return a path as the id of a test."""
    return path.relative_to(REPOSITORY).as_posix()


DOCUMENTS = [path for path in files() if path.suffix == ".md"]


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a document, without the indent of a list."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(
            match["kind"] or "",
            match["title"] or "",
            re.sub(rf"^{match['indent']}", "", match["body"], flags=re.MULTILINE),
        )
        for match in BLOCK.finditer(text)
    ]


def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def commands(path: Path) -> list[str]:
    """Return each ``sekisho ...`` of a document, in blocks and in the running text."""
    lines = [line.strip() for block in blocks(path) if block.kind in {"sh", "yaml"} for line in block.body.splitlines()]
    lines = [re.sub(r"^(- run: |entry: |- )", "", line) for line in lines]
    inline = re.findall(r"`(sekisho [^`]+)`", prose(path))
    return [line for line in (*lines, *inline) if line.startswith(("sekisho ", "python -m sekisho "))]


def words_of(command: str) -> list[str]:
    """Return the words of a command after its name, up to what belongs to the shell."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=">|;&")
    lexer.whitespace_split = True
    words = []
    for word in lexer:
        if set(word) <= set(">|;&"):
            break
        words.append(word)
    return words[words.index("sekisho") + 1 :]


def table_rows(path: Path) -> dict[int, str]:
    """Return the table of exit codes with verdicts: code to the cell of its verdicts."""
    return {
        int(code): verdicts
        for code, verdicts in re.findall(
            r"^\| (\d) \| ([^|]*) \|[^|\n]*\|$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    }


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_every_relative_link_leads_to_a_file(path: Path) -> None:
    """A reader who follows a link arrives."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(path))
    relative = [target.partition("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)]

    assert [target for target in relative if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_every_link_to_a_heading_leads_to_one(path: Path) -> None:
    """Headings are named as GitHub names them: lower case, hyphens for spaces, no other signs."""
    for target in re.findall(r"\]\(([^)\s:]*#[^)\s]+)\)", prose(path)):
        name, _, anchor = target.partition("#")
        headings = re.findall(r"^#+ (.+)$", prose(path.parent / name if name else path), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_both_readmes_have_the_same_shape() -> None:
    """Neither language lacks a part that the other one has."""
    shapes = {
        language: re.findall(r"^#+ |^<!-- .* -->|^\d\. |^\|", prose(path), re.MULTILINE)
        for language, path in READMES.items()
    }

    assert shapes["en"] == shapes["ja"]


def test_both_readmes_show_the_same_commands_and_code() -> None:
    """Only outputs differ, which are in the reader's language."""
    code = {language: [block for block in blocks(path) if block.kind != "text"] for language, path in READMES.items()}
    outputs = {language: [block.kind for block in blocks(path)].count("text") for language, path in READMES.items()}

    assert code["en"] == code["ja"]
    assert outputs["en"] == outputs["ja"]


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_a_readme_is_short(path: Path) -> None:
    """One sitting: the rest is in docs/."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 240


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if commands(path)], ids=short)
def test_every_command_shown_parses(path: Path) -> None:
    """Each subcommand and option exists and takes what it is given; nothing is run."""
    for command in commands(path):
        _, (name, *words) = take_language(words_of(command), {})
        context = click.Context(build_group("en"), info_name="sekisho")
        subcommand = build_group("en").get_command(context, name)
        try:
            if name.startswith("-"):
                build_group("en").make_context("sekisho", [name])
            else:
                assert subcommand is not None, command
                subcommand.make_context(name, words, parent=context)
        except click.exceptions.Exit:
            pass
        except click.MissingParameter:
            assert not words, command  # the name alone, in a sentence
        except click.ClickException as error:
            pytest.fail(f"{command}: {error.format_message()}")


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_every_python_example_compiles(path: Path) -> None:
    """An example is a program."""
    for block in blocks(path):
        if block.kind == "python":
            compile(block.body, block.title or path.name, "exec")


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_the_test_example_of_a_readme_passes(path: Path) -> None:
    """``evaluate_retrieval`` inside a test, as shown."""
    shown = {block.title: block.body for block in blocks(path)}["test_search.py"]
    names: dict[str, object] = {}

    exec(shown, names)  # noqa: S102  the example itself
    test = names["test_search_finds_what_it_should"]

    assert callable(test)
    test()


def test_the_example_on_the_package_page_runs() -> None:
    """The number in it is the number that comes out."""
    shown = [block.body for block in blocks(REPOSITORY / "packages/sekisho/README.md") if block.kind == "python"]

    for body in shown:
        exec(body, {})  # noqa: S102  the example itself

    assert shown


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_every_configuration_shown_is_accepted(path: Path, tmp_path: Path) -> None:
    """No key in an example is unknown or out of range."""
    shown = [block.body for block in blocks(path) if block.kind == "toml"]

    for body in shown:
        (tmp_path / "sekisho.toml").write_text(body, encoding="utf-8")
        assert load_configuration(tmp_path / "sekisho.toml").suites


@pytest.mark.parametrize("language", READMES)
def test_every_output_shown_is_what_the_command_prints(language: str, tmp_path: Path) -> None:
    """Each line shown comes in this order; a line with ``…`` alone stands for lines left out."""
    shown = blocks(READMES[language])
    for block in shown:
        if block.kind == "trec":
            (tmp_path / block.title).write_text(block.body, encoding="utf-8")
    pairs = [(before, after) for before, after in pairwise(shown) if after.kind == "text"]

    for before, after in pairs:
        printed = run(words_of(before.body.splitlines()[-1]), language=language, folder=tmp_path)
        rest = iter(printed)
        for line in after.body.splitlines():
            assert line == "…" or line.rstrip() in rest, "\n".join(
                ["not printed in this place:", line, "printed:", *printed]
            )

    assert pairs


def run(words: list[str], *, language: str, folder: Path) -> list[str]:
    """Run the command in a folder, with this repository's own targets in reach, and return the lines it prints."""
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    environment |= {"SEKISHO_LANG": language, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "sekisho", *words],
        cwd=folder, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False,
    )  # fmt: skip
    return [line.rstrip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("path", [*READMES.values(), MEASURES, REPOSITORY / "docs/ci.md"], ids=short)
def test_the_table_of_exit_codes_is_complete(path: Path) -> None:
    """0 to 3, each once, in order."""
    text = path.read_text(encoding="utf-8")

    assert re.findall(r"^\| (\d) \|", text, re.MULTILINE) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("path", [*READMES.values(), MEASURES], ids=short)
def test_the_table_of_exit_codes_is_that_of_the_gate(path: Path) -> None:
    """Each verdict stands beside the code that it gives, and no other stands there."""
    rows = {code: set(re.findall(r"`(\w+)`", verdicts)) for code, verdicts in table_rows(path).items()}

    verdicts: tuple[Verdict, ...] = get_args(Verdict)
    assert rows == {code: {each for each in verdicts if exit_code(each) == code} for code in range(4)}


def test_every_key_of_a_suite_is_described(tmp_path: Path) -> None:
    """The table holds the keys that the configuration takes, and no other."""
    configuration = tmp_path / "sekisho.toml"
    configuration.write_text('[suite.a]\ntarget = "a:b"\nzzzzzz = 1\n', encoding="utf-8")
    part = MEASURES.read_text(encoding="utf-8").partition("## Keys of a suite")[2].partition("\n## ")[0]
    first_cells = re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE)

    with pytest.raises(ConfigurationError) as refused:
        load_configuration(configuration)

    described = {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}
    assert described == set(str(refused.value.values["known"]).split(", "))


def test_every_metric_is_described() -> None:
    """A metric that can be named has a row."""
    part = MEASURES.read_text(encoding="utf-8").partition("## Metrics")[2].partition("\n## ")[0]

    assert re.findall(r"^\| `(\w+)", part, re.MULTILINE) == list(METRIC_NAMES)


def test_every_dependency_has_its_row() -> None:
    """What it saves, its size, its licence and who keeps it are written down for each package that is asked for."""
    asked: list[str] = []
    for folder in ("packages/sekisho", "services/knowledge_search"):
        project = tomllib.loads((REPOSITORY / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        asked += project["dependencies"]
        asked += (name for extra in project["optional-dependencies"].values() for name in extra)
    for file in ("requirements/dev.in", "requirements/bench.in"):
        asked += [line for line in (REPOSITORY / file).read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    part = (REPOSITORY / "docs/decisions.md").read_text(encoding="utf-8").partition("## Records")[0]
    written = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", part))

    assert [name for line in asked if (name := re.split(r"[<>=!~;\[ ]", line)[0]) not in written] == []


def test_no_file_names_a_package_registry_or_a_path_of_one_machine() -> None:
    """What is shared holds on every machine and leaves the choice of an index to its user."""
    hosts = [".".join(parts) for parts in REGISTRIES]
    found = []
    for path in files():
        data = path.read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        found += [f"{short(path)}: {host}" for host in hosts if host in text]
        found += [f"{short(path)}: {match[0]}" for match in MACHINE_PATH.finditer(text)]

    assert found == []
