"""One sentence out of a serializer's nested errors. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def sentence_of(detail: object) -> str:
    """All problems as `field: what is wrong`, one after the other; the field is left out where there is none."""
    return " ".join(f"{path}: {text}" if path else text for path, text in _walk(detail, ""))


def _walk(detail: object, path: str) -> Iterator[tuple[str, str]]:
    match detail:
        case str():
            yield path, str(detail)
        case Mapping():
            for name, inner in detail.items():
                yield from _walk(inner, _joined(path, str(name)))
        case Sequence():
            for inner in detail:
                yield from _walk(inner, path)
        case _:
            yield path, str(detail)


def _joined(path: str, name: str) -> str:
    if name == "non_field_errors":
        return path
    return f"{path}.{name}" if path else name
