"""Sentences of the area ``ranking``, in English."""

MESSAGES: dict[str, str] = {
    "cutoff": "A cut-off must be a whole number of at least 1, not {value!r}.",
    "duplicate": "The ranking holds {id!r} more than once (ids that do: {count}). Remove the repetitions, or count each id at its first place only: duplicates first.",
    "duplicates_option": 'duplicates must be "refuse" or "first", not {value!r}.',
    "grade": "The grade of {id!r} is {value!r}. A grade must be a finite number, at most 1e100 in size.",
    "id_not_text": "The id {id!r} is of type {kind}. Ids of results with scores must be text, since ties are broken by it.",
    "in_query": "Query {query!r}: {sentence}",
    "metric_cutoff": "{text!r} is not a metric: behind the @ stands a whole number from 1 to 999999999, in plain digits without sign or leading zeros, as in {name}@10.",
    "metric_misspelt": "There is no metric {text!r}. Did you mean {suggestion}?",
    "metric_needs_cutoff": "{name} needs a cut-off: write {name}@10 for the first 10 results.",
    "metric_unknown": "There is no metric {text!r}. There are recall@k, precision@k, mrr, mrr@k, map, map@k, ndcg@k, success@k and overlap@k, with a number for k.",
    "no_metrics": "No metric was asked for. Name at least one, such as recall@10.",
    "no_queries": "There are no judged queries. A run without judgments cannot be measured.",
    "no_values": "There are no values to take a mean of. Nothing measured is not a result.",
    "overlap_of_qrels": "{metric} compares with the exact nearest neighbours, which judgments do not hold. Take recall@k here, or overlap_at_k with the neighbours.",
    "relevant_is_text": "The relevant ids are the text {value!r}, which would be read letter by letter. Put a single id into a list.",
    "retrieved_is_text": "The ranking is the text {value!r}, which would be read letter by letter. Put a single id into a list.",
    "retrieved_unordered": "The ranking is of type {kind}, whose order says nothing. Give a list of ids, best first; rank_by_score makes one from ids with scores.",
    "score": "The score of {id!r} is {value!r}. A score must be a number that float64 can hold; NaN has no place in a ranking.",
    "scores_not_mapping": "The scores are of type {kind}. Give a mapping from id to score.",
    "threshold": "relevance_threshold must be a finite number above 0, not {value!r}.",
}
