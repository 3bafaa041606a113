"""The command, as a program of its own, over a real database."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import httpx
import pytest

from knowledge_search.cli.commands.serve import listening
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMAND = [sys.executable, "-c", "from knowledge_search.cli import main; main()"]
Result = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def environment(module_database_url: str) -> dict[str, str]:
    """Give the environment of the commands."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("KNOWLEDGE_SEARCH", "LC_", "LANG"))
    }
    return {**kept, "DATABASE_URL": module_database_url, "MAX_DISTANCE": "1.5", "PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def run(environment: dict[str, str]) -> Callable[..., Result]:
    """Give a function that runs the command and checks its exit code."""

    def command(*words: str, code: int = 0, **changes: str) -> Result:
        result = subprocess.run(
            [*COMMAND, *words], env={**environment, **changes}, capture_output=True, text=True, timeout=120, check=False
        )
        assert result.returncode == code, result.stdout + result.stderr
        assert "Traceback" not in result.stderr
        return result

    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder of documents, one of which nobody can place."""
    place = tmp_path_factory.mktemp("documents")
    (place / "tea.md").write_text("---\ndepartment: all\n---\n# お茶\n\nお茶は3階の給湯室にあります。\n")
    (place / "bonus.md").write_text("---\ndepartment: hr\n---\n# 賞与\n\n賞与は6月と12月に支給します。\n")
    (place / "plan.txt").write_text("春の計画です。桜の下で話し合います。\n")
    (place / "sales").mkdir()
    (place / "sales" / "rate.md").write_text("# 率\n\n値引きの率は7パーセントまでです。\n")
    return place


def test_ingest_reports_what_it_left_out_and_takes_it_in_once_it_is_told(
    run: Callable[..., Result], folder: Path
) -> None:
    """1 where something was left out; the department is never guessed; a second run changes nothing."""
    first = run("ingest", str(folder), "--folder", "sales=sales", code=1)
    assert "plan.txt: has no department" in first.stderr
    assert first.stdout.startswith("3 ingested")

    words = ("ingest", str(folder), "--folder", "sales=sales", "--default", "all", "--json")
    second, third = (json.loads(run(*words).stdout)["files"] for _ in range(2))
    assert {one["source"]: one["department"] for one in second} == {
        "tea.md": "all", "bonus.md": "hr", "sales/rate.md": "sales", "plan.txt": "all",
    }  # fmt: skip
    assert {one["status"] for one in third} == {"unchanged"}


def test_ask_answers_within_the_departments_given(run: Callable[..., Result], folder: Path) -> None:
    """Found is 0, not found is 1; JSON has the whole answer; a department that is not given is not there."""
    run("ingest", str(folder), "--folder", "sales=sales", "--default", "all")
    told = run("ask", "賞与はいつ？", "--department", "hr", "--lang", "ja")
    hidden = json.loads(run("ask", "賞与はいつ？", "--json").stdout)
    nothing = run("ask", "賞与はいつ？", code=1, MAX_DISTANCE="0")

    assert "賞与は6月と12月に支給します。" in told.stdout
    assert "根拠: bonus.md" in told.stdout
    assert "bonus.md" not in json.dumps(hidden)
    assert "見つかりません" in nothing.stdout


def test_search_lists_passages(run: Callable[..., Result], folder: Path) -> None:
    """For people a line each, for programs all there is."""
    run("ingest", str(folder), "--folder", "sales=sales", "--default", "all")
    told = json.loads(run("search", "お茶", "--json", "--k", "1").stdout)

    assert [one["citation"] for one in told] == ["tea.md"]
    assert re.match(r"\d\.\d{3}  tea\.md  お茶\n", run("search", "お茶", "--k", "1").stdout)


def test_keys_are_made_listed_and_revoked(run: Callable[..., Result]) -> None:
    """The key alone goes to standard output; the list never holds a secret."""
    made = run("keys", "create", "--name", "reporting", "--department", "hr", "--write", "--days", "3")
    key = made.stdout.strip()
    key_id, secret = key.split(".")
    listed = run("keys", "list")
    run("keys", "revoke", key_id)
    state = {one["id"]: one["state"] for one in json.loads(run("keys", "list", "--json").stdout)}
    run("keys", "revoke", "ksr_nobody", code=1)

    assert re.fullmatch(r"ksw_[0-9a-f]{16}\.[\w-]{43}", key)
    assert key_id in listed.stdout
    assert secret not in listed.stdout + listed.stderr + made.stderr
    assert state[key_id] == "revoked"


def test_calibrate_keeps_a_threshold(run: Callable[..., Result], folder: Path, tmp_path: Path) -> None:
    """The distance that keeps the answerable questions; a file of another form is named with its place."""
    run("ingest", str(folder), "--folder", "sales=sales", "--default", "all")
    cases = tmp_path / "cases.json"
    cases.write_text(
        json.dumps(
            [{"question": "お茶はどこ？"}, {"question": "月の裏側の天気", "answerable": False}], ensure_ascii=False
        )
    )
    told = json.loads(run("calibrate", str(cases), "--json").stdout)
    cases.write_text('[{"question": "a"}, {"quest": "b"}]')
    wrong = run("calibrate", str(cases), code=2)

    assert 0 < told["max_distance"] < 1
    assert (told["answerable"], told["unanswerable"]) == (1, 1)
    assert "#2" in wrong.stderr
    assert "quest" in wrong.stderr


def test_reembed_lets_another_tokenizer_in(run: Callable[..., Result], folder: Path) -> None:
    """The store refuses another tokenizer until everything was made anew."""
    run("ingest", str(folder), "--folder", "sales=sales", "--default", "all")
    refused = run("search", "お茶", code=2, KNOWLEDGE_SEARCH_TOKENIZER="sudachi")
    run("reembed", KNOWLEDGE_SEARCH_TOKENIZER="sudachi")
    run("search", "お茶", KNOWLEDGE_SEARCH_TOKENIZER="sudachi")
    run("reembed")

    assert "reembed" in refused.stderr


def test_doctor_finds_what_has_to_be_mended(run: Callable[..., Result]) -> None:
    """0 where all is well; 1 and the name of the setting where something is missing; no password in what it says."""
    well = json.loads(run("doctor", "--json").stdout)
    bad = run("doctor", "--lang", "ja", code=1, KNOWLEDGE_SEARCH_LLM="openai")
    away = run("doctor", code=1, DATABASE_URL="postgresql://u:hunter2@127.0.0.1:9/x")

    assert [one["check"] for one in well] == [
        "settings", "sign_in", "binaries", "disk", "database", "roles", "embedder", "threshold", "model", "keys",
    ]  # fmt: skip
    assert not [one for one in well if one["state"] == "bad"]
    assert "KNOWLEDGE_SEARCH_LLM_MODEL" in bad.stdout
    assert "✗" in away.stdout
    assert "hunter2" not in away.stdout + away.stderr


@pytest.mark.parametrize("language", ["ja", "en"])
def test_help_is_in_one_language(run: Callable[..., Result], language: str) -> None:
    """Every page: no Japanese on an English one, headings in Japanese on a Japanese one, no line too wide."""
    names = ["serve", "ingest", "ask", "search", "calibrate", "reembed", "keys", "doctor"]
    for words in [[], *[[name] for name in names], *[["keys", name] for name in ("create", "list", "revoke")]]:
        page = run(*words, "--help", KNOWLEDGE_SEARCH_LANG=language, COLUMNS="80").stdout
        japanese = re.search(r"[ぁ-んァ-ヶ一-龠]", page)
        assert bool(japanese) == (language == "ja"), words
        assert ("使い方:" in page) == (language == "ja")
        wide = [line for line in page.splitlines() if sum(2 if ord(sign) > 0x2E7F else 1 for sign in line) > 80]
        assert not wide


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Usage:"),
        (["nope"], "no command 'nope'"),
        (["ask"], "QUESTION is missing"),
        (["ask", "a", "--nope"], "--nope"),
        (["ask", " "], "empty"),
        (["ask", "a", "--department", "No!"], "No!"),
        (["search", "a", "--k", "0"], "--k"),
        (["ingest", "no-such-file"], "no-such-file"),
        (["ingest", ".", "--folder", "x"], "FOLDER=DEPARTMENT"),
        (["keys"], "Usage:"),
        (["--lang", "fr", "ask", "a"], "ja"),
    ],
)
def test_wrong_usage_is_a_2_with_a_sentence(run: Callable[..., Result], words: list[str], told: str) -> None:
    """Which word, and where to look."""
    assert told in run(*words, code=2).stderr


def test_wrong_settings_are_named_without_their_values(run: Callable[..., Result]) -> None:
    """A secret that was put into the wrong variable is not repeated."""
    told = run("ask", "a", code=2, KNOWLEDGE_SEARCH_TOP_K="hunter2", KNOWLEDGE_SEARCH_GROUP_DEPARTMENTS="{hunter2")

    assert "hunter2" not in told.stderr + told.stdout


def test_a_half_configured_sign_in_is_refused(run: Callable[..., Result]) -> None:
    """Rather than one that checks half of a token."""
    assert "KNOWLEDGE_SEARCH_JWT_JWKS" in run("ask", "a", code=2, KNOWLEDGE_SEARCH_JWT_AUDIENCE="a").stderr


def test_serve_starts_tells_where_and_ends_cleanly(environment: dict[str, str], folder: Path, tmp_path: Path) -> None:
    """With samples and a key for trying things out; 127.0.0.1 only; Ctrl+C ends it with 0 or 130."""
    errors = tmp_path / "errors"
    with errors.open("wb") as told:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0", "--samples", str(folder), "--demo-key", "hr", "--lang", "ja"],
            env=environment, stdout=subprocess.PIPE, stderr=told, text=True,
        )  # fmt: skip
    try:
        until = time.monotonic() + 60
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/", errors.read_text())) and time.monotonic() < until:
            time.sleep(0.1)
        assert found, errors.read_text()
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        key = lines[1].strip()
        headers = {"Authorization": f"Bearer {key}"}
        answer = httpx.post(f"{found[0]}ask", json={"question": "賞与はいつ？"}, headers=headers, timeout=30)
        page = httpx.get(found[0], timeout=30)
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
        process.stdout.close() if process.stdout else None

    assert answer.json()["sources"][0] == "bonus.md"
    assert page.status_code == 200
    assert "server" not in page.headers
    assert code in {0, 130}
    assert "言語モデルが未設定" in errors.read_text()
    assert "hashing" in errors.read_text()
    assert key not in errors.read_text()


def test_a_taken_port_is_said_at_once(run: Callable[..., Result]) -> None:
    """Before the database is started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = run("serve", "--port", str(taken.getsockname()[1]), code=2, DATABASE_URL="postgresql://127.0.0.1:9/x")

    assert "--port" in told.stderr


def test_answers_are_not_held_back(environment: dict[str, str]) -> None:
    """A socket that does not name its protocol keeps Nagle's algorithm under asyncio: 40 ms an answer."""
    settings = Settings(host="127.0.0.1", port=0, database_url=environment["DATABASE_URL"])
    with listening(settings, "en") as listener:
        assert listener.proto == socket.IPPROTO_TCP
