"""Fields of a text as arrays: where they begin and end, their hash, the numbers they spell. All without a loop.

Fields are gathered eight bytes at a time, as little-endian words: the first character is the lowest byte. The arrays of
one block fit into the processor's cache, which is where the speed comes from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sekisho.adapters.files.values import number

if TYPE_CHECKING:
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    Places = npt.NDArray[np.int64]
    Words = npt.NDArray[np.uint64]
    Floats = npt.NDArray[np.float64]

PAD = 16
"""Bytes that must stand before and behind the text in its buffer, so that whole words can be gathered."""

_WORD = 8
_LONGEST = 2 * _WORD  # longer numbers are left to Python


def _every_byte(value: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([value]) * _WORD, "little"))


_ZEROS = _every_byte(ord("0"))
_DOTS = _every_byte(ord("."))
_ONES = _every_byte(0x01)
_HIGH = _every_byte(0x80)
_ABOVE_NINE = _every_byte(0x80 - 10)
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: odd, and its bits look random
_FOLD = np.uint64(29)
# _LOW[n]: all bits of the lowest n bytes.
_LOW = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], dtype=np.uint64)
_POWERS = np.array([10.0**n for n in range(_LONGEST)])


def words_at(buffer: Bytes, places: Places) -> Words:
    """Return the eight bytes at each place as one word."""
    view = np.ndarray((len(buffer) - _WORD + 1,), np.dtype("<u8"), buffer=buffer, strides=(1,))
    return view[places]


def planes(buffer: Bytes, starts: Places, lengths: Places) -> list[Words]:
    """Return the fields as words: the first eight bytes of each, the next, and so on; zero behind their ends."""
    found = []
    for offset in range(0, int(lengths.max(initial=0)), _WORD):
        left = np.clip(lengths - offset, 0, _WORD)
        places = np.where(left > 0, starts + offset, 0) if offset else starts
        found.append(words_at(buffer, places) & _LOW[left])
    return found


def hashes(buffer: Bytes, starts: Places, lengths: Places) -> Words:
    """Return a 64-bit hash of each field; the same bytes give the same hash in every block of every file."""
    hashed = lengths.astype(np.uint64) * _MIX
    for offset, plane in enumerate(planes(buffer, starts, lengths)):
        mixed = (hashed ^ plane) * _MIX
        mixed ^= mixed >> _FOLD
        hashed = np.where(lengths > offset * _WORD, mixed, hashed) if offset else mixed
    hashed *= _MIX
    return hashed ^ (hashed >> _FOLD)


def changes(buffer: Bytes, starts: Places, lengths: Places) -> npt.NDArray[np.bool_]:
    """Return for each field but the first whether it differs from the one before."""
    differ: npt.NDArray[np.bool_] = lengths[1:] != lengths[:-1]
    for plane in planes(buffer, starts, lengths):
        differ |= plane[1:] != plane[:-1]
    return differ


def numbers(buffer: Bytes, starts: Places, lengths: Places) -> Floats:
    """Return the numbers that the fields spell, each the float64 nearest to it, as Python reads it.

    Up to 16 characters of digits with at most one point are read here: their digits make a whole number below 2**53,
    and the quotient of two exact floats is correctly rounded. The rest (signs, exponents, more digits) goes to Python.

    Raises:
        BadValueError: A field is no finite number.
    """
    tail = _zero_filled(words_at(buffer, starts + lengths - _WORD), np.clip(lengths, 0, _WORD))
    if lengths.max(initial=0) <= _WORD:
        tail, decimals, has_point = _without_point_short(tail)
        simple = (lengths > has_point) & _all_digits(tail)
        digits = _digits(tail)
    else:
        head = _zero_filled(words_at(buffer, starts + lengths - 2 * _WORD), np.clip(lengths - _WORD, 0, _WORD))
        head, tail, decimals, has_point = _without_point(head, tail)
        simple = (lengths <= _LONGEST) & (lengths > has_point) & _all_digits(head) & _all_digits(tail)
        digits = _digits(head) * np.uint64(10**_WORD) + _digits(tail)
    values: Floats = digits.astype(np.float64) / _POWERS[decimals]
    for row in np.flatnonzero(~simple).tolist():
        text = buffer[starts[row] : starts[row] + lengths[row]].tobytes().decode()
        values[row] = number(text.strip())
    return values


def _zero_filled(words: Words, kept: Places) -> Words:
    """Return words whose highest ``kept`` bytes stay; the rest, which stands before the field, becomes ``0``."""
    low = _LOW[_WORD - kept]
    return (words & ~low) | (_ZEROS & low)


def _without_point_short(tail: Words) -> tuple[Words, Places, npt.NDArray[np.bool_]]:
    """Return a word with its point taken out, the digits before it moved up, and how many digits stood behind it."""
    bit = _point(tail)
    above, below = _sides(bit)
    has_point = bit != 0
    moved = (tail & above) | ((tail & below) << np.uint64(8)) | np.uint64(ord("0"))
    return np.where(has_point, moved, tail), np.where(has_point, _WORD - 1 - _byte_of(bit), 0), has_point


def _without_point(head: Words, tail: Words) -> tuple[Words, Words, Places, npt.NDArray[np.bool_]]:
    """Return both words with their last point taken out, the digits before it moved up, and the digits behind it."""
    in_tail, in_head = _point(tail), _point(head)
    tail_has = in_tail != 0
    head_has = (in_head != 0) & ~tail_has
    above, below = _sides(in_tail)
    moved_tail = (tail & above) | ((tail & below) << np.uint64(8)) | (head >> np.uint64(56))
    above, below = _sides(in_head)
    cut_head = (head & above) | ((head & below) << np.uint64(8)) | np.uint64(ord("0"))
    moved_head = (head << np.uint64(8)) | np.uint64(ord("0"))
    decimals = np.where(tail_has, _WORD - 1 - _byte_of(in_tail), 0)
    decimals = np.where(head_has, 2 * _WORD - 1 - _byte_of(in_head), decimals)
    head = np.where(tail_has, moved_head, np.where(head_has, cut_head, head))
    return head, np.where(tail_has, moved_tail, tail), decimals, tail_has | head_has


def _point(words: Words) -> Words:
    """Return the highest bit of the first byte that is a point; 0 where there is none."""
    other = words ^ _DOTS
    found = (other - _ONES) & ~other & _HIGH
    return found & (~found + np.uint64(1))


def _sides(bit: Words) -> tuple[Words, Words]:
    low = bit >> np.uint64(7)
    return ~((low << np.uint64(8)) - np.uint64(1)), low - np.uint64(1)


def _byte_of(bit: Words) -> Places:
    """Return the index of the byte whose highest bit is set."""
    # The bit is 0x80 << (8 * index): seen as a float64, its exponent counts the bits.
    exponents = (bit.astype(np.float64).view(np.int64) >> 52) - 1023
    places: Places = exponents >> 3
    return places


def _all_digits(words: Words) -> npt.NDArray[np.bool_]:
    value = words ^ _ZEROS
    digits: npt.NDArray[np.bool_] = (((value + _ABOVE_NINE) | value) & _HIGH) == 0
    return digits


def _digits(words: Words) -> Words:
    """Return the number that eight digits spell: pairs, then fours, then all."""
    value = words ^ _ZEROS
    value = (value * np.uint64(10) + (value >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    value = (value * np.uint64(100) + (value >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    return (value * np.uint64(10_000) + (value >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
