"""The one place where the parts are put together, as the settings say."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from knowledge_search.auth import ApiKeys, KeySet, TokenVerifier
from knowledge_search.domain import ConfigurationError
from knowledge_search.ingest import Ingest
from knowledge_search.llm import AnthropicModel, ExtractiveLLM, OpenAIModel
from knowledge_search.parse import FileParser
from knowledge_search.search.tokens import BigramTokenizer, SudachiTokenizer
from knowledge_search.store import (
    AuditLog,
    Database,
    ExactStrategy,
    FusionStrategy,
    HnswStrategy,
    IvfFlatStrategy,
    KeyStore,
    LexicalStrategy,
    Maintenance,
    PostgresStore,
    RaptorStrategy,
    TwoStageStrategy,
)
from knowledge_search.store.postgres import EmbeddedServer, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from knowledge_search.ingest.ingest import VersionedParser
    from knowledge_search.ports import Embedder, LanguageModel, SearchStrategy, Tokenizer
    from knowledge_search.settings import Settings

_DATABASE: Final = "knowledge_search"
"""In the embedded server."""


def _silent(_message: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """Everything that the API and the commands work with; made by :func:`open_services`.

    Attributes:
        store: Of documents.
        strategy: Finds passages.
        llm: Writes answers.
        max_distance: Beyond it a passage does not ground an answer: the setting, else what was calibrated for the
            embedder, else the embedder's own. Read at the start.
        tokens: None where no sign-in is configured.
        table: Where keys are kept, for the command that lists and revokes them.
    """

    settings: Settings
    database: Database
    store: PostgresStore
    embedder: Embedder
    tokenizer: Tokenizer
    strategy: SearchStrategy
    llm: LanguageModel
    ingest: Ingest
    maintenance: Maintenance
    audit: AuditLog
    table: KeyStore
    keys: ApiKeys
    tokens: TokenVerifier | None
    max_distance: float


class OpenServices:
    """Opens the services and closes them again; a context manager.

    Start-up proves before anything is served: the server can be reached and is new enough, the schema is there, the
    role of the readers is bound by row-level security, and the store was made with this embedder and tokenizer.

    Args:
        settings: What the operator set.
        claim: False where another embedder than the stored one is what is wanted: ``reembed`` and ``doctor``.
        folders: Folder name to department, for an ingest.
        progress: Told what is waited for.

    Raises:
        KnowledgeError: What is wrong, and what to do.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        claim: bool = True,
        folders: Mapping[str, str] | None = None,
        progress: Callable[[str], None] = _silent,
    ) -> None:
        self._settings = settings
        self._claim = claim
        self._folders = dict(folders or {})
        self._progress = progress
        self._stack = ExitStack()

    def __enter__(self) -> Services:
        with ExitStack() as stack:
            services = self._open(stack)
            self._stack = stack.pop_all()
        return services

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self, stack: ExitStack) -> Services:
        settings = self._settings
        tokens = token_verifier(settings)
        embedder, tokenizer, llm = make_embedder(settings), make_tokenizer(settings), make_model(settings)
        url, folder = database_at(settings, stack, progress=self._progress)
        database = stack.enter_context(Database(url, folder=folder))
        store = PostgresStore(database, embedder, tokenizer=tokenizer)
        record = store.prepare() if self._claim else store.embedder_record()
        table = KeyStore(database)
        calibrated = None if record is None else record.max_distance
        given = settings.max_distance if settings.max_distance is not None else calibrated
        return Services(
            settings=settings,
            database=database,
            store=store,
            embedder=embedder,
            tokenizer=tokenizer,
            strategy=make_strategy(settings, database, embedder, tokenizer),
            llm=llm,
            ingest=_ingest(settings, store, embedder, self._folders),
            maintenance=Maintenance(database, embedder, tokenizer=tokenizer),
            audit=AuditLog(database),
            table=table,
            keys=ApiKeys(table),
            tokens=tokens,
            max_distance=embedder.default_max_distance if given is None else given,
        )


def _ingest(settings: Settings, store: PostgresStore, embedder: Embedder, folders: Mapping[str, str]) -> Ingest:
    parser = cast("VersionedParser", FileParser())  # its version is read-only
    return Ingest(store, parser, embedder, folders=folders, most_bytes=settings.max_body_bytes)


def database_url(settings: Settings, stack: ExitStack, *, progress: Callable[[str], None] = _silent) -> str:
    """Return the address of the database; without a setting the embedded server runs until ``stack`` ends."""
    return database_at(settings, stack, progress=progress)[0]


def database_at(
    settings: Settings, stack: ExitStack, *, progress: Callable[[str], None] = _silent
) -> tuple[str, Path | None]:
    """Return the address of the database, and the folder of its data where the server is the embedded one."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value(), None
    server = EmbeddedServer(settings.data_dir, progress=progress)
    stack.enter_context(server)
    stack.enter_context(kept(server))
    return server.create_database(_DATABASE), server.folders.home


def make_embedder(settings: Settings) -> Embedder:
    """Return the embedder that the settings name; each is imported only where it is used.

    Raises:
        ConfigurationError: Something that it needs is not set.
        EmbedderError: It is not installed.
    """
    if settings.embedder == "hashing":
        from knowledge_search.embed import HashingEmbedder  # noqa: PLC0415

        return HashingEmbedder()
    if settings.embedder == "e5":
        from knowledge_search.embed import E5Embedder  # noqa: PLC0415

        return E5Embedder()
    from knowledge_search.embed import OpenAIEmbedder  # noqa: PLC0415

    url = _needed(settings.embedder_url, "KNOWLEDGE_SEARCH_EMBEDDER_URL", "openai")
    model = _needed(settings.embedder_model, "KNOWLEDGE_SEARCH_EMBEDDER_MODEL", "openai")
    return cast("Embedder", OpenAIEmbedder(url, model, settings.embedder_key))  # its attributes are read-only


def make_tokenizer(settings: Settings) -> Tokenizer:
    """Return the tokenizer that the settings name."""
    return SudachiTokenizer() if settings.tokenizer == "sudachi" else BigramTokenizer()


def make_model(settings: Settings) -> LanguageModel:
    """Return the language model that the settings name; without one, the stand-in that quotes the passages.

    Raises:
        ConfigurationError: Something that it needs is not set.
    """
    if settings.llm == "extractive":
        return ExtractiveLLM()
    model = _needed(settings.llm_model, "KNOWLEDGE_SEARCH_LLM_MODEL", settings.llm)
    if settings.llm == "openai":
        url = _needed(settings.llm_url, "KNOWLEDGE_SEARCH_LLM_URL", settings.llm)
        return OpenAIModel(url, model, settings.llm_key, timeout_s=settings.llm_timeout_s)
    key = settings.llm_key
    if key is None:
        message = "anthropic needs KNOWLEDGE_SEARCH_LLM_KEY: set it"
        raise ConfigurationError(message)
    return AnthropicModel(settings.llm_url, model, key, timeout_s=settings.llm_timeout_s)


def make_strategy(settings: Settings, database: Database, embedder: Embedder, tokenizer: Tokenizer) -> SearchStrategy:
    """Return the strategy that the settings name."""
    makers: Mapping[str, Callable[[], SearchStrategy]] = {
        "exact": lambda: ExactStrategy(database, embedder),
        "ivfflat": lambda: IvfFlatStrategy(database, embedder),
        "hnsw": lambda: HnswStrategy(database, embedder),
        "two_stage": lambda: TwoStageStrategy(database, embedder),
        "lexical": lambda: LexicalStrategy(database, embedder, tokenizer=tokenizer),
        "fusion": lambda: FusionStrategy(database, embedder, tokenizer=tokenizer),
        "raptor": lambda: RaptorStrategy(database, embedder),
    }
    return makers[settings.strategy]()


def token_verifier(settings: Settings) -> TokenVerifier | None:
    """Return what checks the tokens of the company's sign-in, None where none is configured.

    Raises:
        ConfigurationError: Some of its settings are missing: with none of them it is off, with some it would be open.
    """
    given = {
        "KNOWLEDGE_SEARCH_JWT_JWKS": settings.jwt_jwks,
        "KNOWLEDGE_SEARCH_JWT_AUDIENCE": settings.jwt_audience,
        "KNOWLEDGE_SEARCH_JWT_ISSUER": settings.jwt_issuer,
    }
    if not any(given.values()):
        return None
    jwks, audience, issuer = (_needed(value, name, "a sign-in by token") for name, value in given.items())
    return TokenVerifier(
        KeySet(jwks, settings.jwt_algorithm),
        algorithm=settings.jwt_algorithm,
        audience=audience,
        issuer=issuer,
        groups_claim=settings.jwt_groups_claim,
        departments=settings.group_departments,
    )


def _needed(value: str | None, name: str, what: str) -> str:
    if not value:
        message = f"{what} needs {name}: set it"
        raise ConfigurationError(message)
    return value
