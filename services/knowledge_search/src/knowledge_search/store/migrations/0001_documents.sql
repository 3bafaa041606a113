-- Documents, their passages, and everything derived from a passage.
-- A row's department is tied to its document's by composite foreign keys, so no derived row can be filed elsewhere.

CREATE TABLE document (
    id           bigint PRIMARY KEY,
    source       text NOT NULL UNIQUE,
    title        text NOT NULL,
    department   text NOT NULL,
    media_type   text NOT NULL,
    content_hash text NOT NULL,
    pages        integer,
    chunks       integer NOT NULL,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    UNIQUE (id, department)
);
CREATE INDEX document_department ON document (department, source);

CREATE TABLE chunk (
    id           bigint PRIMARY KEY,
    document_id  bigint NOT NULL,
    department   text NOT NULL,
    text         text NOT NULL,
    title_path   text[] NOT NULL,
    page         integer,
    page_label   text,
    start_offset integer NOT NULL,
    end_offset   integer NOT NULL,
    UNIQUE (id, department),
    FOREIGN KEY (document_id, department) REFERENCES document (id, department) ON DELETE CASCADE
);
CREATE INDEX chunk_document ON chunk (document_id);
CREATE INDEX chunk_department ON chunk (department);

-- Narrow, because a row that is wide enough to be moved out of line made exact search three times slower.
CREATE TABLE chunk_vector (
    chunk_id   bigint PRIMARY KEY,
    department text NOT NULL,
    embedding  vector NOT NULL,
    FOREIGN KEY (chunk_id, department) REFERENCES chunk (id, department) ON DELETE CASCADE
);
-- Without a dimension, so that another embedder's vectors can take their place in one transaction.
ALTER TABLE chunk_vector ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX chunk_vector_department ON chunk_vector (department);

-- The signs of the vectors around the corpus mean, for two-stage search; empty until a mean is known.
CREATE TABLE chunk_bits (
    chunk_id   bigint PRIMARY KEY,
    department text NOT NULL,
    bits       bit varying NOT NULL,
    FOREIGN KEY (chunk_id, department) REFERENCES chunk (id, department) ON DELETE CASCADE
);
CREATE INDEX chunk_bits_department ON chunk_bits (department);

-- One row per term of a passage; length is that of the whole passage in terms.
CREATE TABLE posting (
    term        text NOT NULL,
    department  text NOT NULL,
    chunk_id    bigint NOT NULL,
    occurrences integer NOT NULL,
    length      integer NOT NULL,
    FOREIGN KEY (chunk_id, department) REFERENCES chunk (id, department) ON DELETE CASCADE
);
CREATE INDEX posting_term ON posting (term, department) INCLUDE (chunk_id, occurrences, length);
CREATE INDEX posting_chunk ON posting (chunk_id);

-- What BM25 needs to know of a department; kept in the transaction that changes its passages.
CREATE TABLE department_stat (
    department text PRIMARY KEY,
    chunks     bigint NOT NULL,
    terms      bigint NOT NULL,
    version    bigint NOT NULL
);

-- Summaries over the passages of one department; deleted with any change of that department.
CREATE TABLE tree_node (
    department text NOT NULL,
    level      integer NOT NULL,
    ordinal    integer NOT NULL,
    text       text NOT NULL,
    leaf_ids   bigint[] NOT NULL,
    embedding  vector NOT NULL,
    PRIMARY KEY (department, level, ordinal)
);
