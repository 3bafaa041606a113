"""What a name that we do not know was most likely meant to be."""

from __future__ import annotations

import re

from sekisho.core.text import did_you_mean
from sekisho.ranking.names import METRIC_NAMES, UNCUT_NAMES

# How trec_eval, ir_measures, ranx, BEIR and common speech call what we call by one name.
_FOREIGN = {
    "p": "precision",
    "r": "recall",
    "rr": "mrr",
    "recip_rank": "mrr",
    "reciprocal_rank": "mrr",
    "ap": "map",
    "map_cut": "map",
    "average_precision": "map",
    "ndcg_cut": "ndcg",
    "hit": "success",
    "hits": "success",
    "hit_rate": "success",
    "hitrate": "success",
}
_SHAPE = re.compile(r"(?P<name>.*?)(?:[@_\s.:=-]*(?P<digits>[1-9][0-9]{0,8}))?", re.DOTALL | re.ASCII)
_USUAL_CUTOFF = "10"
_LONGEST_NAME = 40


def suggested_name(text: str) -> str | None:
    """Return the nearest name of ours, with the cut-off that was written (``P_10`` is ``precision@10``), or None."""
    shape = _SHAPE.fullmatch(text.strip().lower()[:_LONGEST_NAME])
    if shape is None:
        return None
    written = shape["name"].strip(" _@.-").replace("-", "_").removesuffix("_at").removesuffix("@k")
    close = did_you_mean(written, [*METRIC_NAMES, *_FOREIGN])
    name = _FOREIGN.get(close, close) if close else None
    if name is None:
        return None
    digits = shape["digits"] or (None if name in UNCUT_NAMES else _USUAL_CUTOFF)
    return name if digits is None else f"{name}@{digits}"
