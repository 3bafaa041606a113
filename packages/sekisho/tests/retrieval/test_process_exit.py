from __future__ import annotations

import subprocess
import sys
import time

import pytest

HANGS = {
    "sleep": "def retrieve(q): time.sleep(300)",
    "busy": "def retrieve(q):\n    while True: pass",
    "async sleep": "async def retrieve(q): await asyncio.sleep(300)",
    "blocked loop": "async def retrieve(q): time.sleep(300)",
    "executor": "async def retrieve(q): await asyncio.to_thread(time.sleep, 300)",
    "ignored": """
async def retrieve(q):
    while True:
        try: await asyncio.sleep(300)
        except BaseException: pass
""",
}
PROGRAM = """
import asyncio, sys, time
from sekisho.retrieval import EvalCase, evaluate_retrieval
{hang}
report = evaluate_retrieval([EvalCase("a", "q", ["d"])], retrieve, timeout_s=0.1)
print([case.error.kind for case in report.errors])
"""


def test_a_target_that_hangs_cannot_keep_the_process_alive() -> None:
    """Whatever it hangs in; and the interpreter ends without a word about what was left."""
    start = time.monotonic()
    running = {
        name: subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM.format(hang=hang)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, hang in HANGS.items()
    }
    try:
        ended = {name: (*process.communicate(timeout=60), process.returncode) for name, process in running.items()}
    finally:
        for process in running.values():
            process.kill()

    assert ended == dict.fromkeys(HANGS, ("['timeout']\n", "", 0))
    assert time.monotonic() - start < 60


@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind do not exist there")
def test_an_interrupt_from_the_keyboard_ends_a_call_without_a_limit() -> None:
    """Also where the main thread only waits for a loop or for other threads."""
    program = """
import asyncio, os, signal, sys, threading, time
from sekisho.retrieval import EvalCase, evaluate_retrieval
def interrupt():
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
async def asleep(q):
    threading.Thread(target=interrupt, daemon=True).start()
    await asyncio.sleep(300)
def blocked(q):
    threading.Thread(target=interrupt, daemon=True).start()
    time.sleep(300)
for target, limits in ((asleep, {}), (asleep, {"timeout_s": 300}), (blocked, {}), (blocked, {"concurrency": 2})):
    try:
        evaluate_retrieval([EvalCase("a", "q", ["d"])], target, **limits)
    except KeyboardInterrupt:
        print("interrupted")
"""

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert ended.stdout == "interrupted\n" * 4
    assert ended.stderr == ""
