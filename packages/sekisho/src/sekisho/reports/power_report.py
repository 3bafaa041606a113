"""What cases can show, for people: the figures in a table, then what they come to in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.compare.statistics import LEAST_DROP
from sekisho.reports.metrics import rounded, shown_id, some_ids
from sekisho.reports.power_records import AnswersPower
from sekisho.reports.terminal import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.reports.power_records import PowerRun, RetrievalPower, RulerPower, SuitePower
    from sekisho.reports.terminal import Terminal

_ERRORS_SHOWN = 3
_IDS_SHOWN = 12


def write_power(run: PowerRun, terminal: Terminal) -> None:
    """Write what the cases of a suite can show; the last line is what it comes to."""
    suite = run.suite
    head = terminal.say("power.head", suite=suite.name, target=suite.target, cases=suite.cases, measured=suite.measured)
    terminal.line(head, hang=2, style="bold")
    _write_unmeasured(suite, terminal)
    if isinstance(suite, AnswersPower):
        _write_answers(suite, terminal)
    elif suite.rulers:
        _write_retrieval(suite, terminal)
    else:
        terminal.line(terminal.say("power.too_few", measured=suite.measured), style="yellow")


def _write_unmeasured(suite: SuitePower, terminal: Terminal) -> None:
    for each in suite.unmeasured[:_ERRORS_SHOWN]:
        text = terminal.say("power.unmeasured", target=each.target, case=shown_id(each.id), reason=each.reason)
        terminal.line(text, indent=2, hang=2, style="yellow")
    if len(suite.unmeasured) > _ERRORS_SHOWN:
        more = len(suite.unmeasured) - _ERRORS_SHOWN
        terminal.line(terminal.say("power.unmeasured_more", count=more), indent=2, style="yellow")


def _write_retrieval(suite: RetrievalPower, terminal: Terminal) -> None:
    _write_spread(suite, terminal)
    _write_figures(suite, terminal)
    power = f"{suite.power * 100:g}"
    for text in (
        terminal.say("power.explained", power=power, drop=f"{suite.drop:g}"),
        terminal.say("power.rule", rulers=len(suite.rulers), alpha=f"{suite.rule_alpha:.2g}"),
        terminal.say("power.differing", least=suite.differing_at_5_percent, rule=suite.differing_by_rule),
        terminal.say("power.exact"),
    ):
        terminal.line(text, indent=2, hang=2)
    terminal.line()
    _write_extremes(suite, terminal)
    terminal.line()
    for ruler in suite.rulers:
        terminal.line(_conclusion(ruler, suite, terminal), hang=2)


def _write_spread(suite: RetrievalPower, terminal: Terminal) -> None:
    """Write where the spread of a difference comes from."""
    if suite.against is not None:
        text = terminal.say("power.spread_measured", against=suite.against, count=suite.measured)
        terminal.line(text, indent=2, hang=2)
    assumed = [ruler for ruler in suite.rulers if ruler.is_assumed]
    if assumed:
        low, high = (f"{each.spread:g}" for each in assumed[0].figures)
        names = ", ".join(ruler.name for ruler in assumed)
        code = "power.spread_assumed" if suite.against is None else "power.spread_none"
        terminal.line(terminal.say(code, low=low, high=high, names=names), indent=2, hang=2, style="yellow")


def _write_figures(suite: RetrievalPower, terminal: Terminal) -> None:
    columns = ["metric", "mean", *(["against", "differing"] if suite.against else []), "spread", "drop", "drop_rule"]
    columns += ["cases", "cases_rule"]
    head = [terminal.say(f"power.column_{name}", drop=f"{suite.drop:g}") for name in columns]
    terminal.table(head, [_row(ruler, suite) for ruler in suite.rulers])


def _row(ruler: RulerPower, suite: RetrievalPower) -> list[Cell]:
    figures = ruler.figures
    cells = [ruler.name, rounded(ruler.mean)]
    if suite.against:
        cells += [rounded(ruler.mean_against), str(ruler.differing)]
    cells += [
        _span([f"{each.spread:.3f}" for each in figures]),
        _span([_drop(each.drop_at_5_percent) for each in figures]),
        _span([_drop(each.drop_by_rule) for each in figures]),
        _span([str(each.cases_at_5_percent) for each in figures]),
        _span([str(each.cases_by_rule) for each in figures]),
    ]
    return [Cell(text) for text in cells]


def _drop(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _span(values: Sequence[str]) -> str:
    return " – ".join(dict.fromkeys(values))


def _write_extremes(suite: RetrievalPower, terminal: Terminal) -> None:
    """Write which cases have no room on one side, and what they can still show."""
    terminal.line(terminal.say("power.extremes_head" if suite.against is None else "power.extremes_head_both"))
    for ruler in suite.rulers:
        ceiling, floor = len(ruler.extremes.ceiling), len(ruler.extremes.floor)
        text = terminal.say("power.extremes", metric=ruler.name, ceiling=ceiling, floor=floor, count=ruler.cases)
        terminal.line(text, indent=2, hang=2)
    for code, ids in (("power.ceiling", suite.extremes.ceiling), ("power.floor", suite.extremes.floor)):
        if ids:
            text = terminal.say(code, count=len(ids), percent=_percent(len(ids), suite.measured))
            terminal.line(f"{text} {some_ids(ids, most=_IDS_SHOWN)}", indent=2, hang=2)
    if not suite.extremes.ceiling and not suite.extremes.floor:
        terminal.line(terminal.say("power.no_extremes"), indent=2)


def _conclusion(ruler: RulerPower, suite: RetrievalPower, terminal: Terminal) -> str:
    """Return whether the wanted drop shows on a metric by the rule: yes, only with the lower spread, no, or never."""
    needed = [each.cases_by_rule for each in ruler.figures]
    code = "power.enough" if ruler.cases >= max(needed) else "power.perhaps"
    if ruler.cases < min(needed):
        code = "power.not_enough"
    if suite.drop <= LEAST_DROP:
        code = "power.passed_over"
    values = {
        "metric": ruler.name,
        "drop": f"{suite.drop:g}",
        "cases": ruler.cases,
        "needed": _span(list(map(str, needed))),
    }
    return terminal.say(code, **values)


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f}" if whole else "-"


def _write_answers(suite: AnswersPower, terminal: Terminal) -> None:
    drop, power, passing = f"{suite.drop * 100:g}", f"{suite.power * 100:g}", len(suite.passing)
    lines = []
    if suite.interval is not None:
        low, high = (f"{100 * bound:.0f}" for bound in suite.interval)
        lines.append(terminal.say("power.answers_rate", passing=passing, count=suite.measured, low=low, high=high))
    lines.append(terminal.say("power.answers_gate"))
    if suite.failing:
        ids = some_ids(suite.failing, most=_IDS_SHOWN)
        lines.append(terminal.say("power.answers_failing", count=len(suite.failing)) + " " + ids)
    for line in lines:
        terminal.line(line, indent=2, hang=2)
    if suite.visible is None:
        terminal.line(terminal.say("power.answers_nothing", drop=drop, power=power, needed=suite.needed))
        return
    visible = f"{100 * suite.visible:.1f}"
    text = terminal.say(
        "power.answers_visible", visible=visible, power=power, count=passing, drop=drop, needed=suite.needed
    )
    terminal.line(text, hang=2)
