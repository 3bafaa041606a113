"""An internal knowledge search: documents with departments, answers with sources, and two locks on what is seen."""

__version__ = "0.1.0"
