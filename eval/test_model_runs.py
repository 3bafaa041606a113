"""The answer cases with a model behind HTTP: recorded from a server, replayed without one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
KEY = "sk-planted-0123456789abcdef"


class Model(BaseHTTPRequestHandler):
    """Quotes the first document of the prompt, for whoever has the key."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != f"Bearer {KEY}":
            self.send_error(401)
            return
        asked = body["messages"][-1]["content"]
        text = asked.replace("\n", " ")[:400] + " [1]"
        reply = {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": {"total_tokens": 7}}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    """Run a model server on the loopback address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def check(*words: str, key: str | None = None) -> tuple[int, Any, str]:
    """Run the command; return its exit code, its report and all that it wrote."""
    environment = {name: value for name, value in os.environ.items() if name != "KNOWLEDGE_SEARCH_LLM_KEY"}
    if key is not None:
        environment["KNOWLEDGE_SEARCH_LLM_KEY"] = key
    command = [sys.executable, "-m", "sekisho", "check", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, text=True)
    return done.returncode, json.loads(done.stdout), done.stdout + done.stderr


def test_recorded_answers_are_replayed_without_a_key(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    """The same answers, byte for byte; the key stands in no file and no report."""
    cassette = tmp_path / "answers.jsonl"
    url = f"http://127.0.0.1:{server.server_port}/v1"
    _, recorded, text = check(
        "policies", "--model", "m", "--samples", "1", "--model-url", url, "--record", str(cassette), key=KEY
    )
    server.shutdown()

    _, replayed, again = check("policies", "--replay", str(cassette))

    assert recorded["suites"][0]["cases"] == replayed["suites"][0]["cases"]
    assert len(recorded["suites"][0]["cases"]) == 7
    assert KEY not in text + again + cassette.read_text(encoding="utf-8")


def test_a_changed_prompt_is_a_missing_recording(
    server: ThreadingHTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where search brings other passages, no stale answer is taken for the new one: no verdict."""
    cassette = tmp_path / "answers.jsonl"
    url = f"http://127.0.0.1:{server.server_port}/v1"
    check("policies", "--model", "m", "--samples", "1", "--model-url", url, "--record", str(cassette), key=KEY)
    changed = (ROOT / "sekisho.toml").read_text(encoding="utf-8")
    changed = changed.replace(
        'target = "eval.targets:answers"\ncases = "eval/cases.json"',
        f'target = "eval.targets:answers"\ntarget_options = {{ top_k = 1 }}\ncases = "{ROOT}/eval/cases.json"',
    )
    configuration = tmp_path / "sekisho.toml"
    configuration.write_text(changed, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    code, report, _ = check("policies", "--config", str(configuration), "--replay", str(cassette))

    assert code == 3
    assert "messages[1].content" in json.dumps(report)
