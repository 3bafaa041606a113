"""The checks of ``doctor``, in the order in which one rests on another."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from knowledge_search.bootstrap import database_url, make_embedder, make_model, make_tokenizer, token_verifier
from knowledge_search.cli.commands.keys import state_of
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import settings_of
from knowledge_search.domain import KnowledgeError
from knowledge_search.store import Database, KeyStore, PostgresStore
from knowledge_search.store.postgres.binaries import find_binaries
from knowledge_search.store.postgres.server import check_locale

if TYPE_CHECKING:
    from collections.abc import Callable

    from knowledge_search.cli.messages import Language
    from knowledge_search.settings import Settings

_LEAST_FREE_BYTES: Final = 2**30
_GIGA: Final = 10**9
_T = TypeVar("_T")
State = Literal["ok", "warn", "bad", "skipped"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one check found.

    Attributes:
        check: Its name.
        mend: What to do; empty where nothing has to be done.
    """

    check: str
    state: State
    detail: str
    mend: str = ""


def examine(language: Language) -> list[Finding]:
    """Return what every check found; one that cannot be made says so."""
    return _Examination(language).run()


class _Examination:
    def __init__(self, language: Language) -> None:
        self._language = language
        self._findings: list[Finding] = []

    def run(self) -> list[Finding]:
        with ExitStack() as stack:
            settings = self._attempt("settings", lambda: settings_of(self._language))
            if settings is None:
                return self._findings
            self._add("settings", "ok", self._text_of(settings))
            self._attempt("sign_in", lambda: self._sign_in(settings))
            self._attempt("binaries", lambda: self._binaries(settings))
            self._disk(settings)
            database = self._attempt("database", lambda: self._database(settings, stack))
            self._attempt("embedder", lambda: self._embedder(settings, database))
            self._attempt("model", lambda: self._model(settings))
            if database is None:
                self._add("keys", "skipped", self._say("not_checked"))
            else:
                self._attempt("keys", lambda: self._keys(settings, database))
        return self._findings

    def _say(self, code: str, **values: object) -> str:
        return message(code, self._language, **values)

    def _add(self, check: str, state: State, detail: str, mend: str = "") -> None:
        self._findings.append(Finding(check=check, state=state, detail=detail, mend=mend))

    def _attempt(self, check: str, what: Callable[[], _T]) -> _T | None:
        """Return what a check gives, or add what it raised as its finding."""
        try:
            return what()
        except (KnowledgeError, OSError) as error:
            self._add(check, "bad", str(error))
            return None

    def _text_of(self, settings: Settings) -> str:
        return f"{settings.embedder}, {settings.tokenizer}, {settings.strategy}, {settings.llm}"

    def _sign_in(self, settings: Settings) -> None:
        if token_verifier(settings) is None:
            self._add("sign_in", "ok", self._say("ok_sign_in_off"))
        else:
            groups = len(settings.group_departments)
            text = self._say("ok_sign_in", algorithm=settings.jwt_algorithm, departments=groups)
            self._add("sign_in", "ok", text)

    def _binaries(self, settings: Settings) -> None:
        if settings.database_url is not None:
            self._add("binaries", "ok", self._say("ok_external"))
        else:
            self._add("binaries", "ok", self._say("ok_binaries", version=find_binaries().version))

    def _disk(self, settings: Settings) -> None:
        place = Path(settings.data_dir).absolute()
        while not place.exists():
            place = place.parent
        free = shutil.disk_usage(place).free
        values = {"free": f"{free / _GIGA:.1f}", "path": str(place)}
        if free < _LEAST_FREE_BYTES:
            self._add("disk", "bad", self._say("warn_disk", **values), self._say("mend_disk"))
        else:
            self._add("disk", "ok", self._say("ok_disk", **values))

    def _database(self, settings: Settings, stack: ExitStack) -> Database:
        url = database_url(settings, stack)
        if settings.database_url is None:
            check_locale(url)
        database = stack.enter_context(Database(url, readers=1, writers=1, timeout_s=10))
        with database.writing() as connection:
            number = connection.info.server_version
        version = f"{number // 10000}.{number % 10000}"
        code = "ok_database" if settings.database_url is not None else "ok_locale"
        self._add("database", "ok", self._say(code, version=version))
        self._add("roles", "ok", self._say("ok_roles"))  # opening refuses otherwise, and says why
        return database

    def _embedder(self, settings: Settings, database: Database | None) -> None:
        embedder = make_embedder(settings)
        embedder.embed_query("ready")
        if embedder.evaluation_grade:
            text = self._say("warn_embedder", name=embedder.name)
            self._add("embedder", "warn", text, self._say("mend_embedder"))
        else:
            text = self._say("ok_embedder", name=embedder.name, dimensions=embedder.dimensions)
            self._add("embedder", "ok", text)
        if database is None:
            self._add("threshold", "skipped", self._say("not_checked"))
            return
        record = PostgresStore(database, embedder, tokenizer=make_tokenizer(settings)).prepare()
        for origin, value in (("setting", settings.max_distance), ("calibrated", record.max_distance)):
            if value is not None:
                text = self._say("ok_threshold", value=value, origin=self._say(f"origin_{origin}"))
                self._add("threshold", "ok", text)
                return
        value = embedder.default_max_distance
        text = self._say("ok_threshold", value=value, origin=self._say("origin_default"))
        self._add("threshold", "warn", text, self._say("mend_threshold"))

    def _model(self, settings: Settings) -> None:
        model = make_model(settings)
        if settings.llm == "extractive":
            self._add("model", "warn", self._say("warn_model"), self._say("mend_model"))
        else:
            self._add("model", "ok", self._say("ok_model", name=model.name))

    def _keys(self, settings: Settings, database: Database) -> None:
        now = datetime.now(UTC)
        keys = KeyStore(database).all()
        good = sum(state_of(key, now) == "good" for key in keys)
        if not good and settings.jwt_jwks is None and settings.anonymous == "refuse":
            self._add("keys", "warn", self._say("warn_keys"), self._say("mend_keys"))
        else:
            self._add("keys", "ok", self._say("ok_keys", good=good, all=len(keys)))
