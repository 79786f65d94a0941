"""Which addresses are pictures, and how they are written down again."""

import base64
from collections.abc import Callable

import pytest

from gateway.canon.ask import Media
from gateway.canon.fault import BadRequest
from gateway.wire.media import read_data_url, read_image, sniff, write_url


@pytest.mark.parametrize(
    ("url", "media"),
    [
        ("https://host/a.png", Media("image", url="https://host/a.png")),
        ("http://host:8080/a?b", Media("image", url="http://host:8080/a?b")),
        ("data:image/png;base64,AAAA", Media("image", data="AAAA", mime="image/png")),
        ("DATA:Image/svg+xml;BASE64,AAAA", Media("image", data="AAAA", mime="Image/svg+xml")),
    ],
)
def test_addresses_and_base64_are_images(url: str, media: Media) -> None:
    assert read_image(url) == media


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("file:///etc/passwd", "[image: [url]]"),
        ("https:///no-host", "[image: [url]]"),
        ("ftp://host/a", "[image: ftp://host/a]"),
        ("data:text/html;base64,AAAA", "[image: data URL, 1 KB]"),
        ("data:image/png;base64,", "[image: data URL, 1 KB]"),
        ("data:image/png,AAAA", "[image: data URL, 1 KB]"),
        ("http://[broken", "[image: [url]]"),
        ("", "[image: [url]]"),
    ],
)
def test_anything_else_is_refused_by_a_placeholder_and_the_right_shape(url: str, shown: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read_image(url)

    assert refusal.value.message.startswith(shown)
    assert "http or https" in refusal.value.message


@pytest.mark.parametrize(
    ("sent", "media"),
    [
        ("data:application/pdf;base64,AAAA", Media("document", data="AAAA", mime="application/pdf", name="n")),
        ("https://host/a.pdf", Media("document", url="https://host/a.pdf", name="n")),
        ("AAAA", Media("document", data="AAAA", name="n")),
    ],
)
def test_files_come_by_data_url_address_or_bare_base64_and_go_out_as_they_came(sent: str, media: Media) -> None:
    assert read_data_url("document", sent, "n") == media
    assert write_url(media) == sent


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"BM\xff\xff", "image/bmp"),
        (b"RIFF\xff\xff\xff\xffWEBPVP8 ", "image/webp"),
        (b"RIFF\xff\xff\xff\xffWAVEfmt ", ""),
        (b"%PDF-1.7", "application/pdf"),
        (b"words", ""),
        (b"", ""),
    ],
)
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("body", [b"", b"\xfb\xff" * 20])
def test_the_type_is_found_by_how_the_data_begins(
    head: bytes, mime: str, encode: Callable[[bytes], bytes], body: bytes
) -> None:
    assert sniff(encode(head + body).decode()) == mime
    assert sniff(encode(head + body).decode().rstrip("=")) == mime


def test_what_is_no_base64_is_of_no_type() -> None:
    assert sniff("a") == ""
    assert sniff("é" * 30) == ""
