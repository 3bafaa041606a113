"""Makes ``samples/business-trip.pdf``, with the same bytes each time: ``python -m eval.make_sample_pdf``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_TITLE: Final = "出張旅費規程"
_FONT: Final = "HeiseiKakuGo-W5"
"""One of the fonts of Adobe's Japanese font pack: named in the file, not part of it."""
_HEADING: Final = ParagraphStyle("heading", fontName=_FONT, fontSize=15, leading=24, spaceAfter=8)
_BODY: Final = ParagraphStyle("body", fontName=_FONT, fontSize=11, leading=18, spaceAfter=8, wordWrap="CJK")
_PAGES: Final[tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]] = (
    (
        "第1章 総則",
        (
            (
                "この規程は、社員が会社の命令で出張するときの旅費と手続きを定めます。勤務地から片道80キロメートル以上の場所へ"
                "行く業務、または宿泊を伴う業務を出張とします。それより近い場所での業務は外出とし、交通費だけを支給します。"
            ),
            (
                "出張するときは、出発の5営業日前までに、目的、日程、訪問先、費用の見込みを書いた出張申請書を上長に出し、承認を"
                "受けてください。急な出張では、口頭の承認を先に受け、帰着の翌日までに申請書を出すことができます。"
            ),
        ),
        (),
    ),
    (
        "第2章 交通費",
        (
            (
                "交通費は、もっとも経済的で合理的な経路の実費を支給します。片道200キロメートルを超えるときは特急または新幹線の"
                "普通車指定席を使えます。片道700キロメートルを超えるときは航空機の普通席を使えます。"
            ),
            (
                "タクシーは、公共の交通機関がない場所、深夜23時以降の移動、または重い荷物を運ぶときに限って使えます。領収書の裏に"
                "区間と理由を書いてください。自家用車は、総務部の許可を受けた人だけが使えます。"
            ),
        ),
        (),
    ),
    (
        "第3章 宿泊費",
        (
            (
                "国内の宿泊費は、1泊11,000円を上限として実費を支給します。東京23区と大阪市では、1泊13,500円を上限とします。"
                "上限を超える宿しか取れないときは、予約の前に上長の承認を受けてください。"
            ),
            "朝食の料金は、宿泊の料金に含まれているときだけ支給します。親族や知人の家に泊まったときの宿泊費は支給しません。",
        ),
        (),
    ),
    (
        "第4章 日当",
        ("日当は、出張中の食事と雑費に充てるものとして、役割と行き先に応じて次の額を支給します。",),
        (
            ("役割", "国内の日帰り", "国内の宿泊", "海外"),
            ("一般", "1,000円", "2,200円", "5,500円"),
            ("管理職", "1,400円", "2,800円", "6,500円"),
            ("役員", "2,000円", "3,600円", "8,000円"),
        ),
    ),
    (
        "第5章 精算",
        (
            (
                "出張から戻った日の翌日から数えて8営業日以内に、領収書を添えて旅費を精算してください。仮払いを受けた人は、残った"
                "お金を精算の日に返します。精算が終わるまで、次の仮払いは受けられません。"
            ),
            "海外の出張では、精算に使う為替の率は出発の日の社内レートです。領収書が外国語のときは、内容を日本語で書き添えます。",
        ),
        (),
    ),
)


def make(path: Path) -> None:
    """Write the document to ``path``."""
    pdfmetrics.registerFont(UnicodeCIDFont(_FONT))
    story: list[object] = []
    for heading, paragraphs, rows in _PAGES:
        story += [Paragraph(heading, _HEADING), *(Paragraph(text, _BODY) for text in paragraphs)]
        if rows:
            grid = [("FONT", (0, 0), (-1, -1), _FONT, 11), ("GRID", (0, 0), (-1, -1), 0.5, "black")]
            story += [Spacer(1, 4 * mm), Table(rows, style=TableStyle(grid), colWidths=38 * mm)]
        story.append(PageBreak())
    document = SimpleDocTemplate(
        str(path), pagesize=A4, title=_TITLE, topMargin=32 * mm, bottomMargin=28 * mm, invariant=1
    )
    document.build(story, onFirstPage=_frame, onLaterPages=_frame)


def _frame(canvas: Canvas, document: SimpleDocTemplate) -> None:
    """Draw what stands on every page."""
    canvas.setFont(_FONT, 9)
    canvas.drawString(25 * mm, A4[1] - 18 * mm, f"{_TITLE} 2026年4月版")
    canvas.drawCentredString(A4[0] / 2, 14 * mm, f"{document.page} / {len(_PAGES)}")


if __name__ == "__main__":
    samples = Path(__file__).resolve().parents[1] / "samples"
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else samples / "business-trip.pdf")
