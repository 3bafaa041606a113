"""Bearer tokens (JWT) of the company's own sign-in."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any, Final

import jwt

from knowledge_search.auth.principal import Principal
from knowledge_search.domain import AccessError, Scope, department

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knowledge_search.auth.keyset import KeySet

_LOG: Final = logging.getLogger(__name__)
_LEEWAY_S: Final = 10
"""Clocks differ; more would keep expired tokens alive."""
_LONGEST: Final = 16_384
"""Characters of a token; one with 200 groups has about 8,000."""
_LONGEST_SUBJECT: Final = 255
"""RFC 7519 sets no limit, OpenID Connect Core 1.0 section 2 sets this one."""


class TokenVerifier:
    """Checks a token's signature and claims, and maps its groups to departments.

    Args:
        keys: Of the issuer, for one algorithm.
        algorithm: The only one accepted, whatever a token says of itself.
        audience: The claim ``aud`` must hold it.
        issuer: The claim ``iss`` must be it.
        groups_claim: Name of the claim with the groups' ids.
        departments: Group id to department; groups that are not here are ignored and counted.

    Attributes:
        ignored_groups: How many groups of accepted tokens were not in the table, since the start.

    Raises:
        ScopeError: The table names something that cannot name a department.
    """

    def __init__(
        self,
        keys: KeySet,
        *,
        algorithm: str,
        audience: str,
        issuer: str,
        groups_claim: str,
        departments: Mapping[str, str],
    ) -> None:
        self._keys = keys
        self._algorithm = algorithm
        self._audience = audience
        self._issuer = issuer
        self._claim = groups_claim
        self._departments = {group: department(name) for group, name in departments.items()}
        self._mutex = threading.Lock()
        self.ignored_groups = 0

    def principal(self, token: str) -> Principal:
        """Return whose token this is, and what its groups may see.

        Raises:
            AccessError: The token is not accepted; the message never repeats it.
        """
        claims = self._claims(token)
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
            raise AccessError("the token does not say whose it is")
        return Principal(name=f"token:{subject}", scope=Scope.of(*self._mapped(claims)), kind="token")

    def _claims(self, token: str) -> dict[str, Any]:
        if len(token) > _LONGEST:
            raise AccessError("the token is too long")
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") != self._algorithm:
                raise AccessError("the token is signed by another algorithm")
            key = self._keys.key(header.get("kid"))
            return jwt.decode(
                token,
                key,
                algorithms=[self._algorithm],
                audience=self._audience,
                issuer=self._issuer,
                leeway=_LEEWAY_S,
                options={"require": ["exp", "aud", "iss", "sub"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            message = f"the token is not accepted ({type(error).__name__})"
            raise AccessError(message) from None

    def _mapped(self, claims: Mapping[str, Any]) -> set[str]:
        groups = claims.get(self._claim)
        elsewhere = claims.get("_claim_names")
        if claims.get("hasgroups") or (isinstance(elsewhere, dict) and self._claim in elsewhere):
            _LOG.warning("a token leaves its groups out because they are too many; its bearer sees 'all' only")
            return set()
        if not isinstance(groups, list) or not groups:
            _LOG.warning("a token holds no groups in the claim %r; its bearer sees 'all' only", self._claim)
            return set()
        known = {self._departments[group] for group in groups if isinstance(group, str) and group in self._departments}
        unknown = sum(not isinstance(group, str) or group not in self._departments for group in groups)
        if unknown:
            with self._mutex:
                self.ignored_groups += unknown
        return known
