"""What people do on the page."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import knowledge_search.api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

STYLE = Path(knowledge_search.api.__file__).parent / "static" / "style.css"
HOTEL = "宿泊費の上限"


def ask(page: Page, question: str) -> None:
    """Type a question, send it with Enter, and wait for the sources."""
    page.fill("#question", question)
    page.press("#question", "Enter")
    page.wait_for_selector(".turn .sources")


def test_a_first_visit_from_key_to_passage(visit: Callable[..., Page], key: str) -> None:
    """Key, question, answer, citation, the passage on its page of the PDF, and back, by keyboard alone."""
    page = visit()
    page.fill("#question", HOTEL)
    page.press("#question", "Enter")
    page.wait_for_selector("#key[open]")
    page.keyboard.type(key)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn .sources")
    source = page.locator(".source", has_text=re.compile(r"business-trip\.pdf、\d ページ")).first
    number = int(re.search(r"(\d) ページ", source.inner_text()).group(1))  # type: ignore[union-attr]
    source.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel .passage.cited")

    assert page.evaluate("document.activeElement.id") == "panel-title"
    assert f"{number} / 5 ページ" in page.inner_text("#panel-place")
    page.keyboard.press("Escape")
    assert page.is_hidden("#panel")
    assert page.evaluate("document.activeElement.className") == "source"


def test_pages_can_be_turned(visit: Callable[..., Page], key: str) -> None:
    """To the ends of the document and no further."""
    page = visit(key=key)
    ask(page, HOTEL)
    page.locator(".source", has_text="business-trip.pdf").first.click()
    page.wait_for_selector("#panel .passage")
    now = int(page.inner_text("#page-now").split(" ")[0])
    for number in range(now + 1, 6):
        page.click("#page-after")
        page.wait_for_selector(f"#page-now:text-is('{number} / 5')")
    assert page.is_disabled("#page-after")
    for number in range(4, 0, -1):
        page.click("#page-before")
        page.wait_for_selector(f"#page-now:text-is('{number} / 5')")

    assert page.is_disabled("#page-before")


def test_a_citation_in_the_text_opens_its_passage(visit: Callable[..., Page], key: str) -> None:
    """The number is a button with a name; what it opens holds the sentence before it."""
    page = visit(key=key)
    ask(page, "午前半休は何時までですか？")
    first = page.locator(".answer .cite").first

    assert re.fullmatch(r"根拠 \d を開く：.+", first.get_attribute("aria-label") or "")
    first.click()
    cited = page.wait_for_selector("#panel .passage.cited")
    assert cited is not None
    assert "引用箇所" in cited.inner_text()
    assert cited.inner_text().split("\n", 1)[1][:20] in page.inner_text(".answer")


@pytest.mark.parametrize(
    ("locale", "title", "told"),
    [
        ("ja-JP", "社内文書に聞く", "言語モデルが設定されていません"),
        ("en-GB", "Ask our documents", "No language model is configured"),
    ],
)
def test_it_speaks_the_language_of_the_browser(
    visit: Callable[..., Page], key: str, locale: str, title: str, told: str
) -> None:
    """Title, notices and errors; and says what the operator should know to be missing."""
    page = visit(locale=locale, key=key)

    assert page.title() == page.inner_text("h1") == title
    assert told in page.inner_text("#notices")
    assert "hashing" in page.inner_text("#notices")
    assert page.evaluate("document.documentElement.lang") == locale[:2]


def test_the_language_can_be_changed_and_is_kept(visit: Callable[..., Page], key: str) -> None:
    """Also across a reload, and for what the service says."""
    page = visit(key=key)
    page.click("[data-language=en]")
    page.reload()
    page.wait_for_selector("#notices p")

    assert page.inner_text("#send") == "Ask"
    assert page.get_attribute("[data-language=en]", "aria-pressed") == "true"


def test_a_key_that_is_refused_is_asked_for_again(visit: Callable[..., Page]) -> None:
    """With a sentence; the question stays where it was."""
    page = visit(key="ksr_0000000000000000.wrong")
    page.fill("#question", "半休")
    page.press("#question", "Enter")
    page.wait_for_selector("#key-problem:not([hidden])")

    assert "使えません" in page.inner_text("#key-problem")
    assert page.input_value("#question") == "半休"
    assert page.inner_text(".turn .problem").startswith("API キーまたはトークンが必要です")


def test_the_key_stays_in_the_tab(visit: Callable[..., Page], key: str) -> None:
    """In sessionStorage and nowhere else; forgotten on demand."""
    page = visit()
    page.click("#key-open")
    page.fill("#key-text", key)
    page.press("#key-text", "Enter")
    kept = page.evaluate("[Object.values(sessionStorage), Object.values(localStorage), document.cookie]")
    page.click("#key-open")
    page.click("#key-forget")

    assert kept == [[key], [], ""]
    assert page.evaluate("Object.values(sessionStorage)") == []
    assert page.get_attribute("#key-text", "type") == "password"


def test_hostile_text_is_text(visit: Callable[..., Page], key: str) -> None:
    """In the question, the answer, a table, the panel and its title: shown letter by letter, and never run."""
    page = visit(key=key)
    ask(page, "印鑑の申請 <img src=x onerror=\"document.title='owned'\">")
    page.locator(".source", has_text="hostile.md").first.click()
    page.wait_for_selector("#panel .passage.cited")
    page.wait_for_timeout(200)

    assert page.title() == "社内文書に聞く"
    assert (
        page.locator(
            "main img, main script, main b, main a, main svg, aside img, aside script, aside b, aside svg"
        ).count()
        == 0
    )
    assert "<script>document.title='owned'</script>" in page.inner_text("#panel-text")
    assert "<img src=x" in page.inner_text("#panel-title")
    assert "<img src=x" in page.inner_text(".asked")
    assert "<svg onload" in page.inner_text("#panel-text td >> nth=1")


def test_enter_that_ends_a_conversion_does_not_send(visit: Callable[..., Page], key: str) -> None:
    """Japanese is typed with Enter; Shift and Enter break the line."""
    page = visit(key=key)
    page.fill("#question", "はんきゅう")
    page.evaluate(
        "document.querySelector('#question').dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
    )
    page.press("#question", "Shift+Enter")

    assert page.locator(".turn").count() == 0
    assert page.input_value("#question") == "はんきゅう\n"


class Endless:
    """A model that writes until it is stopped."""

    name = "endless"

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def generate(self, system: str, user: str) -> str:
        """Write all of it."""
        return "".join(self.stream(system, user))

    def stream(self, system: str, user: str) -> Iterator[str]:  # noqa: ARG002 - the protocol's
        """Write until it is stopped."""
        try:
            yield "最初の文です。[1]"
            for number in range(500):
                self.stopped.wait(0.02)
                yield f" 文{number}です。[1]"
        finally:
            self.stopped.set()


def test_an_answer_is_seen_while_it_is_written_and_can_be_stopped(
    visit: Callable[..., Page], serve_with: Callable[..., AbstractContextManager[str]], key: str
) -> None:
    """Text grows, the button stops it, the model hears of it, and the next question can be asked."""
    model = Endless()
    with serve_with(llm=model) as url:
        page = visit(key=key, url=url)
        page.fill("#question", "半休")
        page.press("#question", "Enter")
        page.wait_for_selector(".answer:has-text('文3です')")
        assert page.get_attribute(".answer", "aria-busy") == "true"
        page.click("#stop")
        page.wait_for_selector("#send:enabled")

        assert model.stopped.wait(10)
        assert page.inner_text(".turn .status") == "停止しました。"
        assert "最初の文です" in page.inner_text(".answer")


def test_a_service_that_is_away_is_said_so(visit: Callable[..., Page], key: str) -> None:
    """In the place of the answer, as an alert."""
    page = visit(key=key)
    page.route("**/ask", lambda route: route.abort())
    page.fill("#question", "半休")
    page.press("#question", "Enter")
    page.wait_for_selector(".turn [role=alert]")

    assert page.inner_text(".turn [role=alert]") == "通信に失敗しました。もう一度お試しください。"


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1600])
@pytest.mark.parametrize("locale", ["ja-JP", "en-US"])
def test_nothing_sticks_out(visit: Callable[..., Page], key: str, width: int, locale: str) -> None:
    """At any width the page scrolls in one direction only, with and without the panel, and buttons can be hit."""
    page = visit(key=key, size=(width, 844), locale=locale)
    ask(page, "suspicious e-mail 月給 " + "https://intranet.example/" + "x" * 120)
    fits = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(fits)
    page.locator(".source").first.click()
    page.wait_for_selector("#panel .passage.cited")
    assert page.evaluate(fits)
    page.wait_for_timeout(100)
    box = page.locator("#panel .passage.cited").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 844
    small = page.evaluate(
        "[...document.querySelectorAll('button')]"
        ".filter(b => b.offsetParent && (b.offsetHeight < 24 || b.offsetWidth < 24)).length"
    )
    assert small == 0


def test_focus_is_always_seen(visit: Callable[..., Page], key: str) -> None:
    """Each stop of the Tab key has an outline of its own and a name."""
    page = visit(key=key)
    ask(page, "半休")
    page.focus("#key-open")
    page.keyboard.press("Shift+Tab")
    seen = []
    for _ in range(8):
        seen.append(
            page.evaluate(
                "(e => [e.id || e.className, getComputedStyle(e).outlineStyle,"
                " parseFloat(getComputedStyle(e).outlineWidth),"
                " (e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent).trim()])"
                "(document.activeElement)"
            )
        )
        page.keyboard.press("Tab")

    assert len({name for name, *_ in seen}) >= 5
    for name, style, width, label in seen:
        assert style != "none", name
        assert width >= 2, name
        assert label, name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_can_be_told_apart(theme: str) -> None:
    """Text has a contrast of 4.5 at least, outlines and fields of 3 (WCAG 2.2, 1.4.3 and 1.4.11)."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE.read_text(), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", blocks[0 if theme == "light" else 1]))

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(colours[one]), luminance(colours[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for ink, ground in [
        ("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("accent", "card"), ("accent", "paper"),
        ("accent-ink", "accent"), ("ink", "accent-soft"), ("soft", "mark"), ("ink", "mark"), ("mild-ink", "mild"),
        ("bad-ink", "bad"),
    ]:  # fmt: skip
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    for edge, ground in [
        ("field", "card"),
        ("field", "paper"),
        ("focus", "card"),
        ("focus", "paper"),
        ("mark-line", "card"),
    ]:
        assert contrast(edge, ground) >= 3, (edge, ground)


def test_all_words_stand_in_both_languages(visit: Callable[..., Page]) -> None:
    """The same names with the same placeholders, none empty, and each name in the markup is known."""
    page = visit()
    words = page.evaluate("import('/static/words.js').then(m => m.WORDS)")
    marked = page.evaluate(
        "[...document.querySelectorAll('[data-t],[data-t-label]')].map(e => e.dataset.t || e.dataset.tLabel)"
    )

    assert set(words["ja"]) == set(words["en"]) >= set(marked)
    for name, text in words["ja"].items():
        assert text
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", words["en"][name])), name


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("locale", ["ja-JP", "en-US"])
@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_pictures_can_be_taken(
    visit: Callable[..., Page], key: str, tmp_path: Path, *, dark: bool, locale: str, size: tuple[int, int]
) -> None:
    """Both languages, widths and themes; the pictures differ, so that a theme that does nothing is noticed."""
    page = visit(key=key, locale=locale, size=size, dark=dark)
    ask(page, "午前半休は何時まで？")
    page.screenshot(path=tmp_path / "answer.png")
    page.locator(".source").first.click()
    page.wait_for_selector("#panel .passage.cited")
    page.screenshot(path=tmp_path / "panel.png")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert (sum(map(int, re.findall(r"\d+", ground))) < 200) == dark
    assert (tmp_path / "answer.png").read_bytes() != (tmp_path / "panel.png").read_bytes()
