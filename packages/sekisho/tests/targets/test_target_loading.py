from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.targets import bind_factory, load_factory
from sekisho.core.errors import TargetError
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """Return a folder for modules of a user, whose import leaves nothing behind."""
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def refused(project: Path, reference: str) -> TargetError:
    """Return the refusal of a reference, whose sentence exists in every language."""
    with pytest.raises(TargetError) as refusal:
        load_factory(reference, root=project)
    for language in LANGUAGES:
        assert refusal.value.render(language)
    return refusal.value


def test_a_factory_is_found_in_a_module_below_the_root(project: Path) -> None:
    """Functions, classes, and what dotted names lead to."""
    folder = project / "a_package"
    folder.mkdir()
    (folder / "targets.py").write_text("class Maker:\n    @staticmethod\n    def make(): return 'made'\n")

    assert load_factory("a_package.targets:Maker", root=project)().make() == "made"
    assert load_factory("a_package.targets:Maker.make", root=project)() == "made"


def test_the_root_comes_first_on_the_import_path_and_only_once(project: Path) -> None:
    """A module of the same name elsewhere does not win, even where the root was already further down."""
    other = project / "other"
    other.mkdir()
    (other / "two_places.py").write_text("def make(): return 'other'\n")
    (project / "two_places.py").write_text("def make(): return 'root'\n")
    sys.path[:0] = [str(other), str(project)]
    before = len(sys.path)

    made = [load_factory("two_places:make", root=project)() for _ in range(3)]

    assert made == ["root"] * 3
    assert sys.path[0] == str(project)
    assert len(sys.path) == before + 1


@pytest.mark.parametrize("reference", ["", "module", "module:", ":factory", ":"])
def test_a_reference_of_another_form_is_refused(project: Path, reference: str) -> None:
    """With an example of the right one."""
    refusal = refused(project, reference)

    assert refusal.code == "app.target_form"
    assert "module:factory" in str(refusal)


def test_a_module_that_does_not_exist_is_named(project: Path) -> None:
    """So is one that the target's module imports in vain, with the line that does."""
    (project / "imports_in_vain.py").write_text("\nimport no_such_module_at_all\n")

    missing = refused(project, "no_such_target_module:make")
    inner = refused(project, "imports_in_vain:make")

    assert missing.code == "app.target_no_module"
    assert str(project) in str(missing)
    assert "No module named 'no_such_module_at_all'" in str(inner)
    assert inner.values["trace"] == f"{project / 'imports_in_vain.py'}:2 (<module>)"
    assert isinstance(inner.__cause__, ModuleNotFoundError)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise ValueError('bad\\n  day')", "ValueError: bad day"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("raise BaseException", "BaseException"),
        ("def make(:", "SyntaxError: invalid syntax"),
    ],
)
def test_a_module_that_cannot_be_imported_is_refused_with_reason_and_place(
    project: Path, body: str, reason: str
) -> None:
    """A module that exits does not end the command with success."""
    (project / "cannot_be_imported.py").write_text(f"x = 1\n{body}\n")

    refusal = refused(project, "cannot_be_imported:make")

    assert refusal.code == "app.target_import"
    assert reason in str(refusal)
    assert f"{project / 'cannot_be_imported.py'}:2" in str(refusal)
    assert "importlib" not in str(refusal)


def test_a_folder_that_is_called_like_the_import_system_is_still_shown(project: Path) -> None:
    """Only frames of the import system itself are left out."""
    folder = project / "my_importlib"
    folder.mkdir()
    (folder / "targets_in_it.py").write_text("1 / 0\n")

    assert str(folder) in str(refused(project, "my_importlib.targets_in_it:make"))


def test_keyboard_interrupt_goes_through_an_import(project: Path) -> None:
    """The user's wish is no mistake of the target."""
    (project / "interrupted.py").write_text("raise KeyboardInterrupt\n")

    with pytest.raises(KeyboardInterrupt):
        load_factory("interrupted:make", root=project)


def test_a_name_that_is_not_there_is_refused_with_the_one_that_was_meant(project: Path) -> None:
    """Where none is near, none is offered; private names never are."""
    (project / "has_names.py").write_text("def two_stage(): pass\ndef _private_one(): pass\nclass A: two = 2\n")

    near = refused(project, "has_names:two_stagee")
    far = refused(project, "has_names:raptor")

    assert near.values == {"target": "has_names:two_stagee", "name": "two_stagee", "meant": "two_stage"}
    assert far.code == "app.target_name"
    assert refused(project, "has_names:private_one").code == "app.target_name"
    assert refused(project, "has_names:A.twoo").values["meant"] == "two"
    assert refused(project, "has_names:A.").code == "app.target_name"


def test_a_name_that_fails_when_it_is_looked_up_is_refused(project: Path) -> None:
    """A module may import lazily what it does not have."""
    (project / "lazy_names.py").write_text("def __getattr__(name):\n    import no_such_module_at_all\n")

    refusal = refused(project, "lazy_names:make")

    assert refusal.code == "app.target_import"
    assert "no_such_module_at_all" in str(refusal)


def test_what_cannot_be_called_is_refused(project: Path) -> None:
    """With its type."""
    (project / "not_callable.py").write_text("make = {}\n")

    assert refused(project, "not_callable:make").values == {"target": "not_callable:make", "kind": "dict"}


def bind(factory: Callable[..., Any], **options: Any) -> Any:  # noqa: ANN401  any option
    """Call the binding with a corpus and a k on offer."""
    offered = {"corpus": "the corpus", "k": 10}
    return bind_factory(factory, reference="m:f", offered=offered, options=options)


def test_a_factory_gets_what_its_signature_names() -> None:
    """And nothing else of what is offered: another parameter's default stays."""

    def only_k(*, k: int) -> object:
        return k

    def both(corpus: object, k: int = 5, candidates: int = 40) -> object:
        return corpus, k, candidates

    def neither(candidates: int = 40) -> object:
        return candidates

    assert bind(only_k)() == 10
    assert bind(both)() == ("the corpus", 10, 40)
    assert bind(both, candidates=7)() == ("the corpus", 10, 7)
    assert bind(both, k=3)() == ("the corpus", 3, 40)
    assert bind(neither)() == 40


def test_a_class_is_a_factory() -> None:
    """Its parameters are those of its initialiser."""

    class Target:
        def __init__(self, corpus: object, *, candidates: int) -> None:
            self.made = corpus, candidates

    assert bind(Target, candidates=3)().made == ("the corpus", 3)


def test_any_further_option_goes_to_a_factory_that_takes_any() -> None:
    """What is offered does not: the signature does not name it."""

    def factory(k: int, **options: object) -> object:
        return k, options

    assert bind(factory, probes=4, options=5)() == (10, {"probes": 4, "options": 5})


def test_a_factory_without_a_signature_takes_any_option() -> None:
    """Python cannot tell the parameters of every builtin."""
    assert bind(dict, a=1)() == {"a": 1}


@pytest.mark.parametrize(("option", "meant"), [("candidate", "candidates"), ("unlike", None), ("args", None)])
def test_an_option_that_the_factory_does_not_take_is_refused(option: str, meant: str | None) -> None:
    """With the one that was meant, or with all that it takes."""

    def factory(*args: object, candidates: int = 40, k: int = 1) -> object:
        return args, candidates, k

    with pytest.raises(TargetError) as refusal:
        bind(factory, **{option: 1})

    assert refusal.value.values["meant"] == meant
    assert refusal.value.values["known"] == "candidates, k"
    assert refusal.value.code == ("app.target_option_meant" if meant else "app.target_option")
    assert all(option in refusal.value.render(language) for language in LANGUAGES)


def test_a_parameter_that_nothing_gives_is_named() -> None:
    """Together with what is offered; one that takes no name cannot be given."""

    def factory(corpus: object, index: object, *rest: object, model: str, **more: object) -> object:
        return corpus, index, rest, model, more

    def unnamed(corpus: object, /) -> object:
        return corpus

    with pytest.raises(TargetError) as refusal:
        bind(factory)
    with pytest.raises(TargetError) as other:
        bind(unnamed)

    assert refusal.value.values == {"target": "m:f", "names": "index, model", "offered": "corpus, k"}
    assert other.value.values["names"] == "corpus"


def broken_factory() -> object:
    """Fail to make a target."""
    raise ValueError("no index")


def leaving_factory() -> object:
    """Leave, as a command line does."""
    raise SystemExit(0)


def test_what_a_factory_raises_is_a_target_error_with_its_place() -> None:
    """Also where it exits; an error of this package goes through as it is."""
    own = TargetError("app.target_form", target="x")

    def refuses() -> object:
        raise own

    with pytest.raises(
        TargetError, match=r"ValueError: no index \(at .*test_target_loading\.py:\d+ \(broken_factory\)"
    ):
        bind(broken_factory)()
    with pytest.raises(TargetError, match="SystemExit: 0"):
        bind(leaving_factory)()
    with pytest.raises(TargetError) as refusal:
        bind(refuses)()
    assert refusal.value is own
