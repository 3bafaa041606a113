"""A real service on loopback over a real database, with documents of three departments and every kind of credential."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from knowledge_search.api import create_app
from knowledge_search.bootstrap import OpenServices
from knowledge_search.domain import Scope
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from knowledge_search.bootstrap import Services
    from knowledge_search.ports import LanguageModel, SearchStrategy

SECRET = {"hr": "ヒミツジンジ", "sales": "ヒミツエイギョウ"}
"""Words that stand in the documents of one department only: in title, source and text."""
DOCUMENTS = {
    "canteen.md": ("all", "# 社員食堂\n\n社員食堂は11時30分に開き、日替わり定食は480円です。\n"),
    "hr-himitsu.md": ("hr", f"# {SECRET['hr']}の表\n\n{SECRET['hr']}: 賞与の係数は2.7です。食堂の補助も含みます。\n"),
    "sales-himitsu.md": ("sales", f"# {SECRET['sales']}の率\n\n{SECRET['sales']}: 値引きの上限は13パーセントです。\n"),
    "hostile.md": (
        "all",
        "# 注意\n\n<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> 印鑑。\n",
    ),
}
AUDIENCE, ISSUER = "knowledge-search-test", "issuer-of-the-tests"
GROUPS = {"group-hr": "hr", "group-sales": "sales"}


@contextmanager
def serving(services: Services) -> Iterator[str]:
    """Give the address of a server over ``services``, as ``knowledge-search serve`` runs one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(services), log_level="critical", server_header=False, timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    try:
        yield address
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listener.close()


@dataclass(frozen=True)
class Signer:
    """Signs tokens of the test issuer, good ones unless told otherwise."""

    private: rsa.RSAPrivateKey
    jwks: Path

    def token(
        self,
        *,
        groups: str | Sequence[str] | None = ("group-sales",),
        key: rsa.RSAPrivateKey | str | None = None,
        algorithm: str = "RS256",
        kid: str | None = "one",
        drop: str = "",
        **changes: object,
    ) -> str:
        """Return a good token, but for what is changed."""
        now = int(time.time())
        claims: dict[str, Any] = {
            "sub": "someone",
            "aud": AUDIENCE,
            "iss": ISSUER,
            "exp": now + 300,
            "iat": now,
            **changes,
        }
        if groups is not None:
            claims["groups"] = groups if isinstance(groups, str) else list(groups)
        claims.pop(drop, None)
        headers = {} if kid is None else {"kid": kid}
        return jwt.encode(claims, self.private if key is None else key, algorithm=algorithm, headers=headers)

    @property
    def public_pem(self) -> bytes:
        """The public key as text, which some verifiers were made to take for a secret."""
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    """Give an issuer of tokens with one key in a JWKS file."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key()))
    path = tmp_path_factory.mktemp("issuer") / "jwks.json"
    path.write_text(json.dumps({"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]}))
    return Signer(private, path)


@pytest.fixture
def token(signer: Signer) -> Callable[..., str]:
    """Give a maker of tokens."""
    return signer.token


@pytest.fixture(scope="module")
def settings(module_database_url: str, signer: Signer) -> Settings:
    """Give the settings of the service under test."""
    return Settings(
        database_url=module_database_url, requests_per_minute=1_000_000, jwt_jwks=str(signer.jwks),
        jwt_audience=AUDIENCE, jwt_issuer=ISSUER, group_departments=GROUPS, max_distance=2.0,
    )  # fmt: skip


@pytest.fixture(scope="module")
def services(settings: Settings) -> Iterator[Services]:
    """Give the open services with the documents."""
    with OpenServices(settings) as opened:
        for name, (department, text) in DOCUMENTS.items():
            report = opened.ingest.upload(name, text.encode(), department=department)
            assert report.status == "ingested", report
        yield opened


@pytest.fixture(scope="module")
def address(services: Services) -> Iterator[str]:
    """Give the address of the running service."""
    with serving(services) as url:
        yield url


@pytest.fixture(scope="module")
def ids(services: Services) -> dict[str, int]:
    """Give each document's id by its source."""
    return {record.source: record.id for record in services.store.documents(Scope.of("hr", "sales"))}


@pytest.fixture(scope="module")
def keys(services: Services) -> dict[str, str]:
    """Give keys that are accepted, by what they may do."""
    made = {name: services.keys.create(name=name, scope=Scope.of(*name.split("+"))) for name in ("all", "hr", "sales")}
    writers = {
        f"write-{name}": services.keys.create(name=name, scope=Scope.of(name), may_write=True)
        for name in ("hr", "sales")
    }
    return {name: key.text for name, key in {**made, **writers}.items()}


@pytest.fixture(scope="module")
def refused(services: Services, signer: Signer) -> dict[str, str | None]:
    """Give every Authorization header that must not be accepted."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    expired = services.keys.create(name="expired", scope=Scope.of("hr"), expires_at=past)
    revoked = services.keys.create(name="revoked", scope=Scope.of("hr"))
    services.table.revoke(revoked.id)
    good = services.keys.create(name="good", scope=Scope.of("hr"))
    reader = services.keys.create(name="reader", scope=Scope.of("hr"))
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    now = int(time.time())
    secret = good.text.partition(".")[2]
    header, payload, signature = signer.token().split(".")
    tokens = {
        "expired token": signer.token(exp=now - 60),
        "token without exp": signer.token(drop="exp"),
        "token without aud": signer.token(drop="aud"),
        "token without iss": signer.token(drop="iss"),
        "token without sub": signer.token(drop="sub"),
        "wrong audience": signer.token(aud="another"),
        "wrong issuer": signer.token(iss="another"),
        "not yet": signer.token(nbf=now + 600),
        "unknown kid": signer.token(kid="two"),
        "forged": signer.token(key=other),
        "none": signer.token(key="", algorithm="none"),
        "public key as secret": _hs256(signer),
        "tampered": ".".join([header, payload[:-4] + ("AAAA" if payload[-4:] != "AAAA" else "BBBB"), signature]),
        "no signature": f"{header}.{payload}.",
        "exp as text": signer.token(exp="tomorrow"),
        "sub as list": signer.token(sub=["someone"]),
        "garbage": "a.b.c",
    }
    keys = {
        "expired key": expired.text,
        "revoked key": revoked.text,
        "secret of another key": f"{reader.id}.{secret}",
        "reader's key said to write": good.text.replace("ksr_", "ksw_", 1),
        "unknown key": f"ksr_{'0' * 16}.{secret}",
        "key without secret": f"{good.id}.",
        "key in capitals": good.text.upper(),
        "key with a NUL": f"{good.text}%00",
    }
    bearer = {name: f"Bearer {text}" for name, text in {**tokens, **keys}.items()}
    return {
        **bearer, "nothing": None, "empty": "Bearer", "basic": f"Basic {good.text}", "bare key": good.text,
    }  # fmt: skip


def _hs256(signer: Signer) -> str:
    """Return a token signed with the public key as if it were a secret; PyJWT itself refuses to make one."""

    def encoded(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    claims = {"sub": "x", "aud": AUDIENCE, "iss": ISSUER, "exp": int(time.time()) + 300, "groups": ["group-hr"]}
    text = f"{encoded(json.dumps({'alg': 'HS256', 'kid': 'one'}).encode())}.{encoded(json.dumps(claims).encode())}"
    return f"{text}.{encoded(hmac.new(signer.public_pem, text.encode(), hashlib.sha256).digest())}"


@pytest.fixture
def client(address: str) -> Iterator[Callable[..., httpx.Client]]:
    """Give a maker of clients: with a key or token, in a language."""
    made: list[httpx.Client] = []

    def make(credential: str | None = None, *, language: str = "en") -> httpx.Client:
        headers = {"Accept-Language": language} | ({"Authorization": f"Bearer {credential}"} if credential else {})
        made.append(httpx.Client(base_url=address, headers=headers, timeout=30))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def serve_with(services: Services) -> Callable[..., AbstractContextManager[str]]:
    """Give a maker of further servers over the same database, with other settings or another model."""

    def make(
        *, llm: LanguageModel | None = None, strategy: SearchStrategy | None = None, **changes: object
    ) -> AbstractContextManager[str]:
        settings = services.settings.model_copy(update=changes)
        return serving(
            replace(services, settings=settings, llm=llm or services.llm, strategy=strategy or services.strategy)
        )

    return make
