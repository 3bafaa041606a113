"""What a target asks its model, recorded at the model's HTTP interface, and answered from the recording again."""

from __future__ import annotations

from sekisho.adapters.model_recording.cassette import Cassette, read_cassette, write_cassette
from sekisho.adapters.model_recording.exchange import Exchange
from sekisho.adapters.model_recording.judgments import read_judgments
from sekisho.adapters.model_recording.loopback import past_proxies
from sekisho.adapters.model_recording.masking import Masking
from sekisho.adapters.model_recording.proxy import ModelProxy
from sekisho.adapters.model_recording.tape import Moment, Tape
from sekisho.adapters.model_recording.upstream import Upstream

__all__ = [
    "Cassette",
    "Exchange",
    "Masking",
    "ModelProxy",
    "Moment",
    "Tape",
    "Upstream",
    "past_proxies",
    "read_cassette",
    "read_judgments",
    "write_cassette",
]
