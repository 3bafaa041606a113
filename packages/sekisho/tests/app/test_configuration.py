"""Reading ``sekisho.toml``: what is understood, and what is refused with file, line and the right spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.configuration import find_configuration, load_configuration
from sekisho.app.settings import AccessSuite, AnswersSuite, CollectionFiles
from sekisho.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sekisho.app.settings import RetrievalSuite
    from sekisho.core.messages import Language

HEAD = '[suite.search]\ntarget = "m:f"\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a configuration and returns its path."""

    def write(content: str | bytes, name: str = "sekisho.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def suite(write: Callable[..., Path]) -> Callable[[str], RetrievalSuite]:
    """Return a function from the lines of one suite to the suite."""
    return lambda lines: load_configuration(write(HEAD + lines)).suites[0]


@pytest.fixture
def refused(write: Callable[..., Path]) -> Callable[..., ConfigurationError]:
    """Return a function from a file to the error that it gives."""

    def refused(content: str | bytes, name: str = "sekisho.toml") -> ConfigurationError:
        with pytest.raises(ConfigurationError) as caught:
            load_configuration(write(content, name))
        assert caught.value.render("ja") != caught.value.render("en")
        return caught.value

    return refused


def line(error: ConfigurationError) -> int | None:
    """Return the line that an error names."""
    assert error.where is not None
    return error.where.line


def test_a_suite_needs_only_a_target(suite: Callable[[str], RetrievalSuite]) -> None:
    """Everything else has a default: the seed corpus, k 10, recall of at least 0.6."""
    found = suite("")

    assert (found.name, found.kind, found.corpus, found.k, found.min_recall) == ("search", "retrieval", "seed", 10, 0.6)
    assert (found.timeout_s, found.concurrency, found.relevance_threshold) == (None, 1, 1.0)
    assert not any((found.manual, found.redact, found.strict_structure, found.allow_missing))


@pytest.mark.parametrize(
    ("lines", "attribute", "expected"),
    [
        ('kind = "retrieval"', "kind", "retrieval"),
        ("target_options = { candidates = 40 }", "target_options", {"candidates": 40}),
        ("target_options.candidates = 40", "target_options", {"candidates": 40}),
        ('corpus = "calibrated"', "corpus", "calibrated"),
        ('corpus = { preset = "calibrated", seed = 7 }', "corpus", {"preset": "calibrated", "seed": 7}),
        ("corpus.topics = 3", "corpus", {"topics": 3}),
        ("k = 3", "k", 3),
        ('"k" = 3', "k", 3),
        ("gate = { min_recall = 0.9 }", "min_recall", 0.9),
        ("gate = { min_recall = 1 }", "min_recall", 1.0),
        ("gate.min_recall = 1e-9", "min_recall", 1e-9),
        ("gate = {}", "min_recall", 0.6),
        ('gate = "none"', "min_recall", None),
        ("[suite.search.gate]\nmin_recall = 0.7", "min_recall", 0.7),
        ("relevance_threshold = 2", "relevance_threshold", 2.0),
        ("timeout_s = 0.5", "timeout_s", 0.5),
        ("concurrency = 4", "concurrency", 4),
        ('tolerate = ["duplicate", "empty"]', "tolerate", frozenset({"duplicate", "empty"})),
        ('structure = "strict"', "strict_structure", True),
        ('structure = "warn"', "strict_structure", False),
        ('tags = ["nightly"]', "tags", frozenset({"nightly"})),
        ("manual = true", "manual", True),
        ("redact = true", "redact", True),
        ("allow_missing = true", "allow_missing", True),
    ],
)
def test_every_key_is_read(
    suite: Callable[[str], RetrievalSuite], lines: str, attribute: str, expected: object
) -> None:
    """Inline, dotted and quoted keys mean the same."""
    assert getattr(suite(lines), attribute) == expected


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("target_options = 1", "app.not_table"),
        ("corpus = 1", "app.not_text"),
        ('corpus = ""', "app.not_text"),
        ('k = "10"', "app.not_whole"),
        ("k = 10.0", "app.not_whole"),
        ("k = true", "app.not_whole"),
        ("k = 0", "app.out_of_range"),
        ("k = -1", "app.out_of_range"),
        ("k = 99999999999999999999999999", "app.out_of_range"),
        ("gate = 0.6", "app.gate_form"),
        ("gate = 80", "app.gate_form"),
        ("gate = true", "app.not_table"),
        ('gate = "non"', "app.unknown_choice_meant"),
        ('gate = "off"', "app.unknown_choice"),
        ('gate = { min_recall = "0.6" }', "app.not_number"),
        ("gate = { min_recall = true }", "app.not_number"),
        ("gate = { min_recall = 1.01 }", "app.out_of_range"),
        ("gate = { min_recall = -0.01 }", "app.out_of_range"),
        ("gate = { min_recall = nan }", "app.out_of_range"),
        ("gate = { min_recall = inf }", "app.out_of_range"),
        (f"gate = {{ min_recall = 1{'0' * 400} }}", "app.out_of_range"),
        ("gate = { min_recall = 0 }", "app.gate_nothing"),
        ("gate = { min_recall = -0.0 }", "app.gate_nothing"),
        ("gate = { min_recall = 1e-400 }", "app.gate_nothing"),
        ("gate = { min_recall = 1e-13 }", "app.gate_nothing"),
        ("gate = { min_recal = 0.9 }", "app.unknown_key_meant"),
        ("relevance_threshold = 0", "app.out_of_range"),
        ("relevance_threshold = nan", "app.out_of_range"),
        ("relevance_threshold = inf", "app.out_of_range"),
        ("timeout_s = 0", "app.out_of_range"),
        ("timeout_s = -inf", "app.out_of_range"),
        ("timeout_s = inf", "app.out_of_range"),
        ("timeout_s = nan", "app.out_of_range"),
        ('timeout_s = "5"', "app.not_number"),
        (f"timeout_s = 1{'0' * 400}", "app.out_of_range"),
        ("concurrency = 0", "app.out_of_range"),
        ("concurrency = 1001", "app.out_of_range"),
        ("concurrency = 2.5", "app.not_whole"),
        ('tolerate = "duplicate"', "app.not_texts"),
        ("tolerate = [1]", "app.not_texts"),
        ('tolerate = ["duplicates"]', "app.unknown_choice_meant"),
        ('structure = "strickt"', "app.unknown_choice_meant"),
        ("structure = true", "app.not_text"),
        ('tags = "a"', "app.not_texts"),
        ("manual = 1", "app.not_flag"),
        ('redact = "yes"', "app.not_flag"),
        ("allow_missing = 0", "app.not_flag"),
        ('kind = "retrievel"', "app.unknown_choice_meant"),
        ('kind = "answer"', "app.unknown_choice_meant"),
        ("kind = 1", "app.not_text"),
        ("corpus = 1979-05-27", "app.not_text"),
        ("min_recall = 0.9", "app.unknown_key"),
        ("timeout = 5", "app.unknown_key_meant"),
        ("'concurency' = 5", "app.unknown_key_meant"),
        ('queries = "q.tsv"', "app.collection_incomplete"),
        ('corpus = "corpus.jsonl"', "app.collection_incomplete"),
        ('corpus = "c.jsonl"\nqueries = "q.tsv"', "app.collection_incomplete"),
        ('corpus = { preset = "seed" }\nqrels = "q.tsv"', "app.collection_incomplete"),
    ],
)
def test_every_wrong_value_is_refused_where_it_stands(
    refused: Callable[..., ConfigurationError], lines: str, code: str
) -> None:
    """Type, range and spelling are checked before anything runs, NaN and infinity among them."""
    error = refused(HEAD + "\n# a comment\n" + lines)

    assert error.code == code
    assert line(error) in ({1, 5, 6} if code == "app.collection_incomplete" else {5})


ANSWERS = '[suite.a]\nkind = "answers"\ntarget = "m:f"\ncases = "cases.json"'
ACCESS = '[suite.a]\nkind = "access"\ntarget = "m:f"\n# no cases'


@pytest.mark.parametrize(
    ("head", "lines", "code"),
    [
        (ANSWERS, "gate = { min_recall = 0.5 }", "app.answers_gate_form"),
        (ANSWERS, 'gate = "off"', "app.unknown_choice"),
        (ANSWERS, 'match = "exactly"', "app.unknown_choice_meant"),
        (ANSWERS, 'known_issues = "strickt"', "app.unknown_choice_meant"),
        (ANSWERS, "known_issues = true", "app.not_text"),
        (ANSWERS, "max_known = -1", "app.out_of_range"),
        (ANSWERS, "max_known = true", "app.not_whole"),
        (ANSWERS, "k = 5", "app.unknown_key"),
        (ANSWERS, 'corpus = "seed"', "app.unknown_key"),
        (ANSWERS, 'everyone = ""', "app.not_text"),
        (ANSWERS, "timeout_s = 0", "app.out_of_range"),
        (ACCESS, 'gate = "none"', "app.no_gate_on_leaks"),
        (ACCESS, "gate = { min_recall = 0.1 }", "app.no_gate_on_leaks"),
        (ACCESS, "max_known = 3", "app.unknown_key"),
        (ACCESS, 'known_issues = "report"', "app.unknown_key"),
        (ACCESS, 'tolerate = ["unknown"]', "app.unknown_key"),
        (ACCESS, 'principals = ["hr"]', "app.principals_form"),
        (ACCESS, 'principals = "hr"', "app.principals_form"),
        (ACCESS, 'principals = [[""]]', "app.principals_form"),
        (ACCESS, "principals = [[1]]", "app.principals_form"),
        (ACCESS, "k = 0", "app.out_of_range"),
    ],
)  # fmt: skip
def test_suites_of_answers_and_access_are_as_strict(
    refused: Callable[..., ConfigurationError], head: str, lines: str, code: str
) -> None:
    """Nothing that could soften a leak has a key at all."""
    error = refused(f"{head}\n{lines}\n")

    assert error.code == code
    assert line(error) == 5


def test_a_suite_of_answers_needs_its_cases(refused: Callable[..., ConfigurationError]) -> None:
    """Nothing to ask is nothing measured."""
    assert refused('[suite.a]\nkind = "answers"\ntarget = "m:f"\n').code == "app.no_case_file"


@pytest.mark.parametrize(
    ("lines", "code", "meant"),
    [
        ('target = "m:f"\ncases = "c.json"', "app.no_kind", None),
        ('knid = "answers"\ntarget = "m:f"\ncases = "c.json"', "app.unknown_key_meant", "kind"),
        ('kind = "answers"\ntarget = "m:f"\ncase = "c.json"', "app.unknown_key_meant", "cases"),
        ('kind = "answers"\ntargets = "m:f"\ncases = "c.json"', "app.unknown_key_meant", "target"),
        ('kind = "access"\ntraget = "m:f"', "app.unknown_key_meant", "target"),
        ('traget = "m:f"', "app.unknown_key_meant", "target"),
        ('kind = "answers"\ncases = "c.json"', "app.no_target", None),
    ],
)
def test_a_misspelt_key_is_named_before_the_one_that_is_missing(
    refused: Callable[..., ConfigurationError], lines: str, code: str, meant: str | None
) -> None:
    """A slip of the hand is not answered with what stands there already; what is missing is said with its value."""
    error = refused(f"[suite.a]\n{lines}\n")

    assert (error.code, error.values.get("meant")) == (code, meant)
    assert code != "app.no_kind" or 'kind = "answers"' in error.render("ja")


def test_answers_and_access_are_read_whole(write: Callable[..., Path]) -> None:
    """Every key arrives, and what is not written has its default."""
    content = (
        '[suite.a]\nkind = "answers"\ntarget = { url = "http://localhost/ask" }\ncases = "c.toml"\nmatch = "exact"\n'
        'known_issues = "strict"\nmax_known = 0\neveryone = "public"\ngate = "none"\n'
        '[suite.b]\nkind = "access"\ntarget = "m:f"\nprincipals = [["sales", "hr", "hr"], []]\nk = 3\n'
    )

    answers, access = load_configuration(write(content)).suites

    assert isinstance(answers, AnswersSuite)
    assert isinstance(access, AccessSuite)
    assert (answers.exact, answers.strict, answers.max_known, answers.everyone, answers.gate) == (
        True, True, 0, "public", False,
    )  # fmt: skip
    assert answers.target == {"url": "http://localhost/ask"}
    assert (access.principals, access.k, access.everyone, access.cases) == ((("hr", "sales"), ()), 3, "all", None)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('[suite.a]\ntarget = "m:f"\ncorpsu = "seed"\n', (3, "corpus")),
        ('[suite.a]\ntarget = "m:f"\n\n[suite.b]\ntarget = "m:f"\n"corpsu" = "seed"\n', (6, "corpus")),
        ('[suite."a.b"]\ntarget = "m:f"\n[suite."b"]\ntarget = "m:f"\n\'corpsu\' = 1\n', (5, "corpus")),
        ('[suite."a\\u0062\\""]\ntarget = "m:f"\ncorpsu = 1\n', (3, "corpus")),
        ('suite.a.target = "m:f"\nsuite.a.corpsu = "seed"\n', (2, "corpus")),
        ('[suite]\na = { target = "m:f", corpsu = "seed" }\n', (2, "corpus")),
        ('[suite.a]\ntarget = "m:f"\n  [suite.a.gate]\n  min_recal = 1\n', (4, "min_recall")),
        ('[suites.a]\ntarget = "m:f"\n', (1, "suite")),
        ('x = 1\n[suite.a]\ntarget = "m:f"\n', (1, None)),
    ],
)
def test_an_unknown_key_names_its_line_and_what_was_meant(
    refused: Callable[..., ConfigurationError], content: str, expected: tuple[int, str | None]
) -> None:
    """However the key is written: below a head, dotted, quoted or inline."""
    error = refused(content)

    assert (line(error), error.values.get("meant")) == expected


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "app.no_suites"),
        ("# only a comment\n", "app.no_suites"),
        ("[suite]\n", "app.no_suites"),
        ("suite = 1\n", "app.not_table"),
        ('[[suite]]\ntarget = "m:f"\n', "app.not_table"),
        ("[suite]\na = 1\n", "app.not_table"),
        ("[suite.a]\n", "app.no_target"),
        ('[suite.a]\ntarget = " "\n', "app.not_text"),
        ("[suite.a]\ntarget = 5\n", "app.not_text"),
        ('[suite." "]\ntarget = "m:f"\n', "app.no_name"),
        ('[suite."\u200b\u2800\u3164\u0301"]\ntarget = "m:f"\n', "app.no_name"),
        ("[suite.a\n", "app.not_toml"),
        ('[suite.a]\ntarget = "m:f"\ntarget = "m:g"\n', "app.not_toml"),
        ("a = " + "[" * 5000 + "]" * 5000, "app.not_toml"),
        ("a = " + "9" * 5000, "app.not_toml"),
        (b"[suite.a]\n# caf\xe9\n", "app.not_utf8"),
        ("[suite.a]\n".encode("utf-16"), "app.not_utf8"),
        (b"\x00\x00", "app.not_toml"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(
    refused: Callable[..., ConfigurationError], content: str | bytes, code: str
) -> None:
    """Empty, broken, of another shape or another encoding: named with its file, never a crash."""
    error = refused(content)

    assert error.code == code
    assert error.where is not None
    assert error.where.file.endswith("sekisho.toml")


def test_a_huge_wrong_value_is_shown_in_part(refused: Callable[..., ConfigurationError]) -> None:
    """A message is for reading."""
    error = refused(HEAD + f"k = '{'x' * 100_000}'")

    assert len(str(error)) < 400


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + HEAD.encode(), HEAD.replace("\n", "\r\n").encode()])
def test_a_mark_at_the_start_and_windows_line_ends_are_fine(write: Callable[..., Path], content: bytes) -> None:
    """Editors write them."""
    assert load_configuration(write(content)).suites[0].target == "m:f"


def test_lines_count_the_same_with_windows_line_ends(refused: Callable[..., ConfigurationError]) -> None:
    """The line of a key is the editor's."""
    assert line(refused((HEAD + "corpsu = 1\n").replace("\n", "\r\n"))) == 3


def test_collection_files_start_from_the_folder_of_the_file(write: Callable[..., Path], tmp_path: Path) -> None:
    """Wherever the command is called."""
    path = write(HEAD + 'corpus = "d/c.jsonl"\nqueries = "d/q.jsonl"\nqrels = "/abs/q.tsv"', "below/sekisho.toml")

    files = load_configuration(path).suites[0].corpus

    assert isinstance(files, CollectionFiles)
    assert files.corpus == tmp_path / "below/d/c.jsonl"
    assert str(files.qrels) == "/abs/q.tsv"


def test_suites_keep_the_order_of_the_file(write: Callable[..., Path]) -> None:
    """They run in that order."""
    content = "".join(f'[suite.{name}]\ntarget = "m:f"\n' for name in "zaq")

    assert [suite.name for suite in load_configuration(write(content)).suites] == ["z", "a", "q"]


def test_a_project_file_holds_the_suites_in_its_own_table(write: Callable[..., Path]) -> None:
    """Other tools' tables are none of ours."""
    path = write('[tool.ruff]\nx = 1\n[tool.sekisho.suite.a]\ntarget = "m:f"\n', "pyproject.toml")

    assert [suite.name for suite in load_configuration(path).suites] == ["a"]


def test_an_unknown_key_in_a_project_file_has_its_line(refused: Callable[..., ConfigurationError]) -> None:
    """The path to a key is longer there."""
    error = refused('[tool.x]\nk = 1\n[tool.sekisho.suite.a]\ntarget = "m:f"\nkk = 1\n', "pyproject.toml")

    assert line(error) == 5


@pytest.mark.parametrize("tool", ["", "tool = 1\n", "[tool]\nsekisho = 0\n", "[project]\nname = 'x'\n"])
def test_a_project_file_without_our_table_is_passed_by(write: Callable[..., Path], tmp_path: Path, tool: str) -> None:
    """The search goes on upward."""
    outer = write(HEAD, "sekisho.toml")
    write(tool, "inner/pyproject.toml")

    found = find_configuration(tmp_path / "inner")

    assert found == outer or (tool.endswith("= 0\n") and found == tmp_path / "inner/pyproject.toml")


def test_the_nearest_configuration_upward_is_found(write: Callable[..., Path], tmp_path: Path) -> None:
    """The own file comes before the project's in one folder, and a nearer folder before a farther one."""
    write(HEAD, "sekisho.toml")
    project = write('[tool.sekisho.suite.a]\ntarget = "m:f"\n', "a/pyproject.toml")
    (tmp_path / "a/b").mkdir()

    assert find_configuration(tmp_path / "a/b") == project
    own = write(HEAD, "a/sekisho.toml")
    assert find_configuration(tmp_path / "a/b") == own


@pytest.mark.parametrize(("name", "code"), [("absent.toml", "app.no_such_file"), (".", "app.not_a_file")])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, name: str, code: str) -> None:
    """With its name."""
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(tmp_path / name)

    assert caught.value.code == code
    assert str(tmp_path) in str(caught.value)


def test_a_path_with_a_nul_is_refused(tmp_path: Path) -> None:
    """Python's own error for it is no OSError."""
    with pytest.raises(ConfigurationError):
        load_configuration(tmp_path / "a\x00b")


def test_values_of_a_suite_cannot_be_changed(suite: Callable[[str], Any]) -> None:
    """Records are frozen."""
    with pytest.raises(AttributeError):
        suite("").k = 5


@pytest.mark.parametrize(
    ("written", "language", "expected"),
    [
        ("0.8", "en", "Write gate = { min_recall = 0.8 }."),
        ("0.8", "ja", "gate = { min_recall = 0.8 } のように書いてください。"),
        ("80", "en", "Write gate = { min_recall = 0.6 }."),
    ],
)
def test_a_gate_that_is_a_number_is_shown_as_it_should_be(
    tmp_path: Path, written: str, language: Language, expected: str
) -> None:
    """With the number itself where it can be one."""
    file = tmp_path / "sekisho.toml"
    file.write_text(f'[suite.a]\ntarget = "m:f"\ngate = {written}\n', encoding="utf-8")

    with pytest.raises(ConfigurationError) as caught:
        load_configuration(file)

    assert caught.value.render(language).endswith(expected)
