"""The arguments of a synthetic corpus, checked once and resolved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from sekisho.core.errors import CorpusError
from sekisho.corpora.checks import finite_number, one_of, unknown_name, whole_number
from sekisho.corpora.mulberry32 import PERIOD, check_draws, normalise_seed
from sekisho.corpora.normals import TABLE_PEAK

if TYPE_CHECKING:
    from collections.abc import Mapping

Centres = Literal["unit", "raw"]
Jitter = Literal["uniform", "normal"]
Layout = Literal["seed", "grid-v1"]
Ids = Literal["topic", "opaque"]
Sizes = Literal["equal", "zipf"]
Components = Literal["signed", "nonnegative"]

GRID: Final = 4096
"""Steps of the grid in 1.0."""

FRACTION: Final = 65536
"""A factor of the grid layout is a whole number of these parts."""

AUTO_MARGIN: Final = 1.1
"""m of the noise rule: exact recall@10 between 0.87 and 0.94; 1.0 gives 0.80 to 0.86, 1.25 gives 0.93 to 0.99."""

_LARGEST: Final = 32767
_MOST_COMPONENTS: Final = 2**28
"""Of chunks and queries together: 2 GB as float64."""
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "centres": ("unit", "raw"),
    "jitter": ("uniform", "normal"),
    "layout": ("seed", "grid-v1"),
    "ids": ("topic", "opaque"),
    "sizes": ("equal", "zipf"),
    "components": ("signed", "nonnegative"),
}
_COUNTS: Final = {
    "topics": 1,
    "chunks_per_topic": 1,
    "queries_per_topic": 1,
    "dims": 1,
    "parents": 0,
    "copies": 1,
}
_NUMBERS: Final = ("noise", "spread", "copy_noise", "offset")
_SHAPE: Final = ("ids", "sizes", "components", "parents", "spread", "copies", "copy_noise", "offset")


class CorpusParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of :func:`sekisho.corpora.generate_synthetic_corpus`, which describes them; ``noise`` is resolved."""

    topics: int = 24
    chunks_per_topic: int = 10
    queries_per_topic: int = 5
    dims: int = 96
    noise: float = 0.2
    seed: int = 42
    centres: Centres = "unit"
    jitter: Jitter = "uniform"
    layout: Layout = "seed"
    ids: Ids = "topic"
    sizes: Sizes = "equal"
    components: Components = "signed"
    parents: int = 0
    spread: float = 0.0
    copies: int = 1
    copy_noise: float = 0.0
    offset: float = 0.0

    @property
    def chunks(self) -> int:
        """How many chunks the corpus has."""
        return self.topics * self.chunks_per_topic

    @property
    def queries(self) -> int:
        """How many queries the corpus has."""
        return self.topics * self.queries_per_topic

    def as_dict(self) -> dict[str, Any]:
        """Return the arguments, without those of the shape that stand at their default.

        So a new kind of shape in a later version leaves the fingerprints of all others as they are.
        """
        plain = CorpusParameters()
        return {
            name: value
            for name, value in msgspec.structs.asdict(self).items()
            if name not in _SHAPE or value != getattr(plain, name)
        }


def resolve_parameters(arguments: Mapping[str, object], *, stacklevel: int = 2) -> CorpusParameters:
    """Return the arguments checked, ``noise="auto"`` turned into its number and the seed brought into [0, 2**32).

    Args:
        arguments: Name to value; what is left out has its default.
        stacklevel: As in :func:`warnings.warn`, called by the caller: whose line a warning about the seed shows.

    Raises:
        CorpusError: A name is unknown, a value is of the wrong type or out of range, or two do not go together.

    Warns:
        SeedWarning: The seed is outside [0, 2**32).
    """
    for name in arguments:
        if name not in CorpusParameters.__struct_fields__:
            raise unknown_name("argument", name, CorpusParameters.__struct_fields__)
    values: dict[str, Any] = msgspec.structs.asdict(CorpusParameters()) | dict(arguments)
    for name, choices in _CHOICES.items():
        one_of(name, values[name], choices)
    for name, least in _COUNTS.items():
        values[name] = whole_number(name, values[name], least=least)
    values["seed"] = normalise_seed(values["seed"], stacklevel=stacklevel + 1)
    automatic = isinstance(values["noise"], str) and values["noise"] == "auto"
    for name in _NUMBERS:
        values[name] = 0.0 if name == "noise" and automatic else finite_number(name, values[name])
    resolved = CorpusParameters(**values)
    _check_combination(resolved, automatic=automatic)
    if automatic:
        resolved = msgspec.structs.replace(resolved, noise=automatic_noise(resolved))
    _check_reach(resolved)
    _check_size(resolved)
    return resolved


def automatic_noise(parameters: CorpusParameters) -> float:
    """Return the noise at which exact search finds 0.87 to 0.94 of ten relevant chunks.

    sqrt((1/3) * (sqrt(dims) / (1.1 * sqrt(2 * ln n)) - 1)) for n chunks, times sqrt(3 / dims) for centres of length
    one, because a raw centre has a length of about sqrt(dims / 3). Validated for topics of ten chunks, dims 96 to 768
    and n 240 to 24,000. Rounded to the 1/65536 that the grid layout works with, so that the number is the same
    whatever the machine's logarithm.

    Raises:
        CorpusError: No noise is small enough: too many chunks for so few dims.
    """
    chunks, dims = parameters.chunks, parameters.dims
    least = AUTO_MARGIN * math.sqrt(2 * math.log(chunks))
    if chunks < 2 or math.sqrt(dims) <= least:  # noqa: PLR2004  one chunk has no second to be mistaken for
        raise CorpusError("corpora.no_automatic_noise", dims=dims, chunks=chunks, least=math.ceil(least * least))
    noise = math.sqrt((math.sqrt(dims) / least - 1) / 3)
    if parameters.centres == "unit":
        noise *= math.sqrt(3 / dims)
    return parts(noise) / FRACTION


def parts(factor: float) -> int:
    """Return a factor of the grid layout as a whole number of 1/65536."""
    return math.floor(factor * FRACTION + 0.5)


def _check_combination(values: CorpusParameters, *, automatic: bool) -> None:
    if automatic and values.jitter != "normal":
        raise CorpusError("corpora.auto_needs_normal", jitter=values.jitter)
    if values.layout == "seed":
        plain = CorpusParameters()
        if values.jitter == "normal":
            raise CorpusError("corpora.needs_grid", name="jitter", value="normal")
        for name in _SHAPE:
            if name != "ids" and getattr(values, name) != getattr(plain, name):
                raise CorpusError("corpora.needs_grid", name=name, value=getattr(values, name))
    if (values.parents > 0) != (values.spread > 0):
        raise CorpusError("corpora.parents_and_spread", parents=values.parents, spread=values.spread)
    if values.copy_noise > 0 and values.copies == 1:
        raise CorpusError("corpora.copy_noise_alone", copy_noise=values.copy_noise)


def _check_size(values: CorpusParameters) -> None:
    """Refuse what no memory holds; what no sequence of random numbers reaches has a sentence of its own."""
    rows = values.topics + values.parents + values.chunks + values.queries
    components = rows * values.dims
    if _MOST_COMPONENTS < components <= PERIOD:
        raise CorpusError("corpora.too_large", components=components, most=_MOST_COMPONENTS)
    check_draws(0, components)


def _check_reach(values: CorpusParameters) -> None:
    """Refuse what the 16 bits of the grid layout could not hold, or vectors of a length that float64 cannot."""
    if values.layout == "seed":
        reach = 1 + values.noise
        if not math.isfinite(reach * reach * min(values.dims, _MOST_COMPONENTS)):
            raise CorpusError("corpora.not_finite", noise=values.noise)
        return
    peak = TABLE_PEAK if values.jitter == "normal" else GRID
    centre = 1.0 if values.centres == "unit" else 1.0 + values.spread
    reach = GRID * (centre + values.offset) + peak * (values.noise + values.copy_noise)
    if reach > _LARGEST or values.spread * GRID > _LARGEST:
        raise CorpusError("corpora.beyond_grid", reach=max(reach, values.spread * GRID), largest=_LARGEST)
