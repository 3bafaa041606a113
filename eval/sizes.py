"""Checks that modules and functions stay small: ``python -m eval.sizes``."""

from __future__ import annotations

import ast
import statistics
import sys
from pathlib import Path

MOST_LINES = 400
MEDIAN_BELOW = 120
MOST_FUNCTION_LINES = 40
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Print what is too large; 1 where anything is."""
    modules = [
        path
        for path in [*ROOT.glob("packages/*/src/**/*.py"), *ROOT.glob("services/*/src/**/*.py")]
        if "messages" not in path.parts
    ]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    found = [
        f"{_name(path)}: {length} lines, at most {MOST_LINES}"
        for path, length in lengths.items()
        if length > MOST_LINES
    ]
    median = statistics.median(lengths.values())
    if median >= MEDIAN_BELOW:
        found.append(f"the median module has {median:g} lines, below {MEDIAN_BELOW} is wanted")
    for path in modules:
        found += _long_functions(path)
    for line in found:
        print(line)
    print(f"{len(modules)} modules, median {median:g} lines, longest {max(lengths.values())}")
    return 1 if found else 0


def _long_functions(path: Path) -> list[str]:
    """Return the functions of a module whose body, without docstring, is too long."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno:
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            length = node.end_lineno - body[0].lineno + 1
            if length > MOST_FUNCTION_LINES:
                found.append(f"{_name(path)}:{node.lineno} {node.name}: {length} lines, at most {MOST_FUNCTION_LINES}")
    return found


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    sys.exit(main())
