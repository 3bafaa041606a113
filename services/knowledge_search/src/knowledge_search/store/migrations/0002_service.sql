-- What the service itself remembers: its embedder, the keys it accepts, and who asked what.

CREATE TABLE embedder (
    singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    fingerprint   text NOT NULL,
    name          text NOT NULL,
    dimensions    integer NOT NULL,
    tokenizer     text NOT NULL,
    max_distance  double precision CHECK (max_distance BETWEEN 0 AND 2),
    mean          vector,
    mean_rows     bigint NOT NULL DEFAULT 0
);

CREATE TABLE api_key (
    id          text PRIMARY KEY,
    name        text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    departments text[] NOT NULL CHECK ('all' = ANY (departments)),
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz,
    revoked_at  timestamptz,
    used_at     timestamptz
);

CREATE TABLE audit_log (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT now(),
    principal    text NOT NULL,
    departments  text[] NOT NULL,
    action       text NOT NULL,
    question     text,
    found        boolean,
    document_ids bigint[] NOT NULL
);
CREATE INDEX audit_log_at ON audit_log (at);
