"""Settings, from the environment (prefix ``KNOWLEDGE_SEARCH_``; ``DATABASE_URL`` and ``MAX_DISTANCE`` without it)."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

Strategy = Literal["exact", "ivfflat", "hnsw", "two_stage", "lexical", "fusion", "raptor"]


PREFIX = "KNOWLEDGE_SEARCH_"
_OTHER_VARIABLES = frozenset({"KNOWLEDGE_SEARCH_LANG"})
"""Variables with the prefix that are no settings: the language of the command."""


class Settings(BaseSettings):
    """What an operator can set. Secrets are never shown."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True, populate_by_name=True
    )

    database_url: SecretStr | None = Field(default=None, validation_alias=AliasChoices("DATABASE_URL"))
    """A PostgreSQL server with pgvector; None starts the embedded one."""
    data_dir: Path = Path(".knowledge_search")
    """Where the embedded server keeps its data; created with mode 0700."""
    embedder: Literal["hashing", "e5", "openai"] = "hashing"
    embedder_url: str | None = None
    embedder_model: str | None = None
    embedder_key: SecretStr | None = None
    tokenizer: Literal["bigram", "sudachi"] = "bigram"
    llm: Literal["extractive", "openai", "anthropic"] = "extractive"
    llm_url: str | None = None
    llm_model: str | None = None
    llm_key: SecretStr | None = None
    llm_timeout_s: float = Field(default=60.0, gt=0)
    strategy: Strategy = "exact"
    top_k: int = Field(default=5, ge=1, le=50)
    max_distance: float | None = Field(default=None, ge=0, le=2, validation_alias=AliasChoices("MAX_DISTANCE"))
    """Overrides the threshold that ``knowledge-search calibrate`` has stored for the embedder."""
    host: str = "127.0.0.1"
    port: int = Field(default=8010, ge=0, le=65535)
    anonymous: Literal["refuse", "all"] = "refuse"
    """What a request without a key or token may see: nothing (401), or the documents of ``all``."""
    jwt_jwks: str | None = None
    """A file or URL with the keys that sign bearer tokens."""
    jwt_audience: str | None = None
    jwt_issuer: str | None = None
    jwt_algorithm: Literal["RS256", "ES256", "EdDSA"] = "RS256"
    jwt_groups_claim: str = "groups"
    group_departments: dict[str, str] = Field(default_factory=dict)
    """Group id in a token to department; a group that is not here is ignored."""
    max_body_bytes: int = Field(default=50 * 2**20, ge=1)
    requests_per_minute: int = Field(default=120, ge=1)
    max_concurrent: int = Field(default=64, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_variables(cls, values: Any) -> Any:  # noqa: ANN401 - pydantic's form
        known = {f"{PREFIX}{name.upper()}" for name in cls.model_fields} | _OTHER_VARIABLES
        for variable in sorted(os.environ):
            if variable.startswith(PREFIX) and variable not in known:
                meant = difflib.get_close_matches(variable, known, n=1)
                hint = f"; did you mean {meant[0]}?" if meant else ""
                message = f"the environment variable {variable} is no setting{hint}"
                raise ValueError(message)
        return values
