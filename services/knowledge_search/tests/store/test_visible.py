"""The visibility rule has one home."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import knowledge_search
from knowledge_search.store.visible import GUARDED, Locks, unscoped

PACKAGE = Path(knowledge_search.__file__).parent
HOME = "store/visible.py"
OWNERS = {"store/documents.py", "store/indexes.py", "store/maintenance.py", "store/reembed.py", "store/writing.py"}
"""The modules that do the owner's own work over all rows."""
TABLE = rf"(?:knowledge_search\.)?(?:{'|'.join(GUARDED)})\b"
READ = re.compile(rf"(?<!DELETE )\b(?:FROM|JOIN) {TABLE}|, ?{TABLE}|\bCOPY {TABLE}.* TO |^TABLE {TABLE}", re.IGNORECASE)


def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of every module by its path."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


def bare_reads(tree: ast.Module) -> list[str]:
    """Return the text in which a guarded table is read by its bare name; docstrings aside."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    )
    return [text for text in texts if READ.search(" ".join(text.split())) and not text.startswith("ANALYZE")]


def calls(tree: ast.Module, name: str) -> bool:
    """Return whether a module calls a function of that name."""
    return any(
        isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == name
        for node in ast.walk(tree)
    )


def test_no_statement_elsewhere_reads_a_guarded_table() -> None:
    """Every read names its table in angle brackets and lets the one place fill it in."""
    offenders = {path: found for path, tree in modules().items() if path != HOME and (found := bare_reads(tree))}

    assert offenders == {}


@pytest.mark.parametrize(
    "statement",
    ["SELECT text FROM chunk", "SELECT 1 FROM document d", "select 1 from a join posting p using (x)",
     "SELECT 1 FROM a, chunk_vector", "COPY chunk TO STDOUT", "SELECT 1 FROM knowledge_search.tree_node"],
)  # fmt: skip
def test_the_lint_sees_a_bare_read(statement: str) -> None:
    """So the test above can fail."""
    assert bare_reads(ast.parse(f"sql = {statement!r}"))


def test_only_the_owners_modules_leave_the_predicate_out() -> None:
    """What runs over all rows is written down here, module by module."""
    assert {path for path, tree in modules().items() if calls(tree, "unscoped")} == OWNERS


def test_only_the_store_speaks_sql() -> None:
    """No other part imports the driver."""
    importers = {
        path.split("/")[0]
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(name.name.startswith("psycopg") for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("psycopg"))
    }

    assert importers == {"store"}


def test_no_setting_takes_a_lock_out() -> None:
    """Only a constructor can: nothing in the package makes locks other than the full ones."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Locks":
                assert not node.args, path
                assert not node.keywords, path


def test_a_name_becomes_the_visible_rows() -> None:
    """Lock one stands in the statement itself."""
    assert Locks().sql("SELECT 1 FROM <chunk> c") == (
        "SELECT 1 FROM (SELECT * FROM chunk WHERE department = ANY(%(departments)s::text[])) c"
    )
    assert Locks().sql("SELECT 1 FROM <vectors> v", vectors="x").count("FROM x WHERE department") == 1
    assert unscoped("SELECT 1 FROM <chunk> c") == "SELECT 1 FROM chunk c"
