"""One metric over runs for people: a drawing, its values, and the run at which the level changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.text import padded
from sekisho.reports.history_chart import SAMPLE, draw
from sekisho.reports.history_words import commit_of, is_mean, metric_number, time_of

if TYPE_CHECKING:
    from sekisho.core.history import Trend, TrendPoint
    from sekisho.reports.history_chart import Chart
    from sekisho.reports.terminal import Terminal

_HEIGHT = 8
SURE, LIKELY = 0.01, 0.05
"""Below these, a step is called sure, or likely."""
_RULERS_SHOWN = 5


def write_trend(trend: Trend, terminal: Terminal) -> None:
    """Write a drawing of a metric and what it says."""
    head = terminal.say("history.trend_head", suite=trend.suite, metric=trend.metric, count=len(trend.points))
    terminal.line(head, hang=2, style="bold")
    if not trend.measured:
        terminal.line(terminal.say("history.trend_nothing"))
    else:
        _write_chart(trend, terminal)
        _write_values(trend, terminal)
        terminal.line(step_sentence(trend, terminal), hang=2, style=_style(trend))
    if trend.rulers_changed:
        runs = ", ".join(map(str, trend.rulers_changed[-_RULERS_SHOWN:]))
        terminal.line(terminal.say("history.trend_ruler", runs=runs), hang=2, style="yellow")
    if trend.left_out:
        terminal.line(terminal.say("history.trend_left_out", count=trend.left_out), hang=2, style="dim")


def step_sentence(trend: Trend, terminal: Terminal) -> str:
    """Return where the level changes and how sure that is."""
    step, points = trend.step, trend.measured
    if step is None:
        return terminal.say("history.step_none", count=len(points))
    certainty = "sure" if step.p <= SURE else "likely" if step.p <= LIKELY else "open"
    first = points[step.place]
    return terminal.say(
        f"history.step_{certainty}",
        run=first.run,
        time=time_of(first.time),
        commit=commit_of(first.commit),
        before=_exact(trend.metric, step.before),
        after=_exact(trend.metric, step.after),
        p=f"{step.p:.4f}",
    )


def _style(trend: Trend) -> str:
    return "yellow" if trend.step is not None and trend.step.p <= LIKELY else ""


def _exact(name: str, mean: float) -> str:
    """Return a mean over runs: of counts, too, with decimals, which a level of counts may have."""
    return metric_number(name, mean) if is_mean(name) or float(mean).is_integer() else f"{mean:.2f}"


def _write_chart(trend: Trend, terminal: Terminal) -> None:
    values = [point.value for point in trend.points]
    there = [value for value in values if value is not None]
    top, bottom = metric_number(trend.metric, max(there)), metric_number(trend.metric, min(there))
    left = max(len(top), len(bottom))
    ascii_only = terminal.safe(SAMPLE) != SAMPLE
    corner, line = ("|", "-") if ascii_only else ("┤", "─")
    chart = draw(values, width=terminal.width - left - 2, height=_HEIGHT, ascii_only=ascii_only)
    labels = {0: top, _HEIGHT - 1: bottom} if top != bottom else {_HEIGHT // 2: top}
    for number, row in enumerate(chart.rows):
        terminal.line(f"{padded(labels.get(number, ''), left, right=True)} {corner}{row}")
    pad = " " * (left + 2)
    terminal.line(pad + line * len(chart.rows[0]))
    mark = _mark(trend, chart)
    if mark:
        terminal.line(pad + mark)
    terminal.line(_axis(trend, chart, terminal), style="dim")


def _mark(trend: Trend, chart: Chart) -> str:
    """Return a sign below the column at which a step begins that is at least likely."""
    if trend.step is None or trend.step.p > LIKELY:
        return ""
    run = trend.measured[trend.step.place].run
    column = next(column for point, column in zip(trend.points, chart.columns, strict=True) if point.run == run)
    return " " * column + "^"


def _axis(trend: Trend, chart: Chart, terminal: Terminal) -> str:
    first, last = trend.points[0], trend.points[-1]
    text = terminal.say(
        "history.trend_axis", first=first.run, last=last.run, start=time_of(first.time), end=time_of(last.time)
    )
    several = -(-len(trend.points) // len(chart.rows[0]))
    return text + (terminal.say("history.trend_several", count=several) if several > 1 else "")


def _write_values(trend: Trend, terminal: Terminal) -> None:
    points = trend.measured
    chosen = {
        "first": points[0],
        "last": points[-1],
        "least": min(points, key=_value),
        "greatest": max(points, key=_value),
    }
    texts = [
        terminal.say(f"history.trend_{name}", value=metric_number(trend.metric, point.value), run=point.run)
        for name, point in chosen.items()
    ]
    terminal.line(" · ".join(texts), hang=2)


def _value(point: TrendPoint) -> float:
    return point.value or 0.0
