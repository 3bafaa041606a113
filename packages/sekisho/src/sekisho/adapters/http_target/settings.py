"""What a target over HTTP is set up with, checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from sekisho.adapters.http_target.expressions import Expression, compiled
from sekisho.adapters.http_target.secrets import Hiding, Secret, expanded
from sekisho.adapters.http_target.template import check_template
from sekisho.adapters.settings_table import SettingsTable
from sekisho.core.answers import EVERYONE
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

METHODS = ("POST", "GET", "PUT")
NOBODY = "nobody"
LONGEST_TIMEOUT_S = 86_400.0
MOST_RETRIES = 20
_ANSWER_REQUEST = {"question": "{question}", "departments": "{departments}"}
_SEARCH_REQUEST = {**_ANSWER_REQUEST, "k": "{k}"}
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
"""What a header's name consists of (RFC 9110, section 5.6.2)."""
_OWN_HEADERS = frozenset({"accept-encoding", "connection", "content-length", "host", "transfer-encoding"})
"""Headers that the sending itself depends on."""

Headers = Mapping[str, Secret]


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of request.

    Attributes:
        url: With its query, which may hold a key.
        method: ``POST``, ``PUT``, or ``GET``, where the request becomes the query.
        request: The template: a JSON value.
        headers: Apart from those of the asker.
    """

    url: Secret
    method: str
    request: Any
    headers: Headers

    @property
    def place(self) -> str:
        """The address without its query, for messages."""
        return self.url.reveal().partition("?")[0].partition("#")[0]


class HttpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A target over HTTP. Its ``repr`` holds no value of a header.

    Attributes:
        answer: The request for an answer.
        text: Finds the answer's text in a reply.
        found: Finds whether the system says that it found an answer: true or false.
        sources: Finds the cited sources, a list of texts; None where the system cites none.
        contexts: Finds what the model was given, a list of objects with ``document_id`` and ``text``; None where the
            system does not show it, so that nothing can be said about it.
        search: The request for a search, where there is one.
        search_ids: Finds the ids of documents in its reply.
        documents: The request for all documents, where there is one.
        documents_list: Finds the documents in its reply, a list of objects with the attributes of a document.
        principals: Headers of each asker, by the departments as :func:`principal_of` joins them; None where the
            request itself names the departments.
        everyone: The department of documents that everyone may see, which no principal is named by.
        timeout_s: For one call with all its attempts and pauses.
        retries: How often a call is tried again after the status 429, 502, 503 or 504, or a broken connection.
        proxies: Whether proxies of the environment are used; never for this machine itself.
        hiding: Blanks what came from the environment.
    """

    answer: Call
    text: Expression
    found: Expression
    sources: Expression | None = None
    contexts: Expression | None = None
    search: Call | None = None
    search_ids: Expression | None = None
    documents: Call | None = None
    documents_list: Expression | None = None
    principals: Mapping[str, Headers] | None = None
    everyone: str = EVERYONE
    timeout_s: float = 60.0
    retries: int = 2
    proxies: bool = False
    hiding: Hiding = Hiding(())

    def headers_of(self, departments: Sequence[str]) -> Headers:
        """Return the headers that say who asks.

        Raises:
            TargetError: ``principals`` has none for these departments: to ask without any would be to ask as somebody
                else. Or a department holds the sign ``+``, so that two principals would have one name.
        """
        if self.principals is None:
            return {}
        asker = principal_of(departments, everyone=self.everyone)
        for department in departments:
            if "+" in department:
                raise TargetError("targets.department_sign", name=department)
        if asker not in self.principals:
            known = ", ".join(name or NOBODY for name in self.principals)
            raise TargetError("targets.principal_missing", name=asker or NOBODY, known=known or "-")
        return self.principals[asker]


def principal_of(departments: Iterable[str], *, everyone: str = EVERYONE) -> str:
    """Return the name of who may see these departments: sorted, joined with ``+``; empty for nobody."""
    return "+".join(sorted(set(departments) - {everyone}))


def http_settings(table: Mapping[str, Any], *, environment: Mapping[str, str] | None = None) -> HttpSettings:
    """Return the checked settings of a target over HTTP.

    For example, in TOML::

        url = "https://rag.staging.example/ask"
        request = { message = "{question}", filter = { groups = "{departments}" } }
        headers = { Authorization = "Bearer ${RAG_TOKEN}" }
        text = "answer.text"
        found = "answer.status == 'answered'"
        sources = "answer.citations[].join(' p.', [file, to_string(page)])"
        contexts = "debug.passages[].{document_id: doc, text: body}"

    Keys (``url``, ``text`` and ``found`` are needed; all expressions are JMESPath on the JSON of the reply):
        url: http or https, without user and password.
        method: ``POST`` (default), ``PUT`` or ``GET``.
        request: A JSON value; the texts ``{question}`` and ``{departments}`` stand for values. Default: both, by name.
        headers: Name to value; ``${NAME}`` is taken from the environment.
        principals: Departments joined with ``+`` (``nobody`` or an empty text for none) to headers.
        text, found, sources, contexts: Expressions.
        search_url, search_method, search_request, search: The same for ids of documents; the request also has ``{k}``.
        documents_url, documents_method (default ``GET``), documents_request, documents_headers, documents: The same
            for the list of all documents, which is asked for by no principal.
        everyone, timeout_s, retries, proxies: As the attributes of :class:`HttpSettings`.

    Args:
        table: As it was parsed. The error of a value names its key as ``key``, such as ``headers.Authorization``.
        environment: Instead of the process's own.

    Raises:
        ConfigurationError: A key is unknown, missing or wrong, or a variable is missing from the environment.
        MissingExtraError: The extra ``http`` is not installed.
    """
    reader = _Reader(SettingsTable(table), environment)
    settings = reader.settings()
    reader.table.refuse_unknown()
    return settings


class _Reader:
    """Reads one table and gathers the secrets in it."""

    def __init__(self, table: SettingsTable, environment: Mapping[str, str] | None) -> None:
        self.table = table
        self._environment = environment
        self._secrets: set[str] = set()

    def settings(self) -> HttpSettings:
        table = self.table
        everyone = table.text("everyone") or EVERYONE
        headers = self._headers(table.table("headers"), "headers")
        principals = self._principals(everyone)
        who = principals is not None
        search_url, documents_url = table.text("search_url"), table.text("documents_url")
        return HttpSettings(
            answer=self._call("", table.needed("url"), headers, _ANSWER_REQUEST, who=who),
            text=compiled(table.needed("text"), key="text"),
            found=compiled(table.needed("found"), key="found"),
            sources=self._expression("sources"),
            contexts=self._expression("contexts"),
            search=None if search_url is None else self._call("search_", search_url, headers, _SEARCH_REQUEST, who=who),
            search_ids=self._with_url("search", search_url),
            documents=None if documents_url is None else self._documents(documents_url, headers),
            documents_list=self._with_url("documents", documents_url),
            principals=principals,
            everyone=everyone,
            timeout_s=table.seconds("timeout_s", default=60.0, most=LONGEST_TIMEOUT_S),
            retries=table.whole("retries", default=2, least=0, most=MOST_RETRIES),
            proxies=table.flag("proxies"),
            hiding=Hiding(self._secrets),
        )

    def _call(self, prefix: str, url: str, headers: Headers, default: Mapping[str, str], *, who: bool) -> Call:
        """Return the request for an answer or a search, which must hold the question and say who asks."""
        key = f"{prefix}request"
        known = ("question", "departments", *(["k"] if prefix else []))
        usual = {name: value for name, value in default.items() if name != "departments" or not who}
        template = self.table.value(key, default=usual)
        used = check_template(template, key=key, known=known)
        if "question" not in used:
            raise self.table.error("targets.no_question", key)
        if "departments" not in used and not who:
            raise self.table.error("targets.nobody_asks", key)
        method = self.table.choice(f"{prefix}method", METHODS, default="POST")
        return self._checked(
            Call(url=self._url(f"{prefix}url", url), method=method, request=template, headers=headers), key
        )

    def _documents(self, url: str, headers: Headers) -> Call:
        method = self.table.choice("documents_method", METHODS, default="GET")
        template = self.table.value("documents_request", default={})
        check_template(template, key="documents_request", known=())
        own = self._headers(self.table.table("documents_headers"), "documents_headers")
        return self._checked(
            Call(url=self._url("documents_url", url), method=method, request=template, headers={**headers, **own}),
            "documents_request",
        )

    def _checked(self, call: Call, key: str) -> Call:
        """Return a call whose request fits its method: a query has names, and values that are no tables."""
        if call.method == "GET":
            values = list(call.request.values()) if isinstance(call.request, Mapping) else [{}]
            inner = [each for value in values for each in (value if isinstance(value, list) else [value])]
            if any(isinstance(each, (Mapping, list)) for each in inner):
                raise self.table.error("targets.query_form", key)
        return call

    def _with_url(self, name: str, url: str | None) -> Expression | None:
        """Return the expression that goes with an address; one without the other is an error."""
        found = self._expression(name)
        if (found is None) != (url is None):
            raise self.table.error("targets.goes_with", f"{name}_url" if url is None else name, other=name)
        return found

    def _expression(self, key: str) -> Expression | None:
        text = self.table.text(key)
        return None if text is None else compiled(text, key=key)

    def _principals(self, everyone: str) -> dict[str, Headers] | None:
        if self.table.value("principals") is None:
            return None
        table = self.table.table("principals")
        found: dict[str, Headers] = {}
        for name in table.names():
            parts = [part.strip() for part in name.split("+")] if name not in {"", NOBODY} else []
            if not all(parts):
                raise table.error("targets.principal_form", name)
            principal = principal_of(parts, everyone=everyone)
            if principal in found:
                raise table.error("targets.principal_twice", name)
            found[principal] = self._headers(table.table(name), f"principals.{name}")
        return found

    def _headers(self, table: SettingsTable, key: str) -> Headers:
        found: dict[str, Secret] = {}
        for name, text in table.pairs_of_texts():
            if not name or not set(name) <= _TOKEN or name.lower() in _OWN_HEADERS:
                raise table.error("targets.header_name", name)
            value = expanded(text, key=f"{key}.{name}", found=self._secrets, environment=self._environment)
            if not all(" " <= char <= "~" for char in value.reveal()) or value.reveal() != value.reveal().strip():
                raise table.error("targets.header_value", name)
            if name.lower() in map(str.lower, found):
                raise table.error("targets.header_twice", name)
            found[name] = value
        return found

    def _url(self, key: str, url: str) -> Secret:
        """Return an address that may be asked; what was written is not shown, since it may hold a password."""
        try:
            parts = urlsplit(url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port that is no number, or a bracket without its partner
            usable = False
        if not usable or not url.isprintable() or any(char in ' {}<>"\\^`|' for char in url):
            raise self.table.error("targets.url", key)
        if "@" in parts.netloc:
            raise self.table.error("targets.url_credentials", key)
        return Secret(url)
