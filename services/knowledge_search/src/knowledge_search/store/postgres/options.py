"""How the embedded server is set up: for one machine, a modest memory, and the same plans every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PORT = "5432"
"""Only a part of the socket's name."""
_ALWAYS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "port": PORT,
    "max_connections": "100",
    "shared_buffers": "128MB",  # touched as it is needed
    "dynamic_shared_memory_type": "mmap",  # /dev/shm holds only 64 MB in a container
    "io_method": "sync",  # no workers of its own
    "max_wal_size": "512MB",  # bounds the recovery after a crash
    "wal_level": "minimal",  # no replicas
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "max_parallel_workers_per_gather": "0",  # same plan, same order, on every machine
    "max_parallel_maintenance_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "logging_collector": "off",  # the supervisor keeps the log, and keeps it small
    "log_checkpoints": "off",
    # Statements and details hold what documents and users say; that does not belong in a log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
_THROWAWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def server_options(sockets: Path, *, durable: bool) -> dict[str, str]:
    """Return the settings of PostgreSQL by name; ``sockets`` is the folder of the socket."""
    return _ALWAYS | {"unix_socket_directories": str(sockets)} | ({} if durable else _THROWAWAY)
