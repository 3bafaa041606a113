"""The documents of this repository as the tests read them: fenced blocks, prose, tables, commands."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[4]
MEASURES = REPOSITORY / "docs/measures.md"
READMES = {"en": REPOSITORY / "README.md", "ja": REPOSITORY / "README.ja.md"}
PAIRS = {
    name: {"en": REPOSITORY / f"docs/{name}.md", "ja": REPOSITORY / f"docs/{name}.ja.md"}
    for name in ("answers", "access", "retrieval", "baseline", "history")
} | {"README": READMES}
"""Documents in both languages."""
NOT_OURS = {"__pycache__", "node_modules", "dist", "build"}
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


def titled(path: Path, title: str) -> list[str]:
    """Return the bodies of the blocks with a title, in order."""
    return [block.body for block in blocks(path) if block.title == title]


def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def part(path: Path, heading: str) -> str:
    """Return what stands under a heading of the second level, up to the next one."""
    return prose(path).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """Return the names in code style in the first cells of the tables of a text, in order."""
    cells = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)]


def commands(path: Path) -> list[str]:
    """Return each ``sekisho ...`` of a document, in blocks and in the running text."""
    lines = [line.strip() for block in blocks(path) if block.kind in {"sh", "yaml"} for line in block.body.splitlines()]
    lines = [re.sub(r"^(- run: |entry: |- )", "", line) for line in lines]
    inline = [" ".join(line.split()) for line in re.findall(r"`(sekisho\s[^`]+)`", prose(path))]
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


def run(words: list[str], *, language: str, folder: Path, module: str = "sekisho") -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with this repository's own targets in reach."""
    environment = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "CI"}}
    environment |= {"SEKISHO_LANG": language, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=folder, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False,
    )  # fmt: skip


def assert_shown(shown: str, printed: list[str]) -> None:
    """Assert that each line shown comes in this order; a line with ``…`` alone stands for lines left out."""
    rest = iter(printed)
    for line in shown.splitlines():
        assert line == "…" or line.rstrip() in rest, "\n".join(
            ["not printed in this place:", line, "printed:", *printed]
        )
