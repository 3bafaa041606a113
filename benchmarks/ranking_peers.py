"""The five metrics beside two peers, in CPU seconds and ratios, as a Markdown table.

    python benchmarks/ranking_peers.py [--queries 10000] [--depth 100] [--repetitions 5] [--large]

Engines take turns, so that a slow minute of the machine falls on all. Each gets objects made for it alone: no string is
shared between run and judgments, and none has its hash cached, as after reading files. Garbage collection is off for
all. Every repetition checks that all engines have the same means. Only ratios within one run mean anything.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import pytrec_eval
from toolkit_rag_quality.retrieval import score_run

from sekisho.ranking import score_many

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Means = list[float]

METRICS = ["recall@10", "precision@10", "mrr", "map", "ndcg@10"]
PYTREC = {"recall.10", "P.10", "recip_rank", "map", "ndcg_cut.10"}
PYTREC_NAMES = ["recall_10", "P_10", "recip_rank", "map", "ndcg_cut_10"]
RELEVANT, RETRIEVED_RELEVANT = 10, 7  # as many as a topic of the synthetic corpus has, most of them found
OURS = "sekisho"
ROUNDING = 1e-12  # of means that peers add up in other ways


class Data(NamedTuple):
    """The same queries in the forms that the engines take."""

    rankings: dict[str, list[str]]
    scores: dict[str, dict[str, float]]
    relevant: dict[str, set[str]]
    grades: dict[str, dict[str, int]]


def make(queries: int, depth: int, form: str) -> Data:
    """Return fresh objects; ``form`` says which of the two forms of a run to fill, and in which order."""
    numbers = random.Random(42)  # noqa: S311  no secret
    data = Data({}, {}, {}, {})
    for query in range(queries):
        documents = numbers.sample(range(100_000), depth)
        relevant = numbers.sample(documents[: max(RELEVANT, depth * 2 // 5)], RETRIEVED_RELEVANT)
        relevant += numbers.sample(range(100_000, 200_000), RELEVANT - RETRIEVED_RELEVANT)
        if form == "lists":
            data.rankings[f"q{query}"] = [name(document) for document in documents]
        else:
            results = [
                (document, (depth - place) / 1024) for place, document in enumerate(documents)
            ]  # exact in float32
            if form == "shuffled":
                numbers.shuffle(results)
            data.scores[f"q{query}"] = {name(document): score for document, score in results}
        data.relevant[f"q{query}"] = {name(document) for document in relevant}
        data.grades[f"q{query}"] = {name(document): 1 for document in relevant}
    return data


def name(document: int) -> str:
    """Return the id of a document, a new object each time."""
    return f"doc{document}:chunk4"


def sekisho_lists(data: Data) -> Means:
    """Measure rankings as they stand; repeated ids are looked for."""
    return list(score_many(data.rankings, data.relevant, METRICS).means.values())


def sekisho_scores(data: Data) -> Means:
    """Measure ids with scores; NaN and other types are looked for, and ties across rank 10 counted."""
    return list(score_many(data.scores, data.grades, METRICS).means.values())


def toolkit_lists(data: Data) -> Means:
    """Measure rankings; this peer cuts all five metrics at 10, so its reciprocal rank and MAP see 10 ids only."""
    summary = score_run(qrels=data.grades, run=data.rankings, k=10).summary
    return [summary[f"{metric}_at_k"] for metric in ("recall", "precision", "mrr", "map", "ndcg")]


def pytrec_scores(data: Data) -> Means:
    """Measure ids with scores."""
    return pytrec(data.scores, data.grades)


def pytrec_lists(data: Data) -> Means:
    """Measure rankings, which have to be given scores first."""
    scores = {
        query: {id_: float(len(ids) - place) for place, id_ in enumerate(ids)} for query, ids in data.rankings.items()
    }
    return pytrec(scores, data.grades)


def pytrec(scores: Mapping[str, Mapping[str, float]], grades: Mapping[str, Mapping[str, int]]) -> Means:
    """Return the five means of pytrec_eval."""
    values = pytrec_eval.RelevanceEvaluator(grades, PYTREC).evaluate(scores).values()
    return [sum(query[name] for query in values) / len(values) for name in PYTREC_NAMES]


def compare(
    title: str, form: str, size: tuple[int, int], engines: dict[str, Callable[[Data], Means]], times: int
) -> None:
    """Measure engines in turn on one kind of input, and print their rows."""
    spent: dict[str, list[float]] = {engine: [] for engine in engines}
    for _ in range(times):
        means = {}
        for engine, measure in engines.items():
            data = make(*size, form)
            gc.collect()
            gc.disable()
            start = time.process_time()
            means[engine] = measure(data)
            spent[engine].append(time.process_time() - start)
            gc.enable()
        check(means)
    report(title, spent)


def check(means: dict[str, Means]) -> None:
    """Exit where a peer has other means; those that the peer cuts at 10 are left out."""
    for engine, values in means.items():
        same = [0, 1, 4] if engine.startswith("toolkit") else range(5)
        if any(abs(values[place] - means[OURS][place]) > ROUNDING for place in same):
            sys.exit(f"{engine} has other means: {values} and {means[OURS]}")


def report(title: str, spent: dict[str, list[float]]) -> None:
    """Print one row an engine: median CPU time, and its ratio to ours."""
    for engine, seconds in spent.items():
        ratio = median(seconds) / median(spent[OURS])
        print(f"| {title} | {engine} | {median(seconds):.4f} | {min(seconds):.4f} | {ratio:.2f} |", flush=True)


PROCESSES = {
    OURS: """
import json, sys
from sekisho.ranking import score_many
data = json.load(open(sys.argv[1]))
print(json.dumps(score_many(data["run"], data["qrels"], ["recall@10", "precision@10", "mrr", "map", "ndcg@10"]).means))
""",
    "toolkit-rag-quality": """
import json, sys
from toolkit_rag_quality.retrieval import score_run
data = json.load(open(sys.argv[1]))
summary = score_run(qrels=data["qrels"], run=data["run"], k=10).summary
print(json.dumps({name: summary[name + "_at_k"] for name in ("recall", "precision", "mrr", "map", "ndcg")}))
""",
    "pytrec-eval-terrier": """
import json, sys
import pytrec_eval
data = json.load(open(sys.argv[1]))
run = {query: {id_: float(-place) for place, id_ in enumerate(ids)} for query, ids in data["run"].items()}
measures = {"recall.10", "P.10", "recip_rank", "map", "ndcg_cut.10"}
values = pytrec_eval.RelevanceEvaluator(data["qrels"], measures).evaluate(run).values()
names = ("recall_10", "P_10", "recip_rank", "map", "ndcg_cut_10")
print(json.dumps({name: sum(query[name] for query in values) / len(values) for name in names}))
""",
}


def compare_processes(times: int) -> None:
    """Measure what a CI job pays: start, imports, JSON in, five means out, for 120 rankings of 10.

    All engines run from compiled files, as after an ordinary installation; a first run, not counted, compiles them.
    """
    data = make(120, 10, "lists")
    spent: dict[str, list[float]] = {engine: [] for engine in PROCESSES}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.json"
        file.write_text(json.dumps({"run": data.rankings, "qrels": data.grades}))
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder
        for repetition in range(times + 1):
            printed = {}
            for engine, script in PROCESSES.items():
                before = children_cpu_s()
                command = [sys.executable, "-c", script, str(file)]
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                if repetition:
                    spent[engine].append(children_cpu_s() - before)
                printed[engine] = list(json.loads(done.stdout).values())
            check(printed)
    report("whole process, 120 × 10", spent)


def children_cpu_s() -> float:
    """Return the CPU seconds of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="also 100,000 queries with scores; needs 6 GB and minutes")
    return parser.parse_args()


def main() -> None:
    """Print the table."""
    asked: Any = options()
    size, times = (asked.queries, asked.depth), asked.repetitions
    shape = f"{asked.queries:,} × {asked.depth}"
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}, {times} repetitions")
    print("\n| input | engine | median CPU s | least | ratio to sekisho |\n|---|---|---:|---:|---:|")
    from_lists = {OURS: sekisho_lists, "toolkit-rag-quality": toolkit_lists, "pytrec-eval-terrier": pytrec_lists}
    compare(f"lists and sets, {shape}", "lists", size, from_lists, times)
    from_scores = {OURS: sekisho_scores, "pytrec-eval-terrier": pytrec_scores}
    compare(f"ids with scores, best first, {shape}", "sorted", size, from_scores, times)
    compare(f"ids with scores, in any order, {shape}", "shuffled", size, from_scores, times)
    if asked.large:
        compare("ids with scores, best first, 100,000 × 100", "sorted", (100_000, 100), from_scores, min(times, 3))
        compare("ids with scores, in any order, 100,000 × 100", "shuffled", (100_000, 100), from_scores, min(times, 3))
    compare_processes(max(times, 11))


if __name__ == "__main__":
    main()
