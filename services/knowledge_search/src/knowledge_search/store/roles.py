"""The reading role: making it, and refusing to serve when it could see past row-level security."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import errors, sql

from knowledge_search.domain import StoreError
from knowledge_search.store.visible import GUARDED, READER, SCHEMA

if TYPE_CHECKING:
    from knowledge_search.store.connections import Connection

_ATTEMPTS: Final = 20
_GRANT_OPTIONS_SINCE: Final = 160000
"""PostgreSQL 16 lets a membership be for SET ROLE alone."""


def ensure_reader(connection: psycopg.Connection[Any]) -> None:
    """Create the reading role where it is missing, and let the current user switch to it.

    Roles belong to the whole server, so two databases may do this at once; the loser tries again.

    Raises:
        StoreError: The user may not create roles and the role is not there.
    """
    for attempt in range(_ATTEMPTS):
        try:
            with connection.transaction():
                _create(connection)
        except (errors.UniqueViolation, errors.DuplicateObject, errors.InternalError_):
            time.sleep(0.02 * (attempt + 1))
            continue
        except errors.InsufficientPrivilege as error:
            message = (
                f"the database user may not create the reading role {READER!r}: give it CREATEROLE, or let an "
                f"administrator run: CREATE ROLE {READER} NOLOGIN; GRANT {READER} TO <this user>;"
            )
            raise StoreError(message) from error
        return
    message = f"the reading role {READER!r} could not be created: other sessions kept changing the roles; start again"
    raise StoreError(message)


def _create(connection: psycopg.Connection[Any]) -> None:
    role = sql.Identifier(READER)
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [READER]).fetchone() is None:
        connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE").format(role))
    modern = connection.info.server_version >= _GRANT_OPTIONS_SINCE
    granted = "pg_has_role(current_user, %s, 'SET')" if modern else "pg_has_role(current_user, %s, 'MEMBER')"
    row = connection.execute("SELECT " + granted, [READER]).fetchone()
    if row is not None and row[0]:
        return
    options = sql.SQL(" WITH INHERIT FALSE, SET TRUE" if modern else "")
    connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(role) + options)


_ROLE = """
SELECT current_user::text, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user
"""
_TABLES = """
SELECT t.name, c.relrowsecurity, pg_has_role(current_user, c.relowner, 'USAGE'),
       has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'),
       ARRAY(SELECT concat_ws(' ', p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid))
             FROM pg_policy p
             WHERE p.polrelid = c.oid AND p.polpermissive
               AND (p.polroles = '{0}' OR EXISTS (
                   SELECT 1 FROM unnest(p.polroles) r WHERE r <> 0 AND pg_has_role(current_user, r, 'USAGE'))))
FROM unnest(%s::text[]) t(name) LEFT JOIN pg_class c ON c.oid = to_regclass(%s || '.' || t.name)
ORDER BY t.name
"""


def check_reader(connection: Connection) -> None:
    """Prove, as the reading role, that row-level security binds it.

    What stays open: a session that logged in as the owner and switched to the role could switch back with ``RESET
    ROLE``. Nothing here sends text of a user as a statement; where that is not enough, give ``Database`` a
    ``reader_url`` that logs in as a member of the role.

    Raises:
        StoreError: The role is a superuser, bypasses or owns, may write, or a table lacks its policy. Do not serve.
    """
    row = connection.execute(_ROLE).fetchone()
    if row is None or row[1] or row[2] or row[3]:
        message = (
            f"reads run as {row[0] if row else 'nobody'!r}, which is a superuser, may bypass row-level security or may "
            f"create roles: run them as {READER!r} and take these rights from it"
        )
        raise StoreError(message)
    for name, secured, owner, writes, policies in connection.execute(_TABLES, [list(GUARDED), SCHEMA]):
        fault = _fault(secured=secured, owner=owner, writes=writes, policies=policies)
        if fault:
            message = f"table {SCHEMA}.{name} {fault}: row-level security would not hold, so nothing is served"
            raise StoreError(message)
        seen = connection.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(SCHEMA, name))).fetchone()
        if seen is not None:
            message = f"table {SCHEMA}.{name} shows rows to a reader without departments, so nothing is served"
            raise StoreError(message)


def _fault(*, secured: bool | None, owner: bool, writes: bool, policies: list[str]) -> str:
    if secured is None:
        return "is missing"
    if owner:
        return "belongs to the reading role"
    if not secured:
        return "has row-level security switched off"
    if writes:
        return "may be written by the reading role"
    if len(policies) != 1 or not policies[0].startswith("visible r ") or "app.departments" not in policies[0]:
        return "does not have exactly the policy 'visible'"
    return ""
