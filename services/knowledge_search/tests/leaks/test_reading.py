"""L1 to L5: what a reader is shown, through every route, with the locks and without them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from knowledge_search.bootstrap import Services
    from knowledge_search.domain import Hit, Scope
    from knowledge_search.ports import SearchStrategy

    from .conftest import Kit

QUESTION = "食堂 値引き 賞与係数"
LOCKS = ("both", "predicate alone", "row security alone", "none")
Told = dict[str, tuple[int, bytes]]


@pytest.fixture(scope="module")
def told(kit: Kit, services: Services, ids: dict[str, int]) -> dict[str, Told]:
    """Give all that a reader of ``sales`` is told, by the locks that hold."""
    found = {}
    for name in LOCKS:
        with (
            kit.changed(services, locks=kit.holding.get(name, kit.none)) as changed,
            kit.reader(changed, "sales") as http,
        ):
            found[name] = kit.surface(http, ids, (QUESTION,))
    return found


def l1_filter_dropped(told: Told, kit: Kit) -> bool:
    """Passages of a hidden document in an answer, a stream or a search."""
    return any(
        kit.hidden.text.encode() in body
        for name, (_, body) in told.items()
        if name.startswith(("ask", "stream", "search", "narrowed"))
    )


def l2_sibling_endpoint(told: Told, kit: Kit) -> bool:
    """A hidden document by its id, or in the list, though search may be closed."""
    siblings = {name: answer for name, answer in told.items() if name.startswith(("document", "page", "list"))}
    opened = any(status != 404 for name, (status, _) in siblings.items() if kit.hidden.source in name)
    return opened or any(kit.hidden.source.encode() in body for _, body in siblings.values())


def l3_title_or_metadata(told: Told, kit: Kit) -> bool:
    """File name or title anywhere, also where no text of it is shown."""
    return any(word.encode() in body for _, body in told.values() for word in (kit.hidden.source, kit.hidden.title))


def l4_counts(told: Told, kit: Kit) -> bool:  # noqa: ARG001 - as the others
    """Numbers that count what is hidden: documents, hits, contexts, whether the list goes on."""
    listed = len(json.loads(told["list"][1])["documents"])
    hits = len(json.loads(told[f"search 50 {QUESTION}"][1])["hits"])
    contexts = len(json.loads(told[f"ask 50 {QUESTION}"][1])["contexts"])
    goes_on = json.loads(told["list, part"][1])["next"] == "canteen.md"
    return (listed, hits, contexts, goes_on) != (2, 2, 2, True)


LEAKS = (l1_filter_dropped, l2_sibling_endpoint, l3_title_or_metadata, l4_counts)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
@pytest.mark.parametrize("locks", LOCKS[:3])
def test_no_leak_through_any_route(leak: object, locks: str, told: dict[str, Told], kit: Kit) -> None:
    """With both locks, and with either alone."""
    assert callable(leak)
    assert not leak(told[locks], kit)


@pytest.mark.parametrize("leak", LEAKS[:3], ids=lambda leak: leak.__name__)
def test_each_leak_shows_without_the_locks(leak: object, told: dict[str, Told], kit: Kit) -> None:
    """So the tests above can fail, each for its own class."""
    assert callable(leak)
    assert leak(told["none"], kit)


def test_l4_counts_show_without_the_locks(told: dict[str, Told], kit: Kit) -> None:
    """As above: three documents, three hits."""
    assert l4_counts(told["none"], kit)
    assert len(json.loads(told["none"]["list"][1])["documents"]) == 3


@pytest.mark.parametrize("locks", LOCKS)
@pytest.mark.parametrize("strategy", ["exact", "lexical", "fusion"])
def test_l4_a_probe_tells_no_hidden_term_from_none(strategy: str, locks: str, services: Services, kit: Kit) -> None:
    """A term of a hidden document alone is answered as one of no document; without the locks it is found."""
    with (
        kit.changed(services, locks=kit.holding.get(locks, kit.none), strategy=strategy, max_distance=0.8) as changed,
        kit.reader(changed, "sales") as http,
    ):
        hidden, nowhere = (http.post("/ask", json={"question": term}).json() for term in (kit.hidden.term, "火星探査"))

    assert not nowhere["found"]
    assert (hidden == nowhere) == (locks != "none") == (not hidden["found"])


class Remembering:
    """A cache as it should not be: what was found for a question is handed to whoever asks it next."""

    name = "remembering"

    def __init__(self, inner: SearchStrategy) -> None:
        self._inner = inner
        self._kept: dict[str, list[Hit]] = {}

    def search(self, query: str, scope: Scope, k: int) -> list[Hit]:
        """Return what is kept."""
        if query not in self._kept:
            self._kept[query] = self._inner.search(query, scope, k)
        return self._kept[query]


@pytest.mark.parametrize("order", [("hr", "sales"), ("sales", "hr")], ids="-".join)
@pytest.mark.parametrize("cached", [False, True], ids=["as it is", "with a cache"])
@pytest.mark.parametrize("strategy", ["exact", "lexical", "fusion"])
def test_l5_askers_in_either_order_get_their_own(
    strategy: str, cached: bool, order: tuple[str, str], services: Services, kit: Kit  # noqa: FBT001 - a parameter
) -> None:  # fmt: skip
    """The same question, one after the other, in both orders; with a cache put in, the second gets the first one's."""
    with kit.changed(services, strategy=strategy) as changed:
        chosen = Remembering(changed.strategy) if cached else changed.strategy
        answers = {}
        with kit.changed(services, strategy=chosen) as wired, kit.serving(wired) as url:
            for department in order:
                with kit.reader(wired, department) as http:
                    http.base_url = url  # one server for both
                    answers[department] = http.post("/ask", json={"question": QUESTION, "k": 50}).text
    own = (kit.hidden.text in answers["hr"], "13パーセント" in answers["hr"]), (
        kit.hidden.text in answers["sales"], "13パーセント" in answers["sales"],
    )  # fmt: skip

    assert (own == ((True, False), (False, True))) == (not cached)
