"""Cases in YAML 1.2, in which ``no`` and ``12:30`` are text; needs the extra ``yaml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.adapters.case_files.source import FieldPath, Source, problem
from sekisho.core.errors import InputFileError, Location, MissingExtraError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sekisho.adapters.files.content import Content

MOST_BYTES = 4 << 20
"""Of YAML: its parser takes seconds for each million of bytes."""

_MOST_DEPTH = 40
_MOST_VALUES = 200_000
"""Values in all, those behind aliases counted at each: a few lines of aliases can stand for billions."""

_BOOL, _NULL = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null"
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
"""Of YAML 1.2. What else bears the tag, such as the ``yes`` of a file of YAML 1.1, stays the text that it is."""
_KNOWN_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "timestamp", "map", "seq", "bool", "null", "merge")
)


class Document(NamedTuple):
    """A YAML file.

    Attributes:
        value: Made of mappings, lists, texts (numbers and dates as they are written), bools and None.
        node: The same with its places, as ruamel.yaml has it.
        problems: Keys that come twice.
    """

    value: object
    node: Any
    problems: list[InputFileError]


def read_document(content: Content) -> Document:
    """Return a YAML file as plain values.

    Raises:
        MissingExtraError: ruamel.yaml is not installed.
        InputFileError: Not YAML, more than one document, nested too deeply, a tag of a program, or too many values.
    """
    name, text = content
    node = _composed(name, text)
    builder = _Builder(name)
    value = builder.build(node, 0) if node is not None else None
    return Document(value, node, builder.problems)


def _composed(name: str, text: str) -> Any:  # noqa: ANN401  a node of ruamel.yaml
    try:
        from ruamel.yaml import YAML  # noqa: PLC0415  the extra `yaml`
        from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415  as above
        from ruamel.yaml.reader import ReaderError  # noqa: PLC0415  as above
    except ImportError:
        raise MissingExtraError("cases.needs_yaml", where=Location(name), extra="yaml") from None
    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (1,)
        if "\t" in text.split("\n")[place[0] - 1][: place[-1]]:
            raise problem("yaml_tab", name, *place) from None
        raise problem("yaml_syntax", name, *place, reason=error.problem or error.context or "") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise problem("yaml_syntax", name, line, reason=error.reason) from None
    except RecursionError:
        raise problem("deep", name) from None
    except (YAMLError, ValueError, TypeError, LookupError, AttributeError, AssertionError) as error:
        # what ruamel.yaml raises on text that is no YAML and that it did not expect
        raise problem("yaml_syntax", name, 1, reason=str(error).split("\n")[0]) from None


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[InputFileError] = []
        self.count = 0

    def refuse(self, code: str, node: Any, **values: object) -> InputFileError:  # noqa: ANN401  a node of ruamel.yaml
        return problem(code, self.name, node.start_mark.line + 1, node.start_mark.column + 1, **values)

    def build(self, node: Any, depth: int) -> object:  # noqa: ANN401  as above
        self.count += 1
        if self.count > _MOST_VALUES:
            raise self.refuse("yaml_aliases", node)
        if depth > _MOST_DEPTH:
            raise self.refuse("deep", node)
        tag = str(node.tag)
        if tag not in _KNOWN_TAGS:
            raise self.refuse("yaml_tag", node, tag=tag)
        if node.id == "sequence":
            return [self.build(item, depth + 1) for item in node.value]
        if node.id == "mapping":
            return self.mapping(node, depth)
        if tag == _NULL:
            return None
        text = str(node.value)
        return _BOOLS.get(text, text) if tag == _BOOL else text

    def mapping(self, node: Any, depth: int) -> dict[str, object]:  # noqa: ANN401  as above
        found: dict[str, object] = {}
        for key, value in node.value:
            if key.id != "scalar":
                raise self.refuse("yaml_key", key)
            name = str(key.value)
            if name in found:
                self.problems.append(self.refuse("repeated_key", key, key=name))
            found[name] = self.build(value, depth + 1)
        return found


def read_yaml(content: Content) -> Source:
    """Return the cases of a YAML file: a list, or a mapping whose ``cases`` is one.

    Raises:
        MissingExtraError: ruamel.yaml is not installed.
    """
    name = content.name
    try:
        document = read_document(content)
    except InputFileError as error:
        return Source(name, "yaml", [], [], lambda _index, _path: (1, None), [error])
    nodes, problems = case_nodes(name, document)
    values = document.value["cases"] if isinstance(document.value, dict) and nodes else document.value
    lines = [node.start_mark.line + 1 for node in nodes]
    return Source(
        name, "yaml", values if isinstance(values, list) and nodes else [], lines, _locator(nodes),
        [*document.problems, *problems],
    )  # fmt: skip


def case_nodes(name: str, document: Document) -> tuple[Sequence[Any], list[InputFileError]]:
    """Return the nodes of the cases, and what is wrong with what stands around them."""
    node, value = document.node, document.value
    if isinstance(value, list):
        return node.value, []
    if not isinstance(value, dict):
        return [], [problem("yaml_other", name, 1)]
    problems: list[InputFileError] = []
    nodes: Sequence[Any] = []
    for key, member in node.value:
        place = (key.start_mark.line + 1, key.start_mark.column + 1)
        word = str(key.value)
        if word == "cases":
            nodes = member.value if member.id == "sequence" else []
            if member.id != "sequence":
                problems.append(problem("not_a_list", name, *place, key=word))
        elif word in {"id", "question"} and "cases" not in value:
            return [], [problem("yaml_one_case", name, *place)]
        elif word != "$schema":
            meant = did_you_mean(word, ["cases"])
            code = "unknown_top_key_meant" if meant else "unknown_top_key"
            problems.append(problem(code, name, *place, key=word, meant=meant))
    return nodes, problems


def _locator(nodes: Sequence[Any]) -> Callable[[int, FieldPath], tuple[int, int | None]]:
    def locate(index: int, path: FieldPath) -> tuple[int, int | None]:
        node = nodes[index]
        mark = node.start_mark
        for part in path:
            if node.id == "mapping":
                found = next(((key, value) for key, value in node.value if str(key.value) == part), None)
                if found is None:
                    break
                mark, node = found[0].start_mark, found[1]
            elif node.id == "sequence" and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                mark = node.start_mark
        return mark.line + 1, mark.column + 1

    return locate
