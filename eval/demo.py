"""The demonstration: compare, check, then break search on purpose and watch the gate.

Every number is measured now, by the command itself; where one is not what the text says, the demonstration fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from sekisho.cli.language import take_language

TEXTS = {
    "en": {
        "compare": "1. The reference retrievers, side by side on one corpus",
        "check": "2. The gate of this repository: search, answers, permissions; exit code 0",
        "flipped": "3. One sign flipped in the quantiser, the same gate: red, exit code 1",
        "rerank": "4. The re-rank dropped: what three corpora see of it (recall@10, healthy → broken)",
        "hidden": "5. The filter on departments lost in the SQL: red by name, exit code 1",
        "row": "   {corpus:<12} {healthy:.3f} → {broken:.3f}   {remark}",
        "invisible": "invisible: this corpus is too easy",
        "plain": "plain",
        "end": (
            "One flipped sign still returns ten results a query, and the gate at recall@10 ≥ 0.6 stopped it (recall {flipped:.3f}).",
            "A dropped re-rank is invisible on `raw` ({raw:+.3f}) and plain on `seed` ({seed:+.3f}) and `calibrated` ({calibrated:+.3f}).",
            "Without the filter every answer still looks right to who may see it; {failed} of {cases} cases and {leaks} leaks stopped it.",
            "All of it was measured here, without an LLM, a key or a network. Next: install it in your project and run `sekisho init` there.",
        ),
        "exit_code": "(exit code {code})",
        "unexpected": "The demonstration failed: {what}",
    },
    "ja": {
        "compare": "1. 標準の検索方式を、同じコーパスで並べて比べる",
        "check": "2. このリポジトリの合格条件: 検索、回答、権限。終了コード 0",
        "flipped": "3. 量子化の符号を一つ反転する。同じ合格条件で不合格、終了コード 1",
        "rerank": "4. 再順位付けを外す。三つのコーパスからどう見えるか（recall@10、正常 → 故障）",
        "hidden": "5. SQL から部署の絞り込みを外す。ケースの名前を挙げて不合格、終了コード 1",
        "row": "   {corpus:<12} {healthy:.3f} → {broken:.3f}   {remark}",
        "invisible": "見えない: このコーパスは簡単すぎる",
        "plain": "はっきり見える",
        "end": (
            "符号を一つ反転しても検索は 10 件を返し続けますが、recall@10 ≥ 0.6 の合格条件が止めました（recall {flipped:.3f}）。",
            "再順位付けの欠落は `raw` では見えず（{raw:+.3f}）、`seed`（{seed:+.3f}）と `calibrated`（{calibrated:+.3f}）でははっきり見えます。",
            "絞り込みがなくても、見てよい人には正しい回答に見えますが、{cases} 件中 {failed} 件のケースと {leaks} 件の漏えいで止まりました。",
            "すべてこのマシンで測定しました。LLM もキーもネットワークも使っていません。次の手順: 自分のプロジェクトにインストールし、そこで `sekisho init` を実行してください。",
        ),
        "exit_code": "（終了コード {code}）",
        "unexpected": "デモは失敗しました: {what}",
    },
}
RETRIEVERS = ("exact", "ivf_flat", "two_stage", "fusion", "raptor")
FLIPPED = ("check", "--target", "eval.faults:sign_flipped")
BROKEN = "two_stage?rerank=false"
HIDDEN = ("check", "policies", "--target", "eval.faults:predicate_dropped")
LEAKING = ("check", "access", "--target", "eval.faults:predicate_dropped")
NEW_FAILURES = {"hr-hidden-from-others", "sales-hidden-from-hr"}
LEAST_VISIBLE = 0.05
"""A fall of recall that anyone sees; below a tenth of it, nothing is to be seen."""


class UnexpectedError(Exception):
    """Something did not come out as this demonstration says."""


def sekisho(*words: str, expected: int, show: str | None = None) -> Any:  # noqa: ANN401  a parsed report
    """Run the command; show what a user sees and then ``show`` with its exit code, or return its JSON report."""
    if show:
        print(f"$ sekisho {' '.join(words)}", flush=True)
    command = [sys.executable, "-m", "sekisho", *words, *([] if show else ["--json"])]
    pipe = None if show else subprocess.PIPE
    done = subprocess.run(command, stdout=pipe, stderr=None if show else subprocess.DEVNULL, check=False)
    if done.returncode != expected:
        what = f"sekisho {' '.join(words)}: exit code {done.returncode}, expected {expected}"
        raise UnexpectedError(what)
    if show:
        print(show.format(code=done.returncode) + "\n", flush=True)
        return None
    return json.loads(done.stdout)


def recalls(report: Any) -> dict[str, float]:  # noqa: ANN401  a parsed report
    """Return suite or target to its mean recall@10."""
    return {suite["name"]: suite["metrics"]["recall@10"] for suite in report["suites"]}


def demonstrate(texts: dict[str, Any]) -> None:
    """Run all five parts and end with a few lines on what was seen."""
    shown = texts["exit_code"]
    print(texts["compare"], flush=True)
    sekisho("compare", *RETRIEVERS, expected=0, show=shown)
    print(texts["check"], flush=True)
    sekisho("check", expected=0, show=shown)
    print(texts["flipped"], flush=True)
    sekisho(*FLIPPED, expected=1, show=shown)
    flipped = recalls(sekisho(*FLIPPED, expected=1))["target"]
    print(texts["rerank"], flush=True)
    falls = {}
    for corpus in ("raw", "seed", "calibrated"):
        found = recalls(sekisho("compare", "two_stage", BROKEN, "--corpus", corpus, expected=0))
        falls[corpus] = found[BROKEN] - found["two_stage"]
        remark = texts["plain"] if falls[corpus] < -LEAST_VISIBLE else texts["invisible"]
        print(texts["row"].format(corpus=corpus, healthy=found["two_stage"], broken=found[BROKEN], remark=remark))
    if abs(falls["raw"]) > LEAST_VISIBLE / 10 or max(falls["seed"], falls["calibrated"]) > -LEAST_VISIBLE:
        what = f"a dropped re-rank changed recall by {falls}"
        raise UnexpectedError(what)
    print(f"\n{texts['hidden']}", flush=True)
    sekisho(*HIDDEN, expected=1, show=shown)
    cases = sekisho(*HIDDEN, expected=1)["suites"][0]["cases"]
    failed = {case["id"] for case in cases if case["status"] == "ng"}
    leaks = sekisho(*LEAKING, expected=1)["suites"][0]["metrics"]["leaks"]
    if failed != NEW_FAILURES or not leaks:
        what = f"without the filter {sorted(failed)} failed, with {leaks} leaks"
        raise UnexpectedError(what)
    for line in texts["end"]:
        print(line.format(flipped=flipped, failed=len(failed), cases=len(cases), leaks=leaks, **falls))


def main() -> int:
    """Run the demonstration in the user's language; 1 where anything came out otherwise."""
    language, _ = take_language(sys.argv[1:], os.environ)
    texts: dict[str, Any] = TEXTS[language]
    try:
        demonstrate(texts)
    except UnexpectedError as unexpected:
        print(texts["unexpected"].format(what=unexpected), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
