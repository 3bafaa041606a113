"""Cases in TOML: one block ``[[case]]`` each."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from sekisho.adapters.case_files.source import FieldPath, Source, line_column, problem
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Content
    from sekisho.core.errors import InputFileError

BLOCK_NAMES = ("case", "cases")
"""The first is the one to write; the second is what it is called in JSON, and can mean nothing else."""

_STRING = r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}|' r"'''(?:[^']|'(?!''))*+'{3,5}|" r'"(?:[^"\\\n]|\\.)*+"|' r"'[^'\n]*+'"
_TOKEN = re.compile(
    rf"(?P<text>{_STRING})|#[^\n]*+|^[ \t]*+\[\[[ \t]*+(?P<block>cases?)[ \t]*+\]\]", re.DOTALL | re.MULTILINE
)
_ITEM = re.compile(rf"#[^\n]*+|(?P<item>{_STRING}|[^\s,\[\]{{}}=#\"']++)|(?P<end>\])", re.DOTALL)
_AT = re.compile(r"\(at line (\d+), column (\d+)\)|\(at end of document\)")


def read_toml(content: Content) -> Source:
    """Return the cases of a TOML file."""
    name, text = content
    nothing = Source(name, "toml", [], [], lambda _index, _path: (1, None))
    try:
        found = tomllib.loads(text)
    except RecursionError:
        return nothing._replace(problems=[problem("deep", name, 1)])
    except ValueError as error:  # a TOMLDecodeError, or a whole number of thousands of digits
        return nothing._replace(problems=[_syntax(name, text, str(error))])
    blocks = [match for match in _TOKEN.finditer(text) if match["block"]]
    problems = _unknown(content, found)
    names = [key for key in BLOCK_NAMES if key in found]
    if len(names) > 1:
        problems.append(problem("toml_two_names", name, line_column(text, blocks[-1].start() if blocks else 0)[0]))
        return nothing._replace(problems=problems)
    values = found[names[0]] if names else []
    if names and (not isinstance(values, list) or len(values) != len(blocks)):
        problems.append(problem("toml_block", name, *_key_place(text, 0, len(text), names[0])))
        return nothing._replace(problems=problems)
    starts = [text.index("[", match.start()) for match in blocks]
    ends = [*starts[1:], len(text)]
    lines, line, counted = [], 1, 0
    for start in starts:
        line += text.count("\n", counted, start)
        counted = start
        lines.append(line)

    def locate(index: int, path: FieldPath) -> tuple[int, int | None]:
        if not path:
            return line_column(text, starts[index])
        return line_column(text, _place(text, starts[index], ends[index], path))

    return Source(name, "toml", values, lines, locate, problems)


def _unknown(content: Content, found: dict[str, object]) -> list[InputFileError]:
    problems = []
    for key in found:
        if key not in BLOCK_NAMES:
            meant = did_you_mean(key, BLOCK_NAMES)
            place = _key_place(content.text, 0, len(content.text), key)
            code = "toml_unknown_block_meant" if meant else "toml_unknown_block"
            problems.append(problem(code, content.name, *place, key=key, meant=meant))
    return problems


def _syntax(name: str, text: str, reason: str) -> InputFileError:
    found = _AT.search(reason)
    words = _AT.sub("", reason).strip().split(";")[0]
    if words.startswith("Cannot overwrite a value"):
        line = int(found[1]) if found and found[1] else None
        return problem("toml_repeated_key", name, line)
    if found is None:
        return problem("toml_syntax", name, 1, reason=words)
    line, column = (int(found[1]), int(found[2])) if found[1] else line_column(text, len(text.rstrip()))
    return problem("toml_syntax", name, line, column, reason=words)


def _key_place(text: str, begins: int, ends: int, key: str) -> tuple[int, int]:
    return line_column(text, _find_key(text, begins, ends, key))


def _find_key(text: str, begins: int, ends: int, key: str) -> int:
    """Return the index of a key between two indices, outside of texts and comments; ``begins`` where there is none."""
    spelled = re.escape(key)
    wanted = re.compile(
        rf"(?P<key>(?<![\w-])(?:{spelled}|\"{spelled}\"|'{spelled}'))(?=[ \t]*+[=.\]])|(?:{_STRING})|#[^\n]*+",
        re.DOTALL,
    )
    for match in wanted.finditer(text, begins, ends):
        if match["key"]:
            return match.start()
    return begins


def _place(text: str, begins: int, ends: int, path: FieldPath) -> int:
    place = begins
    for part in path:
        if isinstance(part, str):
            place = _find_key(text, place, ends, part)
            continue
        place = text.find("=", place, ends) + 1 or place
        items = (match for match in _ITEM.finditer(text, place, ends) if match["item"])
        return next((match.start() for number, match in enumerate(items) if number == part), place)
    return place
