"""The pure parts of search: terms, rank fusion, summary trees. No input or output."""
