"""``knowledge-search calibrate``: measure the distance beyond which a passage grounds no answer."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from knowledge_search.answer import Calibration, calibrate, checked_question
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import note, progress, say, write_json
from knowledge_search.cli.pages import command, option
from knowledge_search.domain import ConfigurationError, KnowledgeError, Scope

if TYPE_CHECKING:
    from knowledge_search.bootstrap import Services
    from knowledge_search.cli.messages import Language

_ENOUGH: Final = 100
_KNOWN: Final = frozenset({"question", "answerable", "departments"})


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, and whether the documents of these departments answer it."""

    question: str
    scope: Scope
    answerable: bool


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(cases: Path, keep: float, *, dry_run: bool, json: bool) -> int:
        listed = read_cases(cases, language)
        with opened(language, settings_of(language)) as services:
            result = calibrate(*_distances(services, cases, listed, language), keep=keep)
            if not dry_run:
                services.store.calibrate(result.max_distance)
            _show(result, language, as_json=json)
            if result.answerable < _ENOUGH:
                note(message("few_questions", language))
            if not dry_run:
                note(message("calibrated_kept", language, name=services.embedder.name))
        return 0

    return command(
        "calibrate",
        language,
        run,
        [
            click.Argument(["cases"], type=click.Path(exists=True, dir_okay=False, path_type=Path)),
            option(language, "--keep", "keep_option", type=click.FloatRange(0, 1, min_open=True), default=0.95),
            option(language, "--dry-run", "dry_run_option", is_flag=True),
            option(language, "--json", "json_option", is_flag=True),
        ],
    )


def read_cases(path: Path, language: Language) -> list[Case]:
    """Return the questions of a file.

    Raises:
        ConfigurationError: It is not of the form that the help page describes, or holds no answerable question.
    """

    def bad(reason: str) -> ConfigurationError:
        return ConfigurationError(message("bad_cases", language, path=str(path), reason=reason))

    try:
        listed: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise bad(type(error).__name__) from None
    if not isinstance(listed, list):
        raise bad(type(listed).__name__)
    cases = []
    for place, one in enumerate(listed, start=1):
        try:
            cases.append(_case(one))
        except (KeyError, TypeError, KnowledgeError) as error:
            raise bad(f"#{place}: {error}") from None
    if not any(case.answerable for case in cases):
        raise bad("answerable: 0")
    return cases


def _case(one: Any) -> Case:  # noqa: ANN401 - of a file
    unknown = set(one) - _KNOWN
    answerable, departments = one.get("answerable", True), one.get("departments", [])
    if unknown or not isinstance(answerable, bool) or not isinstance(departments, list):
        reason = ", ".join(sorted(unknown)) or "answerable / departments"
        raise TypeError(reason)
    return Case(question=checked_question(one["question"]), scope=Scope.of(*departments), answerable=answerable)


def _distances(
    services: Services, path: Path, cases: list[Case], language: Language
) -> tuple[list[float], list[float]]:
    found: dict[bool, list[float]] = {True: [], False: []}
    with progress("questioning", language) as bar:
        for done, case in enumerate(cases, start=1):
            hits = services.strategy.search(case.question, case.scope, services.settings.top_k)
            if not hits:
                raise ConfigurationError(message("no_hit", language, path=str(path), question=case.question))
            found[case.answerable].append(min(hit.distance for hit in hits))
            bar.step(done, len(cases))
    return found[True], found[False]


def _show(result: Calibration, language: Language, *, as_json: bool) -> None:
    if as_json:
        write_json(asdict(result))
        return
    shown = {name: value for name, value in asdict(result).items() if name != "curve"}
    say(message("calibrated", language, **shown))
