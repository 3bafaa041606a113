"""Sentences of the area ``plugin``, in English."""

MESSAGES: dict[str, str] = {
    "path_for_suite": "There is no suite {name!r}, but there is a path of that name. Write paths before --sekisho, or the suite as --sekisho=SUITE. Suites: {known}",
    "no_gate": "reported only, since the suite has no gate: {reason}",
    "not_measured": "Could not be measured.",
    "retrieval": "{metrics}; gate: {gate}; {verdict}",
    "principal": "{name}: {probes} questions about hidden documents, {leaks} leaks, recall {recall}",
    "worst": "Cases that miss relevant documents, the worst first: {ids}",
    "more_leaks": "… and {count} more leaks",
    "partial": "{count} of {total} cases ran; the numbers speak about these only.",
    "too_many_known": "{name}: known issues: {count}, of which at most {most} may stand (max_known). The run fails.",
    "ruler_changed": "The ruler changed against the baseline: {names}. Where that is meant: sekisho accept {name} --reason TEXT",
}
