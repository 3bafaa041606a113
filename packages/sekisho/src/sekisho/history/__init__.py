"""Runs kept in one SQLite file: stored, found again, compared, and searched for the run at which a metric changed."""
