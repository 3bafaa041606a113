"""``knowledge-search serve``: start the service and its page."""

from __future__ import annotations

import ipaddress
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from knowledge_search import __version__
from knowledge_search.cli.commands.ingest import show, take_in
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import note, say
from knowledge_search.cli.pages import command, option
from knowledge_search.domain import EVERYONE, ConfigurationError, Scope

if TYPE_CHECKING:
    from knowledge_search.bootstrap import Services
    from knowledge_search.cli.messages import Language
    from knowledge_search.settings import Settings


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(host: str | None, port: int | None, samples: Path | None, demo_key: tuple[str, ...]) -> int:
        settings = settings_of(language, host=host, port=port)
        with listening(settings, language) as listener, opened(language, settings) as services:
            if samples is not None:
                report = take_in(services, samples, language, default=EVERYONE)
                show(report, language)
            if demo_key:
                _show_demo_key(services, Scope.of(*demo_key), language)
            _tell(services, listener, language)
            _serve(services, listener)
        return 0

    return command(
        "serve",
        language,
        run,
        [
            option(language, "--host", "host_option"),
            option(language, "--port", "port_option", type=click.IntRange(0, 65535)),
            option(
                language, "--samples", "samples_option",
                type=click.Path(exists=True, file_okay=False, path_type=Path),
            ),
            option(language, "--demo-key", "demo_key_option", multiple=True, metavar="DEPARTMENT"),
        ],
    )  # fmt: skip


def listening(settings: Settings, language: Language) -> socket.socket:
    """Return a listening socket; taken before anything else, so that a taken port is known at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With the protocol named, asyncio turns off Nagle's algorithm, which costs every answer 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(socket.SOMAXCONN)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        text = message("port_taken", language, host=settings.host, port=settings.port, reason=reason)
        raise ConfigurationError(text) from None
    return listener


def _show_demo_key(services: Services, scope: Scope, language: Language) -> None:
    key = services.keys.create(name="demo", scope=scope, expires_at=datetime.now(UTC) + timedelta(days=1))
    note(message("demo_key", language))
    say(key.text)


def _tell(services: Services, listener: socket.socket, language: Language) -> None:
    if services.settings.embedder != "hashing":
        note(message("waiting", language, what=message("loading_embedder", language)))
    services.embedder.embed_query("ready")  # a model loads now, and an endpoint that does not answer is found now
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    if not ipaddress.ip_address(host).is_loopback:
        note(message("not_local", language, host=host))
    if services.settings.llm == "extractive":
        note(message("no_model", language))
    if services.embedder.evaluation_grade:
        note(message("evaluation_grade", language, name=services.embedder.name))
    if not services.table.all() and services.tokens is None and services.settings.anonymous == "refuse":
        note(message("no_keys", language))
    note(message("serving", language, version=__version__, url=f"http://{shown}:{port}/"))


def _serve(services: Services, listener: socket.socket) -> None:
    import uvicorn  # noqa: PLC0415 - help pages need none of it

    from knowledge_search.api import create_app  # noqa: PLC0415

    config: Any = uvicorn.Config(
        create_app(services),
        log_level="warning",
        access_log=False,  # addresses hold questions; who asked what stands in the audit log
        server_header=False,
        date_header=True,
        proxy_headers=False,
        timeout_graceful_shutdown=10,
        h11_max_incomplete_event_size=65_536,
    )
    uvicorn.Server(config).run(sockets=[listener])
