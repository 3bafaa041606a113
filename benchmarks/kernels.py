"""Whether corpora, exact neighbours and a plain float search stay the same under other BLAS kernels and processors.

Each line is a process of its own. The last column is the control: the bits of a float32 matrix product, which are
expected to differ, so that "equal" in the others means something. Run: python benchmarks/kernels.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

PRINT = """
import hashlib
import numpy as np
from sekisho.corpora import PRESETS, load_preset
sha = lambda data: hashlib.sha256(data).hexdigest()[:12]
corpora = {name: load_preset(name) for name in PRESETS}
vectors = sha("".join(corpus.fingerprint for corpus in corpora.values()).encode())
near = sha(repr([[case.neighbours for case in corpus.cases] for corpus in corpora.values()]).encode())
float32 = corpora["seed"].chunks.values.astype(np.float32)
print(vectors, near, sha((float32 @ float32.T).tobytes()))
"""


def measure(environment: dict[str, str]) -> list[str]:
    """Return the digests that a process with this environment prints."""
    command = [sys.executable, "-W", "ignore", "-c", PRINT]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    return done.stdout.split() or ["failed"] * 3


def main() -> None:
    """Print the table."""
    core = import_module("numpy._core._multiarray_umath")
    features = [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]
    settings = [{"OPENBLAS_CORETYPE": kernel} for kernel in ("Haswell", "Prescott", "Zen", "SkylakeX")]
    settings += [{"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "2"}]
    settings += [{"NPY_DISABLE_CPU_FEATURES": " ".join(features[-count:])} for count in range(1, len(features) + 1)]
    here = measure({})
    print(f"{'':58}{'corpora':>10}{'neighbours':>12}{'float32':>10}")
    for environment in settings:
        label = " ".join(f"{name}={value}" for name, value in environment.items())
        equal = [
            "equal" if there == expected else "differs"
            for there, expected in zip(measure(environment), here, strict=True)
        ]
        print(f"{label:58}{equal[0]:>10}{equal[1]:>12}{equal[2]:>10}")


if __name__ == "__main__":
    main()
