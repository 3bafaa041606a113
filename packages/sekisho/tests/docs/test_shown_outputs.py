"""What the documents show is what happens: commands parse, outputs are printed, examples pass."""

from __future__ import annotations

import re
import shutil
import tomllib
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import click
import pytest

from sekisho.app.configuration import load_configuration
from sekisho.cli.group import build_group
from sekisho.cli.language import take_language
from sekisho.core.messages import message

from .document_pages import (
    DOCUMENTS,
    PAIRS,
    READMES,
    REPOSITORY,
    assert_shown,
    blocks,
    commands,
    prose,
    run,
    short,
    titled,
    words_of,
)

if TYPE_CHECKING:
    from pathlib import Path

DOCS = REPOSITORY / "docs"
ELSEWHERE = {"baseline", "history"}
"""Documents whose outputs are those of a project of their own, see test_comparison_docs.py."""
SHOWN = [(language, path) for name, pair in PAIRS.items() if name not in ELSEWHERE for language, path in pair.items()]
CONFIGURATIONS = [path for path in DOCUMENTS if any(block.kind == "toml" for block in blocks(path))]
SENTENCES = ("not_found", "missing_source", "missing_text", "found_unexpectedly", "forbidden_text")
"""Of failures, in the order of the table for whoever writes cases."""


@cache
def printed(words: tuple[str, ...], language: str) -> tuple[int, tuple[str, ...]]:
    """Return exit code and lines of a command that is run in this repository; each command runs once."""
    done = run(list(words), language=language, folder=REPOSITORY)
    return done.returncode, tuple(line.rstrip() for line in done.stdout.splitlines())


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if commands(path)], ids=short)
def test_every_command_shown_parses(path: Path) -> None:
    """Each subcommand and option exists and takes what it is given; nothing is run."""
    for command in commands(path):
        _, words = take_language(words_of(command), {})
        group: click.Command | None = build_group("en")
        context = click.Context(build_group("en"), info_name="sekisho")
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


@pytest.mark.parametrize(("language", "path"), SHOWN, ids=[short(path) for _, path in SHOWN])
def test_every_output_shown_is_what_the_command_prints(language: str, path: Path, tmp_path: Path) -> None:
    """Each line shown comes in this order; a line with ``…`` alone stands for lines left out."""
    shown = blocks(path)
    for block in shown:
        if block.kind == "trec":
            (tmp_path / block.title).write_text(block.body, encoding="utf-8")
    pairs = [(before, after) for before, after in pairwise(shown) if after.kind == "text"]

    for before, after in pairs:
        words = words_of(before.body.splitlines()[-1])
        if any((tmp_path / word).exists() for word in words):
            lines = [line.rstrip() for line in run(words, language=language, folder=tmp_path).stdout.splitlines()]
        else:
            _, found = printed(tuple(words), language)
            lines = list(found)
        assert_shown(after.body, lines)

    assert pairs


@pytest.mark.parametrize(("language", "path"), READMES.items(), ids=READMES)
def test_the_mistakes_that_a_readme_begins_with_are_stopped(language: str, path: Path) -> None:
    """Exit code 1, each."""
    first = path.read_text(encoding="utf-8").partition("\n## ")[0]
    shown = re.findall(r"^sekisho .*$", first, re.MULTILINE)

    assert {command: printed(tuple(words_of(command)), language)[0] for command in shown} == dict.fromkeys(shown, 1)
    assert len(shown) == 3


@pytest.mark.parametrize(("language", "path"), READMES.items(), ids=READMES)
def test_the_sentences_for_whoever_writes_cases_are_those_of_reports(language: str, path: Path) -> None:
    """With ``…`` for what differs from case to case; a sentence that nobody ever reads explains nothing."""
    values = dict.fromkeys(("text", "sources", "places"), "…")
    sentences = [message(f"answers.{name}", language, **values) for name in SENTENCES]  # type: ignore[arg-type]  # en, ja

    rows = re.findall(r"^\| ([^|`]+) \| [^|]+ \|$", prose(path), re.MULTILINE)
    cells = [cell.rstrip(" .") for cell in rows]
    assert [each.rstrip(" .") for each in sentences if each.rstrip(" .") not in cells] == []


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=short)
def test_every_configuration_shown_is_accepted(path: Path, tmp_path: Path) -> None:
    """No key in an example is unknown or out of range."""
    for block in blocks(path):
        parsed = tomllib.loads(block.body) if block.kind == "toml" else {}
        if "suite" in parsed:
            (tmp_path / "sekisho.toml").write_text(block.body, encoding="utf-8")
            assert load_configuration(tmp_path / "sekisho.toml").suites


@pytest.mark.parametrize("path", PAIRS["retrieval"].values(), ids=short)
def test_the_example_of_a_retrieval_test_passes(path: Path) -> None:
    """``evaluate_retrieval`` inside a test, as shown."""
    (shown,) = titled(path, "test_search.py")
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with what ``sekisho init`` writes."""
    assert run(["init"], language="en", folder=tmp_path).returncode == 0
    return tmp_path


@pytest.mark.parametrize(
    ("path", "title"),
    [(DOCS / "answers.md", "test_policies.py"), (DOCS / "pytest.md", "test_assistant.py")],
    ids=["answers", "pytest"],
)
def test_a_test_example_passes_beside_what_init_writes(path: Path, title: str, project: Path) -> None:
    """As shown, with the target and the cases of the example."""
    (shown,) = titled(path, title)
    (project / title).write_text(shown, encoding="utf-8")

    done = run(["-q", "-p", "no:cacheprovider", title], language="en", folder=project, module="pytest")

    assert done.returncode == 0, done.stdout


def test_the_run_of_suites_inside_pytest_is_as_shown(project: Path) -> None:
    """With one case of the example broken."""
    (shown,) = [block.body for block in blocks(DOCS / "pytest.md") if "pytest --sekisho=policies\n…" in block.body]
    cases = project / "sekisho_cases.json"
    cases.write_text(cases.read_text(encoding="utf-8").replace("12:00", "12:30"), encoding="utf-8")

    done = run(["--sekisho=policies", "-p", "no:cacheprovider"], language="en", folder=project, module="pytest")

    assert done.returncode == 1
    assert_shown(shown.partition("\n")[2], [line.rstrip() for line in done.stdout.splitlines()])


def test_the_target_in_python_passes_the_conformance_suite_as_shown(tmp_path: Path) -> None:
    """Both examples, in files of the names that they are shown with."""
    for title in ("assistant.py", "test_assistant.py"):
        (tmp_path / title).write_text("\n".join(titled(DOCS / "targets.md", title)), encoding="utf-8")

    done = run(["-q", "-p", "no:cacheprovider", "test_assistant.py"], language="en", folder=tmp_path, module="pytest")

    assert done.returncode == 0, done.stdout


def test_the_target_in_python_passes_a_matrix(tmp_path: Path) -> None:
    """With everything found and nothing left unmeasured."""
    (tmp_path / "assistant.py").write_text("\n".join(titled(DOCS / "targets.md", "assistant.py")), encoding="utf-8")
    (tmp_path / "sekisho.toml").write_text(
        '[suite.access]\nkind = "access"\ntarget = "assistant:make_assistant"\n', encoding="utf-8"
    )

    done = run(["check"], language="en", folder=tmp_path)

    assert done.returncode == 0, done.stdout
    assert "warning" not in done.stdout
    assert "1.00" in done.stdout


def test_the_command_that_is_shown_answers(tmp_path: Path) -> None:
    """As the suite that is shown with it starts it."""
    (tmp_path / "assistant_command.py").write_text(
        "".join(titled(DOCS / "targets.md", "assistant_command.py")), encoding="utf-8"
    )
    (configuration,) = [body for body in titled(DOCS / "targets.md", "sekisho.toml") if "command" in body]
    (tmp_path / "sekisho.toml").write_text(configuration, encoding="utf-8")
    (tmp_path / "eval").mkdir()
    (tmp_path / "eval/cases.json").write_text(
        '[{"id": "a", "question": "Until when is a day off?", "expect_source": "vacation.md"},'
        ' {"id": "b", "question": "Who is it?", "expect_not_found": true}]',
        encoding="utf-8",
    )
    if shutil.which("python3") is None:  # the name that the example starts
        pytest.skip("there is no python3 on the path")

    done = run(["check"], language="en", folder=tmp_path)

    assert done.returncode == 0, done.stdout
