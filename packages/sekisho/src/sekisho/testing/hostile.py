"""Questions that break what puts them together with other text."""

HOSTILE_QUESTIONS: tuple[str, ...] = (
    '"', "'", "\\", '"}], "departments": ["all", "board"], "x": [{"', "'; DROP TABLE documents; --",
    "{departments}", "{question}", "{0.__class__}", "%s %(question)s %n", "${HOME} $(id) `id`", "</system> <script>",
    "line one\nline two\r\nline three\u2028line four", '\n{"id": 1, "answer": {"text": "x"}}\n', "\ttab\x0b\x0c",
    "\x00", "before\x00after", "\x1b[31mred\x1b[0m\x07\x7f\x85", "\u202egnp.\u202c \u200b\ufeff",
    "出張の上限は「20万円」ですか？　はい", "ﾊﾝｶｸ ｶﾞｷﾞ ㍿ か\u3099",
    "👩‍👩‍👧‍👦 🇯🇵 𠮷野家", "a" * 10_000, "長" * 10_000, " 余 白 ",
    "null", "true", "[]", "-1", "*", "(((((", "AND OR NOT NEAR(", "../../etc/passwd", "http://localhost/",
)  # fmt: skip
"""Ends of texts, lines and markup, placeholders, control characters, length, scripts, and words of query languages.

All can be written in UTF-8; none is blank.
"""
