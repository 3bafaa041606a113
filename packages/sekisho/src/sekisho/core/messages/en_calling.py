"""Sentences of the area ``calling``, in English."""

MESSAGES: dict[str, str] = {
    "running_loop": "An event loop is running here and the target is async. Call this from outside the loop; for retrieval there is also: await evaluate_retrieval_async(...).",
    "timeout": "No result within {timeout_s} s; the call was given up.",
    "raised": "{text}",
    "not_usable": "The target cannot be used: {reason}",
    "part_missing": "The target returned {kind} without `{part}`. An answer has text, sources, found and contexts; a document has id, name, title, departments and text.",
    "wrong_part": "`{part}` must be {wanted}; the target returned {kind}.",
    "too_many_parts": "`{part}` holds more than {most:,} elements; no more are read.",
    "repeated_document": "documents() gives the id {id!r} twice. Give each document an id of its own.",
    "no_departments": "The document {id!r} has no department, so nobody can tell who may see it. Give it at least one; `all` stands for everyone.",
    "no_method": "The target of type {kind} has no method `{method}`, which a suite of this kind calls.",
}
