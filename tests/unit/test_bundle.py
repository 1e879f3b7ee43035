import pytest

from ono_replay import bundle
from ono_replay.bundle import BUNDLE_NAMES, bundle_path


@pytest.fixture
def install(tmp_path, monkeypatch):
    """An installed package, with a stranger's `dashboard` beside it."""
    package = tmp_path / "site-packages" / "ono_replay"
    (package / "_bundle" / "schemas").mkdir(parents=True)
    (package.parent / "dashboard").mkdir()
    monkeypatch.setattr(bundle, "_PACKAGE", package)
    return package


def test_from_a_wheel(install):
    assert bundle_path("schemas") == install / "_bundle" / "schemas"


def test_from_a_checkout(install):
    (install.parent / "pyproject.toml").touch()
    assert bundle_path("dashboard") == install.parent / "dashboard"


def test_a_folder_of_somebody_else_is_not_taken(install):
    with pytest.raises(FileNotFoundError, match="dashboard"):
        bundle_path("dashboard")


@pytest.mark.parametrize("name", ["", "..", "tests", "Schemas"])
def test_only_bundled_names(name):
    with pytest.raises(ValueError, match="not bundled"):
        bundle_path(name)


def test_the_names():
    assert BUNDLE_NAMES == ("dashboard", "schemas", "sample_logs")
