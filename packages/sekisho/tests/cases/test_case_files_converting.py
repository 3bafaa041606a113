"""Cases from the files of other tools: nothing invented, nothing lost without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.adapters.case_files.foreign import convert_file
from sekisho.core.errors import InputFileError, SekishoError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

PROMPTFOO = """
prompts: ["Answer briefly: {{ question }}"]
defaultTest:
  assert:
    - {type: not-icontains, value: sorry}
tests:
  - description: trip
    vars: {question: How much?, channel: email}
    assert:
      - {type: contains, value: "2,500"}
      - {type: icontains-all, value: [a, b]}
      - {type: contains-any, value: [one]}
      - {type: contains-any, value: [x, y]}
      - {type: llm-rubric, value: is polite}
  - vars: {question: "{{other}}"}
    assert: [{type: contains, value: a}]
  - file://more.yaml
"""
PYDANTIC = """
cases:
  - {name: one, inputs: How much?, evaluators: [{Contains: 20}, IsInstance: str]}
  - {name: two, inputs: {a: x, b: y}, evaluators: [{Contains: {value: z}}]}
  - {name: three, inputs: {q: Who?}, evaluators: [{Contains: {value: z}}]}
evaluators: [LLMJudge]
"""


def noted(path: Path, **options: bool) -> list[tuple[str, int, str]]:
    """Return code, count and detail of what was left out; each can be said in both languages."""
    notes = convert_file(path, **options).notes
    assert all(note.render(language) for note in notes for language in LANGUAGES)
    return [(note.code.removeprefix("cases."), note.values["count"], note.values["what"]) for note in notes]


def test_promptfoo_gives_what_its_assertions_say(write: Write) -> None:
    """Texts that must or must not stand there; rubrics and alternatives are counted."""
    path = write("promptfooconfig.yaml", PROMPTFOO)

    case, *others = convert_file(path).cases

    assert (case.id, case.question) == ("trip", "How much?")
    assert case.expect_text == ("2,500", "a", "b", "one")
    assert case.forbid == ("sorry",)
    assert others == []
    assert noted(path) == [
        ("left_elsewhere", 1, "file://more.yaml"), ("left_template", 1, ""), ("dropped_assertion", 1, "contains-any"),
        ("dropped_assertion", 1, "llm-rubric"), ("wider_forbid", 1, ""),
    ]  # fmt: skip


def test_pydantic_evals_gives_what_its_evaluators_say(write: Write) -> None:
    """Contains is a text; a question made of two values is none."""
    path = write("cases.yaml", PYDANTIC)

    cases = convert_file(path).cases

    assert [(case.id, case.question, case.expect_text) for case in cases] == [
        ("one", "How much?", ("20",)), ("three", "Who?", ("z",)),
    ]  # fmt: skip
    assert noted(path)[0] == ("left_template", 1, "")


def test_citations_become_sources_with_their_page(write: Write) -> None:
    """A page is named as sources name it; the prose around it is counted as left out."""
    line = '{"question": "Q?", "truth": "So it is.[travel.pdf#page=7][a b.md] [1][travel.pdf#page=7]"}\n'
    path = write("qa.jsonl", line * 2)

    cases = convert_file(path).cases

    assert [case.id for case in cases] == ["case-001", "case-002"]
    assert cases[0].expect_source == ("travel.pdf p.7", "a b.md")
    assert cases[0].expect_text == ()
    assert noted(path) == [("dropped_reference", 2, "truth")]


def test_a_list_of_which_one_is_enough_is_carried_over_only_where_it_has_one(write: Write) -> None:
    """expect_text means all of them."""
    path = write(
        "cases.json",
        '[{"id": "a", "question": "Q?", "mustIncludeAny": ["x"], "mustNotIncludeAny": ["y", "z"]},'
        '{"id": "b", "question": "Q?", "mustIncludeAny": ["x", "y"]},'
        '{"id": "c", "question": "Q?", "mustIncludeAny": ["x", "y"], "expectDocIds": ["D1"]},'
        '{"id": "d", "question": "Q?", "expectDocIds": ["D1", "D2"]},'
        '{"id": "e", "question": "Q?", "type": "refusal", "mustIncludeAny": ["not known", "none"]}]',
    )

    cases = convert_file(path).cases

    assert [(case.id, case.expect_text, case.forbid, case.expect_source, case.expect_not_found) for case in cases] == [
        ("a", ("x",), ("y", "z"), (), False), ("c", (), (), ("D1",), False), ("e", (), (), (), True),
    ]  # fmt: skip
    assert noted(path) == [
        ("left_any", 1, "mustIncludeAny"), ("left_sources", 1, ""), ("wider_forbid", 1, ""),
        ("dropped_any", 2, "mustIncludeAny"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "reference"),
    [
        ("g.json", '[{"input": "Q?", "expected_output": "Paris", "name": "n"}]', "expected_output"),
        ("g.json", '{"goldens": [{"input": "Q?", "expected_output": "Paris", "name": "n"}]}', "expected_output"),
        ("g.csv", "name,question,expected_answer\nn,Q?,Paris\n", "expected_answer"),
        ("g.csv", "name\tinput\ttarget\nn\tQ?\tParis\n", "target"),
        ("g.jsonl", '{"name": "n", "question": "Q?", "ground_truth": "Paris", "answer": "Rome"}', "ground_truth"),
    ],
)
def test_a_reference_answer_is_a_text_only_where_one_says_so(
    write: Write, name: str, content: str, reference: str
) -> None:
    """Whether an answer means the same is for a model to say; whether it holds a name is not."""
    path = write(name, content)

    cases = convert_file(path, reference_as_text=True).cases

    assert noted(path) == [("left_reference", 1, reference)]
    assert [(case.id, case.question, case.expect_text) for case in cases] == [("n", "Q?", ("Paris",))]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("c.json", '{"testdata_path": "qa.jsonl"}', "convert_configuration"),
        ("c.yaml", "redteam: {purpose: x}\ntargets: [a]\n", "convert_red_team"),
        ("c.yaml", "prompts: [a]\n", "convert_no_tests"),
        ("c.yaml", "tests: file://tests.csv\n", "convert_elsewhere"),
        ("c.yaml", "tests: [a.yaml, b.yaml]\n", "convert_elsewhere"),
        ("c.json", '{"a": 1}', "convert_unknown"),
        ("c.json", "[1]", "convert_unknown"),
        ("c.json", '[{"id": "a",}]', "json_comma_too_many"),
        ("c.json", '[{"id": "a", "question": "Q?", "expect_text": 1}]', "number_for_text"),
        ("c.csv", 'question,"answer\n', "csv_open_quote"),
    ],
)
def test_what_holds_no_cases_is_refused_with_the_reason(write: Write, name: str, content: str, code: str) -> None:
    """One sentence that says what the file is."""
    path = write(name, content)

    with pytest.raises(InputFileError) as caught:
        convert_file(path)

    assert caught.value.code == f"cases.{code}"
    assert all(caught.value.render(language) for language in LANGUAGES)


def test_ids_of_converted_cases_are_unique(write: Write) -> None:
    """Other tools do not mind; a report does."""
    path = write("c.csv", "id,question,contains\na,Q?,x\na,R?,x\n,S?,x\n")

    assert [case.id for case in convert_file(path).cases] == ["a", "a-2", "case-003"]


OUTCOMES = {  # cases carried over, with reference answers as texts; or the code of the refusal
    "19__bartudonmez-localrag__cases.json": (6, 6),
    "20__recallnest__cases.json": (0, 0),
    "21__recallnest__cases-canary.json": (0, 0),
    "35__ai-rag-chat-evaluator__qa.jsonl": (201, 201),
    "36__ai-rag-chat-evaluator__qa_dontknows.jsonl": (0, 45),
    "37__ai-rag-chat-evaluator__example_config.json": ("convert_configuration", "convert_configuration"),
    "41__rag_api__promptfooconfig.yaml": ("convert_red_team", "convert_red_team"),
    "44__llm-unit-testing__promptfooconfig.yaml": (0, 0),
    "45__system-tests__promptfooconfig.yaml": ("convert_elsewhere", "convert_elsewhere"),
    "50__deepeval__goldens.json": (0, 15),
    "52__deepeval__convo_goldens.json": (0, 0),
    "53__ragas__hf_doc_qa_eval.csv": (0, 65),
    "56__promptflow__data.jsonl": (0, 3),
    "58__continuous-eval__invalid.jsonl": (0, 0),
    "59__open-rag-eval__test_csv_connector.csv": (0, 0),
    "62__inspect_ai__samples-md.csv": (0, 1),
    "63__pydantic-ai__time_range_v2.yaml": (0, 0),
    "66__search-rag-evaluation__query.csv": (0, 0),
}


@pytest.mark.shared_data
@pytest.mark.parametrize("name", OUTCOMES)
def test_real_files_are_converted_or_refused_with_a_reason(shared_data: Path, name: str) -> None:
    """None crashes, and none passes in silence."""
    path = shared_data / "eval-case-zoo" / name
    outcomes: list[int | str] = []

    for reference_as_text in (False, True):
        try:
            conversion = convert_file(path, reference_as_text=reference_as_text)
        except SekishoError as error:
            outcomes.append(error.code.removeprefix("cases."))
            continue
        outcomes.append(len(conversion.cases))
        assert conversion.cases or conversion.notes

    assert tuple(outcomes) == OUTCOMES[name]
