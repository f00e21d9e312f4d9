"""The test kit, for tests of Contentgen and for authors of adapters: sample values, Hypothesis strategies, and one
suite of contract tests per port. Needs the extra `contentgen-grounded[testing]`."""

import pytest

# The suites are outside of the tests' folders, where pytest would otherwise not explain a failed assertion.
pytest.register_assert_rewrite(
    "contentgen_core.testing.agent_events",
    "contentgen_core.testing.comparing",
    "contentgen_core.testing.passage_index",
    "contentgen_core.testing.repositories",
    "contentgen_core.testing.state_machine",
    "contentgen_core.testing.unit_of_work",
)
