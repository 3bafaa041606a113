"""Bearer tokens and the keys that sign them, from a file and from a server on loopback."""

from __future__ import annotations

import json
import logging
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from knowledge_search.auth import KeySet, TokenVerifier
from knowledge_search.domain import AccessError, ConfigurationError, Scope, ScopeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEYS: dict[str, Any] = {
    "RS256": rsa.generate_private_key(public_exponent=65537, key_size=2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}
MAKERS = {
    "RS256": jwt.algorithms.RSAAlgorithm,
    "ES256": jwt.algorithms.ECAlgorithm,
    "EdDSA": jwt.algorithms.OKPAlgorithm,
}


def jwk(algorithm: str, kid: str | None = "one", *, private: bool = False, **changes: object) -> dict[str, Any]:
    """Return a key as a JWKS holds it."""
    key = KEYS[algorithm]
    made = json.loads(MAKERS[algorithm].to_jwk(key if private else key.public_key()))
    return {**made, **({} if kid is None else {"kid": kid}), **changes}


def jwks(path: Path, *keys: dict[str, Any]) -> str:
    """Write a JWKS and return its path."""
    path.write_text(json.dumps({"keys": list(keys)}))
    return str(path)


def token(algorithm: str = "RS256", *, kid: str | None = "one", **claims: object) -> str:
    """Return a good token, but for ``claims``."""
    base = {"sub": "s", "aud": "a", "iss": "i", "exp": int(time.time()) + 60, "groups": ["g1"]}
    merged = {name: value for name, value in {**base, **claims}.items() if value is not ...}
    return jwt.encode(merged, KEYS[algorithm], algorithm=algorithm, headers={} if kid is None else {"kid": kid})


def verifier(keys: KeySet, algorithm: str = "RS256", **table: str) -> TokenVerifier:
    """Return a verifier of the tests' issuer."""
    return TokenVerifier(
        keys, algorithm=algorithm, audience="a", issuer="i", groups_claim="groups",
        departments=table or {"g1": "hr", "g2": "sales"},
    )  # fmt: skip


@pytest.mark.parametrize("algorithm", list(KEYS))
def test_each_algorithm_is_accepted_where_it_is_the_set_one(tmp_path: Path, algorithm: str) -> None:
    """And a token of any other is refused, though its key lies in the same JWKS."""
    place = jwks(tmp_path / "k.json", *(jwk(name, name) for name in KEYS))
    checked = verifier(KeySet(place, algorithm), algorithm)

    assert checked.principal(token(algorithm, kid=algorithm)).scope == Scope.of("hr")
    for other in set(KEYS) - {algorithm}:
        with pytest.raises(AccessError):
            checked.principal(token(other, kid=other))


def test_groups_are_mapped_and_unknown_ones_counted(tmp_path: Path) -> None:
    """Ids of the table only; names of departments are no ids."""
    checked = verifier(KeySet(jwks(tmp_path / "k.json", jwk("RS256")), "RS256"))
    principal = checked.principal(token(groups=["g1", "g2", "hr", "g3", 7]))

    assert principal.scope == Scope.of("hr", "sales")
    assert checked.ignored_groups == 3
    assert (principal.name, principal.may_write) == ("token:s", False)


@pytest.mark.parametrize(
    "claims",
    [
        {"groups": ...}, {"groups": []}, {"groups": "g1"}, {"groups": {"g1": 1}}, {"groups": None},
        {"groups": ["g1"], "hasgroups": True}, {"groups": ["g1"], "_claim_names": {"groups": "src1"}},
    ],
)  # fmt: skip
def test_no_or_too_many_groups_mean_all_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, claims: dict[str, Any]
) -> None:
    """With a warning, because somebody will wonder."""
    checked = verifier(KeySet(jwks(tmp_path / "k.json", jwk("RS256")), "RS256"))
    with caplog.at_level(logging.WARNING):
        scope = checked.principal(token(**claims)).scope

    assert scope == Scope.of()
    assert "'all' only" in caplog.text


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": 1}, {"exp": ...}, {"aud": ...}, {"iss": ...}, {"sub": ...}, {"aud": "b"}, {"aud": []}, {"iss": "j"},
        {"nbf": 2**33}, {"iat": 2**33}, {"sub": ""}, {"sub": "a\nb"}, {"sub": "x" * 256}, {"sub": 5}, {"exp": "x"},
        {"aud": {"a": 1}}, {"exp": 1e400},
    ],
)  # fmt: skip
def test_claims_that_do_not_hold_are_refused(tmp_path: Path, claims: dict[str, Any]) -> None:
    """Each by itself; and the message repeats nothing of the token."""
    checked = verifier(KeySet(jwks(tmp_path / "k.json", jwk("RS256")), "RS256"))
    text = token(**claims)

    with pytest.raises(AccessError) as caught:
        checked.principal(text)
    assert text.split(".")[1] not in str(caught.value)


@pytest.mark.parametrize("kid", [["one"], {"a": 1}, 5, None, "", "two"])
def test_strange_key_ids_are_refused(tmp_path: Path, kid: object) -> None:
    """Of any type; a missing one too, where there are two keys."""
    place = jwks(tmp_path / "k.json", jwk("RS256"), jwk("RS256", "other"))
    checked = verifier(KeySet(place, "RS256"))
    head = jwt.utils.base64url_encode(
        json.dumps({"alg": "RS256", "kid": kid} if kid is not None else {"alg": "RS256"}).encode()
    )
    text = head.decode() + token()[token().index(".") :]

    with pytest.raises(AccessError):
        checked.principal(text)


def test_a_token_without_key_id_is_taken_where_there_is_one_key(tmp_path: Path) -> None:
    """Some issuers have one key and name none."""
    checked = verifier(KeySet(jwks(tmp_path / "k.json", jwk("RS256", None)), "RS256"))

    assert checked.principal(token(kid=None)).scope == Scope.of("hr")


@pytest.mark.parametrize(
    "changes",
    [{"kty": "oct", "k": "c2VjcmV0"}, {"use": "enc"}, {"alg": "RS512"}, {"n": "AQAB"}, {"d": "AQAB"}],
)
def test_keys_that_must_not_sign_are_left_out(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Secrets, keys for encryption, of another algorithm, too short, or with their private part."""
    with pytest.raises(ConfigurationError, match="no public key"):
        KeySet(jwks(tmp_path / "k.json", jwk("RS256", **changes)), "RS256")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": 1}', '{"keys": [1]}', '{"keys": []}', "\x00"])
def test_a_file_that_is_no_jwks_is_said_so_at_the_start(tmp_path: Path, text: str) -> None:
    """Not at the first token."""
    (tmp_path / "k.json").write_text(text)

    with pytest.raises(ConfigurationError):
        KeySet(str(tmp_path / "k.json"), "RS256")


@pytest.mark.parametrize("place", ["http://keys.example/jwks", "ftp://keys.example/jwks", "no-such-file.json"])
def test_a_place_that_cannot_be_trusted_is_refused(place: str) -> None:
    """Whoever can change the keys on the way can be anyone."""
    with pytest.raises(ConfigurationError):
        KeySet(place, "RS256")


def test_a_table_with_something_else_than_departments_is_refused(tmp_path: Path) -> None:
    """At the start."""
    with pytest.raises(ScopeError):
        verifier(KeySet(jwks(tmp_path / "k.json", jwk("RS256")), "RS256"), g1="No Department")


class Issuer(BaseHTTPRequestHandler):
    """Serves a JWKS that the test changes."""

    keys: list[dict[str, Any]]
    status: int
    asked: int

    def do_GET(self) -> None:
        """Answer with the keys."""
        type(self).asked += 1
        body = json.dumps({"keys": self.keys}).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def issuer() -> Iterator[tuple[str, type[Issuer]]]:
    """Give an issuer's address and its handler."""

    class Fresh(Issuer):
        keys = [jwk("RS256")]  # noqa: RUF012 - one a test
        status = 200
        asked = 0

    server = ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/jwks", Fresh
    server.shutdown()
    server.server_close()
    thread.join()


def test_keys_are_fetched_once_and_again_for_an_unknown_one(issuer: tuple[str, type[Issuer]]) -> None:
    """A rotated key is known after one fetch; invented key ids cause one fetch in thirty seconds."""
    url, handler = issuer
    now = [0.0]
    keys = KeySet(url, "RS256", clock=lambda: now[0])
    for _ in range(3):
        keys.key("one")
    first = handler.asked
    for name in ("x", "y", "z"):
        with pytest.raises(AccessError):
            keys.key(name)
    within = handler.asked
    handler.keys = [jwk("RS256", "new")]
    now[0] = 31.0
    keys.key("new")
    with pytest.raises(AccessError):
        keys.key("one")

    assert (first, within, handler.asked) == (1, 1, 2)


def test_an_issuer_that_is_away_is_survived_for_a_while(issuer: tuple[str, type[Issuer]]) -> None:
    """Known keys stay good for two hours at most, then everything is refused."""
    url, handler = issuer
    now = [0.0]
    keys = KeySet(url, "RS256", clock=lambda: now[0])
    keys.key("one")
    handler.status = 500
    now[0] = 4000.0
    assert keys.key("one") is not None
    now[0] = 7300.0

    with pytest.raises(AccessError):
        keys.key("one")


def test_an_issuer_that_never_answered_means_refusal(issuer: tuple[str, type[Issuer]]) -> None:
    """And one try in thirty seconds, not one a token."""
    url, handler = issuer
    handler.status = 503
    keys = KeySet(url, "RS256", clock=lambda: 5.0)
    for _ in range(3):
        with pytest.raises(AccessError):
            keys.key("one")

    assert handler.asked == 1
