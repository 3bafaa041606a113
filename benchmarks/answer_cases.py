"""What answer cases cost beyond the target: ``python benchmarks/answer_cases.py``.

Each of 1,000 cases has a question, an expected source, two expected and three forbidden texts; the target answers from
a list, at once, with 300 characters of Japanese and two of 200 passages of the same length.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path

from sekisho import Answer, AnswerCase, Context, load_cases, run_all

CASES = 1_000
ROUNDS = 7
PASSAGES = 200
NUMBERED = "申請は、前日の{hour}時までに勤怠システムで済ませてください。番号は{number}です。上限は{number}円とします。"
PLAIN = "急な事情があるときは、先に上長へ連絡し、あとから理由を書いて提出してください。証明書の写しは担当者へ渡します。"


def text_of(number: int) -> str:
    """Return about 300 characters that differ from case to case; every second sentence holds numbers, as rules do."""
    numbered = [NUMBERED.format(hour=(number + part) % 24, number=10_000 + number * 7 + part) for part in range(3)]
    return PLAIN.join([*numbered, ""])


def cases() -> list[AnswerCase]:
    """Return the cases; every expectation holds."""
    return [
        AnswerCase(
            id=f"case-{number}",
            question=f"申請 {number} は何時までですか",
            departments=("hr",),
            expect_source=(f"rules-{number}.md",),
            expect_text=(f"{number % 24}時", f"{10_000 + number * 7}円"),
            forbid=("20万円", "salary-grade", f"{90_000_000 + number}番"),
        )
        for number in range(CASES)
    ]


def median_cpu_s(action: object, rounds: int = ROUNDS) -> float:
    """Return the median CPU seconds of a call."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        action()  # type: ignore[operator]  # any callable
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def main() -> None:
    """Measure and print the table."""
    given = cases()
    passages = [Context(str(number), text_of(-number)) for number in range(PASSAGES)]
    answers = {
        case.question: Answer(
            text_of(number),
            (f"rules-{number}.md",),
            contexts=tuple(passages[place % PASSAGES] for place in (number, number * 7 + 3)),
        )
        for number, case in enumerate(given)
    }
    if not all(result.passed for result in run_all(given, lambda question, _: answers[question])):
        raise SystemExit("a case fails: the figures would be those of something else")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cases.json")
        path.write_text(
            json.dumps(
                [
                    {"id": c.id, "question": c.question, "departments": c.departments, "expect_source": c.expect_source,
                     "expect_text": c.expect_text, "forbid": c.forbid}
                    for c in given
                ], ensure_ascii=False, indent=1,
            ),
            encoding="utf-8",
        )  # fmt: skip
        loading = median_cpu_s(lambda: load_cases(path))
    running = median_cpu_s(lambda: run_all(given, lambda question, _: answers[question]))
    print("| what | CPU-s |\n|---|---:|")
    print(f"| load 1,000 cases, JSON | {loading:.3f} |")
    print(f"| ask and judge 1,000 cases | {running:.3f} |")


if __name__ == "__main__":
    main()
