"""What importing and using the metrics costs."""

from __future__ import annotations

import subprocess
import sys

import sekisho.ranking

SCRIPT = """
import sys
from sekisho.ranking import *
ranking, relevant = ["a", "b", "c"], {"b": 1, "d": 2}
values = [recall_at_k(ranking, relevant, 2), precision_at_k(ranking, relevant, 2), reciprocal_rank(ranking, relevant),
          average_precision(ranking, relevant), ndcg_at_k(ranking, relevant, 2)]
names = ["recall@2", "precision@2", "mrr", "map", "ndcg@2"]
assert list(score_many({"q": ranking}, {"q": relevant}, names).means.values()) == values
assert list(score_many({"q": {"a": 3, "b": 2.0, "c": 1}}, {"q": relevant}, names).means.values()) == values
print(*sys.modules)
"""


def test_metrics_need_no_package_and_no_dataclasses() -> None:
    """Computing all five, one by one and through the engine, loads nothing that is slow to import."""
    printed = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True).stdout

    loaded = set(printed.split())
    assert "sekisho.ranking.many" in loaded
    assert not loaded & {"numpy", "msgspec", "dataclasses", "click", "rich", "polars", "inspect", "sekisho.core.errors"}


def test_every_exported_name_is_there() -> None:
    """Names are imported when first used; none is forgotten, and no other exists."""
    assert dir(sekisho.ranking) == sekisho.ranking.__all__
    assert all(getattr(sekisho.ranking, name) is not None for name in sekisho.ranking.__all__)
    assert not hasattr(sekisho.ranking, "recall")
