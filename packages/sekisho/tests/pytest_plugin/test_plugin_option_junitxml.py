"""``--junitxml``: what a build server shows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from conftest import Project


def test_failures_errors_and_known_issues_stand_in_the_file(project: Project) -> None:
    """Each with its sentence, and with the line of its case."""
    holiday = {"question": "How long is the holiday?", "expect_text": ["30 days"]}
    project.cases(
        [
            {"id": "wrong", **holiday},
            {"id": "crash", "question": "crash", "forbid": ["x"]},
            {"id": "known", **holiday, "known_issue": "old table"},
        ]
    )

    project.pytest("sekisho.toml", "--junitxml=out.xml", "-o", "junit_family=xunit1")

    cases = {case.get("name"): case for case in ET.parse(project.root / "out.xml").iter("testcase")}  # noqa: S314  our own file
    failure, error, skipped = (
        cases["wrong"].find("failure"),
        cases["crash"].find("error"),
        cases["known"].find("skipped"),
    )
    assert failure is not None
    assert error is not None
    assert skipped is not None
    assert failure.get("message") == 'The answer does not say "30 days".'
    assert (failure.text or "").startswith("FAIL wrong: How long is the holiday?")
    assert "RuntimeError: no connection" in str(error.get("message"))
    assert skipped.get("message") == "old table"
    assert (cases["wrong"].get("file"), cases["wrong"].get("line")) == ("cases.json", "1")
    assert cases["wrong"].get("classname") == "sekisho.toml.policies"
