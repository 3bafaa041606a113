"""Web pages."""

from __future__ import annotations

import time

import pytest

from knowledge_search.domain import DocumentError
from knowledge_search.parse import FileParser
from knowledge_search.parse.sandbox import Limits

PAGE = """<!DOCTYPE html><html><head><title>窓口 &amp; 案内</title><style>p{}</style><script>alert("x")</script></head>
<body><nav>メニュー</nav><h1>窓口</h1><p>平日の
8時30分から<b>受け付け</b>ます。<p>次の段落<br>改行
<h2>貸し出し</h2><ul><li>一つめ<li>二つめ</ul>
<table><tr><th>品目</th><th>期間</th></tr><tr><td>予備の<br>PC</td><td>10日</td></tr></table>
<div hidden>見えない</div><div style="display: none">見えない<div>これも</div></div><pre>a
  b</pre>終わり</body></html>"""


def test_a_page_becomes_lines() -> None:
    """Headings as in Markdown, items and rows a line each, nothing that is not shown."""
    found = FileParser().parse("a.html", PAGE.encode())

    assert (found.title, found.media_type, found.department) == ("窓口 & 案内", "text/html", None)
    assert found.pages[0].text == (
        "# 窓口\n\n平日の 8時30分から受け付けます。\n\n次の段落\n改行\n\n## 貸し出し\n\n- 一つめ\n- 二つめ\n\n"
        "| 品目 | 期間 |\n| 予備の PC | 10日 |\n\na\n  b\n\n終わり"
    )


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp"])
def test_the_declared_encoding_counts(encoding: str) -> None:
    """As browsers do."""
    content = f'<html><meta charset="{encoding}"><p>ｶﾅと漢字</html>'.encode(encoding)

    assert FileParser().parse("a.html", content).pages[0].text == "カナと漢字"


def test_a_page_without_text_is_empty() -> None:
    """Scripts are no text."""
    with pytest.raises(DocumentError, match="empty"):
        FileParser().parse("a.html", b"<html><script>var x = 1</script>")


@pytest.mark.parametrize("text", ["<a " * 200_000, "<!--" * 200_000, "<div>" * 300_000, '<a x="' * 200_000])
def test_a_page_that_runs_away_is_stopped(text: str) -> None:
    """60 kB of it hold the standard library's parser for minutes; the process is ended in time."""
    start = time.monotonic()
    try:
        FileParser(limits=Limits(cpu_s=2, wall_s=4.0)).parse("a.html", b"<html>x" + text.encode())
    except DocumentError as error:
        assert error.status in {"timed_out", "too_large"}  # noqa: PT017 - some of them are read in time
    assert time.monotonic() - start < 10
