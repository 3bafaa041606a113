"""Requests made up from the schema: none of them is a 500, and every answer is one that the schema names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

if TYPE_CHECKING:
    from schemathesis import Case
    from schemathesis.schemas import BaseSchema

OPERATIONS = (
    "GET /documents", "POST /documents", "GET /documents/{document_id}", "DELETE /documents/{document_id}",
    "GET /documents/{document_id}/pages/{page}", "POST /ask", "GET /search", "GET /health",
)  # fmt: skip


@pytest.fixture(scope="module")
def schema(address: str) -> BaseSchema:
    """Give the schema of the running service."""
    return schemathesis.openapi.from_url(f"{address}/openapi.json")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_request_breaks_the_service(schema: BaseSchema, address: str, keys: dict[str, str], operation: str) -> None:
    """Forty requests an operation, right and wrong ones, the same in each run."""
    method, path = operation.split(" ")
    headers = {"Authorization": f"Bearer {keys['write-sales']}"}
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

    @hypothesis.settings(
        max_examples=40,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=schema[path][method].as_strategy())
    def sends(case: Case) -> None:
        case.call_and_validate(base_url=address, headers=headers, checks=checks, timeout=30)

    sends()
