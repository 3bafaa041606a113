"""Reads HTML into lines of text, with headings, lists and tables in Markdown's form. Runs in the child process only."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SKIPPED: Final = frozenset(
    {"script", "style", "template", "noscript", "svg", "math", "iframe", "object", "select", "nav"}
)
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "li", "main", "ol", "p", "pre", "section", "summary",
    "table", "tbody", "tfoot", "thead", "tr", "ul",
})  # fmt: skip
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_TIGHT: Final = frozenset({"li", "tr", "tbody", "thead", "tfoot", "dt", "dd"})
_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_HIDDEN_STYLE: Final = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)


class _Reader(HTMLParser):
    """Collects the text that a browser would show."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""
        self._cells: list[str] | None = None
        self._skipped: list[str] = []
        self._in_title = False
        self._preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Skip what is not shown; break lines at blocks."""
        if self._skipped:
            if tag == self._skipped[-1] and tag not in _VOID:
                self._skipped.append(tag)
            return
        if tag not in _VOID and (tag in _SKIPPED or _hidden(attrs)):
            self._skipped.append(tag)
            return
        if tag == "title":
            self._in_title = not self.title
        elif tag == "br":
            self._break()
        elif tag in {"td", "th"}:
            self._next_cell()
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._break(apart=tag not in _TIGHT)
            self._prefix = _HEADINGS[tag] + " " if tag in _HEADINGS else "- " if tag == "li" else self._prefix
            self._cells = [] if tag == "tr" else self._cells
            self._preformatted += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        """End what was skipped, and lines at blocks."""
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.pop()
            return
        if tag == "title":
            self._in_title = False
        elif tag == "tr" and self._cells is not None:
            self._next_cell()
            row, self._cells = self._cells, None
            self.lines.append(f"| {' | '.join(row)} |" if any(row) else "")
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._break(apart=tag not in _TIGHT)
            self._prefix = ""
            self._preformatted = max(0, self._preformatted - (tag == "pre"))

    def handle_data(self, data: str) -> None:
        """Keep text that is shown."""
        if self._skipped:
            return
        if self._in_title:
            self.title += data
        elif self._preformatted and self._cells is None:
            first, *others = data.split("\n")
            self._line.append(first)
            for line in others:
                self._break()
                self._line.append(line)
        else:
            self._line.append(_SPACE.sub(" ", data))

    def finished(self) -> str:
        """Return the text."""
        self._break()
        return "\n".join(self.lines)

    def _break(self, *, apart: bool = False) -> None:
        if self._cells is not None:
            self._line.append(" ")
            return
        text = "".join(self._line)
        self._line = []
        text = text.rstrip() if self._preformatted else _SPACE.sub(" ", text).strip()
        if text.strip():
            self.lines.append(self._prefix + text)
            self._prefix = ""
        if apart:
            self.lines.append("")

    def _next_cell(self) -> None:
        cell = _SPACE.sub(" ", "".join(self._line)).strip()
        self._line = []
        if self._cells is not None and cell:
            self._cells.append(cell)


def _hidden(attrs: list[tuple[str, str | None]]) -> bool:
    return any(name == "hidden" or (name == "style" and _HIDDEN_STYLE.search(value or "")) for name, value in attrs)


def records(content: bytes, *, wanted: Sequence[int], most_pages: int) -> Iterator[dict[str, object]]:
    """Yield the title, then the whole text as page 1; ``content`` is UTF-8."""
    del wanted, most_pages
    reader = _Reader()
    reader.feed(content.decode("utf-8", "replace"))
    reader.close()
    text = reader.finished()
    yield {"title": " ".join(reader.title.split())}
    yield {"page": 1, "label": None, "text": text, "shows": True, "pictured": False, "vertical": False}
