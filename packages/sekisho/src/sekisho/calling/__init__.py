"""Calling the system under test: whatever it does becomes one record, and nothing it does stops the other calls."""

from sekisho.calling.records import CaseError, Outcome, WrongResultError

__all__ = ["CaseError", "Outcome", "WrongResultError"]
