"""Sentences of the area ``retrieval``, in English."""

MESSAGES: dict[str, str] = {
    "no_cases": "There is no case to evaluate; nothing measured is never a pass. Give at least one case.",
    "repeated_case": "The case id {id!r} comes twice. Give each case an id of its own.",
    "relevant": "Case {id!r}: `relevant` must be a list of ids (text), or a mapping from id to a grade that is a finite number.",
    "not_positive": "{name} must be a whole number of at least 1, not {value!r}.",
    "not_positive_seconds": "{name} must be a number of seconds above 0, not {value!r}.",
    "not_callable": "The target is of type {kind}: it is neither a function nor an object with a method retrieve(query).",
    "wrong_type": "retrieve returned {kind}. It must return a list of ids, best first, or a mapping from id to score.",
    "wrong_id_type": "retrieve returned an id of type {kind}. Ids are text (str), as in the cases; convert them in the target.",
    "id_with_score": "retrieve returned an id of type {kind}. Ids are text (str), as in the cases. For pairs of id and score return dict(pairs).",
    "not_made": "The target could not be made, so no case was measured: {text}",
    "without_relevant": "{count} case(s) have no relevant id and count 0: {cases}",
    "no_neighbours_at_k": "overlap@{k} was not measured: the exact neighbours are known at depth {depth} only. Use cases_for({k}).",
    "recall_is_precision": "Each case has as many relevant ids as k, {k}, so recall@{k} and precision@{k} are one number here.",
    "ties": "In {count} case(s) a tie of scores crosses rank {k}: over all orders of the tied documents recall@{k} lies between {low} and {high}.",
    "too_many": "retrieve returned more than {most:,} ids for one query; no more are read. Return the best ones only.",
    "broke_off": "The measurement broke off, so no case was measured: {text}",
}
