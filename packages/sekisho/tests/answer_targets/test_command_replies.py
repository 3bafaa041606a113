from __future__ import annotations

import json
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.command_target import CommandTarget, command_settings, command_target
from sekisho.calling.records import WrongResultError
from sekisho.core.errors import ConfigurationError, TargetError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
OK = json.dumps({"text": "はい", "sources": [], "found": True, "contexts": []})
START = f"""
import json, os, sys, time
OK = json.loads({OK!r})
def say(value):
    out = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode() + b"\\n"
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
def requests():
    for line in sys.stdin.buffer:
        yield json.loads(line)
"""
GOOD = "for r in requests(): say({'id': r['id'], 'answer': {**OK, 'text': r['question']}})"


@contextmanager
def command(program: str, **keys: Any) -> Iterator[CommandTarget]:  # noqa: ANN401  any key
    """Give a target that is a Python program."""
    table = {"command": [sys.executable, "-c", START + program], "timeout_s": 10, **keys}
    with command_target(command_settings(table, root=Path())) as made:
        yield made


def test_any_text_comes_back_as_it_was_sent() -> None:
    """Whatever the locale of either side."""
    questions = ["日本 👍", '"\\\n\r\u2028', "\x00\x1b", "長" * 100_000]

    with command(GOOD) as made:
        assert [made.answer(question, ["all"]).text for question in questions] == questions


def test_the_locale_of_the_process_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are ASCII, and replies are read as UTF-8."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    monkeypatch.setenv("PYTHONUTF8", "0")

    with command(GOOD) as made:
        assert made.answer("日本", ["all"]).text == "日本"


def test_a_request_holds_what_the_docstring_says() -> None:
    """Ids count from 1, and one more key beside them is the result."""
    program = """
for r in requests():
    id_ = r.pop('id')
    result = {'answer': {**OK, 'text': json.dumps(r)}, 'search': [json.dumps(r), id_], 'documents': []}
    say({'id': id_, r['method']: result[r['method']]})
"""
    with command(program, methods=["answer", "search", "documents"]) as made:
        answer = made.answer("q", ("all", "hr"))
        ids = made.search("q", ("all",), 3)

        assert json.loads(answer.text) == {"method": "answer", "question": "q", "departments": ["all", "hr"]}
        assert json.loads(ids[0]) == {"method": "search", "question": "q", "departments": ["all"], "k": 3}
        assert ids[1] == "2"
        assert made.documents() == ()


def test_only_the_methods_that_were_named_are_there() -> None:
    """Whoever asks for documents of a target without them is told so by their absence."""
    with command(GOOD) as made:
        assert not hasattr(made, "search")
        assert not hasattr(made, "documents")


def test_an_error_that_the_command_reports_is_one_of_that_case() -> None:
    """The same process goes on, and its sentence is told."""
    program = """
for r in requests():
    say({'id': r['id'], 'error': 'no index \\x1b[31m'} if r['question'] == 'bad' else
        {'id': r['id'], 'answer': {**OK, 'text': str(os.getpid())}})
"""
    with command(program) as made:
        before = made.answer("q", [])
        for _ in range(5):
            with pytest.raises(TargetError, match=r"reports: no index \\x1b\[31m"):
                made.answer("bad", [])

        assert made.answer("q", []) == before


def test_an_answer_of_the_wrong_shape_is_one_of_that_case() -> None:
    """As from any other target."""
    program = "for r in requests(): say({'id': r['id'], 'answer': {'text': 'x', 'sources': [], 'contexts': []}})"

    with command(program) as made:
        for _ in range(5):
            with pytest.raises(WrongResultError, match="without `found`"):
                made.answer("q", [])


BAD = "r['question'] == 'bad'"
WRONG = [
    ("garbage", f"say(b'Loading\\n') if {BAD} else ok(r)", "no reply. Not valid JSON.*'Loading'"),
    ("half a line", f"(say(b'{{\"id\": '), sys.exit(3)) if {BAD} else ok(r)", "Not valid JSON"),
    ("a list", f"say([]) if {BAD} else ok(r)", "a JSON array, not an object"),
    ("another id", f"say({{'id': r['id'] + 1, 'answer': OK}}) if {BAD} else ok(r)", "under another id than 2"),
    ("an id of another type", f"say({{'id': float(r['id']), 'answer': OK}}) if {BAD} else ok(r)", "under another id"),
    ("no id", f"say({{'answer': OK}}) if {BAD} else ok(r)", "under another id"),
    ("another method", f"say({{'id': r['id'], 'search': []}}) if {BAD} else ok(r)", "must hold id and answer"),
    ("both", f"say({{'id': r['id'], 'answer': OK, 'error': 'x'}}) if {BAD} else ok(r)", "must hold id and answer"),
    ("an error without words", f"say({{'id': r['id'], 'error': 5}}) if {BAD} else ok(r)", "error with a sentence"),
    ("a key twice", f"say(b'{{\"id\": 2, \"id\": 2}}\\n') if {BAD} else ok(r)", "'id' comes twice"),
    ("no UTF-8", f"say(b'\\xff\\xfe\\n') if {BAD} else ok(r)", "not UTF-8"),
    ("depths", f"say(b'[' * 100000 + b'\\n') if {BAD} else ok(r)", "nested too deeply"),
    ("a blank line", f"say(b'\\n') if {BAD} else ok(r)", "Not valid JSON"),
    ("an endless line", f"[say(b'x' * 10**6) for _ in range(30)] if {BAD} else ok(r)", "more than 10,000,000"),
    ("nothing", f"time.sleep(60) if {BAD} else ok(r)", r"no whole line within 1\.0 s. Flush"),
    ("a line too many before", f"(ok(r), ok(r)) if {BAD} else ok(r)", None),
    ("an end", f"(print('ouch', file=sys.stderr), sys.exit(7)) if {BAD} else ok(r)", "exit status 7.*ouch"),
    ("an end after a space", f"(say(b' '), sys.exit(3)) if {BAD} else ok(r)", "exit status 3"),
    ("an end with a child that stays", f"(os.fork() and os._exit(5), time.sleep(60)) if {BAD} else ok(r)",
     "exit status 5"),
    ("an end by a signal", f"os.abort() if {BAD} else ok(r)", "was ended by SIGABRT"),
    ("a closed output", f"(os.close(1), time.sleep(60)) if {BAD} else ok(r)", "closed its standard output"),
    ("a closed input", f"(os.close(0), time.sleep(60)) if {BAD} else ok(r)", "no whole line"),
    ("a flood of errors", f"[os.write(2, b'e' * 4000) for _ in range(3000)] and sys.exit(1) if {BAD} else ok(r)",
     "exit status 1"),
]  # fmt: skip


@pytest.mark.parametrize(("does", "says"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_a_command_that_breaks_the_rules_fails_that_case_alone(
    does: str, says: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    """The next case gets a new process and its answer."""
    program = f"""
def ok(r):
    say({{'id': r['id'], 'answer': {{**OK, 'text': r['question']}}}})
for r in requests():
    {does}
"""
    with command(program, timeout_s=1) as made:
        answers = [made.answer("first", []).text]
        try:
            answers.append(made.answer("bad", []).text)
        except TargetError as caught:
            error = caught
        else:  # a line too many is seen when the next case is asked
            with pytest.raises(TargetError, match=r"without being asked|under another id") as late:
                made.answer("late", [])
            error = late.value
        answers.append(made.answer("last", []).text)

    assert answers[0::1][-1] == "last"
    with pytest.raises(TargetError, match=says):
        raise error
    assert len({error.render(language) for language in LANGUAGES}) == 2
    assert len(capfd.readouterr().err) < 200_000


def test_a_last_line_without_its_line_break_counts() -> None:
    """Some programs write none at their end."""
    program = "for r in requests(): say(json.dumps({'id': r['id'], 'answer': OK}).encode()); break"

    with command(program) as made:
        assert made.answer("q", []).text == "はい"


def test_a_command_that_never_reads_cannot_block_a_long_question() -> None:
    """The pipe is full long before the question is written."""
    with command("time.sleep(60)", timeout_s=0.5) as made:
        start = time.monotonic()
        with pytest.raises(TargetError, match="no whole line within"):
            made.answer("x" * 1_000_000, [])

        assert time.monotonic() - start < 5


def test_reading_and_writing_at_the_same_time_does_not_block() -> None:
    """The command fills its output before it has read its input to the end."""
    program = """
import threading
for line in iter(lambda: os.read(0, 1000), b''):
    os.write(2, b'x' * 70000)
    if line.endswith(b'\\n'):
        say({'id': 1, 'answer': {**OK, 'text': 'y' * 1000000}})
"""
    with command(program) as made:
        assert len(made.answer("x" * 1_000_000, []).text) == 1_000_000


def test_a_reply_that_was_there_before_its_request_is_none() -> None:
    """A program cannot have read what it was not sent."""
    program = """
r = next(requests())
say(b''.join(json.dumps({'id': n, 'answer': OK}).encode() + b'\\n' for n in (1, 2)))
time.sleep(60)
"""
    with command(program) as made:
        made.answer("q", [])
        with pytest.raises(TargetError, match="without being asked"):
            made.answer("q", [])


def test_after_three_failures_in_a_row_it_is_not_started_again(tmp_path: Path) -> None:
    """A suite of a thousand cases would start a thousand broken programs."""
    log = tmp_path / "starts"
    program = f"open({str(log)!r}, 'a').write('x'); sys.stderr.write('no model\\n'); sys.exit(9)"

    with command(program) as made:
        codes = []
        for _ in range(6):
            with pytest.raises(TargetError) as caught:
                made.answer("q", [])
            codes.append(caught.value.code)

    assert codes == ["targets.command_ended"] * 3 + ["targets.command_given_up"] * 3
    assert log.read_text() == "xxx"


def test_an_answer_in_between_begins_the_count_anew() -> None:
    """Three in a row, not three in all; a command that ends after each answer fails every second case."""
    program = "r = next(requests()); say({'id': r['id'], 'answer': OK})"

    with command(program) as made:
        outcomes = []
        for _ in range(10):
            try:
                outcomes.append(made.answer("q", []).text)
            except TargetError as error:
                outcomes.append(error.code)

    assert outcomes == ["はい", "targets.command_ended"] * 5


def test_calls_from_many_threads_get_each_their_own_answer() -> None:
    """One waits for the other."""
    wrong: list[str] = []
    with command(GOOD) as made:

        def ask(number: int) -> None:
            for turn in range(50):
                question = f"{number}-{turn}"
                if made.answer(question, []).text != question:
                    wrong.append(question)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert wrong == []


def test_standard_error_is_passed_through_printable_and_within_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """Each line with the name of the program; nothing of it steers the terminal."""
    program = """
for r in requests():
    sys.stderr.write('\\x1b[2Jhello\\n' + 'y' * 100000 + '\\n')
    for n in range(1000): sys.stderr.write(f'line {n}\\n')
    sys.stderr.flush()
    say({'id': r['id'], 'answer': OK})
"""
    with command(program) as made:
        made.answer("q", [])
        made.answer("q", [])

    lines = capsys.readouterr().err.splitlines()
    name = Path(sys.executable).name
    assert lines[0] == rf"{name}: \x1b[2Jhello"
    assert len(lines) == 201
    assert lines[-1] == f"{name}: […]"
    assert max(map(len, lines)) < 500


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "targets.command_form"),
    ({"command": "python x.py"}, "app.not_texts"),
    ({"command": []}, "targets.command_form"),
    ({"command": [" "]}, "targets.command_form"),
    ({"command": ["a\0b"]}, "targets.command_nul"),
    ({"command": ["a"], "comand": 1}, "app.unknown_key_meant"),
    ({"command": ["a"], "methods": ["serch"]}, "app.unknown_choice_meant"),
    ({"command": ["a"], "timeout_s": -1}, "app.out_of_range"),
    ({"command": ["a"], "folder": 5}, "app.not_text"),
]


@pytest.mark.parametrize(("table", "code"), REFUSED)
def test_settings_that_cannot_work_are_refused(table: dict[str, Any], code: str) -> None:
    """Before anything runs."""
    with pytest.raises(ConfigurationError) as caught:
        command_settings(table, root=Path())

    assert caught.value.code == code


@pytest.mark.parametrize("keys", [{"command": ["no-such-program"]}, {"folder": "no-such-folder"}, {"command": ["/"]}])
def test_a_command_that_cannot_be_started_is_named_before_the_first_case(keys: dict[str, Any]) -> None:
    """With the reason of the system."""
    with pytest.raises(TargetError, match=r"cannot be started: (No such file|Permission denied)"), command("", **keys):
        pytest.fail("it has been started")


def test_the_program_gets_its_arguments_as_they_are(tmp_path: Path) -> None:
    """No shell reads them, and the working directory is the folder of the settings."""
    program = "for r in requests(): say({'id': r['id'], 'answer': {**OK, 'text': repr((sys.argv[1:], os.getcwd()))}})"
    arguments = ["$HOME", "`id`", "a b", "; exit 1", "*"]
    table = {"command": [sys.executable, "-c", START + program, *arguments], "folder": "sub"}
    (tmp_path / "sub").mkdir()

    with command_target(command_settings(table, root=tmp_path)) as made:
        assert made.answer("q", []).text == repr((arguments, str((tmp_path / "sub").resolve())))
