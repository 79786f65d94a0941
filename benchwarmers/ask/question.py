"""The question that a person puts, as the form brings it, and the request that an API caller would send for the same.

Reads a form and decides nothing about the request: what is wrong with it is said by the gateway's own reader, as to
every caller.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from msgspec import Struct

from gateway.canon.names import PREFIX

IMAGE_TYPES: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
"""By what a file begins with. WebP has its word four bytes further on."""
MODES: Final = ("all", "merged")
_HEAD: Final = 12


class Image(Struct, frozen=True):
    """A picture that goes with the question: the file's name, its type and its bytes."""

    name: str
    mime: str
    data: bytes

    @property
    def base64(self) -> str:
        """As JSON carries it."""
        return base64.b64encode(self.data).decode()


class Question(Struct, frozen=True):
    """What is asked of which collection (by its bare name), and how. `timeout_s` and `explorers` stand as they were
    typed, empty for none; `key` is the id of the key to draw on, empty for none."""

    collection: str = ""
    mode: str = "all"
    prompt: str = ""
    system: str = ""
    nominated: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    explorers: str = ""
    timeout_s: str = ""
    key: str = ""
    images: tuple[Image, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The model name that asks this."""
        return f"{PREFIX}{self.collection}:{self.mode}"

    @property
    def wishes(self) -> dict[str, Any]:
        """The gateway's own fields of the request, those that were filled in."""
        told: dict[str, Any] = {}
        bench = {name: _number(value) for name, value in self._numbers if value}
        if self.nominated:
            told["with"] = list(self.nominated)
        if self.only:
            told["only"] = list(self.only)
        if bench:
            told["bench"] = bench
        return told

    @property
    def _numbers(self) -> tuple[tuple[str, str], ...]:
        return ("explorers", self.explorers), ("timeout_s", self.timeout_s)

    @property
    def says_more(self) -> bool:
        """True when something is filled in that the page keeps folded."""
        return bool(self.nominated or self.only or self.explorers or self.timeout_s or self.key)

    def body(self) -> dict[str, Any]:
        """The chat completion request for this."""
        content: Any = self.prompt
        if self.images:
            urls = [f"data:{image.mime};base64,{image.base64}" for image in self.images]
            content = [
                *([{"type": "text", "text": self.prompt}] if self.prompt else []),
                *({"type": "image_url", "image_url": {"url": url}} for url in urls),
            ]
        system = [{"role": "system", "content": self.system}] if self.system else []
        return {
            "model": self.model,
            "messages": [*system, {"role": "user", "content": content}],
            **self.wishes,
        }


def read_question(form: QueryDict, files: MultiValueDict[str, UploadedFile[Any]]) -> Question:
    """The form as it was sent, with what a form alone can tell is wrong."""
    problems: list[str] = []
    images = read_images(files.getlist("images"), problems)
    prompt = form.get("prompt", "").replace("\r\n", "\n").strip()
    collection = form.get("collection", "").strip()
    if not collection:
        problems.append(_("Choose a collection to ask."))
    if not prompt and not images:
        problems.append(_("Write what you want to ask."))
    mode, key = form.get("mode", ""), form.get("key", "").strip()
    if key and not (key.isascii() and key.isdigit() and len(key) < 19):
        problems.append(_("That key is revoked or not yours; choose another, or none."))
    return Question(
        collection=collection,
        mode=mode if mode in MODES else MODES[0],
        prompt=prompt,
        system=form.get("system", "").replace("\r\n", "\n").strip(),
        nominated=_names(form.get("with", "")),
        only=_names(form.get("only", "")),
        explorers=form.get("explorers", "").strip(),
        timeout_s=form.get("timeout_s", "").strip(),
        key=key,
        images=images,
        problems=tuple(problems),
    )


def read_images(files: Sequence[UploadedFile[Any]], problems: list[str]) -> tuple[Image, ...]:
    """The pictures among what was attached; whatever is none becomes a problem. What a file is, is seen from its bytes
    and not from its name."""
    images: list[Image] = []
    for file in files:
        data, name = file.read(), (file.name or "").replace("\0", "")[-100:]
        mime = image_type(data)
        if mime:
            images.append(Image(name, mime, data))
        elif data or name:
            problems.append(_("%(name)s is no PNG, JPEG, GIF or WebP image.") % {"name": name or _("A file")})
    return tuple(images)


def image_type(data: bytes) -> str:
    """The media type of an image that models take; empty for anything else."""
    head = data[:_HEAD]
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in IMAGE_TYPES.items() if head.startswith(magic)), "")


def _names(text: str) -> tuple[str, ...]:
    """Aliases as people list them: with commas, spaces or lines between."""
    return tuple(dict.fromkeys(text.replace(",", " ").split()))


def _number(text: str) -> Any:
    """A number where it is one; else the words, which the gateway's reader will name."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
