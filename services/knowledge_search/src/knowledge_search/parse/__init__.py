"""Reads files as documents: Markdown, plain text, HTML and PDF, by their content first and their name second.

HTML and PDF are read in a process of their own, because their readers can be made to run away: a page of 60 kB holds
the standard library's HTML parser for minutes, and a PDF of 1.5 MB can unpack into 640 MB.
"""

from knowledge_search.parse.file_parser import FileParser

__all__ = ["FileParser"]
