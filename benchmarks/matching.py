"""What folded matching costs: long answers against many forbidden texts, many small answers, and hostile text.

CPU time, medians of five; what is asked again may be remembered. Run: ``python benchmarks/matching.py``
"""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sekisho.matching import TextMatcher, contains

if TYPE_CHECKING:
    from collections.abc import Callable

JAPANESE = "出張の宿泊費は一泊12,000円まで、申請は3日以内に部長の承認を受けます。詳細は規程の第5条です。"
ENGLISH = (
    "Hotel costs are paid up to 12,000 yen a night; ask for approval within 3 days, as section 5 of the rules says. "
)
HOSTILE = ("1", ",", "一", "\u0301\u0323", "\u200b", " ", "1 ", "1円", "¥1", "①", "20-30円")
ROUNDS = 5


def seconds(call: Callable[[], object]) -> float:
    """Return the median CPU time of a call."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def prose(base: str, length: int) -> str:
    """Return text whose words come in a fixed random order."""
    order = random.Random(1)  # noqa: S311  not a secret
    words = base.split(" ") if " " in base else [base[at : at + 4] for at in range(0, len(base), 4)]
    between = " " if " " in base else ""
    text = between.join(order.choice(words) for _ in range(length // 3))
    return (text + base * (length // len(base) + 1))[:length]


def row(title: str, call: Callable[[], object]) -> None:
    """Print one row."""
    print(f"| {title} | {seconds(call):.3f} |", flush=True)


def main() -> None:
    """Print the table."""
    forbidden = [f"秘密の計画{number}" if number % 2 else f"{number + 20}万円の手当" for number in range(1000)]
    print("| what | CPU-s |")
    print("|---|---:|")
    for name, base in (("Japanese", JAPANESE), ("English", ENGLISH)):
        for length in (100_000, 1_000_000):
            text = prose(base, length)
            row(
                f"{name}, {length:,} characters, 1,000 texts",
                lambda text=text: TextMatcher(forbidden).occurrences(text),
            )  # type: ignore[misc]
        small = [prose(base, 2_000)[at : at + 300] for at in range(1000)]
        row(
            f"{name}, 1,000 answers of 300 characters, 3 texts each",
            lambda small=small: [  # type: ignore[misc]
                TextMatcher(forbidden[at % 900 : at % 900 + 3]).occurrences(each) for at, each in enumerate(small)
            ],
        )
        row(
            f"{name}, 1,000 answers of 300 characters, contains 12 of their own",
            lambda small=small: [contains(each, each[40:52]) for each in small],  # type: ignore[misc]
        )
    dense = (Path(__file__).parents[1] / "README.ja.md").read_text(encoding="utf-8") * 80
    for length in (100_000, 1_000_000):
        text = dense[:length]
        row(
            f"read-me in Japanese, {len(text):,} characters, 1,000 texts",
            lambda text=text: TextMatcher(forbidden).occurrences(text),
        )  # type: ignore[misc]
    row("1,000 names of files", lambda: [contains(f"docs/vacation-{at}.md", f"vacation-{at}.md") for at in range(1000)])
    matcher = TextMatcher(["20万円", "12時", "p.2", "カード"])
    for piece in HOSTILE:
        text = piece * (1_000_000 // len(piece))
        row(f"1,000,000 characters of {piece!a}", lambda text=text: matcher.occurrences(text))  # type: ignore[misc]


if __name__ == "__main__":
    main()
