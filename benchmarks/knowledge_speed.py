"""What the knowledge search costs at 10,000 passages with the embedder ``hashing``, beside plain SQL in the same run.

Run: ``make bench``, or ``python benchmarks/knowledge_speed.py [--handbook FOLDER]`` where the service is installed; the
folder's documents are ingested and timed as well.

The passages are made up here. The service runs as its own command, ``knowledge-search serve``, asked on loopback.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import httpx
import psycopg
from knowledge_parts import throwaway_folder, throwaway_server, time_limit
from pgvector.psycopg import register_vector
from pydantic import SecretStr

from knowledge_search.bootstrap import OpenServices
from knowledge_search.domain import Scope
from knowledge_search.embed import HashingEmbedder
from knowledge_search.settings import Settings
from knowledge_search.store import ExactStrategy, FusionStrategy, LexicalStrategy
from knowledge_search.store.postgres import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knowledge_search.bootstrap import Services

DOCUMENTS, SECTIONS = 100, 100
SEARCHES, ASKS, ASKERS, ASKS_EACH = 300, 300, 50, 6
LIMIT_S = 900
K = 5
SUBJECTS = ("経費", "出張", "休暇", "申請", "承認", "期限", "予算", "契約", "在庫", "品質")
WORDS = [subject + thing for subject in SUBJECTS for thing in ("規程", "手続", "基準", "上限", "窓口")]
PLAIN = """
SELECT c.id, c.document_id, d.source, c.department, c.text, c.title_path, c.page, c.page_label, c.start_offset,
    c.end_offset, v.embedding <=> %(vector)s AS distance
FROM (
    SELECT chunk_id, embedding FROM chunk_vector WHERE department = ANY(%(departments)s)
    ORDER BY embedding <=> %(vector)s LIMIT %(k)s
) v JOIN chunk c ON c.id = v.chunk_id JOIN document d ON d.id = c.document_id ORDER BY distance
"""
"""What a programmer would write who needs no locks: one statement, by the owner, the vector at hand."""
_URL = re.compile(r"http://127\.0\.0\.1:\d+")


class Cost(NamedTuple):
    """Milliseconds of one call: CPU of this process, and wall."""

    cpu_ms: float
    wall_ms: float


def question(numbers: random.Random) -> str:
    """Return a question about some of the words."""
    return "の".join(numbers.choices(WORDS, k=3)) + "は？"


def fill(services: Services) -> int:
    """Ingest the made-up documents and return the number of their passages."""
    numbers = random.Random(7)  # noqa: S311 - made-up words
    for document in range(DOCUMENTS):
        sections = (
            f"## 第{section}節\n\n{''.join(numbers.choices(WORDS, k=20))}。" for section in range(1, SECTIONS + 1)
        )
        text = f"# 文書{document}\n\n" + "\n\n".join(sections)
        services.ingest.upload(f"document-{document}.md", text.encode(), department="all")
    services.maintenance.run("exact")
    return sum(record.chunks for record in services.store.documents(Scope.of()))


def in_turn(calls: dict[str, Callable[[str], object]]) -> dict[str, Cost]:
    """Return the median cost of each call over the same questions, the calls in turn."""
    numbers = random.Random(11)  # noqa: S311 - made-up questions
    costs: dict[str, list[Cost]] = {name: [] for name in calls}
    for turn in range(SEARCHES + 20):
        asked = question(numbers)
        for name, call in calls.items():
            cpu, wall = time.process_time(), time.perf_counter()
            call(asked)
            cost = Cost((time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000)
            if turn >= 20:  # noqa: PLR2004 - the first ones prepare their statements
                costs[name].append(cost)
    return {name: Cost(*map(statistics.median, zip(*each, strict=True))) for name, each in costs.items()}


def search_table(services: Services, url: SecretStr) -> None:
    """Print what search adds to the statement."""
    embedder, scope, database = HashingEmbedder(), Scope.of(), services.database
    options = "-c search_path=knowledge_search,public,extensions -c jit=off -c max_parallel_workers_per_gather=0"
    with psycopg.connect(url.get_secret_value(), autocommit=True, options=options, prepare_threshold=0) as plain:
        register_vector(plain)
        vectors: dict[str, object] = {}

        def bare(asked: str) -> object:
            given = {"vector": vectors[asked], "departments": scope.sorted, "k": K}
            return plain.execute(PLAIN, given, binary=True).fetchall()

        def embed(asked: str) -> None:
            vectors[asked] = embedder.embed_query(asked)

        exact, lexical, fusion = (made(database, embedder) for made in (ExactStrategy, LexicalStrategy, FusionStrategy))
        costs = in_turn({
            "the question's vector alone": embed,
            "plain SQL, vector at hand, no locks": bare,
            "`exact`": lambda asked: exact.search(asked, scope, K),
            "`lexical`": lambda asked: lexical.search(asked, scope, K),
            "`fusion`": lambda asked: fusion.search(asked, scope, K),
        })  # fmt: skip
    base = costs["plain SQL, vector at hand, no locks"]
    print("| one search, first 5 | client CPU ms | over plain SQL | ratio | wall ms | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, cost in costs.items():
        print(
            f"| {name} | {cost.cpu_ms:.2f} | {cost.cpu_ms - base.cpu_ms:+.2f} | {cost.cpu_ms / base.cpu_ms:.1f} | "
            f"{cost.wall_ms:.1f} | {cost.wall_ms / base.wall_ms:.2f} |"
        )


class Serving(NamedTuple):
    """A running service: its address, its process, and how long it took until it answered."""

    url: str
    process: subprocess.Popen[str]
    start_s: float


@contextmanager
def serving(url: SecretStr) -> Iterator[Serving]:
    """Give ``knowledge-search serve`` on a free port."""
    command = [str(Path(sys.executable).with_name("knowledge-search")), "serve", "--port", "0"]
    environment = os.environ | {
        "DATABASE_URL": url.get_secret_value(),
        "KNOWLEDGE_SEARCH_EMBEDDER": "hashing",
        "KNOWLEDGE_SEARCH_REQUESTS_PER_MINUTE": "1000000",
    }
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr
    assert said is not None  # noqa: S101 - it is a pipe
    try:
        address = next((match[0] for line in said if (match := _URL.search(line))), None)
        if address is None:
            sys.exit("knowledge-search serve ended before it answered")
        threading.Thread(target=said.read, daemon=True).start()
        _until_healthy(address)
        yield Serving(address, process, time.perf_counter() - start)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _until_healthy(address: str) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            if httpx.get(f"{address}/health", timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.01)
    sys.exit("knowledge-search serve does not answer")


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(client: httpx.Client, asked: str) -> tuple[float, bool]:
    """Return the wall milliseconds of one question, and whether it was answered."""
    start = time.perf_counter()
    try:
        answered = client.post("/ask", json={"question": asked}).status_code == httpx.codes.OK
    except httpx.HTTPError:
        answered = False
    return (time.perf_counter() - start) * 1000, answered


def ask_table(service: Serving, key: str) -> None:
    """Print the times of questions, one after another and many at once."""
    numbers = random.Random(13)  # noqa: S311 - made-up questions
    headers = {"Authorization": f"Bearer {key}"}

    def several(amount: int, seed: int) -> list[tuple[float, bool]]:
        own = random.Random(seed)  # noqa: S311 - made-up questions
        with httpx.Client(base_url=service.url, headers=headers, timeout=60) as client:  # its sockets have TCP_NODELAY
            return [ask(client, question(own)) for _ in range(amount)]

    several(30, numbers.randrange(2**30))
    print("| `POST /ask` over HTTP | questions | errors | p50 ms | p95 ms | a second | service CPU ms each |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with ThreadPoolExecutor(ASKERS) as pool:
        for title, askers, amount in (("one asker", 1, ASKS), (f"{ASKERS} askers at once", ASKERS, ASKS_EACH)):
            seeds = [numbers.randrange(2**30) for _ in range(askers)]
            cpu, wall = cpu_s(service.process.pid), time.perf_counter()
            done = [one for each in pool.map(several, [amount] * askers, seeds) for one in each]
            wall, cpu = time.perf_counter() - wall, cpu_s(service.process.pid) - cpu
            cuts = statistics.quantiles([ms for ms, _ in done], n=20)
            errors = sum(not answered for _, answered in done)
            print(
                f"| {title} | {len(done)} | {errors} | {cuts[9]:.1f} | {cuts[18]:.1f} | {len(done) / wall:.0f} | "
                f"{cpu / len(done) * 1000:.1f} |"
            )


def start_table(service_s: float) -> None:
    """Print how long the embedded server takes to start."""
    times: dict[str, list[float]] = {}
    for _ in range(3):
        server = EmbeddedServer(throwaway_folder())
        try:
            for title in ("first start, with a new database", "start again"):
                times.setdefault(title, []).append(_timed(server.start))
                if title == "start again":
                    second = EmbeddedServer(server.folders.data_dir)
                    times.setdefault("attach to a running one", []).append(_timed(second.start))
                    second.stop()
                times.setdefault("stop", []).append(_timed(server.stop))
        finally:
            server.start()
            server.destroy()
    python = [sys.executable, "-c", "pass"]
    bare = statistics.median(_timed(lambda: subprocess.run(python, check=True)) for _ in range(5))
    print("| embedded PostgreSQL, durable | wall s, median of 3 | ratio to bare Python |\n|---|---:|---:|")
    rows = {title: statistics.median(each) for title, each in times.items()}
    for title, wall in (rows | {"`knowledge-search serve` until it answers, server running": service_s}).items():
        print(f"| {title} | {wall:.2f} | {wall / bare:.1f} |")


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def handbook_table(folder: Path, settings: Settings) -> None:
    """Print what the ingest of a folder costs, on a durable server of its own."""
    server = EmbeddedServer(throwaway_folder())
    with server:
        try:
            own = settings.model_copy(update={"database_url": None, "data_dir": server.folders.data_dir})
            with OpenServices(own) as services:
                print("| ingest of a folder | files | taken in | passages | wall s | CPU s of the service | of 60 s |")
                print("|---|---:|---:|---:|---:|---:|---:|")
                for title in ("first", "again, nothing changed"):
                    cpu, wall = time.process_time(), time.perf_counter()
                    report = services.ingest.folder(folder, department="all")
                    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                    kept = sum(not file.left_out for file in report.files)
                    chunks = sum(record.chunks for record in services.store.documents(Scope.of()))
                    print(
                        f"| {title} | {len(report.files)} | {kept} | {chunks} | {wall:.1f} | {cpu:.1f} | "
                        f"{wall / 60:.2f} |"
                    )
        finally:
            server.destroy()


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--handbook", type=Path, help="a folder of documents whose ingest is timed")
    given = arguments.parse_args()
    with time_limit(LIMIT_S):
        with throwaway_server(durable=True) as server:
            settings = Settings(database_url=SecretStr(server.create_database("speed")))
            url = settings.database_url
            assert url is not None  # noqa: S101 - it was given
            with OpenServices(settings) as services:
                chunks = fill(services)
                load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
                print(
                    f"{chunks:,} passages, {SEARCHES} searches in turn, medians; {os.cpu_count()} cores, load {load}.\n"
                )
                search_table(services, url)
                key = services.keys.create(name="benchmark", scope=Scope.of(), expires_at=None).text
            print()
            with serving(url) as service:
                ask_table(service, key)
        print()
        start_table(service.start_s)
        if given.handbook is not None:
            print()
            handbook_table(given.handbook, settings)


if __name__ == "__main__":
    main()
