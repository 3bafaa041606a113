"""``knowledge-search keys``: create, list and revoke API keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from knowledge_search.auth import ApiKeys
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import note, say, write_json
from knowledge_search.cli.pages import Group, command, option
from knowledge_search.domain import Scope

if TYPE_CHECKING:
    from knowledge_search.cli.messages import Language
    from knowledge_search.store import KeyRecord


def build(language: Language) -> click.Command:
    """Return the commands in one language."""
    makers = {"create": _create, "list": _list, "revoke": _revoke}
    return Group("keys", language=language, makers=makers, help=message("help_keys", language), no_args_is_help=True)


def state_of(key: KeyRecord, now: datetime) -> str:
    """Return ``good``, ``expired`` or ``revoked``."""
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "good"


def _create(language: Language) -> click.Command:
    def run(name: str, department: tuple[str, ...], days: int, *, write: bool, never: bool, json: bool) -> int:
        scope = Scope.of(*department)
        expires = None if never else datetime.now(UTC) + timedelta(days=days)
        with opened(language, settings_of(language)) as services:
            key = services.keys.create(name=name, scope=scope, may_write=write, expires_at=expires)
        if json:
            write_json(
                {"id": key.id, "key": key.text, "departments": scope.sorted, "may_write": write, "expires_at": expires}
            )
            return 0
        when = message("never", language) if expires is None else f"{expires:%Y-%m-%d}"
        rights = message("writes" if write else "reads", language)
        note(message("key_expires", language, id=key.id, departments=", ".join(scope.sorted), rights=rights, when=when))
        note(message("key_once", language))
        say(key.text)
        return 0

    return command(
        "create",
        language,
        run,
        [
            option(language, "--name", "name_option", required=True),
            option(language, "--department", "department_option", multiple=True),
            option(language, "--write", "write_option", is_flag=True),
            option(language, "--days", "days_option", type=click.IntRange(1, 3650), default=90),
            option(language, "--never", "never_option", is_flag=True),
            option(language, "--json", "json_option", is_flag=True),
        ],
    )


def _list(language: Language) -> click.Command:
    def run(*, json: bool) -> int:
        with opened(language, settings_of(language)) as services:
            keys = services.table.all()
        now = datetime.now(UTC)
        if json:
            write_json([_record(key, now) for key in keys])
            return 0
        for key in keys:
            rights = message("writes" if ApiKeys.may_write(key.id) else "reads", language)
            say(
                message(
                    "key_row", language, id=key.id, state=message(f"key_{state_of(key, now)}", language), rights=rights,
                    departments=",".join(key.scope.sorted), expires=_day(key.expires_at, "never", language),
                    used=_day(key.used_at, "not_yet", language), name=key.name,
                )
            )  # fmt: skip
        return 0

    return command("list", language, run, [option(language, "--json", "json_option", is_flag=True)])


def _revoke(language: Language) -> click.Command:
    def run(key_id: str) -> int:
        with opened(language, settings_of(language)) as services:
            known = services.table.revoke(key_id.partition(".")[0])
        code = "revoked" if known else "no_such_key"
        (say if known else note)(message(code, language, id=key_id.partition(".")[0]))
        return 0 if known else 1

    return command("revoke", language, run, [click.Argument(["key_id"], metavar="ID")])


def _record(key: KeyRecord, now: datetime) -> dict[str, object]:
    return {
        "id": key.id, "name": key.name, "departments": key.scope.sorted, "may_write": ApiKeys.may_write(key.id),
        "state": state_of(key, now), "created_at": key.created_at, "expires_at": key.expires_at, "used_at": key.used_at,
    }  # fmt: skip


def _day(moment: datetime | None, otherwise: str, language: Language) -> str:
    return message(otherwise, language) if moment is None else f"{moment:%Y-%m-%d}"
