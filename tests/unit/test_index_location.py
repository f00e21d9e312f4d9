"""Where the search index may be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from contentgen_adapters.lance.location import check_location, storage_options
from contentgen_grounded.bootstrap.stores import index_location
from contentgen_grounded.settings import BadSetting, Settings

ENDPOINT = {"AWS_ENDPOINT_URL": "http://minio:9000"}


@pytest.mark.parametrize("place", ["/var/lib/contentgen/index", "index", "s3://bucket", "s3://bucket/a/b"])
def test_a_folder_or_a_bucket_will_do(place: str) -> None:
    assert check_location(place) == place


@pytest.mark.parametrize(
    "place", ["gs://bucket", "file:///folder", "s3://", "s3:///", "s3://key:secret@bucket", "s3://bucket?region=x"]
)
def test_another_address_or_credentials_in_it_are_refused(place: str) -> None:
    with pytest.raises(ValueError, match="s3://bucket/prefix"):
        check_location(place)
    with pytest.raises(BadSetting, match="CONTENTGEN_INDEX_STORE"):
        index_location(Settings(index_store=place))


def test_without_the_setting_the_index_is_below_the_data_folder(tmp_path: Path) -> None:
    assert index_location(Settings(data_dir=tmp_path)) == (str(tmp_path / "index"), None)


def test_a_folder_needs_no_options_whatever_the_environment_says() -> None:
    assert storage_options("/index", ENDPOINT) is None


def test_another_server_than_amazons_is_named_by_the_usual_variables() -> None:
    options = storage_options("s3://bucket/index", ENDPOINT) or {}
    assert options["endpoint"] == "http://minio:9000"
    assert options["allow_http"] == "true"
    assert options["region"] == "us-east-1"
    own = {**ENDPOINT, "AWS_ENDPOINT_URL_S3": "https://s3.example.org", "AWS_DEFAULT_REGION": "eu-west-3"}
    options = storage_options("s3://bucket/index", own) or {}
    assert options["endpoint"] == "https://s3.example.org"
    assert "allow_http" not in options
    assert options["region"] == "eu-west-3"


def test_amazons_own_storage_is_reached_with_what_lancedb_finds_itself() -> None:
    options = storage_options("s3://bucket/index", {}) or {}
    assert "endpoint" not in options
    assert "region" not in options
