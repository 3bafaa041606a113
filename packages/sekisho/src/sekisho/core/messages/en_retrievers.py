"""Sentences of the area ``retrievers``, in English."""

MESSAGES: dict[str, str] = {
    # One line on each reference retriever, as lists of them show it.
    "exact": "compares the query with every vector; the truth that the others are measured against",
    "ivf_flat": "compares the query with the vectors of the nearest clusters only",
    "two_stage": "finds candidates by one bit a component, then puts these in exact order",
    "fusion": "merges the rankings of two_stage and ivf_flat by their ranks",
    "raptor": "ranks chunks and summaries of clusters together and expands the summaries that are hit",
    # Numbers given to a factory.
    "not_whole": "{name} is {value!r}; give a whole number of at least {least}",
    "too_small": "{name} is {value}; give at least {least}",
    "not_non_negative": "{name} is {value!r}; give a finite number that is not negative",
    "not_switch": "{name} is {value!r}; give True or False",
    "candidates_below_k": "candidates is {candidates}, fewer than the {k} results asked for; give at least {k} candidates, better {k} times four",
    "too_many_lists": "lists is {lists}, but the corpus has only {count} chunks; give at most that many lists",
    "weight_count": "there are {count} weights for {needed} searches; give one weight for each",
    "weights_zero": "all weights are 0, so nothing could be found; give at least one that is larger",
    # Vectors of a corpus.
    "empty_corpus": "the corpus has no chunks; a retriever over nothing finds nothing, build it from at least one chunk",
    "vectors_type": "the vectors are of type {found}; give integers or floats, in rows of one length",
    "vectors_shape": "the table of vectors has shape {found} for {count} ids; give one row an id, with 1 to {most} components",
    "vectors_not_finite": "the vector of chunk {id!r} has a component that is NaN or infinite; compute it again or leave the chunk out",
    "id_not_text": "the id in row {row} (from 0) is of type {found}; ids are text",
    "duplicate_id": "the id {id!r} stands for two chunks; give each chunk an id of its own",
    # Queries.
    "query_type": "the query is of type {found}; give the components of a vector as integers or floats",
    "query_shape": "the query has shape {found}, but this corpus takes {shape}; embed queries with the model that embedded the chunks",
    "query_not_finite": "the query in row {row} (from 0) has a component that is NaN or infinite; compute its vector again",
    "code_widths": "the codes of documents have {documents} bytes, those of queries {queries}; use one quantiser for both",
}
