"""What a target does when it is imported, looked at, opened or closed is an error of the target."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from sekisho.adapters.targets import bind_factory, load_factory, with_target
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = "import sys\nfrom types import ModuleType\ndef make(): return None\n"


@pytest.fixture(autouse=True)
def import_path() -> Iterator[None]:
    """Leave the import path and the modules as they were."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("hostile_"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("sys.modules['numpy'] = ModuleType('numpy')", "numpy"),
        ("sys.modules['numpy'] = None", "numpy"),
        ("del sys.modules['sekisho.ranking']", "sekisho.ranking"),
        ("sys.modules['sekisho.core.errors'] = ModuleType('x')", "sekisho.core.errors"),
    ],
)
def test_a_target_that_replaces_what_measures_it_is_refused(tmp_path: Path, code: str, module: str) -> None:
    """And the modules are put back, with which the refusal is told."""
    import numpy as np  # noqa: PLC0415  there before the target

    before = sys.modules[module]
    (tmp_path / "hostile_modules.py").write_text(f"{HEAD}{code}\n", encoding="utf-8")

    with pytest.raises(TargetError) as caught:
        load_factory("hostile_modules:make", root=tmp_path)

    assert (caught.value.code, caught.value.values["module"]) == ("app.target_replaces", module)
    assert sys.modules[module] is before
    assert sys.modules["numpy"] is np


def test_an_error_of_this_package_without_a_sentence_is_one_of_the_target(tmp_path: Path) -> None:
    """Its code is the target's own."""
    code = "from sekisho.core.errors import SekishoError\nraise SekishoError('no.such.code')\n"
    (tmp_path / "hostile_error.py").write_text(code, encoding="utf-8")

    with pytest.raises(TargetError) as caught:
        load_factory("hostile_error:make", root=tmp_path)

    assert caught.value.code == "app.target_import"
    assert caught.value.render("ja")


def exiting(*_arguments: object) -> NoReturn:
    """Exit, as a part of a target."""
    raise SystemExit(0)


def test_a_signature_that_cannot_be_read_is_an_error_of_the_target() -> None:
    """Python asks the factory for it."""

    class Factory:
        __signature__ = property(exiting)

        def __call__(self) -> None:
            return None

    with pytest.raises(TargetError) as caught:
        bind_factory(Factory(), reference="m:f", offered={}, options={})

    assert caught.value.code == "app.target_factory"


@pytest.mark.parametrize("name", ["__class__", "__enter__", "__exit__"])
def test_a_target_that_cannot_be_looked_at_is_an_error_of_the_target(name: str) -> None:
    """Before it is opened, while it is, and while it is closed."""
    parts: dict[str, Any] = {"__enter__": lambda self: self, "__exit__": lambda *_: None}
    made = type("Made", (), parts | {name: property(exiting)})()

    with pytest.raises(TargetError) as caught:
        with_target(made, reference="m:f", use=lambda _target: 1)

    assert caught.value.code == "app.target_factory"


def test_the_first_error_is_kept_when_closing_exits() -> None:
    """It is the one to mend."""
    made = type("Made", (), {"__enter__": lambda self: self, "__exit__": exiting})()

    def use(_target: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with_target(made, reference="m:f", use=use)


def test_a_file_named_numpy_is_no_crash(tmp_path: Path) -> None:
    """In the folder of imports it is passed over; where Python itself finds it first it is refused by name."""
    (tmp_path / "numpy.py").write_text("raise RuntimeError('shadow')\n", encoding="utf-8")
    words = [sys.executable, "-m", "sekisho", "check", "--target", "sekisho.retrievers:exact"]

    done, safe = (
        subprocess.run(
            [words[0], *options, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
        for options in ([], ["-P"])
    )

    assert done.returncode == 2
    assert "app.shadowed" in done.stderr
    assert "Traceback" not in done.stderr
    assert safe.returncode in {0, 2}
    assert "Traceback" not in safe.stderr
