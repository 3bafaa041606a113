"""The conditions that an audit runs suites under: a plain one, and others with one thing changed each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sekisho.app.prepared import CaseOrder
from sekisho.app.settings import AccessSuite, SuiteSettings
from sekisho.compare.determinism import Condition

if TYPE_CHECKING:
    from collections.abc import Sequence

HASH_SEED = "PYTHONHASHSEED"
_HASH_SEEDS = ("1", "2", "3")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_THREAD_COUNTS = ("1", "2")
_ORDERS: tuple[CaseOrder, ...] = ("reversed", "shuffled")
_AT_ONCE = 4
_SWITCH_S = 1e-5
"""How often threads take turns where calls are under way at once: five hundred times as often as usual, so that what
goes wrong once a week under load goes wrong here."""


class Plan(NamedTuple):
    """One condition, and what makes it.

    Attributes:
        condition: What it is called.
        suites: Those that it concerns, as they are run.
        environment: Variables of the process.
        order: Of the cases.
        switch_s: Seconds after which threads take turns; None leaves it as usual.
    """

    condition: Condition
    suites: tuple[SuiteSettings, ...]
    environment: Mapping[str, str]
    order: CaseOrder = "given"
    switch_s: float | None = None


def fixed_hash_seed(environment: Mapping[str, str]) -> str | None:
    """Return the hash seed that the environment sets, or None where every process draws its own."""
    seed = environment.get(HASH_SEED, "")
    return seed if seed.isascii() and seed.isdigit() else None


def plans(suites: Sequence[SuiteSettings], environment: Mapping[str, str]) -> list[Plan]:
    """Return the conditions in the order in which they run; the first is the plain one.

    A permission matrix keeps its order, which decides what it asks. A suite that is configured with several calls at
    once is run with one at a time instead.
    """
    seed = fixed_hash_seed(environment) or _HASH_SEEDS[0]
    base = {HASH_SEED: seed}
    every = tuple(suites)
    plain = Plan(Condition(factor="repetition", setting="repetition"), every, base)
    ordered = tuple(suite for suite in every if not isinstance(suite, AccessSuite))
    return [
        plain,
        *(
            Plan(Condition(factor="hash_seed", setting=f"{HASH_SEED}={other}"), every, {HASH_SEED: other})
            for other in [each for each in _HASH_SEEDS if each != seed][:2]
        ),
        *(
            Plan(
                Condition(factor="threads", setting=f"OMP_NUM_THREADS={count}"),
                every,
                base | dict.fromkeys(_THREADS, count),
            )
            for count in _other_thread_counts(environment)
        ),
        *(
            Plan(Condition(factor="order", setting=f"order={order}"), ordered, base, order=order)
            for order in _ORDERS
            if ordered
        ),
        *_concurrent(every, base),
    ]


def _other_thread_counts(environment: Mapping[str, str]) -> list[str]:
    own = {environment.get(name) or str(os.cpu_count()) for name in _THREADS}
    return [count for count in _THREAD_COUNTS if own != {count}]


def _concurrent(suites: tuple[SuiteSettings, ...], base: Mapping[str, str]) -> list[Plan]:
    found = []
    for count, switch_s in ((_AT_ONCE, _SWITCH_S), (1, None)):
        concerned = tuple(
            msgspec.structs.replace(suite, concurrency=count)
            for suite in suites
            if (suite.concurrency == 1) == (count > 1)
        )
        if concerned:
            condition = Condition(factor="concurrency", setting=f"concurrency={count}")
            found.append(Plan(condition, concerned, base, switch_s=switch_s))
    return found
