"""The target of a suite: opened once, in the process that asks it, and closed after the last case."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

TWO_SUITES = "".join(
    f'[suite.{name}]\nkind = "answers"\ntarget = "desk:opened"\ncases = "cases.json"\n' for name in ("one", "two")
)
ASYNC = """
import asyncio
from contextlib import asynccontextmanager
from desk import Desk, log

class AsyncDesk(Desk):
    def __init__(self):
        self.loop = asyncio.get_running_loop()
    async def answer(self, question, departments):
        assert asyncio.get_running_loop() is self.loop
        return super().answer(question, departments)
    async def documents(self):
        assert asyncio.get_running_loop() is self.loop
        log("documents")
        return []

@asynccontextmanager
async def make():
    log("open")
    yield AsyncDesk()
    log("close")
"""


def test_one_target_serves_all_cases_of_a_suite(good: Project) -> None:
    """Opened at the first and closed after the last, before the next suite begins."""
    good.write("sekisho.toml", TWO_SUITES)

    run = good.pytest("sekisho.toml")

    assert run.last == "4 passed"
    assert good.log() == ["open", "ask", "ask", "close"] * 2


def test_an_async_target_stays_in_its_event_loop(good: Project) -> None:
    """Connections belong to the loop that opened them; its documents are listed once."""
    good.cases([{"id": name, "question": name, "forbid": ["x"]} for name in ("one", "two")])
    good.write("waiting.py", ASYNC)
    good.write("sekisho.toml", TWO_SUITES.split("[suite.two]")[0].replace("desk:opened", "waiting:make"))

    run = good.pytest("sekisho.toml")

    assert run.last == "2 passed"
    assert good.log() == ["open", "ask", "ask", "documents", "close"]


def test_a_function_is_a_target(good: Project) -> None:
    """As for the command."""
    good.write("plain.py", "from desk import Desk\n\ndef make():\n    return Desk().answer\n")
    good.write("sekisho.toml", TWO_SUITES.split("[suite.two]")[0].replace("desk:opened", "plain:make"))

    run = good.pytest("sekisho.toml")

    assert run.last == "2 passed"


def test_the_asker_is_who_the_case_says(project: Project) -> None:
    """Departments are sorted, with everyone's."""
    project.write(
        "asked.py",
        "from sekisho import Answer\n\ndef make():\n"
        "    return lambda question, departments: Answer('+'.join(departments))\n",
    )
    project.write("sekisho.toml", TWO_SUITES.split("[suite.two]")[0].replace("desk:opened", "asked:make"))
    project.cases([{"id": "a", "question": "b", "departments": ["sales", "hr"], "expect_text": ["all+hr+sales"]}])

    run = project.pytest("sekisho.toml")

    assert run.last == "1 passed"


def test_what_a_target_prints_stands_beside_its_failure(half_good: Project) -> None:
    """As with any test."""
    run = half_good.pytest("sekisho.toml")

    assert "asked: How long is the holiday?" in run.out
