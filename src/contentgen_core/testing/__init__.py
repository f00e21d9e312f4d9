"""The test kit, for tests of Contentgen and for authors of adapters: sample values, Hypothesis strategies, and contract
suites of the ports that others implement. Needs the extra `contentgen-grounded[testing]`."""

import pytest

# The suites are outside of the tests' folders, where pytest would otherwise not explain a failed assertion.
pytest.register_assert_rewrite("contentgen_core.testing.passage_index")
