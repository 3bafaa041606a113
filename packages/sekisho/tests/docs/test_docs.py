"""The documents hold what they say: links, both languages, dependencies, nothing of one machine."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from .document_pages import (
    DOCUMENTS,
    MEASURES,
    PAIRS,
    READMES,
    REPOSITORY,
    blocks,
    files,
    prose,
    short,
)

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_both_languages_have_the_same_shape(pair: dict[str, Path]) -> None:
    """Neither language lacks a part that the other one has."""
    shapes = {
        language: re.findall(r"^#+ |^<!-- .* -->|^\d\. |^- |^\|", prose(path), re.MULTILINE)
        for language, path in pair.items()
    }

    assert shapes["en"] == shapes["ja"]


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_both_languages_show_the_same_commands_and_code(pair: dict[str, Path]) -> None:
    """Only outputs differ, which are in the reader's language."""
    code = {language: [block for block in blocks(path) if block.kind != "text"] for language, path in pair.items()}
    outputs = {language: [block.kind for block in blocks(path)].count("text") for language, path in pair.items()}

    assert code["en"] == code["ja"]
    assert outputs["en"] == outputs["ja"]


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_a_readme_is_short(path: Path) -> None:
    """One sitting: the rest is in docs/."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 240


@pytest.mark.parametrize("path", READMES.values(), ids=short)
def test_a_readme_leads_with_the_three_questions(path: Path) -> None:
    """The first table: search, answers, permissions, in this order; then a command for each."""
    text = path.read_text(encoding="utf-8").partition("\n## ")[0]

    assert [re.findall(r"docs/(\w+)", row) for row in re.findall(r"^\|.*\|$", text, re.MULTILINE)[2:]] == [
        [],
        ["answers"],
        ["access"],
    ]
    assert re.findall(r"^sekisho check (?:(\w+) )?--target", text, re.MULTILINE) == ["", "policies", "access"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_every_python_example_compiles(path: Path) -> None:
    """An example is a program."""
    for block in blocks(path):
        if block.kind == "python":
            compile(block.body, block.title or path.name, "exec")


def test_every_document_of_the_folder_is_linked_from_a_readme_or_its_neighbours() -> None:
    """What nobody can reach, nobody reads."""
    linked = {
        (path.parent / target.partition("#")[0]).resolve()
        for path in DOCUMENTS
        for target in re.findall(r"\]\(([^)\s:]+)\)", prose(path))
    }

    assert [short(path) for path in MEASURES.parent.glob("*.md") if path.resolve() not in linked] == []


def test_every_dependency_has_its_row() -> None:
    """What it saves, its size, its licence and who keeps it are written down for each package that is asked for."""
    asked: list[str] = []
    for folder in ("packages/sekisho", "services/knowledge_search"):
        project = tomllib.loads((REPOSITORY / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        asked += project["dependencies"]
        asked += (name for extra in project["optional-dependencies"].values() for name in extra)
    for file in ("requirements/dev.in", "requirements/bench.in"):
        asked += [line for line in (REPOSITORY / file).read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    text = (REPOSITORY / "docs/decisions.md").read_text(encoding="utf-8").partition("## Records")[0]
    written = set(re.findall(r"[a-z0-9]+(?:[.-][a-z0-9]+)*", text))

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
