"""``sekisho corpus``: look at a corpus, or save it for a system that is written in another language."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.adapters.writing import write_folder
from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option, speaker
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from typing import TextIO

    from sekisho.core.messages import Language
    from sekisho.corpora import SyntheticCorpus

ARRAYS_FILE = "vectors.npz"
CASES_FILE = "cases.jsonl"
FACTS_FILE = "corpus.json"
_SHOWN = 3


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _corpus(language, **options)

    say = speaker("cli.corpus", language)
    parameters = [
        click.Argument(["preset"], default="seed", metavar="[PRESET]"),
        option("--save", say("save"), type=click.Path(path_type=Path), metavar="FOLDER"),
        flag("--json", say("json"), name="as_json"),
    ]
    return pages.command("corpus", language, run, parameters)


def _corpus(language: Language, *, preset: str, save: Path | None, as_json: bool) -> int:
    from sekisho.corpora import as_arrays, as_lines, load_preset  # noqa: PLC0415  after the words have been checked

    corpus = load_preset(preset)
    cases = corpus.cases
    facts = {
        "preset": preset,
        "parameters": dict(corpus.parameters),
        "documents": len(corpus.chunks),
        "queries": len(cases),
        "dims": int(corpus.chunks.values.shape[1]),
        "fingerprint": corpus.fingerprint,
    }
    if save is not None:
        _save(save, as_arrays(corpus), list(as_lines(corpus)), facts)
    output = Output(as_json=as_json)
    with output.text() as stream:
        if not as_json:
            _describe(corpus, facts, stream, language)
        if save is not None:
            for name in (ARRAYS_FILE, CASES_FILE, FACTS_FILE):
                stream.write(message("cli.wrote", language, path=str(save / name)) + "\n")
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        output.write_document(encode(facts))
    return 0


def _describe(corpus: SyntheticCorpus, facts: dict[str, Any], stream: TextIO, language: Language) -> None:
    parameters = ", ".join(f"{name}={value}" for name, value in corpus.parameters.items())
    stream.write(message("cli.corpus_facts", language, **facts | {"parameters": parameters}) + "\n")
    for case in corpus.cases[:_SHOWN]:
        found = ", ".join(list(case.grades)[:_SHOWN])
        stream.write(message("cli.corpus_case", language, id=case.id, relevant=found) + "\n")


def _save(folder: Path, arrays: Any, lines: list[Any], facts: dict[str, Any]) -> None:  # noqa: ANN401  numpy's arrays
    import msgspec  # noqa: PLC0415  only to save
    import numpy as np  # noqa: PLC0415  as above

    try:
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        encoder = msgspec.json.Encoder()
        contents = {
            ARRAYS_FILE: buffer.getvalue(),
            CASES_FILE: b"".join(encoder.encode(line) + b"\n" for line in lines),
        }
        facts["sha256"] = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        contents[FACTS_FILE] = msgspec.json.format(encoder.encode(facts), indent=2) + b"\n"
        write_folder(folder, contents)
    except OSError as error:
        raise ConfigurationError("app.cannot_write", path=str(folder), reason=error.strerror or str(error)) from error
