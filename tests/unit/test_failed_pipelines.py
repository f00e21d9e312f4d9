"""What a commit raises whose statements were sent at once."""

from __future__ import annotations

import pytest
from psycopg import DatabaseError, OperationalError
from psycopg.errors import ForeignKeyViolation, PipelineAborted

from contentgen_adapters.postgres.session import failed_first


def aborted(*before: DatabaseError) -> PipelineAborted:
    """Raised while the failures before it were handled, as psycopg does."""
    try:
        try:
            if before:
                raise before[0]
        finally:
            raise PipelineAborted("pipeline aborted")
    except PipelineAborted as error:
        return error


@pytest.mark.parametrize("failed", [ForeignKeyViolation("no such tenant"), OperationalError("gone")])
def test_it_is_the_failure_that_aborted_the_rest(failed: DatabaseError) -> None:
    assert failed_first(aborted(failed)) is failed
    assert failed_first(failed) is failed


def test_without_one_it_is_the_abort() -> None:
    alone = aborted()
    assert failed_first(alone) is alone
