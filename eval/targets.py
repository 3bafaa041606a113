"""The targets of this repository's own suites: the reference retrievers, healthy."""

from sekisho.retrievers import exact, fusion, ivf_flat, raptor, two_stage

__all__ = ["exact", "fusion", "ivf_flat", "raptor", "two_stage"]
"""Each is called with ``corpus`` and ``k``, and with the ``target_options`` of its suite."""
