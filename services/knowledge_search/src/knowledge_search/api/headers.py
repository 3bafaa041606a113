"""Headers that tell a browser what it must not do with our answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.datastructures import MutableHeaders

from knowledge_search.api.gate import STATIC

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The page runs its own files and talks to its own server; text can never become markup, not even by mistake."""
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"


class SecurityHeaders:
    """ASGI middleware that adds them to every answer, errors among them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app and add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        page = scope["path"] == "/" or scope["path"].startswith(STATIC)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers.setdefault(name, value)
                headers["Content-Security-Policy"] = PAGE_POLICY if page else _API_POLICY
                headers.setdefault("Cache-Control", "no-cache" if page else "no-store")
            await send(message)

        await self._app(scope, receive, with_headers)
