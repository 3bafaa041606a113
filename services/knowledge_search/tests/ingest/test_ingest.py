"""Files become documents of the store, each with a department that somebody named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, get_args

import pytest

from knowledge_search.domain import ConfigurationError, DocumentStatus, Page, ParsedDocument, Scope, ScopeError
from knowledge_search.embed import HashingEmbedder
from knowledge_search.ingest import FileReport, Ingest
from knowledge_search.ingest.messages import STATUSES
from knowledge_search.parse import FileParser

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import MemoryStore


def write(folder: Path, **files: str) -> Path:
    """Write files; in their names ``__`` stands for a folder and ``_md`` for the ending."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_md", ".md").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def statuses(reports: tuple[FileReport, ...]) -> dict[str, tuple[str, str | None]]:
    """Give (status, department) by source."""
    return {report.source: (report.status, report.department) for report in reports}


def fm(department: str) -> str:
    """Give a document that names its department."""
    return f"---\ndepartment: {department}\n---\n本文です。\n"


@pytest.mark.parametrize(
    ("name", "text", "option", "default", "expected"),
    [
        ("a_md", fm("sales"), None, None, "sales"),
        ("a_md", "本文", None, None, None),
        ("a_md", "本文", "sales", None, "sales"),
        ("a_md", "本文", None, "all", "all"),
        ("a_md", fm("hr"), None, "all", "hr"),
        ("a_md", fm("hr"), "hr", None, "hr"),
        ("a_md", fm("hr"), "all", None, None),
        ("a_md", fm("all"), "hr", None, None),
        ("hr__a_txt", "本文", None, "all", "hr"),
        ("hr__deep__a_txt", "本文", None, None, "hr"),
        ("hr__shared__a_txt", "本文", None, None, "all"),
        ("hr__a_md", fm("hr"), None, None, "hr"),
        ("hr__a_md", fm("all"), None, None, None),
        ("hr__a_md", fm("sales"), None, None, None),
        ("hr__a_txt", "本文", "all", None, None),
        ("hr__a_txt", "本文", "hr", None, "hr"),
        ("shared__a_md", fm("sales"), None, None, "sales"),
        ("shared__a_md", fm("sales"), "sales", None, "sales"),
        ("sales__a_txt", "本文", None, None, None),
    ],
)
def test_the_department_is_named_and_never_guessed(  # noqa: PLR0917 - pytest passes them by name
    ingest: Ingest, tmp_path: Path, name: str, text: str, option: str | None, default: str | None, expected: str | None
) -> None:
    """Front matter, folder and option must agree; only a folder for everyone may hold a department's own document."""
    report = ingest.folder(write(tmp_path, **{name: text}), department=option, default=default).files[0]

    assert (report.department, report.status) == (expected, "ingested" if expected else "no_department")


def test_a_department_must_be_a_name(ingest: Ingest, tmp_path: Path, store: MemoryStore) -> None:
    """Else nothing is read at all."""
    for call in (
        lambda: ingest.folder(write(tmp_path, a_md="x"), department="HR!"),
        lambda: ingest.folder(tmp_path, default=""),
        lambda: ingest.upload("a.md", b"x", department="all,hr"),
        lambda: Ingest(store, FileParser(), HashingEmbedder(), folders={"hr": "H R"}),
    ):
        with pytest.raises(ScopeError):
            call()
    assert store.kept == {}


def test_an_unchanged_file_is_left_alone(ingest: Ingest, store: MemoryStore, tmp_path: Path) -> None:
    """A changed one replaces its passages; so does a new department, parser or embedder."""
    folder = write(tmp_path, a_md=fm("hr"), b_txt="本文")
    first, second = (ingest.folder(folder, default="all") for _ in range(2))
    write(tmp_path, b_txt="新しい本文")
    third = ingest.folder(folder, default="all")
    fourth = ingest.folder(folder, default="sales")
    newer = HashingEmbedder()
    newer.fingerprint = "another"
    fifth = Ingest(store, FileParser(), newer).folder(folder, default="sales")

    assert statuses(first.files) == {"a.md": ("ingested", "hr"), "b.txt": ("ingested", "all")}
    assert statuses(second.files) == {"a.md": ("unchanged", "hr"), "b.txt": ("unchanged", "all")}
    assert statuses(third.files) == {"a.md": ("unchanged", "hr"), "b.txt": ("ingested", "all")}
    assert statuses(fourth.files)["b.txt"] == ("ingested", "sales")
    assert statuses(fifth.files) == {"a.md": ("ingested", "hr"), "b.txt": ("ingested", "sales")}
    assert [chunk.text for chunk in store.chunks(2, Scope.of("sales"))] == ["新しい本文"]


def test_a_file_that_became_unreadable_keeps_its_older_version(
    ingest: Ingest, store: MemoryStore, tmp_path: Path
) -> None:
    """It is reported; nothing is lost, also with prune."""
    ingest.folder(write(tmp_path, a_md=fm("hr")))
    write(tmp_path, a_md="---\ndepartement: hr\n---\nx")
    report = ingest.folder(tmp_path, prune=True)

    assert report.files[0].status == "malformed"
    assert report.removed == ()
    assert store.sources() == ["a.md"]


def test_vanished_files_are_removed_only_on_request(ingest: Ingest, store: MemoryStore, tmp_path: Path) -> None:
    """And an empty folder, such as one that is not mounted, empties no store."""
    ingest.folder(write(tmp_path, a_md=fm("hr"), b_md=fm("all")))
    (tmp_path / "a.md").unlink()
    kept = ingest.folder(tmp_path)
    pruned = ingest.folder(tmp_path, prune=True)
    (tmp_path / "b.md").unlink()

    assert (kept.removed, pruned.removed, store.sources()) == ((), ("a.md",), ["b.md"])
    with pytest.raises(ConfigurationError, match="nothing was removed"):
        ingest.folder(tmp_path, prune=True)
    with pytest.raises(ConfigurationError, match="no such folder"):
        ingest.folder(tmp_path / "none")


def test_a_folder_is_read_without_hidden_files_and_without_leaving_it(ingest: Ingest, tmp_path: Path) -> None:
    """Links out of it are reported; those to folders, pipes and files that are too large are not read."""
    outside = write(tmp_path / "outside", secret_md=fm("all"), more__x_md=fm("all"))
    folder = write(tmp_path / "in", a_md=fm("all"), deep__b_md=fm("all"), z_md=fm("all") + "あ" * 100_000)
    write(folder, **{".hidden_md": fm("all"), ".git__x_md": fm("all"), "c_py": "x"})
    (folder / "out.md").symlink_to(outside / "secret.md")
    (folder / "outdir").symlink_to(outside / "more")
    (folder / "indir").symlink_to(folder / "deep")
    (folder / "inside.md").symlink_to(folder / "a.md")
    (folder / "tohidden.md").symlink_to(folder / ".hidden.md")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "dangling.md").symlink_to(folder / "gone.md")
    os.mkfifo(folder / "pipe.md")
    seen: list[tuple[int, int, str]] = []
    report = ingest.folder(folder, progress=lambda done, total, each: seen.append((done, total, each.source)))

    assert statuses(report.files) == {
        "a.md": ("ingested", "all"),
        "c_py": ("unsupported", None),
        "dangling.md": ("unsupported", None),
        "deep/b.md": ("ingested", "all"),
        "inside.md": ("ingested", "all"),
        "loop.md": ("unsupported", None),
        "out.md": ("unsupported", None),
        "outdir": ("unsupported", None),
        "pipe.md": ("unsupported", None),
        "z.md": ("too_large", None),
    }
    assert seen == [(at, 10, each.source) for at, each in enumerate(report.files, 1)]
    assert report.count("ingested") == 3
    assert "7" in report.summary("en")


def test_file_and_upload(ingest: Ingest, store: MemoryStore, tmp_path: Path) -> None:
    """Under their own name, whatever path came with it."""
    write(tmp_path, a_md=fm("hr"))
    taken = ingest.file(tmp_path / "a.md")
    again = ingest.upload("C:\\docs\\..\\a.md", (tmp_path / "a.md").read_bytes())
    refused = [ingest.upload(name, b"text", department="all") for name in ("", "x/", "a\n.md", "\u202e.md", "a" * 501)]

    assert (taken.status, taken.document_id, taken.chunks, again.status) == ("ingested", 1, 1, "unchanged")
    assert {report.status for report in refused} == {"unsupported"}
    assert ingest.upload("a.md", b"x" * 100_001, department="all").status == "too_large"
    assert ingest.file(tmp_path / "none.md", department="all").status == "unsupported"
    assert store.sources() == ["a.md"]


def test_a_parser_that_fails_unexpectedly_ends_one_file_only(store: MemoryStore, tmp_path: Path) -> None:
    """The others are taken in."""

    class Parser:
        version = "1"

        def parse(self, name: str, content: bytes) -> ParsedDocument:
            if name == "a.md":
                raise RecursionError
            return ParsedDocument(title=name, pages=(Page(text=content.decode()),), media_type="text/plain")

    ingest = Ingest(store, Parser(), HashingEmbedder())
    report = ingest.folder(write(tmp_path, a_md="x", b_md="y"), department="all")

    assert statuses(report.files) == {"a.md": ("crashed", None), "b.md": ("ingested", "all")}
    assert report.files[0].detail == "RecursionError"


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_status_has_words(language: str) -> None:
    """In both languages, with the file's name and what to do."""
    assert set(STATUSES) == {"ja", "en"}
    for status in get_args(DocumentStatus):
        text = FileReport(source="a.md", status=status, detail="why", pages_without_text=(2, 5)).text(language)  # type: ignore[arg-type] - of the parameters above
        assert text.startswith("a.md: ")
        assert "(why)" in text
        assert "2, 5" in text
