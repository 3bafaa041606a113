"""End to end: the bytes of every answer are the same with and without what the asker may not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from knowledge_search.bootstrap import Services

    from .conftest import Kit

QUESTIONS = (
    "午前半休は何時までですか？",
    "等級3の月給はいくらですか",
    "値引きは何%まで承認なしでできますか",
    "How long is a password?",
)
STRATEGIES = ("exact", "lexical", "fusion")
DEPARTMENTS = ((), ("hr",), ("sales",))


def filled(services: Services, kit: Kit) -> dict[str, int]:
    """Take in the sample documents, and return their ids by source."""
    report = services.ingest.folder(kit.samples, default="all")
    assert report.count("ingested") >= 11
    return {record.source: record.id for record in services.store.documents(kit.everything)}


@pytest.mark.parametrize("departments", DEPARTMENTS, ids=lambda names: "+".join(names) or "all")
def test_deleting_what_is_hidden_changes_no_byte(
    departments: tuple[str, ...], own_services: Services, kit: Kit
) -> None:
    """Each route, each strategy, with the default embedder and tokenizer; without the locks, the bytes change."""
    services = own_services
    ids = filled(services, kit)
    visible = {"all", *departments}

    def told(*, locked: bool = True, strategy: str) -> dict[str, tuple[int, bytes]]:
        locks = kit.holding["both"] if locked else kit.none
        with (
            kit.changed(services, locks=locks, strategy=strategy) as changed,
            kit.reader(changed, *departments) as http,
        ):
            return kit.surface(http, ids, QUESTIONS)

    before = {strategy: told(strategy=strategy) for strategy in STRATEGIES}
    unlocked = told(strategy="exact", locked=False)
    hidden = [one for one in services.store.documents(kit.everything) if one.department not in visible]
    for record in hidden:
        assert services.store.remove(record.source)
    after = {strategy: told(strategy=strategy) for strategy in STRATEGIES}

    assert len(hidden) >= 1
    assert before == after
    assert unlocked != told(strategy="exact", locked=False)
    assert {status for status, _ in before["exact"].values()} == {200, 404}
