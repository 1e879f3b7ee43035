"""These tests need the extra `cluster`, which wants another pyarrow: `tests/e2e/test_cluster.py` runs them."""

import os

collect_ignore_glob = [] if os.environ.get("ONO_CLUSTER_TESTS") == "1" else ["test_*.py"]
