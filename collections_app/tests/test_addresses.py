"""Which addresses an endpoint may have."""

from __future__ import annotations

import pytest

from collections_app.addresses import address_problem, is_forbidden_host


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.0.1",
        "2852039166",
        "0xa9fea9fe",
        "169.254.43518",
        "0251.0376.0251.0376",
        "[fe80::1]",
        "fe80::1%eth0",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "fd00:ec2::254",
        "100.100.100.200",
        "metadata.google.internal",
        "METADATA.google.internal.",
    ],
)
def test_link_local_and_metadata_hosts_are_forbidden_in_every_spelling(host: str) -> None:
    assert is_forbidden_host(host)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "api.example.org", "fd12::1"]
)
def test_local_private_and_public_hosts_are_allowed(host: str) -> None:
    assert not is_forbidden_host(host)


@pytest.mark.parametrize(
    "base",
    ["https://api.example.org/v1", "http://127.0.0.1:9100/v1", "http://[::1]:9100/v1", "https://a-b.example:8443"],
)
def test_a_plain_address_has_no_problem(base: str) -> None:
    assert address_problem(base) == ""


@pytest.mark.parametrize(
    "base",
    [
        "",
        "ftp://api.example.org",
        "api.example.org/v1",
        "http://",
        "https://user:word@api.example.org",
        "https://api.example.org/v 1",
        'https://api.example.org/"v1',
        "https://api.example.org/<v1>",
        "https://api.example.org/v1?key=1",
        "https://api.example.org/v1#top",
        "https://api.example.org:99999/v1",
        "https://api.example.org/v1\n",
        "http://169.254.169.254/latest",
        "http://[fe80::1]/v1",
    ],
)
def test_a_doubtful_address_is_told_in_one_sentence(base: str) -> None:
    assert address_problem(base).endswith(".")
