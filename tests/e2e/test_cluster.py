"""The tests of `tests/cluster`, in their own environment."""

import pytest

from tests.cluster.environment import install, run


@pytest.mark.timeout(900)
def test_the_tests_of_the_cluster(tmp_path):
    said = run(install(tmp_path), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/cluster")
    assert "6 passed" in said
