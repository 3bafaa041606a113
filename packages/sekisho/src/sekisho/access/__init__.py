"""The permission matrix: whether anyone is shown anything of a document that he may not see."""

from sekisho.access.evaluate import evaluate_access
from sekisho.access.records import AccessReport, CacheFinding, Leak, PrincipalResult, ProbeError

__all__ = ["AccessReport", "CacheFinding", "Leak", "PrincipalResult", "ProbeError", "evaluate_access"]
