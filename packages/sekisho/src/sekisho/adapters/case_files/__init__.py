"""Files of answer cases: read, checked, written, converted, and extended by one case."""

from __future__ import annotations

from sekisho.adapters.case_files.reading import CaseFile, check_case_file, load_cases, read_case_file

__all__ = ["CaseFile", "check_case_file", "load_cases", "read_case_file"]
