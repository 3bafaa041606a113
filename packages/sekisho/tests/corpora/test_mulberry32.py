from __future__ import annotations

import hashlib
import shutil
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.errors import CorpusError
from sekisho.corpora.mulberry32 import PERIOD, Mulberry32, SeedWarning, normalise_seed, words

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_MILLION_OF_42 = "a6b34845dc11380605ec84efe937fe0f2a1b3b070b8345de70066d4b8361229c"

JAVASCRIPT = """
const [seed, start, count] = process.argv.slice(1).map(Number);
let state = seed | 0;
function next() {
  state = (state + 0x6D2B79F5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
for (let i = 0; i < start; i++) next();
const drawn = new Uint32Array(count);
for (let i = 0; i < count; i++) drawn[i] = next();
const bytes = Buffer.alloc(4 * count);
drawn.forEach((word, i) => bytes.writeUInt32LE(word, 4 * i));
console.log(require("crypto").createHash("sha256").update(bytes).digest("hex"));
"""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed; fixed vectors are checked")


def digest(drawn: npt.NDArray[np.uint32]) -> str:
    """Return the SHA-256 of the little-endian bytes."""
    return hashlib.sha256(drawn.astype("<u4").tobytes()).hexdigest()


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (42, [2581720956, 1925393290, 3661312704, 2876485805]),
        (0, [1144304738, 1416247, 958946056, 627933444]),
        (2**32 - 1, [3850105811, 813802916, 3073704848, 4054706436]),
    ],
)
def test_first_draws_are_those_of_other_implementations(seed: int, expected: list[int]) -> None:
    """The scalar and the vectorised form give the known words."""
    one = Mulberry32(seed)

    assert words(seed, 0, 4).tolist() == expected
    assert [one.word() for _ in range(4)] == expected


def test_first_million_draws_are_those_of_javascript() -> None:
    """A digest over many blocks pins every draw, and with it the joins between blocks."""
    assert digest(words(42, 0, 10**6)) == FIRST_MILLION_OF_42
    assert words(42, 10**6, 1).tolist() == [3931831608]


@needs_node
@pytest.mark.parametrize(("seed", "start", "count"), [(42, 0, 10**6), (42, 4_917_700, 200), (0, 4_917_700, 200)])
def test_node_draws_the_same(seed: int, start: int, count: int) -> None:
    """Also around draw 4,917,758, where the form that lets its state grow leaves the sequence."""
    command = ["node", "-e", JAVASCRIPT, "--", str(seed), str(start), str(count)]

    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert digest(words(seed, start, count)) == shown


@given(seed=st.integers(0, PERIOD - 1), start=st.integers(0, PERIOD - 200), count=st.integers(0, 100))
def test_any_position_can_be_jumped_to(seed: int, start: int, count: int) -> None:
    """Vectorised draws from a position are what the scalar form draws there."""
    one = Mulberry32(seed, position=start)

    assert words(seed, start, count).tolist() == [one.word() for _ in range(count)]


@given(start=st.integers(0, 70_000), count=st.integers(0, 70_000))
def test_blocks_join_without_a_seam(start: int, count: int) -> None:
    """A slice of a long run is the run of that slice."""
    whole = words(7, 0, 140_000)

    assert np.array_equal(words(7, start, count), whole[start : start + count])


def test_a_long_run_passes_the_places_that_jumps_reach() -> None:
    """Positions beyond millions are the same whether drawn through or jumped to."""
    long = words(42, 0, 5_000_000)

    for start in (1_500_000, 4_917_700, 4_999_900):
        assert np.array_equal(long[start : start + 100], words(42, start, 100))


def test_uniform_is_the_word_over_two_to_the_32() -> None:
    """The division is exact."""
    assert Mulberry32(42).uniform() == 2581720956 / 2**32


@pytest.mark.parametrize(("seed", "used"), [(2**32 + 42, 42), (-1, 2**32 - 1), (-(2**33) - 5, 2**32 - 5)])
def test_seed_outside_32_bits_warns_and_wraps_as_in_javascript(seed: int, used: int) -> None:
    """Two seeds that look different are one, which the user must hear, at the line that chose the seed."""
    with pytest.warns(SeedWarning, match=str(used)) as caught:
        assert normalise_seed(seed, stacklevel=1) == used
    with pytest.warns(SeedWarning) as made:
        assert Mulberry32(seed).word() == int(words(used, 0, 1)[0])

    assert caught[0].filename == __file__
    assert made[0].filename == __file__
    assert str(used) in caught[0].message.render("ja")


@pytest.mark.parametrize("seed", [0, 42, 2**32 - 1, np.uint32(5)])
def test_seed_inside_32_bits_stays_silent(seed: int) -> None:
    """Warnings are errors here."""
    assert normalise_seed(seed) == seed


@pytest.mark.parametrize("seed", [True, 4.0, "42", None, float("nan")])
def test_seed_must_be_whole(seed: object) -> None:
    """Nothing is converted silently."""
    with pytest.raises(CorpusError, match="seed must be a whole number"):
        normalise_seed(seed)


def test_more_than_two_to_the_32_draws_are_refused() -> None:
    """After the last draw the sequence would begin again."""
    last = Mulberry32(42, position=PERIOD - 1)
    last.word()

    with pytest.raises(CorpusError, match="number 4294967297"):
        last.word()
    with pytest.raises(CorpusError, match="repeats"):
        words(42, PERIOD - 1, 2)
    with pytest.raises(CorpusError):
        words(42, -1, 1)
