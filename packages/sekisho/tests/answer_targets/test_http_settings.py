from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

from sekisho.adapters.http_target import HttpSettings, http_settings, principal_of
from sekisho.core.errors import ConfigurationError, TargetError
from sekisho.core.messages import LANGUAGES

LEAST = {"url": "https://rag.example/answer", "text": "text", "found": "found"}
NAMELESS = {"request": {"q": "{question}"}}


def settings(**keys: Any) -> HttpSettings:  # noqa: ANN401  any key, also wrong ones
    """Return the settings of the least table with further keys; None takes one away."""
    table = {name: value for name, value in {**LEAST, **keys}.items() if value is not None}
    return http_settings(table, environment={"TOKEN": "s3cret-token", "BLANK": " ", "BAD": "a\nb", "WIDE": "秘密"})


def test_three_keys_are_enough() -> None:
    """Everything else has a default that asks for the question and the departments by name."""
    found = settings()

    assert found.answer.method == "POST"
    assert found.answer.request == {"question": "{question}", "departments": "{departments}"}
    assert (found.sources, found.contexts, found.search, found.documents, found.principals) == (None,) * 5


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("unknown key", {"uri": "x"}, "app.unknown_key_meant", "uri"),
    ("unknown key without a likeness", {"zzz": 1}, "app.unknown_key", "zzz"),
    ("no url", {"url": None}, "targets.key_missing", "url"),
    ("no text", {"text": None}, "targets.key_missing", "text"),
    ("no found", {"found": None}, "targets.key_missing", "found"),
    ("url of another scheme", {"url": "ftp://rag.example/"}, "targets.url", "url"),
    ("url without host", {"url": "http:///answer"}, "targets.url", "url"),
    ("url with a bad port", {"url": "http://rag.example:99999/"}, "targets.url", "url"),
    ("url with half a bracket", {"url": "http://[::1/"}, "targets.url", "url"),
    ("url with a space", {"url": "http://rag.example/a b"}, "targets.url", "url"),
    ("url with a line break", {"url": "http://rag.example/\r\nX: y"}, "targets.url", "url"),
    ("url with a variable", {"url": "http://rag.example/${TOKEN}"}, "targets.url", "url"),
    ("url with a password", {"url": "http://user:hunter2@rag.example/"}, "targets.url_credentials", "url"),
    ("url with a user", {"url": "http://user@rag.example/"}, "targets.url_credentials", "url"),
    ("url of the wrong type", {"url": 5}, "app.not_text", "url"),
    ("method", {"method": "PSOT"}, "app.unknown_choice_meant", "method"),
    ("timeout", {"timeout_s": 0}, "app.out_of_range", "timeout_s"),
    ("timeout of the wrong type", {"timeout_s": True}, "app.not_number", "timeout_s"),
    ("timeout that is no number", {"timeout_s": float("nan")}, "app.out_of_range", "timeout_s"),
    ("retries", {"retries": -1}, "app.out_of_range", "retries"),
    ("retries of the wrong type", {"retries": 1.5}, "app.not_whole", "retries"),
    ("proxies", {"proxies": "yes"}, "app.not_flag", "proxies"),
    ("expression", {"text": "a..b"}, "targets.expression", "text"),
    ("expression that ends early", {"text": "a[?b=="}, "targets.expression", "text"),
    ("expression with a wrong sign", {"text": "a#"}, "targets.expression", "text"),
    ("expression with an unknown function", {"found": "lenght(sources)"}, "targets.function_meant", "found"),
    ("expression inside another", {"found": "a && xyz(b)"}, "targets.function", "found"),
    ("endless expression", {"text": "!" * 9_000 + "a"}, "targets.expression_long", "text"),
    ("overlong expression", {"text": "a" * 10_001}, "targets.expression_long", "text"),
    ("request without question", {"request": {"d": "{departments}"}}, "targets.no_question", "request"),
    ("request that nobody sends", NAMELESS, "targets.nobody_asks", "request"),
    ("placeholder", {"request": {"q": "{qestion}"}}, "targets.placeholder_meant", "request.q"),
    ("placeholder without a likeness", {"request": ["{zzzz}"]}, "targets.placeholder", "request[0]"),
    ("placeholder inside a text", {"request": {"q": "Q: {question}"}}, "targets.placeholder_inside", "request.q"),
    ("placeholder in a name", {"request": {"{question}": 1}}, "targets.placeholder_inside", "request"),
    ("date", {"request": {"q": {1, 2}}}, "targets.template_value", "request.q"),
    ("infinity", {"request": {"q": float("inf")}}, "targets.template_value", "request.q"),
    ("search without its expression", {"search_url": "http://rag.example/"}, "targets.goes_with", "search"),
    ("documents without address", {"documents": "items"}, "targets.goes_with", "documents_url"),
    ("query with tables", {"method": "GET", "request": [["{question}"], "{departments}"]}, "targets.query_form",
     "request"),
    ("header name", {"headers": {"X Y": "a"}}, "targets.header_name", "headers.X Y"),
    ("header of the sending", {"headers": {"Content-Length": "5"}}, "targets.header_name", "headers.Content-Length"),
    ("header value", {"headers": {"X": "a\r\nY: b"}}, "targets.header_value", "headers.X"),
    ("header value from outside", {"headers": {"X": "${BAD}"}}, "targets.header_value", "headers.X"),
    ("header value beyond ASCII", {"headers": {"X": "${WIDE}"}}, "targets.header_value", "headers.X"),
    ("header twice", {"headers": {"X": "a", "x": "b"}}, "targets.header_twice", "headers.x"),
    ("header of the wrong type", {"headers": {"X": 5}}, "app.not_text", "headers.X"),
    ("headers", {"headers": "X: y"}, "app.not_table", "headers"),
    ("missing variable", {"headers": {"X": "${NOPE}"}}, "targets.variable_missing", "headers.X"),
    ("blank variable", {"headers": {"X": "${BLANK}"}}, "targets.variable_missing", "headers.X"),
    ("half a variable", {"headers": {"X": "${TOKEN"}}, "targets.variable_form", "headers.X"),
    ("variable without name", {"headers": {"X": "${}"}}, "targets.variable_form", "headers.X"),
    ("principal", {"principals": {"hr+": {}}}, "targets.principal_form", "principals.hr+"),
    ("principal twice", {"principals": {"a+b": {}, "b+a": {}}}, "targets.principal_twice", "principals.b+a"),
    ("nobody twice", {"principals": {"": {}, "all": {}}}, "targets.principal_twice", "principals.all"),
    ("principal's variable", {"principals": {"hr": {"X": "${NOPE}"}}}, "targets.variable_missing", "principals.hr.X"),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "code", "key"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED])
def test_what_cannot_work_is_refused_before_anything_runs(keys: dict[str, Any], code: str, key: str) -> None:
    """With the key as it is written, in both languages, and without the value of anything that may be secret."""
    with pytest.raises(ConfigurationError) as caught:
        settings(**keys)

    assert (caught.value.code, caught.value.values["key"]) == (code, key)
    shown = " ".join(caught.value.render(language) for language in LANGUAGES)
    assert "hunter2" not in shown
    assert "s3cret" not in shown


def test_a_request_that_refers_to_itself_is_refused() -> None:
    """Depth has a bound."""
    request: dict[str, Any] = {}
    request["again"] = request

    with pytest.raises(ConfigurationError, match="nested more than 50"):
        settings(request=request)


def test_principals_are_named_by_their_departments_in_any_order() -> None:
    """The department of everyone names nobody; the headers are those of exactly these departments."""
    principals = {"sales + hr": {"X": "both"}, "hr": {"X": "one"}, "nobody": {"X": "none"}}
    found = settings(principals=principals, **NAMELESS)

    headers = [found.headers_of(departments)["X"].reveal() for departments in (["all", "hr", "sales"], ["hr"], ["all"])]

    assert headers == ["both", "one", "none"]
    assert principal_of(["b", "all", "a", "b"]) == "a+b"


@pytest.mark.parametrize(("departments", "name"), [(["it"], "it"), (["hr", "it"], "hr+it"), ([], "nobody")])
def test_a_principal_without_headers_is_an_error(departments: list[str], name: str) -> None:
    """To ask without any would be to ask as somebody else."""
    found = settings(principals={"hr": {}}, **NAMELESS)

    with pytest.raises(TargetError, match="ask as somebody else") as caught:
        found.headers_of(["all", *departments])

    assert caught.value.values["name"] == name


def test_a_department_with_the_joining_sign_is_no_principal() -> None:
    """``a+b`` could be one department or two."""
    with pytest.raises(TargetError, match="holds the sign"):
        settings(principals={"a+b": {}}, **NAMELESS).headers_of(["a+b"])


def test_another_department_may_be_that_of_everyone() -> None:
    """As a suite can set it."""
    found = settings(principals={"all": {"X": "a department like others"}}, everyone="public", **NAMELESS)

    assert list(found.headers_of(["all", "public"])) == ["X"]


def test_settings_never_show_a_value_of_a_header() -> None:
    """Neither do copies of them; and they cannot be written down by accident."""
    found = settings(url="https://rag.example/?key=s3cret-key", headers={"Authorization": "Bearer ${TOKEN}"})

    shown = f"{found!r} {found} {found.answer.headers} {found.hiding!r} {copy.copy(found)}"
    assert "s3cret" not in shown
    assert found.answer.place == "https://rag.example/"
    assert found.answer.headers["Authorization"].reveal() == "Bearer s3cret-token"
    with pytest.raises(TypeError):
        pickle.dumps(found.answer.headers["Authorization"])


@pytest.mark.parametrize(("missing", "action"), [("jmespath", "http_settings(table)"), ("httpx", "open_target()")])
def test_a_missing_extra_is_named(missing: str, action: str) -> None:
    """Importing the module needs neither of its libraries."""
    program = f"""
import sys
from sekisho.core.errors import MissingExtraError
from sekisho.adapters.http_target import http_settings, http_target
assert not {{"httpx", "jmespath"}} & set(sys.modules)
sys.modules[{missing!r}] = None
table = {LEAST!r}
def open_target():
    with http_target(http_settings(table)):
        pass
try:
    {action}
except MissingExtraError as error:
    print(error)
"""

    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert f"needs {missing}" in shown
    assert "sekisho[http]" in shown
